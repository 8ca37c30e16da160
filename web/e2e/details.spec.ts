// Small things that people rely on: where one comes from and goes back to, who somebody is, which way time runs, what a phone says.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Hotel, type Page, expect, ready, speaks, test } from "./server";

const HK = "/housekeeping/v1";
interface Stay {
  reservationId: string;
  status: string;
  items: { roomId?: string | null; number?: string | null }[];
}
interface Room {
  roomId: string;
  number: string;
  status: string;
  occupancy: string;
  nextArrivalAt?: string | null;
}
const KABUL = 4.5 * 3_600_000;
/** The end of today in the hotel. */
const midnight = (): string => {
  const there = new Date(Date.now() + KABUL);
  return new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth(), there.getUTCDate() + 1) - KABUL).toISOString();
};
const arrivals = async (hotel: Hotel): Promise<Stay[]> => (await hotel.ask<{ items: Stay[] }>("front_desk", "GET", `/reservation/v1/arrivals?propertyId=${hotel.property}`)).items;
const rooms = async (hotel: Hotel): Promise<Room[]> => (await hotel.ask<{ rooms: Room[] }>("supervisor", "GET", `${HK}/board?propertyId=${hotel.property}`)).rooms;

/** How far the second time stands from the first one, to the end of the line as it is read. */
const runsOn = (page: Page, testid: string): Promise<boolean> =>
  page.getByTestId(testid).first().evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const found = /(\d{2}:\d{2}|[۰-۹]{2}:[۰-۹]{2})[^\d۰-۹]+?(\d{2}:\d{2}|[۰-۹]{2}:[۰-۹]{2})/.exec(node.textContent ?? "");
      if (!found) continue;
      const xOf = (at: number) => {
        const range = document.createRange();
        range.setStart(node as Text, at);
        range.setEnd(node as Text, at + 5);
        return range.getBoundingClientRect().x;
      };
      const [first, second] = [xOf(found.index), xOf(found.index + found[0].length - 5)];
      return document.documentElement.dir === "rtl" ? second < first : second > first;
    }
    throw new Error("no two times");
  });

test("16 whoever belongs to no house is told so, and what comes next, on every page @short", async ({ page, hotel }) => {
  const token = hotel.foreignToken("tnt_01KDVDNA00ZZZZZZZZZZZZZZZZ", "--role", "supervisor");
  await page.goto(`${hotel.url}/login#token=${token}`);
  await ready(page);
  for (const path of ["/board", "/my", "/plan", "/desk", "/linen", "/stats", "/roster", "/print/all"]) {
    await page.goto(path);
    await ready(page);
    await expect(page.getByTestId("state-empty"), path).toContainText("melmastoon import");
  }
  await page.goto("/settings");
  await ready(page);
  await expect(page.getByTestId("state-empty")).toHaveCount(0);
});

test("11 a guest without a room gets one, and another may have one that is ready", async ({ page, hotel, enter }) => {
  await enter(page, "front_desk");
  const due = await arrivals(hotel);
  const without = due.find((stay) => !stay.items[0]?.roomId);
  if (!without) throw new Error("everybody has a room");
  await page.locator(`[data-testid=arrival][data-reservation-id="${without.reservationId}"]`).getByTestId("check-in").click();
  const wanted = await page.getByTestId("assign-room").inputValue();
  expect((await rooms(hotel)).find((room) => room.roomId === wanted)?.status).toMatch(/^(ready|clean|inspected)$/);
  await page.getByTestId("confirm").click();
  const roomOf = async (stay: Stay) => (await hotel.ask<Stay>("front_desk", "GET", `/reservation/v1/reservations/${stay.reservationId}`)).items[0]?.roomId;
  await expect.poll(() => roomOf(without)).toBe(wanted);

  const state = new Map((await rooms(hotel)).map((room) => [room.roomId, room]));
  const unready = due.find((stay) => stay.status === "confirmed" && state.get(stay.items[0]?.roomId ?? "")?.status === "dirty");
  if (!unready) throw new Error("every room is ready");
  await page.locator(`[data-testid=arrival][data-reservation-id="${unready.reservationId}"]`).getByTestId("check-in").click();
  await expect(page.getByTestId("not-ready")).toBeVisible();
  await page.getByTestId("assign-room").selectOption({ index: 1 });
  await expect(page.getByTestId("not-ready")).toHaveCount(0);
  const other = await page.getByTestId("assign-room").inputValue();
  await page.getByTestId("confirm").click();
  await expect.poll(() => roomOf(unready)).toBe(other);
});

test("11 whoever stands at the desk is first, with since when, and the board counts whom the desk expects", async ({ page, hotel, enter }) => {
  await speaks(page, "en");
  await enter(page, "front_desk");
  const due = await arrivals(hotel);
  const here = due.filter((stay) => stay.status === "check_in_started").length;
  expect(here).toBeGreaterThan(0);
  const shown = page.getByTestId("arrival");
  for (let index = 0; index < here; index++) await expect(shown.nth(index)).toHaveAttribute("data-here", "true");
  await expect(shown.first()).toContainText(/since \d\d:\d\d/);
  await expect(shown.nth(here)).toHaveAttribute("data-here", "false");
  await page.goto("/board");
  await ready(page);
  const house = await rooms(hotel);
  const fit = new Set(house.filter((room) => /^(ready|clean|inspected)$/.test(room.status) && room.occupancy === "vacant").map((room) => room.roomId));
  const listed = due.filter((stay) => stay.items.some((item) => !fit.has(item.roomId ?? ""))).length;
  // At night the desk's list is still that of the evening before; whom housekeeping expects in the day to come is counted as well.
  const expected = new Set(due.flatMap((stay) => stay.items.map((item) => item.roomId)));
  const known = house.filter((room) => room.nextArrivalAt && room.nextArrivalAt < midnight() && !fit.has(room.roomId) && !expected.has(room.roomId));
  const waiting = listed + known.length;
  await expect(page.locator(".summary-figures .figure").nth(2).locator("b")).toHaveText(String(waiting));
});

test("a room opens over the page that it was opened from, and closes to it with its filters", async ({ page, enter }) => {
  await enter(page, "front_desk");
  await page.getByTestId("ready-room").first().click();
  await expect(page.getByTestId("room-drawer")).toBeVisible();
  await expect(page.getByTestId("find-room")).toHaveCount(1);
  await page.getByTestId("dismiss").click();
  await expect(page).toHaveURL(/\/desk$/);
  await page.goto("/board?view=list&q=30");
  await ready(page);
  const count = await page.getByTestId("room").count();
  await page.getByTestId("room").first().getByRole("link").click();
  await expect(page).toHaveURL(/\/rooms\/.*view=list/);
  await page.getByTestId("dismiss").click();
  await expect(page).toHaveURL(/\/board\?view=list&q=30$/);
  await expect(page.getByTestId("room")).toHaveCount(count);
  await page.goto("/board?view=floors");
  await ready(page);
  await page.getByTestId("filter-text").fill("30");
  await expect(page).toHaveURL(/q=30/);
  await page.getByTestId("room").first().locator("a").click();
  await page.getByTestId("dismiss").click();
  await expect(page).toHaveURL(/q=30/);
  // The way back does not open it again.
  await page.goBack();
  await expect(page.getByTestId("room-drawer")).toHaveCount(0);
});

test("times run as the page is read, and the words beside a plot too (ps)", async ({ page, enter }) => {
  await speaks(page, "ps");
  await enter(page, "property_manager");
  for (const [path, testid] of [["/roster", "shift"], ["/print/all", "sheet"]] as const) {
    await page.goto(path);
    await ready(page);
    expect(await runsOn(page, testid), path).toBe(true);
  }
  await page.goto("/stats");
  await ready(page);
  const canvas = page.getByTestId("plot-load").locator("canvas");
  await expect(canvas).toBeVisible();
  expect(await canvas.evaluate((element) => (element as HTMLCanvasElement).getContext("2d")?.direction)).toBe("rtl");
  await expect(page.getByTestId("date-said").first()).toContainText("۱۴");
  await expect(page.getByTestId("plot-table").first()).toBeVisible();
});

test("one's own shifts run as the page is read (ps)", async ({ page, enter }) => {
  await speaks(page, "ps");
  await enter(page, "housekeeper");
  await expect(page.getByTestId("my-shift").first()).toBeVisible();
  expect(await runsOn(page, "my-shift")).toBe(true);
});

test("a dialog stays when a text is marked beyond its edge", async ({ page, enter }) => {
  await enter(page, "supervisor");
  await page.getByTestId("help").click();
  const box = await page.locator("dialog[open]").boundingBox();
  if (!box) throw new Error("no dialog");
  await page.mouse.move(box.x + 60, box.y + 120);
  await page.mouse.down();
  await page.mouse.move(box.x - 60, box.y + 160, { steps: 5 });
  await page.mouse.up();
  await expect(page.locator("dialog[open]")).toBeVisible();
  await page.mouse.click(box.x - 60, box.y + 160);
  await expect(page.locator("dialog[open]")).toHaveCount(0);
});

test("a conflict names whoever did it, also somebody who is not on the board", async ({ page, hotel, enter }) => {
  await enter(page, "supervisor");
  // The stream begins with the whole house: one that opened after the change would tell of it.
  await expect(page.getByTestId("app")).toHaveAttribute("data-live", "live");
  type People = { items: { staffId: string; givenName: string; familyName: string; staffCode?: string }[] };
  const people = (await hotel.ask<People>("property_manager", "GET", `/staff/v1/staff?propertyId=${hotel.property}&limit=500`)).items;
  const board = await hotel.ask<{ staff: { staffId: string }[]; tasks: { taskId: string; status: string; priority: string; version: number }[] }>("supervisor", "GET", `${HK}/board?propertyId=${hotel.property}`);
  const away = people.find((one) => !board.staff.some((other) => other.staffId === one.staffId));
  // What is said of it must be news: another story may have made it pressing already.
  const task = board.tasks.find((one) => one.status === "pending" && one.priority !== "high");
  if (!away || !task) throw new Error("everybody is here");
  // The change is not told before the tap is made: the board is as old as a bad line makes it.
  await page.route("**/housekeeping/v1/board**", (route) => route.abort());
  await page.route("**/stream**", (route) => route.abort());
  await hotel.ask("property_manager", "PATCH", `${HK}/tasks/${task.taskId}/priority`, { priority: "high" }, away.staffId);
  const tile = page.locator(`[data-testid=task][data-task-id="${task.taskId}"]`);
  await tile.focus();
  await tile.press("Enter");
  await page.getByTestId("give-to").click();
  await page.getByTestId("person").first().click();
  await expect(page.getByTestId("conflict")).toBeVisible();
  await expect(page.getByTestId("conflict-who")).toContainText(away.familyName);
  await page.getByTestId("conflict-leave").click();
});

test("on a phone the counts have their words, and a paper fits the screen @short", async ({ page, enter }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await speaks(page, "ps");
  await enter(page, "supervisor");
  for (const one of await page.getByTestId("count").all()) expect((await one.innerText()).replace(/[\d۰-۹\s]/g, "").length).toBeGreaterThan(1);
  await page.goto("/print/all");
  await ready(page);
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }).axe;
    return (await run.run()).violations.map((one) => one.id).filter((id) => id === "scrollable-region-focusable");
  });
  expect(found).toEqual([]);
  expect(await page.locator(".sheet").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)).toBe(0);
});

test("each page has its own title, is no higher than it must be, and the demo's language is one click away", async ({ page, hotel, enter }) => {
  await enter(page, "supervisor");
  const titles = new Set<string>();
  for (const path of ["/board", "/desk", "/outbox", "/settings"]) {
    await page.goto(path);
    await ready(page);
    titles.add(await page.title());
  }
  expect(titles.size).toBe(4);
  await page.goto("/outbox");
  await ready(page);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0);
  await page.locator("[data-testid=demo-lang][data-lang=fa]").click();
  await expect(page.getByTestId("app")).toHaveAttribute("data-lang", "fa");
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${hotel.url}/login?demo=supervisor&lang=en`);
  await ready(page);
  await expect(page.getByTestId("app")).toHaveAttribute("data-lang", "en");
});

test("somebody who waits for a room gets it on the chart", async ({ page, hotel, enter }) => {
  await enter(page, "property_manager", "/desk/chart");
  await page.goto("/desk/chart");
  await ready(page);
  const chip = page.getByTestId("unplaced").first();
  test.skip(!(await chip.count()), "everybody has a room");
  const id = (await chip.getAttribute("data-reservation-id")) ?? "";
  await chip.click();
  await page.getByTestId("chart-room").selectOption({ index: 1 });
  const wanted = await page.getByTestId("chart-room").inputValue();
  await page.getByTestId("confirm").click();
  await expect.poll(async () => (await hotel.ask<Stay>("front_desk", "GET", `/reservation/v1/reservations/${id}`)).items[0]?.roomId).toBe(wanted);
});

test("dates are chosen in the reader's calendar, and whatever fills the browser's field fills ours (ps)", async ({ page, enter }) => {
  await speaks(page, "ps");
  await enter(page, "property_manager", "/stats");
  const day = page.getByTestId("stats-day");
  await day.fill("2026-04-22");
  await expect(page).toHaveURL(/date=2026-04-22/);
  await ready(page);
  await expect(page.getByTestId("date-month")).toHaveValue("2");
  await expect(page.getByTestId("date-day").locator("option:checked")).toHaveText("۲");
  await page.getByTestId("date-month").selectOption("1");
  await expect(page).toHaveURL(/date=2026-03-22/);
  await expect(page.getByTestId("date-said").first()).toContainText("۲ وری ۱۴۰۵");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.context().clearCookies();
  await enter(page, "housekeeper");
  await page.getByTestId("leave-ask").click();
  await page.getByTestId("leave-from").fill("2026-12-01");
  await page.getByTestId("leave-to").fill("2026-12-02");
  await expect(page.getByTestId("date-day").first().locator("option:checked")).toHaveText("۱۰");
  expect(await page.locator("dialog[open]").evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
});
