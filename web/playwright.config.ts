// Debian's Chromium, never a downloaded one. Every story is told in English and in Pashto where its name does not say otherwise.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  // As for all tests (.config/nextest.toml): what passes the second time is named as flaky, and mended.
  retries: 1,
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    launchOptions: { executablePath: process.env.MELMASTOON_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] },
    testIdAttribute: "data-testid",
    trace: "retain-on-failure",
    viewport: { width: 1280, height: 800 },
  },
});
