// What holds for every page: no barriers, no sideways scrolling, small bundles, no jumps, no complaints.
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, ready, speaks, test } from "./server";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const dist = new URL("../dist/", import.meta.url).pathname;
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function barriers(page: import("@playwright/test").Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (tags) => {
    type Axe = { run(what: Document, options: object): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary: string }[] }[] }> };
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(document, { runOnly: { type: "tag", values: tags } });
    return violations.flatMap((one) => one.nodes.slice(0, 3).map((node) => `${one.id}: ${node.target.join(" ")} ${node.failureSummary.split("\n")[1] ?? ""}`));
  }, TAGS);
}

const PAGES = [
  ["supervisor", "/board"],
  ["supervisor", "/board?view=floors"],
  ["supervisor", "/board?view=list"],
  ["supervisor", "/plan"],
  ["supervisor", "/outbox"],
  ["housekeeper", "/my"],
] as const;

for (const [language, theme] of [
  ["en", "light"],
  ["ps", "dark"],
] as const) {
  test(`no barriers on any page (${language}, ${theme})`, async ({ page, enter }) => {
    test.setTimeout(180_000);
    await speaks(page, language);
    await page.addInitScript((chosen) => localStorage.setItem("melmastoon.theme", chosen), theme);
    await page.goto("/login");
    await ready(page);
    expect(await barriers(page), "/login").toEqual([]);
    let signedIn = "";
    for (const [role, path] of PAGES) {
      if (role !== signedIn) {
        if (signedIn) await page.getByTestId("logout").click();
        await enter(page, role);
        signedIn = role;
      }
      await page.goto(path);
      await ready(page);
      expect(await barriers(page), `${path} ${language} ${theme}`).toEqual([]);
    }
  });
}

test("nothing scrolls sideways at 320 px", async ({ page, enter }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await speaks(page, "ps");
  await enter(page, "supervisor");
  for (const path of ["/board", "/board?view=floors", "/board?view=list", "/plan", "/outbox", "/my"]) {
    await page.goto(path);
    await ready(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(0);
  }
});

/** Bytes of what was loaded, compressed with gzip. */
async function loaded(page: import("@playwright/test").Page, ending: string): Promise<number> {
  const paths = await page.evaluate(() => performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname));
  const size = (path: string) => {
    try {
      return statSync(`${dist}${path.slice(1)}.gz`).size;
    } catch {
      return statSync(`${dist}${path.slice(1)}`).size;
    }
  };
  return [...new Set(paths)].filter((path) => path.endsWith(ending)).reduce((sum, path) => sum + size(path), 0);
}

for (const [role, path, most] of [
  ["supervisor", "/board", 120_000],
  ["housekeeper", "/my", 70_000],
] as const) {
  test(`${path} is small, and does not jump`, async ({ page, enter }) => {
    await speaks(page, "ps");
    await enter(page, role);
    const again = await page.context().newPage();
    await again.addInitScript(() => {
      const seen = { shift: 0 };
      Object.assign(globalThis, { seen });
      new PerformanceObserver((list) => {
        for (const one of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) if (!one.hadRecentInput) seen.shift += one.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await again.goto(path);
    await ready(again);
    const [js, css, font] = [await loaded(again, ".js"), await loaded(again, ".css"), await loaded(again, ".woff2")];
    const shift = await again.evaluate(() => (globalThis as unknown as { seen: { shift: number } }).seen.shift);
    console.log(`budget ${path}: js ${js} css ${css} font ${font} bytes gzip, layout shift ${shift.toFixed(4)}`);
    expect(js).toBeLessThan(most);
    expect(css).toBeLessThan(12_000);
    expect(font).toBeLessThan(50_000);
    expect(shift).toBeLessThan(0.02);
  });
}

test("an English page loads no font", async ({ page, enter }) => {
  await speaks(page, "en");
  await enter(page, "supervisor");
  expect(await loaded(page, ".woff2")).toBe(0);
});
