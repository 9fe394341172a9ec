/** The npm package: packed, installed into an empty folder, and used from there. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test("the example of the manual ends with its answer, although that comes from the book at once", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "kawasemi-"));
  context.after(() => rm(folder, { recursive: true }));
  const manual = await readFile(join(ROOT, "web/engine/README.md"), "utf8");
  const module = new URL("../../web/engine/kawasemi.js", import.meta.url).href;
  await writeFile(join(folder, "example.mjs"), /```js\n([^]*?)```/.exec(manual)[1].replace('"kawasemi"', JSON.stringify(module)));
  const lines = execFileSync("node", ["example.mjs"], { cwd: folder, encoding: "utf8", timeout: 60_000 });
  assert.match(lines, /^bestmove \S+/m);
});

test("the package has the version of the program, and plays where it is installed", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "kawasemi-"));
  context.after(() => rm(folder, { recursive: true }));
  const npm = (...words) => execFileSync("npm", words, { cwd: folder, encoding: "utf8" });
  const packed = JSON.parse(npm("pack", "--json", join(ROOT, "web/engine")));
  const files = packed[0].files.map((file) => file.path).sort();
  const licences = ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE", "README.md", "THIRD-PARTY.txt"];
  const needed = [...licences, "engine.json", "kawasemi.d.ts", "kawasemi.js", "kawasemi.wasm", "package.json"];
  assert.deepEqual(files, needed);
  const { version } = JSON.parse(await readFile(join(ROOT, "web/engine/package.json"), "utf8"));
  const cargo = await readFile(join(ROOT, "Cargo.toml"), "utf8");
  assert.equal(version, /^version = "(.*)"$/m.exec(cargo)[1]);

  await writeFile(join(folder, "package.json"), '{"private": true, "type": "module"}');
  npm("install", "--offline", "--no-audit", `./${packed[0].filename}`);
  await writeFile(join(folder, "play.js"), `
    import createEngine from "kawasemi";
    const engine = await createEngine();
    let answer;
    engine.addMessageListener((line) => (answer = line));
    engine.postMessage("isready");
    engine.postMessage("position startpos moves 9g9f 9c9d 9i9g");
    engine.postMessage("go nodes 2000");
    while (!answer.startsWith("bestmove")) engine.poll();
    console.log(answer);
  `);
  const answer = execFileSync("node", ["play.js"], { cwd: folder, encoding: "utf8" });
  assert.match(answer, /^bestmove \S+/);
});
