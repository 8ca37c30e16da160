// Who is let in, and what covers the page when nobody is.
import { boardOf, followsTabs } from "./hands";
import { expect, ready, speaks, test } from "./server";

const MINUTE = 60_000;

const PIN = "274913";

test("2 PIN, wrong PIN, lock, log out @short", async ({ page, hotel, enter }) => {
  const { items } = await hotel.ask<{ items: { positionId: string; code: string }[] }>("property_manager", "GET", "/staff/v1/positions");
  const person = await hotel.ask<{ staffId: string; staffCode: string }>("property_manager", "POST", "/staff/v1/staff", {
    givenName: "Palwasha",
    familyName: "Momand",
    homePropertyId: hotel.property,
    positionId: items.find((one) => one.code === "SUPERVISOR")?.positionId,
    employmentType: "full_time",
    employmentStartedAt: "2026-01-01",
  });
  await hotel.ask("property_manager", "POST", `/staff/v1/staff/${person.staffId}/pin`, { pin: PIN });
  await speaks(page, "en");
  await enter(page, "supervisor");
  await page.getByTestId("logout").click();
  await expect(page).toHaveURL(/\/login/);
  await page.goto(`/login?hotel=${hotel.tenant}`);
  await page.getByTestId("login-code").fill(person.staffCode.toLowerCase());
  await page.getByTestId("login-pin").fill("274914");
  await page.getByTestId("login-submit").click();
  await expect(page.getByTestId("login-error")).toHaveAttribute("data-code", "PIN_REFUSED");
  // By the pad this time.
  for (const digit of PIN) await page.locator(".pad-key", { hasText: new RegExp(`^${digit}$`) }).click();
  await page.getByTestId("login-submit").click();
  await expect(page).toHaveURL(/\/board$/);
  await ready(page);

  await page.goto("/board?view=list&q=1");
  await ready(page);
  // Typed before the session ends: whatever asks next is refused, and then the page is covered.
  await page.getByTestId("filter-text").fill("10");
  await page.evaluate(() => fetch("/web/session", { method: "DELETE" }));
  await page.reload();
  await expect(page.getByTestId("lock")).toBeVisible();
  await page.getByTestId("lock").getByTestId("login-pin").fill(PIN);
  await page.getByTestId("lock").getByTestId("login-submit").click();
  await expect(page.getByTestId("lock")).toBeHidden();
  await expect(page).toHaveURL(/view=list/);
  await ready(page);
  await page.getByTestId("logout").click();
  await expect(page).toHaveURL(/\/login/);
  await page.goto("/board");
  await expect(page).toHaveURL(/\/login/);
});

test("2 a board that nobody touches is covered, after the time that the device is set to, and nothing typed is lost", async ({ page, enter }) => {
  await page.clock.install();
  await speaks(page, "en");
  await enter(page, "supervisor", "/settings");
  await page.getByTestId("settings-lock").selectOption("30");
  await page.getByTestId("nav-board").click();
  await ready(page);
  await page.getByTestId("filter-text").fill("10");
  await page.clock.fastForward(20 * MINUTE);
  await expect(page.getByTestId("lock")).toHaveCount(0);
  await page.clock.fastForward(11 * MINUTE);
  await expect(page.getByTestId("lock")).toBeVisible();
  expect(await page.evaluate(() => fetch("/web/session").then((answer) => answer.status))).toBe(401);
  await page.getByTestId("lock").getByTestId("demo-login").click();
  await expect(page.getByTestId("lock")).toHaveCount(0);
  await expect(page.getByTestId("filter-text")).toHaveValue("10");
});

test("2 a housekeeper's own page is covered on a shared device alone", async ({ page, enter }) => {
  await page.clock.install();
  await enter(page, "housekeeper");
  await page.clock.fastForward(61 * MINUTE);
  await expect(page.getByTestId("lock")).toHaveCount(0);
  await page.goto("/settings");
  await page.getByTestId("settings-shared").check();
  await page.goto("/my");
  await ready(page);
  await page.clock.fastForward(61 * MINUTE);
  await expect(page.getByTestId("lock")).toBeVisible();
});

test("2 a covered board stays covered when it is loaded anew without a net", async ({ page, context, enter }) => {
  await page.clock.install();
  await enter(page, "supervisor", "/board");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await ready(page);
  await page.clock.fastForward(16 * MINUTE);
  await expect(page.getByTestId("lock")).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByTestId("lock")).toBeVisible();
  await context.setOffline(false);
});

test("2 what one tab does about who is here holds for the others", async ({ page, context, enter }) => {
  await enter(page, "supervisor", "/board");
  const other = await context.newPage();
  await other.goto("/board");
  await ready(other);
  await followsTabs(other);
  await page.getByTestId("logout").click();
  await expect(page).toHaveURL(/\/login/);
  await expect(other).toHaveURL(/\/login/);

  await enter(page, "housekeeper");
  await other.goto("/my");
  await ready(other);
  await followsTabs(other);
  await page.goto("/login?demo=supervisor");
  await page.getByTestId("confirm").click();
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
  await expect(other.getByTestId("app")).toHaveAttribute("data-role", "supervisor");
  await expect(other).toHaveURL(/\/board$/);
});

test("2 a covered page stays covered, however often Esc is pressed", async ({ page, enter }) => {
  await enter(page, "supervisor", "/board");
  const field = page.getByTestId("filter-text");
  await field.fill("10");
  await page.evaluate(() => fetch("/web/session", { method: "DELETE" }));
  await page.reload();
  const lock = page.getByTestId("lock");
  await expect(lock.getByTestId("demo-login").first()).toBeVisible();
  for (let times = 0; times < 3; times++) {
    await page.keyboard.press("Escape");
    await expect(lock).toBeVisible();
    await expect(field).toBeHidden();
    expect(await lock.evaluate((one: HTMLDialogElement) => one.open)).toBe(true);
  }
  await lock.getByTestId("demo-login").first().click();
  await expect(lock).toHaveCount(0);
  await expect(field).toBeVisible();
});

test("2 whoever logs out on a line that hangs is out at once, and what they tapped stays", async ({ page, hotel, enter }) => {
  const board = await boardOf(hotel);
  await enter(page, "housekeeper", "/settings");
  // Until nobody is asked any more.
  const held: (() => void)[] = [];
  await page.context().route(/\/occupancy$/, (route) => new Promise<void>((resolve) => held.push(resolve)).then(() => route.abort()));
  await page.evaluate(
    async (rooms) => {
      const open = indexedDB.open("melmastoon");
      await new Promise((resolve) => (open.onsuccess = resolve));
      const who = await (await fetch("/web/session")).json();
      const store = open.result.transaction("outbox", "readwrite").objectStore("outbox");
      for (const room of rooms) {
        const path = `/housekeeping/v1/rooms/${room}/occupancy`;
        store.add({ key: crypto.randomUUID(), tenant: who.tenantId, staff: who.staffId, lane: room, method: "POST", path, body: '{"observed":"vacant"}', at: new Date().toISOString(), state: "waiting", verb: "occupancy", readable: false, tries: 0, notBefore: 0 });
      }
      await new Promise((resolve) => (store.transaction.oncomplete = resolve));
      dispatchEvent(new Event("online"));
    },
    board.rooms.slice(0, 8).map((room) => room.roomId),
  );
  await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "8");
  await expect.poll(() => held.length).toBeGreaterThan(2);
  const before = Date.now();
  await page.getByTestId("logout").click();
  await page.getByTestId("confirm").click();
  await expect(page).toHaveURL(/\/login/, { timeout: 15_000 });
  expect(Date.now() - before).toBeLessThan(6_000);
  const left = await page.evaluate(async () => {
    const open = indexedDB.open("melmastoon");
    await new Promise((resolve) => (open.onsuccess = resolve));
    const all = open.result.transaction("outbox").objectStore("outbox").getAll();
    await new Promise((resolve) => (all.onsuccess = resolve));
    return (all.result as { state: string }[]).map((one) => one.state);
  });
  expect(left).toEqual(Array(8).fill("waiting"));
  for (const go of held) go();
});
