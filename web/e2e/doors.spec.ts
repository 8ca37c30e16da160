// Who gets in, a new version, and a quiet console.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { followsTabs } from "./hands";
import { Hotel, enterBy, expect, ready, speaks, test } from "./server";

const HK = "/housekeeping/v1";

test("16 another's page changes nothing, whatever the browser sends along @short", async ({ page, hotel, enter, context }) => {
  await enter(page, "supervisor");
  const cookies = await context.cookies(hotel.url);
  const cookie = cookies.find((one) => one.name === "melmastoon");
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  expect(await page.evaluate(() => document.cookie)).toBe("");
  const send = (headers: Record<string, string>) =>
    fetch(`${hotel.url}${HK}/linen`, {
      method: "POST",
      headers: { cookie: `melmastoon=${cookie?.value}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ propertyId: hotel.property, line: "evil", onHand: 1, lowWatermark: 0 }),
    });
  for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, {}]) {
    const answer = await send(headers as Record<string, string>);
    expect(answer.status).toBe(403);
    expect(((await answer.json()) as { code: string }).code).toBe("MELMASTOON.PLATFORM.CROSS_ORIGIN");
  }
  // A real browser, on another site: 127.0.0.1 and localhost are two.
  const elsewhere = await context.newPage();
  await elsewhere.goto(hotel.url.replace("127.0.0.1", "localhost") + "/docs");
  const status = await elsewhere.evaluate(
    ([url, body]) => fetch(`${url}/housekeeping/v1/linen`, { method: "POST", mode: "no-cors", credentials: "include", body: body ?? "" }).then((answer) => answer.type, () => "refused"),
    [hotel.url, JSON.stringify({ propertyId: hotel.property, line: "evil", onHand: 1, lowWatermark: 0 })],
  );
  expect(["opaque", "refused"]).toContain(status);
  const lines = await hotel.ask<{ items: { line: string }[] }>("supervisor", "GET", `${HK}/linen?propertyId=${hotel.property}`);
  expect(lines.items.some((one) => one.line === "evil")).toBe(false);
});

test("16 another tenant finds an empty house, and nothing of this one", async ({ page, hotel }) => {
  await enterBy(page, hotel.foreignToken("tnt_01HZZZZZZZZZZZZZZZZZZZZZZZ", "--role", "supervisor", "--property", hotel.property));
  await expect(page).toHaveURL(/\/board$/);
  await expect(page.getByTestId("room")).toHaveCount(0);
  await expect(page.getByTestId("task")).toHaveCount(0);
  const board = await hotel.ask<{ rooms: { roomId: string }[]; tasks: { taskId: string }[] }>("supervisor", "GET", `${HK}/board?propertyId=${hotel.property}`);
  const asked = [`/rooms/${board.rooms[0]?.roomId}`, `/tasks/${board.tasks[0]?.taskId}`, `/tasks/${board.tasks[0]?.taskId}/history`];
  const statuses = await page.evaluate((paths) => Promise.all(paths.map((path) => fetch(path).then((one) => one.status))), asked.map((path) => HK + path));
  expect(statuses).toEqual([404, 404, 404]);
  const told = await page.evaluate(([path]) => fetch(path ?? "").then(async (one) => ((await one.json()) as { rooms: unknown[] }).rooms.length), [`${HK}/board?propertyId=${hotel.property}`]);
  expect(told).toBe(0);
});

test("16 without the demo there is no way in, nor with another server's key", async ({ browser, hotel }) => {
  const foreign = hotel.token("--role", "supervisor", "--staff", hotel.supervisor).split("\n")[0] ?? "";
  expect(foreign).toBeTruthy();
  const closed = await Hotel.open([]);
  try {
    const context = await browser.newContext({ baseURL: closed.url });
    const page = await context.newPage();
    await page.goto("/login?demo=supervisor");
    await ready(page);
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByTestId("demo-login")).toHaveCount(0);
    const answer = await page.evaluate(() => fetch("/web/session", { method: "POST", headers: { "content-type": "application/json" }, body: '{"demo":"supervisor"}' }).then((one) => one.status));
    expect(answer).toBe(404);
    const stranger = await page.evaluate((token) => fetch("/web/session", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) }).then((one) => one.status), foreign);
    expect(stranger).toBe(401);
    await context.close();
  } finally {
    await closed.close();
  }
});

test("13 a new version waits, says so, and takes over on a tap; another tab follows with its next page", async ({ page, context, enter }) => {
  await enter(page, "supervisor");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await ready(page);
  // Before that, the next start would take a newer version over unasked.
  await followsTabs(page);
  const other = await context.newPage();
  await other.goto("/board");
  await ready(other);
  await followsTabs(other);
  const file = new URL("../dist/sw.js", import.meta.url);
  const kept = ["", ".br", ".gz"].map((ending) => ({ place: new URL(file.href + ending), bytes: readFileSync(new URL(file.href + ending)) }));
  try {
    for (const { place } of kept.slice(1)) rmSync(place);
    writeFileSync(file, `${kept[0]?.bytes.toString()}\n// a newer one\n`);
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
    await expect(page.getByTestId("update-ready")).toBeVisible();
    await expect(page.getByTestId("update-now")).toBeVisible();
    // Anywhere on it, as a thumb does.
    await page.getByTestId("update-ready").click({ position: { x: 8, y: 8 } });
    await expect(page.getByTestId("update-ready")).toHaveCount(0);
    await ready(page);
    // The other tab is still the old one, says so, and loads its next page anew.
    await expect(other.getByTestId("update-ready")).toBeVisible();
    await other.evaluate(() => void ((globalThis as { isOld?: boolean }).isOld = true));
    await other.getByTestId("nav-plan").click();
    await other.waitForFunction(() => !("isOld" in globalThis));
    await ready(other);
    await expect(other).toHaveURL(/\/plan$/);
    await expect(other.getByTestId("update-ready")).toHaveCount(0);
  } finally {
    for (const { place, bytes } of kept) writeFileSync(place, bytes);
  }
});

/** Nobody's own menu refuses them, and whoever has a net is not told that there is none. */
async function walkMenu(page: import("./server").Page, who: string, least: number): Promise<void> {
  await expect(page.getByTestId("app")).toHaveAttribute("data-live", "live");
  const paths = await page.locator(".frame-nav a").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(paths.length).toBeGreaterThanOrEqual(least);
  for (const path of ["/", ...paths]) {
    await page.goto(path);
    await ready(page);
    await expect(page.getByTestId("state-error"), `${who} ${path}`).toHaveCount(0);
    await expect(page.getByTestId("state-offline"), `${who} ${path}`).toHaveCount(0);
    if (path === "/") expect(paths).toContain(new URL(page.url()).pathname);
    else expect(new URL(page.url()).pathname).toBe(path);
  }
}

for (const role of ["supervisor", "housekeeper", "front_desk", "property_manager"] as const) {
  test(`16 nobody's menu leads to a page that refuses them (${role})`, async ({ page, enter }) => {
    test.setTimeout(90_000);
    await enter(page, role);
    await walkMenu(page, role, 4);
  });
}

for (const [roles, home] of [
  ["admin", "/desk/chart"],
  ["maintenance,staff", "/my"],
  ["staff", "/my"],
] as const) {
  test(`16 nobody's menu leads to a page that refuses them (${roles}, by a link)`, async ({ page, hotel, complaints }) => {
    test.setTimeout(90_000);
    await speaks(page, "en");
    await enterBy(page, hotel.token("--role", roles, "--staff", hotel.supervisor, "--property", hotel.property));
    await expect(page).toHaveURL(new RegExp(`${home}$`));
    await walkMenu(page, roles, 3);
    if (roles === "admin") await expect(page.getByTestId("settings-save")).toBeVisible();
    else {
      await page.goto("/my");
      await ready(page);
      await expect(page.getByTestId("clock-in").or(page.getByTestId("clock-out"))).toBeVisible();
      await expect(page.getByTestId("leave-ask")).toBeVisible();
    }
    expect(complaints).toEqual([]);
  });
}

test("16 whoever may be in all houses sees which there are, and goes from one to the other", async ({ page, hotel }) => {
  const [second, room] = ["prp_01HZZZZZZZZZZZZZZZZZZZZZZZ", "rom_01HZZZZZZZZZZZZZZZZZZZZZZZ"];
  await hotel.ask("supervisor", "POST", `${HK}/tasks`, { propertyId: second, roomId: room, kind: "deep_clean" });
  await enterBy(page, hotel.token("--role", "supervisor", "--staff", hotel.supervisor));
  const choice = page.getByTestId("property");
  await expect(choice.locator("option")).toHaveCount(2);
  await choice.selectOption(hotel.property);
  await expect.poll(() => page.getByTestId("task").count()).toBeGreaterThan(5);
  await choice.selectOption(second);
  await expect(page.getByTestId("task")).toHaveCount(1);
  await expect(page.getByTestId("app")).toHaveAttribute("data-live", "live");
});

test("17 without a net the sign-in says so, and the settings do", async ({ page, context, enter }) => {
  await speaks(page, "ps");
  await enter(page, "housekeeper", "/settings");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await ready(page);
  await expect(page.getByTestId("state-offline")).toHaveCount(0);
  await context.setOffline(true);
  await expect(page.getByTestId("state-offline")).toBeVisible();
  await page.getByTestId("logout").click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByTestId("state-offline")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByTestId("state-offline")).toHaveCount(0);
});

test("17 no page breaks the content policy or complains", async ({ page, enter, complaints }) => {
  await enter(page, "supervisor");
  for (const path of ["/board", "/my", "/plan", "/desk", "/linen", "/lost", "/stats", "/print/all", "/outbox", "/settings", "/roster"]) {
    await page.goto(path);
    await ready(page);
  }
  expect(complaints).toEqual([]);
});
