// How fast it is, as numbers: time to paint, to answer a touch, to be of use on a slow line. Only the long set judges times: they need a
// machine that is not busy with a build. Each test prints what it found.
import { loadavg } from "node:os";
import type { BrowserContext } from "@playwright/test";
import { type Page, expect, ready, speaks, test } from "./server";

// A trace of a story looks at every element of the page at every step: what it costs would be told as ours.
test.use({ trace: "off" });

const said = (what: string) => console.log(`speed: ${what} (load ${loadavg().map((one) => one.toFixed(1)).join(" ")})`);
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };

/** What the measuring code in the page leaves behind. */
interface Seen {
  dataAt: number;
  paintedAt: number;
  usableAt: number;
  interactions: Record<string, number>;
}
const seen = (page: Page): Promise<Seen> => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

/** Before any code of the app: notes when the app says that it is ready, after the paint, and how long each touch took to be answered. */
async function watch(target: Page | BrowserContext): Promise<void> {
  await target.addInitScript(() => {
    const found = { dataAt: 0, paintedAt: 0, usableAt: 0, interactions: {} as Record<string, number> };
    Object.assign(globalThis, { seen: found });
    const afterPaint = (then: () => void) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = then;
        port2.postMessage(0);
      });
    new MutationObserver(() => {
      if (!found.usableAt && document.querySelector("[data-testid=app][data-ready=yes]")) {
        found.usableAt = 1;
        afterPaint(() => (found.usableAt = performance.now()));
      }
      if (found.dataAt && !found.paintedAt && document.querySelectorAll(".tile, .list tbody tr").length >= 500) {
        found.paintedAt = 1;
        afterPaint(() => (found.paintedAt = performance.now()));
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
    new PerformanceObserver((list) => {
      for (const one of list.getEntries() as unknown as { interactionId: number; duration: number }[]) {
        if (one.interactionId) found.interactions[one.interactionId] = Math.max(found.interactions[one.interactionId] ?? 0, one.duration);
      }
    }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
}

/** The house of the demo, grown to five hundred rooms on its way into the page; nothing else is changed. */
async function fiveHundredRooms(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const real = globalThis.fetch;
    type Row = Record<string, unknown>;
    type House = { rooms: Row[]; tasks: Row[]; staff: Row[]; etag: string };
    const grown = (house: House): House => {
      const [rooms, tasks] = [[...house.rooms], [...house.tasks]];
      for (let index = rooms.length; index < 500; index++) {
        const like = house.rooms[index % house.rooms.length] ?? {};
        const roomId = `${String(like.roomId)}_${index}`;
        const task = house.tasks[index % Math.max(1, house.tasks.length)];
        rooms.push({ ...like, roomId, number: String(1_000 + index), openTask: undefined });
        if (task) tasks.push({ ...task, taskId: `${String(task.taskId)}_${index}`, id: `${String(task.id)}_${index}`, roomId });
      }
      return { ...house, rooms, tasks };
    };
    globalThis.fetch = async (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      if (url.includes("/board/stream")) {
        const quiet = new ReadableStream({ start: (controller) => Object.assign(globalThis, { tellChange: () => controller.enqueue(new TextEncoder().encode("event: change\ndata: {}\n\n")) }) });
        return new Response(quiet, { headers: { "content-type": "text/event-stream" } });
      }
      // The house of the demo may not have changed: ours has.
      const headers = new Headers(init?.headers);
      if ("changeHouse" in globalThis) headers.delete("if-none-match");
      const response = await real(input, { ...init, headers });
      if (!/\/housekeeping\/v1\/board\?/.test(url) || response.status !== 200) return response;
      const change = (globalThis as unknown as { changeHouse?: (house: House) => House }).changeHouse ?? ((house: House) => house);
      const answer = new Response(JSON.stringify(change(grown((await response.json()) as House))), { headers: response.headers });
      const read = answer.json.bind(answer);
      answer.json = () => {
        const found = (globalThis as unknown as { seen?: { dataAt: number } }).seen;
        if (found && !found.dataAt) found.dataAt = performance.now();
        return read();
      };
      return answer;
    };
  });
}

for (const view of ["lanes", "floors", "list"] as const) {
  test(`500 rooms are painted within 200 ms of their data (${view})`, async ({ page, enter }) => {
    await enter(page, "supervisor", "/settings");
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      // From nothing: with the copy of the last round on the device the house would be there before its data.
      await page.getByTestId("copies-clear").click();
      await expect(page.getByTestId("toast").first()).toBeVisible();
      const fresh = await page.context().newPage();
      await fiveHundredRooms(fresh);
      await watch(fresh);
      await fresh.goto(`/board?view=${view}`);
      await expect.poll(async () => (await seen(fresh)).paintedAt, { timeout: 20_000, intervals: [1_000] }).toBeGreaterThan(1);
      const { dataAt, paintedAt } = await seen(fresh);
      times.push(paintedAt - dataAt);
      await fresh.close();
    }
    times.sort((a, b) => a - b);
    said(`500 rooms, ${view}: painted ${times.map((one) => one.toFixed(0)).join(", ")} ms after the data`);
    expect(times[2]).toBeLessThan(200);
  });
}

/** The share of touches that were answered within this many milliseconds is three quarters. Those under 16 ms are not told by the browser. */
async function p75(page: Page, touches: number): Promise<number> {
  const known = Object.values((await seen(page)).interactions);
  const all = [...known, ...Array<number>(Math.max(0, touches - known.length)).fill(15)].sort((a, b) => a - b);
  return all[Math.ceil(all.length * 0.75) - 1] ?? 0;
}

async function slowCpu(page: Page, rate: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate });
}

for (const rooms of ["the demo's", "500"] as const) {
  test(`three quarters of all touches on the board are answered within 100 ms at 4x CPU (${rooms} rooms)`, async ({ page, enter }) => {
    test.setTimeout(120_000);
    await speaks(page, "ps");
    await enter(page, "supervisor", "/settings");
    const board = await page.context().newPage();
    if (rooms === "500") await fiveHundredRooms(board);
    await watch(board);
    await board.goto("/board");
    await ready(board);
    await expect(board.getByTestId("task").first()).toBeVisible();
    await slowCpu(board, 4);
    let touches = 0;
    const touch = async (work: Promise<unknown>) => {
      await work;
      touches++;
    };
    const counts = board.getByTestId("count");
    for (const index of [0, 0, 2, 2]) await touch(counts.nth(index).click());
    await board.getByTestId("filter-text").focus();
    for (const key of ["1", "0", "Backspace", "Backspace", "2", "Backspace"]) await touch(board.keyboard.press(key));
    for (let round = 0; round < 4; round++) {
      await touch(board.getByTestId("task-menu").nth(round).click());
      await expect(board.getByTestId("person").first()).toBeVisible();
      await touch(board.keyboard.press("ArrowDown"));
      await touch(board.keyboard.press("ArrowDown"));
      await touch(board.keyboard.press("Escape"));
      await expect(board.getByTestId("person")).toHaveCount(0);
    }
    for (const view of ["list", "floors", "lanes"]) await touch(board.getByTestId(`view-${view}`).click());
    await touch(board.getByTestId("select").click());
    for (const index of [0, 1, 2]) await touch(board.getByTestId("task").nth(index).locator("input[type=checkbox]").click());
    const found = await p75(board, touches);
    const worst = Math.max(0, ...Object.values((await seen(board)).interactions));
    said(`board, ${rooms} rooms, 4x CPU: p75 ${found} ms, worst ${worst} ms of ${touches} touches`);
    expect(found).toBeLessThan(100);
  });
}

test("three quarters of all touches on /my are answered within 100 ms at 4x CPU", async ({ page, enter }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await speaks(page, "ps");
  await enter(page, "housekeeper");
  const mine = await page.context().newPage();
  await mine.setViewportSize({ width: 320, height: 640 });
  await watch(mine);
  await mine.goto("/my");
  await ready(mine);
  if (!(await mine.getByTestId("task-done").count())) await mine.getByTestId("task-start").or(mine.getByTestId("task-resume")).first().click();
  await expect(mine.getByTestId("check").first()).toBeVisible();
  await slowCpu(mine, 4);
  let touches = 0;
  const touch = async (work: Promise<unknown>) => {
    await work;
    touches++;
  };
  const rows = await mine.getByTestId("check").all();
  for (const row of [...rows, ...rows]) await touch(row.click());
  for (const name of ["plus", "plus", "minus", "minus"]) await touch(mine.getByTestId(`linen-issued-${name}`).click());
  for (let round = 0; round < 3; round++) {
    await touch(mine.getByTestId("task-pause").click());
    await expect(mine.getByTestId("pause-reason").first()).toBeVisible();
    await touch(mine.getByTestId("dismiss").click());
  }
  const found = await p75(mine, touches);
  const worst = Math.max(0, ...Object.values((await seen(mine)).interactions));
  said(`/my, 4x CPU: p75 ${found} ms, worst ${worst} ms of ${touches} touches`);
  expect(found).toBeLessThan(100);
});

test("/my is of use within 3 s on slow 3G from nothing, and within 1 s when it was there before", async ({ page, browser, hotel, enter }) => {
  test.setTimeout(120_000);
  await enter(page, "housekeeper");
  const cookies = await page.context().cookies();
  const times: { cold: number[]; warm: number[] } = { cold: [], warm: [] };
  for (let round = 0; round < 3; round++) {
    // Nothing but the cookie: no cache, no worker, no copy.
    const device = await browser.newContext({ baseURL: hotel.url, viewport: { width: 320, height: 640 } });
    await device.addCookies(cookies);
    await device.addInitScript(() => localStorage.setItem("melmastoon.language", "ps"));
    await watch(device);
    const open = async (): Promise<number> => {
      const phone = await device.newPage();
      const cdp = await device.newCDPSession(phone);
      await cdp.send("Network.enable");
      await cdp.send("Network.emulateNetworkConditions", SLOW_3G);
      await phone.goto("/my");
      await expect.poll(async () => (await seen(phone)).usableAt, { timeout: 30_000, intervals: [100] }).toBeGreaterThan(1);
      await expect(phone.getByTestId("my-task").or(phone.getByTestId("state-empty")).first()).toBeVisible();
      const { usableAt } = await seen(phone);
      await phone.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await phone.close();
      return usableAt;
    };
    times.cold.push(await open());
    times.warm.push(await open());
    await device.close();
  }
  for (const list of [times.cold, times.warm]) list.sort((a, b) => a - b);
  const shown = (list: number[]) => list.map((one) => one.toFixed(0)).join(", ");
  said(`/my on slow 3G: cold ${shown(times.cold)} ms, warm ${shown(times.warm)} ms`);
  expect(times.cold[1]).toBeLessThan(3_000);
  expect(times.warm[1]).toBeLessThan(1_000);
});

test("one change touches one tile of 500, and is painted within 200 ms of its data", async ({ page, enter }) => {
  await enter(page, "supervisor", "/settings");
  const board = await page.context().newPage();
  await fiveHundredRooms(board);
  await watch(board);
  // The stream is held by the tab that was there first.
  await page.close();
  await board.goto("/board");
  await ready(board);
  await expect(board.getByTestId("app")).toHaveAttribute("data-live", "live");
  // Those out of sight are told whole a moment later.
  await expect.poll(() => board.locator(".tile").getByTestId("task-menu").count()).toBeGreaterThanOrEqual(500);
  const touched = await board.evaluate(async () => {
    type House = { tasks: { taskId: string; priority: string; version: number; assigneeStaffId?: string | null; status: string }[]; etag: string };
    const page = globalThis as unknown as { changeHouse: (house: House) => House; tellChange: () => void };
    const wanted = document.querySelector<HTMLElement>(".tile[data-testid=task][data-status=assigned][data-priority=normal]:last-of-type")?.dataset.taskId ?? "";
    page.changeHouse = (house) => ({ ...house, etag: '"another"', tasks: house.tasks.map((task) => (task.taskId === wanted ? { ...task, priority: "low", version: task.version + 1 } : task)) });
    const tiles = new Set<Element>();
    const done = new Promise<void>((resolve) => {
      new MutationObserver((all) => {
        for (const one of all) {
          const tile = (one.target instanceof Element ? one.target : one.target.parentElement)?.closest(".tile");
          if (tile) tiles.add(tile);
        }
        if (document.querySelector(`.tile[data-task-id="${wanted}"][data-priority=low]`)) resolve();
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    const { seen } = globalThis as unknown as { seen: { dataAt: number } };
    seen.dataAt = 0;
    page.tellChange();
    await done;
    await new Promise<void>((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(0);
      }),
    );
    return { own: [...tiles].map((tile) => (tile as HTMLElement).dataset.taskId === wanted), took: performance.now() - seen.dataAt };
  });
  said(`one change: ${touched.own.length} tile of 500 touched, painted ${touched.took.toFixed(0)} ms after its data`);
  expect(touched.own).toEqual([true]);
  expect(touched.took).toBeLessThan(200);
});

test("to choose several, none of 500 tiles is drawn again", async ({ page, enter }) => {
  await enter(page, "supervisor", "/settings");
  const board = await page.context().newPage();
  await fiveHundredRooms(board);
  await board.goto("/board");
  await ready(board);
  await expect.poll(() => board.locator(".tile").getByTestId("task-menu").count(), { timeout: 20_000 }).toBeGreaterThanOrEqual(500);
  await expect(board.locator(".tile input").first()).toBeHidden();
  await board.evaluate(() => {
    const touched = new Set<Element>();
    Object.assign(globalThis, { touched });
    new MutationObserver((all) => {
      for (const one of all) {
        const tile = (one.target instanceof Element ? one.target : one.target.parentElement)?.closest(".tile");
        if (tile) touched.add(tile);
      }
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await board.getByTestId("select").click();
  await expect(board.locator(".tile input").first()).toBeVisible();
  await board.getByTestId("task").nth(1).click({ position: { x: 40, y: 40 } });
  await expect(board.locator(".tile input:checked")).toHaveCount(1);
  expect(await board.evaluate(() => (globalThis as unknown as { touched: Set<Element> }).touched.size)).toBe(1);
});
