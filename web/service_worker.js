// Caches the page for offline use. The network comes first, because its files are newer; everything
// fetched is cached.
//
// A test compares the list with the files of this folder.

const CACHE = "kawasemi";
const FILES = [
  "./", "index.html", "play.css", "shogi.css", "manifest.webmanifest", "icon.svg", "icon.png",
  "play.js", "play_text.js", "view.js", "move_analysis.js", "dialogs.js", "record_dialog.js",
  "position_editor.js", "editor_board.js", "setup.js",
  "engine_client.js", "engine_worker.js", "usi.js", "game.js", "game_cursor.js", "match.js", "analyzer.js", "clock.js", "levels.js",
  "board.js", "dom.js", "graph.js", "movelist.js", "piece.js", "preferences.js", "saved_games.js", "sfen.js", "text.js", "transfer.js",
  "engine/kawasemi.js", "engine/kawasemi.wasm",
];

const known = new Set(FILES.map((name) => new URL(name, self.location).href));

// A link may add a query to the address of the page, which is the same page.
const withoutQuery = (url) => url.split(/[?#]/)[0];

async function fill() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
}

// Without room for its copy, or if the storage of the browser fails, a file is used nevertheless. One that breaks off is
// an error here too.
async function keep(cache, address, response) {
  try {
    await cache.put(address, response.clone());
  } catch {
    await response.clone().arrayBuffer();
  }
}

async function fromNetworkOrCache(request) {
  // Where the storage fails, the network is all there is.
  const cache = await caches.open(CACHE).catch(() => null);
  const address = withoutQuery(request.url);
  const kept = () => cache?.match(address).catch(() => null);
  try {
    // The browser asks the server whether its own copy is still the newest.
    const response = await fetch(request, { cache: "no-cache" });
    // An error, not a redirection.
    if (response.status >= 400) return (await kept()) ?? response;
    if (response.ok && cache) await keep(cache, address, response);
    return response;
  } catch (error) {
    const copy = await kept();
    if (copy) return copy;
    throw error;
  }
}

addEventListener("install", (event) => event.waitUntil(fill().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && known.has(withoutQuery(url))) event.respondWith(fromNetworkOrCache(event.request));
});
