// The engine in a web worker, so that the page never waits for it.
//
// The page sends { line }, a line of USI, or { id, call, argument }, a call about rules or records.
// It gets { line } for each line of the engine, { id, result } or { id, error: { en, ja } } for each call, and
// { failed, detail } if the engine cannot be loaded: an `EngineFailure`, and the text of the browser.
// A search runs in slices of about 10 ms, and messages are read between them.

import create from "./engine/kawasemi.js";

const ENGINE_FOLDER = new URL("./engine/", import.meta.url);
// A message to oneself comes after those that wait already, and sooner than a timer.
const nextSlice = new MessageChannel();
const waiting = [];
let engine = null;
let isSearching = false;

/** @param {string} line */
function forwardLine(line) {
  if (line.startsWith("bestmove") || line.startsWith("checkmate")) isSearching = false;
  postMessage({ line });
}

/** @param {string} line */
function send(line) {
  const begins = line.startsWith("go") || line.startsWith("ponderhit");
  if (begins && !isSearching) {
    isSearching = true;
    nextSlice.port2.postMessage(null);
  }
  engine.postMessage(line);
}

function answer({ id, call, argument }) {
  try {
    postMessage({ id, result: engine.call(call, argument) });
  } catch (error) {
    postMessage({ id, error: { en: String(error.message ?? error), ja: error.ja } });
  }
}

function receive(message) {
  if ("line" in message) send(message.line);
  else answer(message);
}

/** @returns {import("./engine_client.js").EngineFailure} */
function loadFailure(error) {
  if (typeof WebAssembly === "undefined") return "unsupported";
  if (error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError) return "unsupported";
  if (error instanceof WebAssembly.RuntimeError) return "crash";
  return error instanceof RangeError ? "memory" : "load";
}

nextSlice.port1.onmessage = () => {
  if (!isSearching) return;
  engine.poll();
  if (isSearching) nextSlice.port2.postMessage(null);
};

onmessage = ({ data }) => {
  if (engine) receive(data);
  else waiting.push(data);
};

try {
  engine = await create({
    printErr: (line) => postMessage({ line: "info string " + line }),
    locateFile: (name) => new URL(name, ENGINE_FOLDER).href,
  });
  engine.addMessageListener(forwardLine);
  waiting.forEach(receive);
} catch (error) {
  postMessage({ failed: loadFailure(error), detail: String(error.message ?? error) });
}
