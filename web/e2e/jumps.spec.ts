// A page does not jump while it loads, whichever of its answers comes last and however much is in it: what is there is not pushed away.
import type { Route } from "@playwright/test";
import { type Page, type Role, expect, speaks, test } from "./server";

// A trace looks at the page at every step, and there are many here.
test.use({ trace: "off" });

const API = /\/(housekeeping|staff|reservation)\/v1\//;
const LISTS = ["items", "alerts", "people", "unplaced"];

type Amount = "none" | "as it is" | "many";
type Json = Record<string, unknown>;

/** The same answer with nothing in its lists, or with each thing several times. */
function withAmount(answer: unknown, amount: Amount): unknown {
  if (amount === "as it is" || !answer || typeof answer !== "object") return answer;
  const grown = { ...(answer as Json) };
  for (const name of LISTS) {
    const list = grown[name];
    if (!Array.isArray(list)) continue;
    const again = (round: number) => list.map((one: unknown) => (one && typeof one === "object" ? another(one as Json, round) : one));
    grown[name] = amount === "none" ? [] : [0, 1, 2, 3].flatMap(again);
  }
  return grown;
}

/** Another one of the same kind: its own ids are others, what it is about stays. */
function another(one: Json, round: number): Json {
  if (!round) return one;
  const own = ["id", "handoffNoteId", "leaveRequestId", "lineId", "reservationId"];
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, own.includes(name) && typeof value === "string" ? `${value}_${round}` : value]));
}

interface Seen {
  shift: number;
  what: string[];
}

async function jumpsOf(page: Page, path: string, amount: Amount, last?: string): Promise<Seen & { asked: string[] }> {
  const asked = new Set<string>();
  const open = new Set<Route>();
  let isOver = false;
  // The one that comes last is held until all others are there and the page has settled without it.
  let held: (() => void) | undefined;
  const mayGo = new Promise<void>((resolve) => (held = resolve));
  await page.route(API, async (route) => {
    const url = new URL(route.request().url());
    if (route.request().method() !== "GET") return route.fallback();
    // It would tell the house as it is, and not with as much in it as the answers here: it says nothing until the page is closed.
    if (url.pathname.endsWith("/stream")) return;
    asked.add(url.pathname);
    open.add(route);
    try {
      const response = await route.fetch();
      const isJson = (response.headers()["content-type"] ?? "").includes("json") && response.status() === 200;
      const body = isJson ? JSON.stringify(withAmount(await response.json(), amount)) : undefined;
      open.delete(route);
      if (url.pathname === last) await mayGo;
      await route.fulfill(body === undefined ? { response } : { response, body });
    } catch (error) {
      // Nobody waits for an answer on a page that was closed meanwhile.
      if (!isOver) throw error;
    } finally {
      open.delete(route);
    }
  });
  await page.addInitScript(() => {
    const seen = { shift: 0, what: [] as string[] };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const one of list.getEntries() as unknown as { value: number; hadRecentInput: boolean; sources: { node: Element | null }[] }[]) {
        if (one.hadRecentInput) continue;
        seen.shift += one.value;
        seen.what.push(`${one.value.toFixed(4)} ${one.sources.map((source) => String(source.node?.className || source.node?.textContent?.slice(0, 30) || source.node?.nodeName)).join(" | ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(path);
  if (last) {
    await expect.poll(() => asked.has(last) && open.size === 0, { timeout: 30_000 }).toBe(true);
    await twoFrames(page);
    held?.();
  }
  await expect(page.getByTestId("app")).toHaveAttribute("data-ready", "yes", { timeout: 60_000 });
  // What the page asks for once it is painted (the desk's lists, names) may push as well.
  await expect.poll(() => open.size, { timeout: 30_000 }).toBe(0);
  await page.evaluate(() => document.fonts.ready);
  await twoFrames(page);
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
  isOver = true;
  return { ...seen, asked: [...asked] };
}

const twoFrames = (page: Page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

const PAGES: [Role, string][] = [
  ["supervisor", "/roster"],
  ["supervisor", "/lost"],
  ["supervisor", "/plan"],
  ["supervisor", "/stats"],
  ["supervisor", "/linen"],
  ["front_desk", "/desk"],
  ["front_desk", "/desk/chart"],
  ["property_manager", "/settings"],
  ["supervisor", "/board"],
  ["housekeeper", "/my"],
];

for (const [role, path] of PAGES) {
  test(`${path} does not jump, whichever answer comes last and however much there is`, async ({ page, enter }) => {
    test.setTimeout(300_000);
    await speaks(page, "ps");
    await enter(page, role);
    const wrong: string[] = [];
    const look = async (width: number, height: number, amount: Amount, last?: string): Promise<string[]> => {
      // From nothing: a copy with more or less in it would be told as a jump.
      await page.evaluate(
        () =>
          new Promise<void>((resolve, reject) => {
            const opened = indexedDB.open("melmastoon");
            opened.onerror = () => reject(opened.error);
            opened.onsuccess = () => {
              const cleared = opened.result.transaction("copies", "readwrite");
              cleared.objectStore("copies").clear();
              cleared.oncomplete = () => (opened.result.close(), resolve());
            };
          }),
      );
      const again = await page.context().newPage();
      await again.setViewportSize({ width, height });
      const { shift, what, asked } = await jumpsOf(again, path, amount, last);
      if (shift >= 0.02) wrong.push(`${width} px, ${amount}, last ${last ?? "nothing"}: ${shift.toFixed(4)} (${what.join("; ")})`);
      await again.close();
      return asked;
    };
    for (const [width, height] of [[1440, 900], [320, 640]] as const) {
      const asked = await look(width, height, "as it is");
      for (const last of asked) await look(width, height, "many", last);
      await look(width, height, "none");
    }
    expect(wrong).toEqual([]);
  });
}
