// The front desk's stories.
import { type Hotel, expect, speaks, test } from "./server";

const HK = "/housekeeping/v1";
interface Room {
  roomId: string;
  number: string;
  status: string;
  occupancy: string;
  readyEtaAt?: string;
  openTask?: { taskId: string; priority: string };
}
interface Stay {
  reservationId: string;
  status: string;
  balanceMicro?: string;
  currency?: string;
  items: { roomId?: string | null; number?: string | null }[];
}
const rooms = async (hotel: Hotel): Promise<Room[]> => (await hotel.ask<{ rooms: Room[] }>("supervisor", "GET", `${HK}/board?propertyId=${hotel.property}`)).rooms;
const arrivals = async (hotel: Hotel): Promise<Stay[]> => (await hotel.ask<{ items: Stay[] }>("front_desk", "GET", `/reservation/v1/arrivals?propertyId=${hotel.property}`)).items;

for (const language of ["en", "ps"] as const) {
  test(`11 the desk sees which room is ready and when the others will be (${language}) @short`, async ({ page, hotel, enter, complaints }) => {
    await speaks(page, language);
    await enter(page, "front_desk");
    await expect(page).toHaveURL(/\/desk$/);
    const all = await rooms(hotel);
    await expect(page.getByTestId("ready-room")).toHaveCount(all.length);
    const later = all.find((room) => room.readyEtaAt && room.occupancy === "vacant" && room.status === "dirty");
    if (!later) throw new Error("every room is ready");
    const tile = page.locator(`[data-testid=ready-room][data-room="${later.number}"]`);
    await expect(tile).toHaveAttribute("data-eta", /T/);
    await page.locator("body").press(later.number[0] ?? "1");
    await page.getByTestId("find-room").fill(later.number);
    await expect(page.getByTestId("ready-room")).toHaveCount(1);
    // As a keyboard in Pashto or Dari gives it.
    await page.getByTestId("find-room").fill(later.number.replace(/[0-9]/g, (digit) => "۰۱۲۳۴۵۶۷۸۹"[Number(digit)] ?? digit));
    await expect(page.getByTestId("ready-room")).toHaveCount(1);
    await expect(page.getByTestId("ready-room")).toHaveAttribute("data-room", later.number);
    await page.getByTestId("find-room").fill("9999");
    await expect(page.getByTestId("state-empty").first()).toBeVisible();
    expect(complaints).toEqual([]);
  });
}

test("11 a discrepancy is shown with who saw it, and resolved", async ({ page, hotel, enter }) => {
  const vacant = (await rooms(hotel)).find((room) => room.occupancy === "vacant" && room.status === "ready");
  if (!vacant) throw new Error("no room is ready");
  await enter(page, "front_desk");
  await hotel.ask("supervisor", "POST", `${HK}/rooms/${vacant.roomId}/occupancy`, { observed: "occupied", note: "a suitcase" });
  const shown = page.getByTestId("discrepancy").filter({ hasText: vacant.number });
  await expect(shown).toHaveAttribute("data-kind", "sleep");
  await expect(shown).toContainText("a suitcase");
  await shown.getByTestId("resolve").click();
  await page.locator("[data-testid=resolution][data-resolution=desk_right]").click();
  await expect(shown).toHaveCount(0);
  const open = async () => (await hotel.ask<{ items: { roomId: string }[] }>("front_desk", "GET", `${HK}/discrepancies?propertyId=${hotel.property}&open=true`)).items;
  await expect.poll(async () => (await open()).some((one) => one.roomId === vacant.roomId)).toBe(false);
});

test("11 a guest is checked in, and a room that is not ready warns first", async ({ page, hotel, enter }) => {
  const due = (await arrivals(hotel)).filter((stay) => stay.status === "confirmed");
  test.skip(!due.length, "nobody is due in the demo");
  await enter(page, "front_desk");
  const state = new Map((await rooms(hotel)).map((room) => [room.roomId, room]));
  const unready = due.find((stay) => state.get(stay.items[0]?.roomId ?? "")?.status === "dirty");
  if (unready) {
    const row = page.locator(`[data-testid=arrival][data-reservation-id="${unready.reservationId}"]`);
    await row.getByTestId("check-in").click();
    await expect(page.getByTestId("not-ready")).toBeVisible();
    await page.getByTestId("dismiss").click();
    if (await row.getByTestId("first-please").isVisible()) {
      await row.getByTestId("first-please").click();
      const task = state.get(unready.items[0]?.roomId ?? "")?.openTask?.taskId ?? "";
      await expect.poll(async () => (await hotel.ask<{ priority: string }>("supervisor", "GET", `${HK}/tasks/${task}`)).priority).toBe("urgent");
      await expect(row.getByTestId("first-please")).toHaveCount(0);
    }
  }
  const isFree = (room: { status: string; occupancy?: string } | undefined) => room !== undefined && ["ready", "clean"].includes(room.status) && room.occupancy !== "occupied";
  const stay = due.find((one) => isFree(state.get(one.items[0]?.roomId ?? ""))) ?? due[0];
  const row = page.locator(`[data-testid=arrival][data-reservation-id="${stay?.reservationId}"]`);
  await row.getByTestId("check-in").click();
  await page.getByTestId("confirm").click();
  await expect(row).toHaveCount(0);
});

test("11 where the house requires ready rooms, a guest is checked in anyway, in one step", async ({ page, hotel, enter }) => {
  const settings = (roomReadiness: string) => hotel.ask("property_manager", "PUT", `/reservation/v1/settings?propertyId=${hotel.property}`, { roomReadiness });
  const state = new Map((await rooms(hotel)).map((room) => [room.roomId, room]));
  const stay = (await arrivals(hotel)).find((one) => one.status === "confirmed" && state.get(one.items[0]?.roomId ?? "")?.status === "dirty");
  if (!stay) throw new Error("every room that is waited for is ready");
  await settings("require");
  try {
    await enter(page, "front_desk");
    const row = page.locator(`[data-testid=arrival][data-reservation-id="${stay.reservationId}"]`);
    await row.getByTestId("check-in").click();
    await expect(page.getByTestId("not-ready")).toBeVisible();
    await page.getByTestId("confirm").click();
    await expect(row).toHaveCount(0);
    expect((await hotel.ask<Stay>("front_desk", "GET", `/reservation/v1/reservations/${stay.reservationId}`)).status).toBe("checked_in");
  } finally {
    await settings("warn");
  }
});

test("11 a guest with a bill pays once and leaves, though an answer is lost on the way (ps)", async ({ page, hotel, enter }) => {
  const departures = async () => (await hotel.ask<{ items: Stay[] }>("front_desk", "GET", `/reservation/v1/departures?propertyId=${hotel.property}`)).items;
  const inHouse = async () => (await departures()).filter((one) => one.status === "checked_in");
  const owing = async () => (await inHouse()).find((one) => Number(one.balanceMicro) > 0);
  const [one] = await inHouse();
  test.skip(!one, "nobody leaves the demo today");
  if (!(await owing())) {
    // Nobody who leaves today owes anything: one is given back a little of what was paid.
    await hotel.ask("front_desk", "POST", `/reservation/v1/reservations/${one?.reservationId}/payments`, { method: "cash_on_arrival", amountMicro: "-1000000000", currency: one?.currency });
  }
  const stay = await owing();
  if (!stay) throw new Error("nobody leaves today");
  await speaks(page, "ps");
  await enter(page, "front_desk");
  // The server has the money; the desk does not hear of it the first time.
  let lost = 0;
  await page.route("**/payments", async (route) => {
    if (lost++) return route.fallback();
    await route.fetch();
    await route.abort();
  });
  const row = page.locator(`[data-testid=departure][data-reservation-id="${stay.reservationId}"]`);
  await row.getByTestId("check-out").click();
  await expect(page.getByTestId("to-pay")).toHaveAttribute("data-balance", stay.balanceMicro ?? "");
  await page.getByTestId("confirm").click();
  await expect(page.getByTestId("toast")).toBeVisible();
  await page.getByTestId("confirm").click();
  await expect(row).toHaveCount(0);
  const bill = await hotel.ask<{ settled: boolean; lines: { kind: string; amountMicro: string }[] }>("front_desk", "GET", `/reservation/v1/reservations/${stay.reservationId}/folio`);
  expect(lost).toBe(2);
  expect(bill.settled).toBe(true);
  expect(bill.lines.filter((line) => line.kind === "payment_cash_on_arrival" && line.amountMicro === `-${stay.balanceMicro}`)).toHaveLength(1);
  expect((await hotel.ask<Stay>("front_desk", "GET", `/reservation/v1/reservations/${stay.reservationId}`)).status).toBe("checked_out");
});

test("11 without a net the desk says in words why nobody can be checked in", async ({ page, context, enter }) => {
  await enter(page, "front_desk");
  await expect(page.getByTestId("app")).toHaveAttribute("data-live", "live");
  await expect(page.getByTestId("needs-net")).toHaveCount(0);
  await context.setOffline(true);
  await expect(page.getByTestId("needs-net").first()).toBeVisible();
});

test("11 the chart shows the stays, and the menu of a stay asks before it changes anything", async ({ page, enter }) => {
  await enter(page, "front_desk", "/desk/chart");
  await expect(page.getByTestId("chart")).toBeVisible();
  const stays = page.getByTestId("stay");
  await expect(stays.first()).toBeVisible();
  expect(await stays.count()).toBeGreaterThan(3);
  await stays.first().click();
  await expect(page.getByTestId("change-stay")).toBeVisible();
  await expect(page.getByTestId("confirm")).toBeDisabled();
  await page.getByTestId("dismiss").click();
});

test("11 a guest who is booked into a blocked room is seen, and the block around the stay", async ({ page, enter }) => {
  await page.route(/\/reservation\/v1\/timeline/, async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { rooms: { spans: Record<string, unknown>[] }[] };
    // After the stays, as a page draws what comes last over the rest.
    for (const { spans } of told.rooms) spans.push({ kind: "block", blockId: "blk_1", start: "2020-01-01", end: "2100-01-01", reason: "maintenance" });
    await route.fulfill({ response: answer, json: told });
  });
  await enter(page, "front_desk", "/desk/chart");
  const stay = page.getByTestId("stay").first();
  await stay.scrollIntoViewIfNeeded();
  const seen = await stay.evaluate((bar) => {
    const { left, top, width, height } = bar.getBoundingClientRect();
    const at = (y: number) => (document.elementFromPoint(left + width / 2, y)?.closest(".bar")?.classList.contains("block") ? "block" : "stay");
    return [at(top - 2), at(top + height / 2)].join(" ");
  });
  expect(seen).toBe("block stay");
});

for (const language of ["en", "ps"] as const) {
  test(`11 a stay that is stretched by hand asks with its new end (${language})`, async ({ page, enter }) => {
    await speaks(page, language);
    await enter(page, "front_desk", "/desk/chart");
    const bars = page.getByTestId("stay");
    await expect(bars.first()).toBeVisible();
    const chart = await page.getByTestId("chart").boundingBox();
    const day = ((await page.locator(".chart-line").first().boundingBox())?.width ?? 0) / 14;
    // One whose end is on the screen, with a day beyond it.
    const boxes = await Promise.all((await bars.all()).map(async (bar) => ({ bar, box: await bar.boundingBox() })));
    const rtl = language === "ps";
    const fits = boxes.find(({ box }) => box && chart && box.width > day && box.y + box.height < chart.y + chart.height - 20 && (rtl ? box.x - 2 * day > chart.x : box.x + box.width + 2 * day < chart.x + chart.width));
    if (!fits?.box) throw new Error("no stay ends within the chart");
    const { box } = fits;
    const [from, to] = rtl ? [box.x + 5, box.x + 5 - day] : [box.x + box.width - 5, box.x + box.width - 5 + day];
    await fits.bar.click();
    const end = (await page.getByTestId("chart-end").inputValue()) ?? "";
    await page.getByTestId("dismiss").click();
    // Until it is gone, the page below takes no press.
    await expect(page.getByTestId("change-stay")).toHaveCount(0);
    await page.mouse.move(from, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move((from + to) / 2, box.y + box.height / 2);
    await page.mouse.move(to, box.y + box.height / 2);
    await page.mouse.up();
    const next = new Date(Date.parse(`${end}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    await expect(page.getByTestId("chart-end")).toHaveValue(next);
    await expect(page.getByTestId("confirm")).toBeEnabled();
    await page.getByTestId("dismiss").click();
    await expect(page.getByTestId("change-stay")).toHaveCount(0);
  });
}
