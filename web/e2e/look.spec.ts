// What an eye sees at once: nothing scrolls sideways or is cut off, fingers find their place, both themes and a person's own colours can be read, and
// nothing jumps while a page loads. Long names and large houses are looked at with `scripts/look.mjs`.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { clipped, sideways, small } from "../scripts/look/eyes.mjs";
import { type Page, type Role, expect, ready, speaks, test } from "./server";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Every page of pages.json with somebody who may see it; `/rooms/:id`, `/my/:taskId` and `/print/:staffId` are found on the board. */
const PAGES: [Role, string][] = [
  ["supervisor", "/board"],
  ["supervisor", "/board?view=floors"],
  ["supervisor", "/board?view=list"],
  ["supervisor", "/rooms/:id"],
  ["supervisor", "/plan"],
  ["supervisor", "/linen"],
  ["supervisor", "/lost"],
  ["supervisor", "/roster"],
  ["supervisor", "/stats"],
  ["supervisor", "/print/all"],
  ["supervisor", "/print/:staffId"],
  ["supervisor", "/outbox"],
  ["supervisor", "/settings"],
  ["front_desk", "/desk"],
  ["front_desk", "/desk/chart"],
  ["property_manager", "/settings"],
  ["housekeeper", "/my"],
  ["housekeeper", "/my/:taskId"],
  ["housekeeper", "/linen"],
  ["housekeeper", "/lost"],
  ["housekeeper", "/outbox"],
  ["housekeeper", "/settings"],
];
/** Held in one hand: a target is at least 44 px, on a housekeeper's own page 48. */
const PHONE = ["/linen", "/lost", "/outbox"];
const leastOf = (path: string): number => (path.startsWith("/my") ? 48 : PHONE.includes(path) ? 44 : 24);

async function pathOf(page: Page, path: string): Promise<string> {
  if (!path.includes(":")) return path;
  const [rooms, people, tasks] = await page.evaluate(async () => {
    type Board = { rooms: { roomId: string }[]; staff: { staffId: string }[]; tasks: { taskId: string; assigneeStaffId?: string; status: string }[] };
    const who = (await (await fetch("/web/session")).json()) as { propertyId: string; staffId: string; roles: string[] };
    const mine = who.roles.includes("housekeeper") ? `&staffId=${who.staffId}` : "";
    const board = (await (await fetch(`/housekeeping/v1/board?propertyId=${who.propertyId}${mine}`)).json()) as Board;
    const own = board.tasks.filter((task) => task.assigneeStaffId === who.staffId && task.status === "assigned");
    return [board.rooms.map((one) => one.roomId), board.staff.map((one) => one.staffId), own.map((one) => one.taskId)];
  });
  return path.replace(":id", rooms?.[0] ?? "").replace(":staffId", people?.[0] ?? "").replace(":taskId", tasks?.[0] ?? "");
}

/** Goes to each page as the one who may, and tells what `look` finds there. */
async function walk(page: Page, enter: (page: Page, role: Role) => Promise<void>, pages: [Role, string][], look: (path: string) => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  let signedIn = "";
  for (const [role, path] of pages) {
    if (role !== signedIn) {
      await page.context().clearCookies();
      await enter(page, role);
      signedIn = role;
    }
    await page.goto(await pathOf(page, path));
    await ready(page);
    found.push(...(await look(path)).map((what) => `${role} ${path}: ${what}`));
  }
  return found;
}

/** At 320 px: sideways scrolling, text cut off, targets too small. */
const atAGlance = (page: Page) => async (path: string) => {
  const over = await page.evaluate(sideways);
  const least = leastOf(path);
  return [...(over > 0 ? [`scrolls ${over} px sideways`] : []), ...(await page.evaluate(clipped)), ...(await page.evaluate(small, least)).map((one) => `too small: ${one}`)];
};

for (const language of ["en", "ps", "fa"] as const) {
  test(`the sign-in fits a phone (${language}) @short`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await speaks(page, language);
    await page.goto("/login");
    await ready(page);
    expect(await atAGlance(page)("/my")).toEqual([]);
  });

  test(`nothing is cut off, scrolls sideways or is too small for a finger at 320 px (${language})`, async ({ page, enter }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width: 320, height: 640 });
    await speaks(page, language);
    expect(await walk(page, enter, PAGES, atAGlance(page))).toEqual([]);
  });
}

test("the board, the desk and a housekeeper's day fit a phone @short", async ({ page, enter }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await speaks(page, "ps");
  const few = PAGES.filter(([role, path]) => (role === "front_desk" && path.startsWith("/desk")) || path === "/my" || path === "/board" || path === "/roster");
  expect(await walk(page, enter, few, atAGlance(page))).toEqual([]);
});

test("every room's number is read whole on a phone @short", async ({ page, enter }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await speaks(page, "ps");
  await enter(page, "supervisor");
  for (const path of ["/board", "/board?view=floors"]) {
    await page.goto(path);
    await ready(page);
    const numbers = page.locator(".tile-number bdi");
    expect(await numbers.count()).toBeGreaterThan(20);
    expect(await numbers.evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().width > 0 && one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)), path).toEqual([]);
  }
});

test("in a low window the menu and the tools do not lie over each other @short", async ({ page, enter }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  await speaks(page, "en");
  await enter(page, "supervisor");
  const [last, tools] = [await page.getByTestId("nav-settings").boundingBox(), await page.locator(".frame-tools").boundingBox()];
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(tools?.y ?? 0);
});

for (const language of ["en", "ps", "fa"] as const) {
  test(`on a tablet the tools are in sight and the pages in one row (${language})`, async ({ page, enter }) => {
    await page.setViewportSize({ width: 768, height: 1024 });
    await speaks(page, language);
    await enter(page, "property_manager", "/board");
    for (const tool of ["property", "lang", "theme", "help", "logout"]) await expect(page.getByTestId(tool)).toBeInViewport({ ratio: 1 });
    const rows = await page.locator(".frame-nav a").evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().y))).size);
    expect(rows).toBe(1);
    expect(await page.evaluate(sideways)).toBeLessThanOrEqual(0);
    expect(await page.evaluate(clipped)).toEqual([]);
  });
}

test("the mark keeps its size whatever the head tells of the connection", async ({ page, enter }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.route(/\/housekeeping\/v1\/board\/stream/, () => undefined);
  await speaks(page, "en");
  await enter(page, "supervisor", "/board");
  await expect(page.locator(".connection")).toContainText(/\d\d:\d\d/);
  expect((await page.locator(".frame-head .mark").boundingBox())?.width).toBe(28);
});

/** The same house with other numbers on its doors; the stream, which would bring its own, says nothing. */
async function renumber(page: Page, to: (number: string, index: number) => string): Promise<void> {
  await page.route(/\/housekeeping\/v1\/board\/stream/, () => undefined);
  await page.route(/\/housekeeping\/v1\/board\?/, async (route) => {
    const headers = { ...route.request().headers() };
    delete headers["if-none-match"];
    const response = await route.fetch({ headers });
    const house = (await response.json()) as { rooms: { number: string }[] };
    house.rooms.forEach((room, index) => (room.number = to(room.number, index)));
    await route.fulfill({ response, json: house });
  });
}

test("a number of four figures is read whole on the board, whatever stands beside it", async ({ page, enter }) => {
  await renumber(page, (number) => `3${number}`);
  await speaks(page, "ps");
  await enter(page, "supervisor", "/board");
  await expect(page.locator(".tile .sign").first()).toBeVisible();
  for (const width of [320, 768, 1000, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await page.locator(".tile-number bdi").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    expect(cut, `${width} px`).toEqual([]);
  }
});

test("a room's number on the plan is whole or not there, and a name leaves room for the plan", async ({ page, enter }) => {
  await renumber(page, (number, index) => (index % 2 ? `${number}-Gartenflügel` : `1${number}`));
  await speaks(page, "ps");
  await enter(page, "supervisor", "/plan");
  if (!(await page.getByTestId("plan-bar").count())) await page.getByTestId("plan-suggest").click();
  await expect(page.getByTestId("plan-bar").first()).toBeVisible();
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const halves = await page.getByTestId("plan-bar").evaluateAll((bars) =>
      bars.flatMap((bar) => {
        const edge = bar.getBoundingClientRect();
        const words = [...bar.querySelectorAll("span > span")].map((one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          return { box: range.getBoundingClientRect(), text: one.textContent };
        });
        const isWhole = (box: DOMRect) => box.x >= edge.x - 1 && box.right <= edge.right + 1;
        return words.filter(({ box }) => box.y < edge.bottom - 1 && !isWhole(box)).map(({ text }) => text);
      }),
    );
    expect(halves, `${width} px`).toEqual([]);
    const [track, card] = [await page.locator(".plan-track").first().boundingBox(), await page.getByTestId("plan-lanes").boundingBox()];
    expect(track?.width).toBeGreaterThan((card?.width ?? 0) * 0.7);
  }
});

/** Axe's findings under WCAG 2.2 AA; contrast is among them. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations } = await (globalThis as unknown as { axe: { run(where: Document, options: unknown): Promise<Found> } }).axe.run(document, { runOnly: { type: "tag", values: tags } });
    return violations.flatMap((one) => one.nodes.slice(0, 2).map((node) => `${one.id}: ${node.html.slice(0, 120)} ${node.failureSummary?.split("\n")[1] ?? ""}`));
  });
}

for (const [theme, colours, language] of [["light", "none", "en"], ["dark", "none", "en"], ["light", "active", "en"], ["dark", "active", "en"], ["light", "none", "ps"], ["dark", "none", "fa"]] as const) {
  test(`every page can be read (${theme}, ${language}${colours === "active" ? ", in the person's own colours" : ""})`, async ({ page, enter }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ forcedColors: colours, colorScheme: theme });
    await page.addInitScript((chosen) => localStorage.setItem("melmastoon.theme", chosen), theme);
    await speaks(page, language);
    expect(await walk(page, enter, PAGES, () => barriers(page))).toEqual([]);
  });
}

test("in the person's own colours one sees what is chosen, and how full a day is", async ({ page, enter }) => {
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  await speaks(page, "en");
  await enter(page, "supervisor");
  const style = (selector: string, name: "outlineStyle" | "backgroundColor") =>
    page.locator(selector).first().evaluate((element, property) => getComputedStyle(element)[property as "outlineStyle"], name);
  expect(await style("[data-testid=view-lanes]", "outlineStyle")).toBe("solid");
  expect(await style("[data-testid=view-list]", "outlineStyle")).toBe("none");
  expect(await style("[data-testid=nav-board]", "outlineStyle")).toBe("solid");
  expect(await style("[data-testid=nav-desk]", "outlineStyle")).toBe("none");
  expect(await style(".meter i", "backgroundColor")).not.toBe(await style("body", "backgroundColor"));
  expect(await style(".summary-bar i", "backgroundColor")).not.toBe(await style(".summary", "backgroundColor"));
});

for (const [role, path] of [["supervisor", "/board"], ["front_desk", "/desk"], ["front_desk", "/desk/chart"], ["supervisor", "/plan"], ["housekeeper", "/my"], ["supervisor", "/roster"], ["supervisor", "/stats"], ["supervisor", "/linen"], ["supervisor", "/lost"]] as [Role, string][]) {
  test(`${path} does not jump while it loads, on a desk or on a phone`, async ({ page, enter }) => {
    await enter(page, role);
    for (const [width, height] of [[1440, 900], [320, 640]] as const) {
      const again = await page.context().newPage();
      await again.setViewportSize({ width, height });
      await again.addInitScript(() => {
        const seen = { shift: 0, what: [] as string[] };
        Object.assign(globalThis, { seen });
        new PerformanceObserver((list) => {
          for (const one of list.getEntries() as unknown as { value: number; hadRecentInput: boolean; sources: { node: Element | null }[] }[]) {
            if (one.hadRecentInput) continue;
            seen.shift += one.value;
            seen.what.push(`${one.value.toFixed(4)} ${one.sources.map((source) => String(source.node?.className ?? source.node?.nodeName)).join(" | ")}`);
          }
        }).observe({ type: "layout-shift", buffered: true });
      });
      await again.goto(path);
      await ready(again);
      // Fonts and parts that come by themselves may still push.
      await again.evaluate(() => document.fonts.ready);
      await again.waitForLoadState("load");
      const { shift, what } = await again.evaluate(() => (globalThis as unknown as { seen: { shift: number; what: string[] } }).seen);
      expect(shift, `${width} px: ${what.join("; ")}`).toBeLessThan(0.02);
      await again.close();
    }
  });
}
