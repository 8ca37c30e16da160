// One build for all pages; each page is a chunk of its own. No plugin: JSX comes from tsconfig, the rest from scripts/.
import { defineConfig } from "vitest/config";

// `npm run dev` asks a running server for everything but the pages: MELMASTOON_URL, and MELMASTOON_TOKEN where there is no cookie.
const server = process.env.MELMASTOON_URL ?? "http://127.0.0.1:8080";
const token = process.env.MELMASTOON_TOKEN;
const to = { target: server, changeOrigin: true, ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}) };

export default defineConfig({
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 200,
    reportCompressedSize: false,
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
