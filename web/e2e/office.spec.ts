// Papers, figures, settings, the week: what is done at a desk in the back.
import { expect, ready, speaks, test } from "./server";

const HK = "/housekeeping/v1";

test("14 every person with work has a sheet in their own language, with both calendars @short", async ({ page, hotel, enter }) => {
  await enter(page, "supervisor");
  await page.getByTestId("print-all").click();
  await expect(page).toHaveURL(/\/print\/all$/);
  await ready(page);
  type Board = { staff: { staffId: string; languages: string[] }[]; tasks: { assigneeStaffId?: string; status: string }[] };
  const board = await hotel.ask<Board>("supervisor", "GET", `${HK}/board?propertyId=${hotel.property}`);
  const busy = board.staff.filter((one) => board.tasks.some((task) => task.assigneeStaffId === one.staffId && task.status !== "pending"));
  await expect(page.getByTestId("sheet")).toHaveCount(busy.length);
  const dari = busy.find((one) => one.languages[0] === "fa-AF");
  const sheet = page.locator(`[data-testid=sheet][data-staff-id="${dari?.staffId}"]`);
  await expect(sheet).toHaveAttribute("dir", "rtl");
  await expect(sheet).toHaveAttribute("lang", "fa");
  await expect(sheet).toContainText("۱۴۰۵");
  await expect(sheet).toContainText("۲۰۲۶");
  const work = board.tasks.filter((task) => task.assigneeStaffId === dari?.staffId && task.status !== "pending");
  await expect(sheet.getByTestId("sheet-row")).toHaveCount(work.length);
  // In the order that the person's phone has.
  type Share = { plannedOrder?: string[]; tasks: { taskId: string; roomId: string; status: string; priority: string }[]; rooms: { roomId: string; number: string }[] };
  const share = await hotel.ask<Share>("supervisor", "GET", `${HK}/board?propertyId=${hotel.property}&staffId=${dari?.staffId}`);
  const planned = (share.plannedOrder ?? []).map((id) => share.tasks.find((task) => task.taskId === id)).filter((task) => task?.status === "assigned" && task.priority !== "urgent");
  const numbers = planned.map((task) => share.rooms.find((room) => room.roomId === task?.roomId)?.number ?? "");
  const onPaper = await sheet.getByTestId("sheet-row").evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.room ?? ""));
  expect(onPaper.filter((number) => numbers.includes(number))).toEqual(numbers);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByTestId("print-now")).toBeHidden();
  await expect(page.getByTestId("lang")).toBeHidden();
  await expect(sheet).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await page.goto(`/print/${dari?.staffId}`);
  await ready(page);
  await expect(page.getByTestId("sheet")).toHaveCount(1);
});

for (const language of ["en", "ps"] as const) {
  test(`15 each plot has a table of the same figures (${language})`, async ({ page, enter }) => {
    await speaks(page, language);
    await enter(page, "supervisor", "/stats");
    for (const name of ["plot-turnaround", "plot-load", "plot-readiness"]) {
      const plot = page.getByTestId(name);
      await expect(plot.locator("canvas")).toBeVisible();
      // On a wide screen it is open.
      if (!(await plot.getByTestId("plot-table").isVisible())) await plot.locator("summary").click();
      await expect(plot.getByTestId("plot-table")).toBeVisible();
      expect(await plot.getByTestId("plot-table").locator("tbody tr").count()).toBeGreaterThan(0);
    }
    if (language === "ps") await expect(page.getByTestId("plot-load").getByTestId("plot-table")).toContainText(/[۰-۹]/);
  });
}

test("the hotel's settings are changed on the version that was read, and a new checklist is put in force", async ({ page, hotel, enter }) => {
  await enter(page, "property_manager", "/settings");
  await page.getByTestId("settings-calendar").selectOption("solar");
  await expect(page.getByTestId("today")).toContainText(/1405|۱۴۰۵/);
  await page.getByTestId("lost-days").fill("120");
  await page.getByTestId("settings-save").click();
  await expect.poll(async () => (await hotel.ask<{ lostFoundRetentionDays: number }>("property_manager", "GET", `${HK}/settings`)).lostFoundRetentionDays).toBe(120);
  const items = page.getByTestId("list-item");
  const before = await items.count();
  await page.getByTestId("list-add").click();
  await expect(page.getByTestId("list-publish")).toBeDisabled();
  await items.last().locator("input").first().fill("Water the plants");
  await page.getByTestId("list-publish").click();
  await expect.poll(async () => (await hotel.ask<{ items: { items: unknown[] }[] }>("supervisor", "GET", `${HK}/checklists?kind=turnover`)).items[0]?.items.length).toBe(before + 1);
  await expect(page.getByTestId("device-qr")).toBeVisible();
  await expect(page.getByTestId("device-link")).toContainText(`/login?hotel=${hotel.tenant}`);
});

test("the week begins on Saturday and goes back and forth", async ({ page, enter }) => {
  await enter(page, "supervisor", "/roster");
  const from = (await page.getByTestId("week").getAttribute("data-from")) ?? "";
  expect(new Date(`${from}T12:00:00Z`).getUTCDay()).toBe(6);
  await page.getByTestId("week-after").click();
  await expect(page.getByTestId("week")).not.toHaveAttribute("data-from", from);
  await ready(page);
});

test("on a phone the week begins with today, and what is over lies above", async ({ page, enter }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await enter(page, "supervisor", "/roster");
  const today = page.locator("[data-testid=day][aria-current=date]");
  await expect.poll(async () => (await today.boundingBox())?.y ?? 640).toBeLessThan(320);
  // Whoever chose a week reads it from its beginning.
  await page.getByTestId("week-before").click();
  await page.getByTestId("week-after").click();
  await ready(page);
  await expect(page.getByTestId("week")).toBeInViewport();
});

for (const language of ["en", "ps"] as const) {
  test(`the week is a calendar at a desk and a list by day on a phone, and a place is always within its shift (${language})`, async ({ page, hotel, enter }) => {
    await speaks(page, language);
    await page.setViewportSize({ width: 1440, height: 900 });
    await enter(page, "supervisor", "/roster");
    type Week = { days: { date: string; shifts: { shiftId: string; assignments: { staffId: string; status: string }[] }[] }[] };
    const from = (await page.getByTestId("week").getAttribute("data-from")) ?? "";
    const week = await hotel.ask<Week>("supervisor", "GET", `/staff/v1/roster?propertyId=${hotel.property}&from=${from}`);
    const all = week.days.flatMap((day) => day.shifts.flatMap((shift) => shift.assignments.filter((one) => one.status === "active").map((one) => ({ day: day.date, shift: shift.shiftId, staff: one.staffId }))));
    const place = (one: (typeof all)[number]) => page.locator(`[data-testid=shift][data-shift-id="${one.shift}"] [data-testid=assignment][data-staff-id="${one.staff}"]`);
    const boxOf = async (locator: import("@playwright/test").Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const often = all.find((one) => all.some((other) => other.staff === one.staff && other.day > one.day));
    const later = all.find((one) => one.staff === often?.staff && one.day > often.day);
    if (!often || !later) throw new Error("nobody works on two days");
    const [first, second] = [await boxOf(place(often)), await boxOf(place(later))];
    expect(Math.abs(first.y - second.y)).toBeLessThan(first.height);
    expect(language === "ps" ? second.x < first.x : second.x > first.x).toBe(true);
    const rows = await page.getByTestId("assignment").evaluateAll((every) => every.map((one) => `${(one as HTMLElement).dataset.staffId} ${one.getBoundingClientRect().x} ${one.getBoundingClientRect().y}`));
    expect(new Set(rows).size).toBe(all.length);
    await expect(page.getByTestId("away").first()).toBeVisible();
    await expect(page.locator("[data-testid=day][aria-current=date]")).toHaveCount(1);
    await page.locator("[data-testid=shift]:not(.missing) [data-testid=assign]").first().click();
    await expect(page.getByTestId("person").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 320, height: 640 });
    const [day, below] = [await boxOf(place(often)), await boxOf(place(later))];
    expect(below.y).toBeGreaterThan(day.y + day.height);
  });
}

test("what is refused while a dialog is open is said where one sees it", async ({ page, enter }) => {
  await enter(page, "supervisor", "/roster");
  await page.route(/\/assignments$/, (route) => route.fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify({ status: 409, code: "MELMASTOON.STAFF.SHIFT_OVERLAP", title: "Overlap" }) }));
  await page.locator("[data-testid=shift]:not(.missing) [data-testid=assign]").first().click();
  await page.getByTestId("person").first().click();
  const confirm = page.locator("dialog [data-testid=confirm]");
  if (await confirm.count()) await confirm.click();
  const said = page.locator("dialog[open] [data-testid=toast]");
  await expect(said).toBeVisible();
  await expect(page.getByTestId("toast")).toHaveCount(1);
  // Nothing lies over it. It takes no taps itself, and none are wanted from what it lies over: only for this look it does.
  expect(await said.evaluate((one: HTMLElement) => { one.style.pointerEvents = "auto"; const { left, top, width, height } = one.getBoundingClientRect(); return one.contains(document.elementFromPoint(left + width / 2, top + height / 2)); })).toBe(true);
});
