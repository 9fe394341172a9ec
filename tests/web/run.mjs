// Runs the scenarios one after the other, and prints a line for each.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import * as modules from "./modules.mjs";
import * as scenarios from "./scenarios.mjs";
import { StaticServer } from "./server.mjs";
import { Visit } from "./visit.mjs";

const { CHROMIUM, TOOLS, ONLY = "" } = process.env;
const { chromium } = await import(pathToFileURL(join(TOOLS, "node_modules/playwright-core/index.mjs")).href);

async function run(name, scenario, { browser, address, server }) {
  const begin = (options) => Visit.begin(browser, address, options);
  const visit = await begin();
  const shoot = (title, shown = visit) => shown.page.screenshot({ path: join(TOOLS, "screenshots", `${title}.png`) });
  try {
    const note = await scenario({ visit, begin, shoot, server });
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

async function main([given]) {
  await mkdir(join(TOOLS, "screenshots"), { recursive: true });
  const server = given ? null : new StaticServer("web");
  await server?.start();
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  const results = [];
  for (const [name, scenario] of Object.entries({ ...modules, ...scenarios })) {
    if (!name.includes(ONLY)) continue;
    results.push(await run(name, scenario, { browser, address: given ?? server.address, server }));
  }
  await browser.close();
  await server?.stop();
  const failed = results.filter((passed) => !passed).length;
  console.log(failed > 0 ? `${failed} of ${results.length} failed` : `all ${results.length} hold`);
  process.exit(failed > 0 ? 1 : 0);
}

await main(process.argv.slice(2));
