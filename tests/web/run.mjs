// Runs the scenarios one after the other, and prints a line for each.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import * as analysis from "./analysis_scenarios.mjs";
import * as components from "./component_scenarios.mjs";
import * as editor from "./editor_scenarios.mjs";
import * as modules from "./modules.mjs";
import * as practice from "./practice_scenarios.mjs";
import * as savedGames from "./saved_game_scenarios.mjs";
import * as play from "./scenarios.mjs";
import { StaticServer } from "./server.mjs";
import { PageVisit, Visit } from "./visit.mjs";

const { CHROMIUM, TOOLS, ONLY = "" } = process.env;
const { chromium } = await import(pathToFileURL(join(TOOLS, "node_modules/playwright-core/index.mjs")).href);

const PARTS = {
  play: { scenarios: { ...modules, ...play, ...savedGames, ...editor }, kind: Visit, folder: "web", path: "" },
  components: { scenarios: components, kind: PageVisit, folder: ".", path: "tests/web/components.html" },
  analysis: { scenarios: analysis, kind: PageVisit, folder: TOOLS, path: "analysis.html" },
  practice: { scenarios: practice, kind: PageVisit, folder: TOOLS, path: "practice.html" },
};

async function run(name, scenario, { browser, kind, address, server }) {
  const begin = (options) => kind.begin(browser, address, options);
  const visit = await begin();
  const shoot = (title, shown = visit) => shown.page.screenshot({ path: join(TOOLS, "screenshots", `${title}.png`) });
  try {
    const note = await scenario({ visit, page: visit.page, begin, shoot, server });
    await visit.end();
    console.log(`ok      ${name.replaceAll("_", " ")}${note ? ` (${note})` : ""}`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${name.replaceAll("_", " ")}\n        ${String(error.stack ?? error).replaceAll("\n", "\n        ")}`);
    await shoot(`failed-${name}`).catch(() => {});
    if (visit.faults.length > 0) console.log("        also: " + visit.faults.join("; "));
    await visit.context.close();
    return false;
  }
}

// A part by its name, or the play page at an address.
async function runPart(browser, part) {
  const { scenarios, kind, folder, path } = PARTS[part] ?? PARTS.play;
  const server = part in PARTS ? new StaticServer(folder) : null;
  await server?.start();
  const address = server ? server.address + path : part;
  const results = [];
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (name.includes(ONLY)) results.push(await run(name, scenario, { browser, kind, address, server }));
  }
  await server?.stop();
  return results;
}

async function main(parts) {
  await mkdir(join(TOOLS, "screenshots"), { recursive: true });
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  const results = [];
  for (const part of parts) results.push(...await runPart(browser, part));
  await browser.close();
  const failed = results.filter((passed) => !passed).length;
  console.log(failed > 0 ? `${failed} of ${results.length} failed` : `all ${results.length} hold`);
  process.exit(failed > 0 ? 1 : 0);
}

await main(process.argv.slice(2));
