// Who gets in, a new version, and a quiet console.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { Hotel, expect, ready, test } from "./server";

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

test("16 another tenant sees an empty house, and without the demo there is no way in", async ({ browser, hotel }) => {
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
    // The other hotel's token was signed by another key.
    const stranger = await page.evaluate((token) => fetch("/web/session", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) }).then((one) => one.status), foreign);
    expect(stranger).toBe(401);
    await context.close();
  } finally {
    await closed.close();
  }
});

test("13 a new version waits, says so, and takes over on a tap", async ({ page, enter }) => {
  await enter(page, "supervisor");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await ready(page);
  const file = new URL("../dist/sw.js", import.meta.url);
  const kept = ["", ".br", ".gz"].map((ending) => ({ place: new URL(file.href + ending), bytes: readFileSync(new URL(file.href + ending)) }));
  try {
    for (const { place } of kept.slice(1)) rmSync(place);
    writeFileSync(file, `${kept[0]?.bytes.toString()}\n// a newer one\n`);
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
    await expect(page.getByTestId("update-ready")).toBeVisible();
    await page.getByTestId("update-now").click();
    await expect(page.getByTestId("update-ready")).toHaveCount(0);
    await ready(page);
  } finally {
    for (const { place, bytes } of kept) writeFileSync(place, bytes);
  }
});

for (const role of ["supervisor", "housekeeper", "front_desk", "property_manager"] as const) {
  test(`16 nobody's menu leads to a page that refuses them (${role})`, async ({ page, enter }) => {
    test.setTimeout(90_000);
    await enter(page, role);
    const paths = await page.locator(".frame-nav a").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) {
      await page.goto(path);
      await ready(page);
      await expect(page.getByTestId("state-error"), `${role} ${path}`).toHaveCount(0);
      expect(new URL(page.url()).pathname).toBe(path);
    }
  });
}

test("17 no page breaks the content policy or complains", async ({ page, enter, complaints }) => {
  await enter(page, "supervisor");
  for (const path of ["/board", "/my", "/plan", "/desk", "/linen", "/lost", "/stats", "/print/all", "/outbox", "/settings", "/roster"]) {
    await page.goto(path);
    await ready(page);
  }
  expect(complaints).toEqual([]);
});
