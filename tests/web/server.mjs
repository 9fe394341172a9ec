// Serves a folder, for tests. It can be stopped and started again at the same address.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm",
  ".json": "application/json", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml",
};

export class StaticServer {
  constructor(folder) {
    this.folder = folder;
    this.port = 0;
  }

  get address() {
    return `http://localhost:${this.port}/`;
  }

  async start() {
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise((resolve) => this.server.listen(this.port, "localhost", resolve));
    this.port = this.server.address().port;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async answer(request, response) {
    const { pathname } = new URL(request.url, this.address);
    const path = pathname.endsWith("/") ? pathname + "index.html" : pathname;
    const file = join(this.folder, normalize(decodeURIComponent(path)));
    const isFile = await stat(file).then((found) => found.isFile(), () => false);
    if (!isFile) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  }
}
