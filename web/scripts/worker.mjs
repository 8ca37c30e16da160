// Builds the service worker as one plain script and tells it what the build consists of. Its version is what it caches.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { build } from "vite";

const root = new URL("..", import.meta.url).pathname;
const dist = `${root}dist/`;
const files = (await readdir(dist, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && !/\.(br|gz|map)$/.test(entry.name) && entry.name !== "sw.js")
  .map((entry) => `/${entry.parentPath.slice(dist.length)}/${entry.name}`.replace(/\/+/g, "/"))
  .sort();
const hash = createHash("sha256");
for (const file of files) hash.update(file).update(await readFile(dist + file.slice(1)));
// The server gives the page under its paths, not under the name of its file.
const paths = files.map((file) => (file === "/index.html" ? "/" : file));
const version = hash.digest("hex").slice(0, 12);

await build({
  root,
  configFile: false,
  logLevel: "warn",
  define: { __FILES__: JSON.stringify(paths), __BUILD__: JSON.stringify(version) },
  build: {
    outDir: "dist",
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2022",
    lib: { entry: "src/sw/worker.ts", formats: ["iife"], name: "worker", fileName: () => "sw.js" },
  },
});
