// Speaks USI by the engine of a page, whose folder is the argument.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const module = pathToFileURL(join(process.argv[2], "engine/kawasemi.js")).href;
const engine = await (await import(module)).default();
engine.addMessageListener((line) => console.log(line));
// The engine searches while it is polled.
setInterval(() => engine.poll(), 0);
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => (line === "quit" ? lines.close() : engine.postMessage(line)));
lines.on("close", () => process.exit());
