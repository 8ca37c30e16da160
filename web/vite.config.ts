// One build for all pages; each page is a chunk of its own. JSX comes from tsconfig; the one plugin is ours and cuts the messages.
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import pages from "./src/app/pages.json" with { type: "json" };
import { baseFiles, words } from "./scripts/words.ts";

// `npm run dev` asks a running server for everything but the pages: MELMASTOON_URL, and MELMASTOON_TOKEN where there is no cookie.
const server = process.env.MELMASTOON_URL ?? "http://127.0.0.1:8080";
const token = process.env.MELMASTOON_TOKEN;
const to = { target: server, changeOrigin: true, ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}) };

const base = baseFiles();
const isBase = (id: string) => base.has(id) || /\/node_modules\/(preact|idb)\//.test(id);
/** What the phone's day, the board and most pages know of the house. */
const HOUSE = /\/src\/(live\/(board|merge|overlay|people)|outbox\/keep|board\/order|ui\/status|api\/types)\.tsx?$/;

/** A housekeeper's day is one file: in pieces it compresses worse. */
const DAY = /\/src\/my\/(page|panel|actions|clock|checklist|draft|install|pictures)\.tsx?$/;

/**
 * What is asked for together with a part. Every page carries these names, so only those that save a wait are there: `base` is on the device already, and
 * a part asks for itself. A page names itself all the same, for it waits for its sheet first.
 */
const hinted = (part: string, needed: string[], { hostType }: { hostType: "js" | "html" }): string[] =>
  hostType === "html" ? needed : needed.filter((one) => !/\/base-[^/]*\.js$/.test(one) && (one !== part || /\/page-[^/]*$/.test(one)));

/**
 * A browser remembers that a part did not come, and never asks for it again under that name: a phone that lost its net for a moment would not send until it is
 * loaded anew. So the part is asked for once more, under another name. Which one it was, the error says.
 */
const AGAIN = `(error) => {
  const part = /https?:\\S+\\.js/.exec(error)?.[0];
  if (!part) throw error;
  return import(/* @vite-ignore */ part + "?" + Date.now());
}`;
const askAgain: Plugin = {
  name: "ask-again",
  renderChunk(code) {
    if (!code.includes("vite:preloadError")) return undefined;
    const place = "baseModule().catch(handlePreloadError)";
    if (!code.includes(place)) throw new Error("Vite fetches parts in another way now: see askAgain");
    return code.replace(place, () => `baseModule().catch(${AGAIN}).catch(handlePreloadError)`);
  },
};

export default defineConfig({
  plugins: [askAgain, words([...new Set(pages.map((page) => page.folder))])],
  build: {
    target: "es2022",
    modulePreload: { polyfill: false, resolveDependencies: hinted },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 200,
    reportCompressedSize: false,
    // What every page needs is one file: a dozen small ones would compress worse and each wait for its turn on a slow line.
    // Every page carries the names of all parts: what tells one build's from another's is seven letters, which do not compress.
    rolldownOptions: { output: { chunkFileNames: "assets/[name]-[hash:7].js", assetFileNames: "assets/[name]-[hash:7][extname]", codeSplitting: { groups: [{ name: "base", test: isBase }, { name: "house", test: HOUSE }, { name: "day", test: DAY }] } } },
  },
  server: {
    port: 5173,
    proxy: { "/housekeeping": to, "/staff/v1": to, "/reservation": to, "/web/": to },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    testTimeout: 60_000,
  },
});
