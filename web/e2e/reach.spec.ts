// Everybody can use it: axe finds nothing, and nothing scrolls sideways at 320 px.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, ready, speaks, test } from "./server";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["/desk", "/linen", "/lost", "/stats", "/print/all", "/settings", "/roster", "/outbox"];
interface Finding {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

for (const [language, theme] of [["en", "light"], ["ps", "dark"]] as const) {
  test(`axe finds nothing on the pages of the desk and the office (${language}, ${theme})`, async ({ page, enter }) => {
    test.setTimeout(120_000);
    await speaks(page, language);
    await page.addInitScript((name) => localStorage.setItem("melmastoon.theme", name), theme);
    await enter(page, "supervisor");
    const all: string[] = [];
    for (const path of PAGES) {
      await page.goto(path);
      await ready(page);
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const run = (globalThis as unknown as { axe: { run(where: Document, options: unknown): Promise<{ violations: Finding[] }> } }).axe;
        const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
        return (await run.run(document, { runOnly: { type: "tag", values: tags } })).violations;
      });
      all.push(...found.map((one) => `${path} ${one.id}: ${one.nodes[0]?.html.slice(0, 160)} ${one.nodes[0]?.failureSummary?.slice(0, 200) ?? ""}`));
    }
    expect(all).toEqual([]);
  });
}

test("nothing scrolls sideways at 320 px @short", async ({ page, enter }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await speaks(page, "ps");
  await enter(page, "supervisor");
  for (const path of PAGES) {
    await page.goto(path);
    await ready(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, path).toBeLessThanOrEqual(0);
  }
});

test("a link to a place on the page leads there", async ({ page, enter }) => {
  await enter(page, "front_desk", "/desk");
  await page.keyboard.press("Tab");
  await expect(page.locator("a.skip")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();
  await page.setViewportSize({ width: 320, height: 640 });
  const departures = page.locator("#desk-departures");
  await expect(departures).not.toBeInViewport();
  await page.locator("a[href='#desk-departures']").click();
  await expect(departures).toBeInViewport();
  // Back is the page as it was, and not another one.
  await page.goBack();
  await expect(page).toHaveURL(/\/desk(#main)?$/);
  await expect(departures).toHaveCount(1);
});
