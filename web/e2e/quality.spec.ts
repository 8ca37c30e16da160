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
        if (signedIn) {
          // Until one is out, a link that signs in asks whether one wants to be somebody else.
          await page.getByTestId("logout").click();
          await page.waitForURL(/\/login/);
        }
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

/** Bytes of what was asked for, compressed with gzip: until the page was ready, or in all. */
async function loaded(page: import("@playwright/test").Page, ending: string, until = Infinity): Promise<number> {
  const asked = await page.evaluate(() => performance.getEntriesByType("resource").map((one) => ({ path: new URL(one.name).pathname, at: one.startTime })));
  const size = (path: string) => {
    try {
      return statSync(`${dist}${path.slice(1)}.gz`).size;
    } catch {
      return statSync(`${dist}${path.slice(1)}`).size;
    }
  };
  const paths = asked.filter((one) => one.at <= until && one.path.endsWith(ending)).map((one) => one.path);
  return [...new Set(paths)].reduce((sum, path) => sum + size(path), 0);
}

/** What a page may weigh until it works: the phone's day what the design aims at, half of what it allows, the others what they weigh and a tenth. */
for (const [role, path, most] of [
  ["supervisor", "/board", 42_000],
  ["housekeeper", "/my", 35_000],
  ["front_desk", "/desk", 47_500],
] as const) {
  test(`${path} is small, and does not jump`, async ({ page, enter }) => {
    await speaks(page, "ps");
    await enter(page, role);
    const again = await page.context().newPage();
    await again.addInitScript(() => {
      const seen = { shift: 0, readyAt: 0, moved: [] as string[] };
      Object.assign(globalThis, { seen });
      type Shift = { value: number; hadRecentInput: boolean; sources?: { node?: Element }[] };
      new PerformanceObserver((list) => {
        for (const one of list.getEntries() as unknown as Shift[]) {
          if (one.hadRecentInput) continue;
          seen.shift += one.value;
          seen.moved.push(...(one.sources ?? []).map(({ node }) => `${one.value.toFixed(4)} ${node?.nodeName} ${node instanceof Element ? node.className : (node as Node | undefined)?.textContent}`));
        }
      }).observe({ type: "layout-shift", buffered: true });
      // What comes once the page is there (dialogs, words for refusals) is not waited for.
      new MutationObserver(() => {
        if (!seen.readyAt && document.querySelector("[data-testid=app][data-ready=yes]")) seen.readyAt = performance.now();
      }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
    });
    await again.goto(path);
    await ready(again);
    const { shift, readyAt, moved } = await again.evaluate(() => (globalThis as unknown as { seen: { shift: number; readyAt: number; moved: string[] } }).seen);
    const [js, css, font] = [await loaded(again, ".js", readyAt), await loaded(again, ".css", readyAt), await loaded(again, ".woff2")];
    console.log(`budget ${path}: js ${js} css ${css} font ${font} bytes gzip, all js so far ${await loaded(again, ".js")}, layout shift ${shift.toFixed(4)}`);
    expect(js).toBeGreaterThan(20_000);
    expect(js).toBeLessThan(most);
    expect(css).toBeLessThan(12_000);
    expect(font).toBeLessThan(50_000);
    expect(shift, moved.join("; ")).toBeLessThan(0.02);
  });
}

test("an English page loads no font", async ({ page, enter }) => {
  await speaks(page, "en");
  await enter(page, "supervisor");
  expect(await loaded(page, ".woff2")).toBe(0);
});
