// The housekeeper's stories, on a small phone.
import { HK, allSent, boardOf, giveOne, historyOf, me, tickAll } from "./hands";
import { expect, ready, speaks, test } from "./server";

test.use({ viewport: { width: 320, height: 640 }, hasTouch: true });

/** The room that is in progress, if any, is finished first: a day has one current room. */
async function finishCurrent(page: import("@playwright/test").Page): Promise<void> {
  const done = page.getByTestId("task-done");
  if (!(await done.count())) return;
  await tickAll(page);
  await page.getByTestId("all-in-order").click();
  await done.click();
  await expect(page.locator("[data-testid=my-task][data-status=in_progress]")).toHaveCount(0);
  await allSent(page);
}

for (const language of ["en", "ps"] as const) {
  test(`6 a housekeeper's day at 320 px (${language}) @short`, async ({ page, hotel, enter, complaints }) => {
    await speaks(page, language);
    await enter(page, "housekeeper");
    await expect(page).toHaveURL(/\/my$/);
    const { staffId } = await me(page);
    await finishCurrent(page);
    const { task, number } = await giveOne(hotel, staffId);
    const row = page.locator(`[data-testid=my-task][data-task-id="${task.taskId}"]`);
    await expect(row).toHaveAttribute("data-room", number);
    if (await row.getAttribute("href")) await row.click();
    await page.getByTestId("task-start").click();
    await expect(row).toHaveAttribute("data-status", "in_progress");
    await page.getByTestId("task-pause").click();
    await expect(page.getByTestId("pause-reason")).toHaveCount(6);
    await page.locator("[data-testid=pause-reason][data-reason=awaiting_linen]").click();
    await expect(row).toHaveAttribute("data-status", "paused");
    await page.getByTestId("task-resume").click();
    await expect(row).toHaveAttribute("data-status", "in_progress");
    // Done counts what is missing, and goes there.
    await page.getByTestId("task-done").click();
    await expect(page.getByTestId("toast")).toBeVisible();
    await expect(row).toHaveAttribute("data-status", "in_progress");
    await tickAll(page);
    await page.getByTestId("linen-issued-plus").click();
    await page.getByTestId("linen-issued-plus").click();
    await page.getByTestId("linen-issued-minus").click();
    await expect(page.getByTestId("linen-issued-count")).toHaveAttribute("data-count", "1");
    await page.getByTestId("report").click();
    await page.locator("[data-testid=category][data-category=plumbing]").click();
    await page.locator("[data-testid=severity][data-severity=minor]").click();
    await page.getByTestId("report-send").click();
    await expect(row).toHaveAttribute("data-status", "in_progress");
    await page.getByTestId("seen-vacant").click();
    await page.getByTestId("task-done").click();
    await expect(page).toHaveURL(/\/my$/);
    await expect(row).toHaveAttribute("data-status", "completed");
    await allSent(page);
    const done = await hotel.ask<{ status: string; linenIssued: number; noMaintenanceFound: boolean }>("supervisor", "GET", `${HK}/tasks/${task.taskId}`);
    expect(done).toMatchObject({ status: "completed", noMaintenanceFound: false });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });
}

/** A disk that takes its time: whatever is written is known to be safe only so much later. */
const slowDisk = (page: import("@playwright/test").Page, by: number) =>
  page.addInitScript((after) => {
    const listen = IDBTransaction.prototype.addEventListener;
    IDBTransaction.prototype.addEventListener = function (this: IDBTransaction, type: string, heard: EventListener, ...rest: []) {
      listen.call(this, type, type === "complete" ? (event: Event) => setTimeout(() => heard.call(this, event), after) : heard, ...rest);
    } as never;
  }, by);

test("6 a report, and done right after it, on a phone whose disk is slow: in that order", async ({ page, hotel, enter }) => {
  await slowDisk(page, 400);
  await enter(page, "housekeeper");
  const { staffId } = await me(page);
  await finishCurrent(page);
  const { task } = await giveOne(hotel, staffId);
  await page.goto(`/my/${task.taskId}`);
  const row = page.locator(`[data-testid=my-task][data-task-id="${task.taskId}"]`);
  await page.getByTestId("task-start").click();
  await expect(row).toHaveAttribute("data-status", "in_progress");
  await tickAll(page);
  await page.getByTestId("report").click();
  await page.locator("[data-testid=category][data-category=plumbing]").click();
  await page.locator("[data-testid=severity][data-severity=minor]").click();
  await page.getByTestId("report-send").click();
  await page.getByTestId("task-done").click();
  await expect(row).toHaveAttribute("data-status", "completed");
  await allSent(page);
  await expect(page.getByTestId("app")).toHaveAttribute("data-refused", "0");
  expect((await historyOf(hotel, task.taskId)).slice(-2)).toEqual(["resumed", "completed"]);
});

test("7 the day offline: the tab is killed, the server restarted, all is there once, in order", async ({ page, context, hotel, enter }) => {
  test.setTimeout(180_000);
  await enter(page, "housekeeper");
  const { staffId } = await me(page);
  await finishCurrent(page);
  const { task } = await giveOne(hotel, staffId);
  await page.goto(`/my/${task.taskId}`);
  await expect(page.getByTestId("task-start")).toBeVisible();
  // The worker must have the whole build, and the list must be on the device.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.goto("/my");
  await ready(page);
  await page.goto(`/my/${task.taskId}`);
  await expect(page.getByTestId("task-start")).toBeVisible();
  await context.setOffline(true);
  await page.getByTestId("task-start").click();
  const row = page.locator(`[data-testid=my-task][data-task-id="${task.taskId}"]`);
  await expect(row).toHaveAttribute("data-status", "in_progress");
  await expect(row).toHaveAttribute("data-pending", "true");
  await page.getByTestId("task-pause").click();
  await page.locator("[data-testid=pause-reason][data-reason=break]").click();
  await expect(row).toHaveAttribute("data-status", "paused");
  await page.close({ runBeforeUnload: false });

  await hotel.stop("SIGKILL");
  await hotel.start();

  const again = await context.newPage();
  await again.goto(`/my/${task.taskId}`);
  await ready(again);
  const still = again.locator(`[data-testid=my-task][data-task-id="${task.taskId}"]`);
  await expect(still).toHaveAttribute("data-status", "paused");
  await expect(again.getByTestId("app")).toHaveAttribute("data-live", "offline");
  await again.getByTestId("task-resume").click();
  await tickAll(again);
  await again.getByTestId("all-in-order").click();
  await again.getByTestId("task-done").click();
  await expect(again.locator(`[data-testid=my-task][data-task-id="${task.taskId}"]`)).toHaveAttribute("data-status", "completed");
  await expect(again.getByTestId("app")).toHaveAttribute("data-pending", "4");
  await context.setOffline(false);
  await allSent(again);
  expect((await historyOf(hotel, task.taskId)).slice(-4)).toEqual(["started", "paused", "resumed", "completed"]);
});

test("8 reassigned while offline: refused, and shown", async ({ page, context, hotel, enter }) => {
  await enter(page, "housekeeper");
  const { staffId } = await me(page);
  await finishCurrent(page);
  const { task, number } = await giveOne(hotel, staffId);
  await page.goto(`/my/${task.taskId}`);
  await expect(page.getByTestId("task-start")).toBeVisible();
  await context.setOffline(true);
  await page.getByTestId("task-start").click();
  await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "1");
  const other = (await boardOf(hotel)).staff.find((one) => one.staffId !== staffId && one.loadMinutes > 0);
  await hotel.ask("supervisor", "POST", `${HK}/tasks/${task.taskId}/assign`, { staffId: other?.staffId, reason: "manual" });
  await context.setOffline(false);
  await expect(page.getByTestId("conflict")).toHaveAttribute("data-code", /NOT_THE_ASSIGNEE|TASK_ILLEGAL_TRANSITION|NOT_FOUND|FORBIDDEN/, { timeout: 20_000 });
  await page.getByTestId("dismiss").click();
  await expect(page.getByTestId("app")).toHaveAttribute("data-refused", "1");
  await page.goto("/outbox");
  const entry = page.locator(`[data-testid=entry][data-room="${number}"]`);
  await expect(entry).toHaveAttribute("data-state", "refused");
  await expect(entry).toHaveAttribute("data-verb", "start");
  await entry.getByTestId("entry-drop").click();
  await page.getByTestId("confirm").click();
  await expect(page.getByTestId("app")).toHaveAttribute("data-refused", "0");
});

test("6 whoever helps with a room sees it, and a supervisor sees the own day with what is done", async ({ browser, page, hotel, enter }) => {
  await enter(page, "housekeeper");
  const { staffId } = await me(page);
  const board = await boardOf(hotel);
  const other = board.tasks.find((one) => one.status === "assigned" && one.assigneeStaffId && one.assigneeStaffId !== staffId);
  if (!other) throw new Error("nobody else has work");
  await hotel.ask("supervisor", "POST", `${HK}/tasks/${other.taskId}/helpers`, { staffId });
  await expect(page.locator(`[data-testid=my-task][data-task-id="${other.taskId}"]`)).toBeVisible();

  const context = await browser.newContext({ baseURL: hotel.url, viewport: { width: 320, height: 640 } });
  const there = await context.newPage();
  await enter(there, "supervisor", "/my");
  const supervisor = (await me(there)).staffId;
  const { task } = await giveOne(hotel, supervisor);
  const row = there.locator(`[data-testid=my-task][data-task-id="${task.taskId}"]`);
  await expect(row).toBeVisible();
  await hotel.ask("supervisor", "POST", `${HK}/tasks/${task.taskId}/start`, {}, supervisor);
  const list = await hotel.ask<{ items: { key: string }[] }>("supervisor", "GET", `${HK}/checklists/${task.checklistId}`);
  const checklistResults = list.items.map((item) => ({ itemKey: item.key, checked: true }));
  await hotel.ask("supervisor", "POST", `${HK}/tasks/${task.taskId}/complete`, { checklistResults, noMaintenanceFound: true }, supervisor);
  await expect(row).toHaveAttribute("data-status", "completed");
  await there.reload();
  await ready(there);
  await expect(row).toHaveAttribute("data-status", "completed");
  await context.close();
});

for (const language of ["en", "ps", "fa"] as const) {
  test(`6 where a browser offers nothing, the page says how it is kept on the phone (${language})`, async ({ page, enter }) => {
    await speaks(page, language);
    await page.addInitScript(() => Object.defineProperty(navigator, "standalone", { value: false }));
    await enter(page, "housekeeper");
    await expect(page.getByTestId("install")).toHaveAttribute("data-by", "hand");
    await expect(page.locator("link[rel=apple-touch-icon]")).toHaveAttribute("href", "/icon-512.png");
  });
}

for (const language of ["en", "ps"] as const) {
  test(`on a phone the pages are where the thumb is, all of them behind one tap, and the room's number stays (${language})`, async ({ page, enter }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await speaks(page, language);
    await enter(page, "housekeeper");
    const bar = await page.getByTestId("nav-outbox").boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeGreaterThan(620);
    expect(bar?.height).toBeGreaterThanOrEqual(56);
    await expect(page.getByTestId("nav-more")).toHaveCount(0);
    const [start, number] = [page.locator(".thumb"), page.locator(".panel-number")];
    await page.getByTestId("found-something").scrollIntoViewIfNeeded();
    await expect(number).toBeInViewport();
    const thumb = await start.boundingBox();
    expect((thumb?.y ?? 0) + (thumb?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
    await page.getByTestId("nav-settings").click();
    await expect(page).toHaveURL(/\/settings$/);
    await page.context().clearCookies();
    await enter(page, "supervisor");
    await page.getByTestId("nav-more").click();
    await expect(page.getByTestId("nav-stats")).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("nav-more")).toHaveAttribute("aria-expanded", "false");
    await page.getByTestId("nav-more").click();
    await page.getByTestId("nav-linen").click();
    await expect(page).toHaveURL(/\/linen$/);
    await expect(page.getByTestId("nav-more")).toHaveAttribute("aria-expanded", "false");
    // Also without it: the row scrolls to whatever is tapped.
    await page.getByTestId("nav-outbox").click();
    await expect(page).toHaveURL(/\/outbox$/);
  });
}
