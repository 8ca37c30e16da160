// Whatever dies, no tap is lost and none counts twice: the whole browser, the server, in the middle of it.
import { Device } from "./browser";
import { HK, allSent, giveOne, historyOf, me, tickAll } from "./hands";
import { type Hotel, type Page, expect, ready, test } from "./server";

test.use({ viewport: { width: 320, height: 640 }, hasTouch: true });

/** A red dot: any picture will do, the phone makes a JPEG of it. */
const PICTURE = {
  name: "photo.png",
  mimeType: "image/png",
  buffer: Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==", "base64"),
};

interface Lost {
  items: { description: string; photoMediaIds?: string[] | null }[];
}
const lostIn = async (hotel: Hotel, words: string): Promise<Lost["items"]> =>
  (await hotel.ask<Lost>("supervisor", "GET", `${HK}/lost-and-found?propertyId=${hotel.property}&limit=200`)).items.filter((one) => one.description.includes(words));

async function find(page: Page, words: string, photo = false): Promise<void> {
  await page.getByTestId("found-something").click();
  await page.getByTestId("reason").fill(words);
  if (photo) {
    await page.getByTestId("photo").setInputFiles(PICTURE);
    await expect(page.getByTestId("found-send")).toBeEnabled();
  }
  await page.getByTestId("found-send").click();
  await expect(page.getByTestId("found-send")).toHaveCount(0);
}

/** The room that is in progress is finished first: a day has one current room. */
async function finishCurrent(page: Page): Promise<void> {
  if (!(await page.getByTestId("task-done").count())) return;
  await tickAll(page);
  await page.getByTestId("all-in-order").click();
  await page.getByTestId("task-done").click();
  await allSent(page);
}

const pending = async (page: Page): Promise<number> => Number(await page.getByTestId("app").getAttribute("data-pending"));

test("7 the browser is killed in the middle of a day without a net: all is there once, in order, with its photos", async ({ hotel }) => {
  test.setTimeout(240_000);
  const device = new Device();
  try {
    let page = await device.start();
    await page.goto(`${hotel.url}/login?demo=housekeeper`);
    await page.waitForURL(/\/my$/);
    await ready(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const { staffId } = await me(page);
    await finishCurrent(page);
    const { task } = await giveOne(hotel, staffId);
    const mine = `${hotel.url}/my/${task.taskId}`;
    await page.goto(mine);
    await expect(page.getByTestId("task-start")).toBeVisible();
    await device.close();

    page = await device.start();
    await page.goto(mine);
    await ready(page);
    await expect(page.getByTestId("task-start")).toBeVisible();
    await hotel.stop("SIGKILL");
    await page.getByTestId("task-start").click();
    const row = (on: Page) => on.locator(`[data-testid=my-task][data-task-id="${task.taskId}"]`);
    await expect(row(page)).toHaveAttribute("data-status", "in_progress");
    await page.getByTestId("task-pause").click();
    await page.locator("[data-testid=pause-reason][data-reason=awaiting_linen]").click();
    await expect(row(page)).toHaveAttribute("data-status", "paused");
    await page.getByTestId("task-resume").click();
    await expect(row(page)).toHaveAttribute("data-status", "in_progress");
    await find(page, "killed-1 a ring", true);
    await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "5");
    await tickAll(page);
    await page.getByTestId("linen-issued-plus").click();
    await expect(page.getByTestId("linen-issued-count")).toHaveAttribute("data-count", "1");
    await device.kill();

    page = await device.start();
    await page.goto(mine);
    await ready(page);
    await expect(row(page)).toHaveAttribute("data-status", "in_progress");
    await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "5");
    // What was ticked and counted, and not sent, is there as well.
    await expect(page.locator("[data-testid=check][data-checked=false]")).toHaveCount(0);
    await expect(page.getByTestId("linen-issued-count")).toHaveAttribute("data-count", "1");
    await find(page, "killed-2 a shoe");
    await page.getByTestId("all-in-order").click();
    await page.getByTestId("task-done").click();
    await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "7");
    await device.kill();

    await hotel.start();
    page = await device.start();
    await page.goto(`${hotel.url}/my`);
    await ready(page);
    await allSent(page);
    expect((await historyOf(hotel, task.taskId)).slice(-4)).toEqual(["started", "paused", "resumed", "completed"]);
    const done = await hotel.ask<{ linenIssued: number; status: string }>("supervisor", "GET", `${HK}/tasks/${task.taskId}`);
    expect(done).toMatchObject({ status: "completed", linenIssued: 1 });
    const [ring, ...twice] = await lostIn(hotel, "killed-1");
    expect(twice).toEqual([]);
    expect(ring?.photoMediaIds).toEqual([expect.stringMatching(/^med_[0-9A-F]{32}$/)]);
    const photo = await page.evaluate((id) => fetch(`/housekeeping/v1/media/${id}`).then((answer) => `${answer.status} ${answer.headers.get("content-type")}`), ring?.photoMediaIds?.[0] ?? "");
    expect(photo).toBe("200 image/jpeg");
    expect(await lostIn(hotel, "killed-2")).toHaveLength(1);
    await expect(page.getByTestId("app")).toHaveAttribute("data-refused", "0");
  } finally {
    await device.forget();
    await hotel.start().catch(() => undefined);
  }
});

test("7 the server is killed while it is being told: every found thing is there once", async ({ page, context, hotel, enter }) => {
  test.setTimeout(180_000);
  await enter(page, "housekeeper");
  const { staffId } = await me(page);
  const { task } = await giveOne(hotel, staffId);
  await page.goto(`/my/${task.taskId}`);
  await expect(page.getByTestId("found-something")).toBeVisible();
  const things = Array.from({ length: 9 }, (_, index) => `mid-${index} thing`);
  await context.setOffline(true);
  for (const [index, words] of things.entries()) await find(page, words, index % 3 === 0);
  const all = await pending(page);
  expect(all).toBe(things.length + 3);
  await context.setOffline(false);
  await expect.poll(() => pending(page), { intervals: [5] }).toBeLessThan(all - 1);
  await hotel.stop("SIGKILL");
  const left = await pending(page);
  console.log(`offline: the server was killed with ${left} of ${all} to go`);
  await hotel.start();
  await allSent(page);
  for (const words of things) expect(await lostIn(hotel, words), words).toHaveLength(1);
  const photos = (await lostIn(hotel, "mid-")).filter((one) => one.photoMediaIds?.length);
  expect(photos).toHaveLength(3);
  for (const one of photos) expect(one.photoMediaIds?.[0]).toMatch(/^med_/);
});

test("7 photos of what is broken wait with the report, and go before it", async ({ page, context, hotel, enter }) => {
  await enter(page, "housekeeper");
  await finishCurrent(page);
  const { staffId } = await me(page);
  const { task } = await giveOne(hotel, staffId);
  await page.goto(`/my/${task.taskId}`);
  await page.getByTestId("task-start").click();
  await expect(page.getByTestId("report")).toBeVisible();
  await allSent(page);
  await context.setOffline(true);
  await page.getByTestId("report").click();
  await page.locator("[data-testid=category][data-category=plumbing]").click();
  await page.locator("[data-testid=severity][data-severity=blocking]").click();
  await page.getByTestId("photo").setInputFiles(PICTURE);
  await expect(page.getByTestId("report-send")).toBeEnabled();
  await page.getByTestId("report-send").click();
  await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "2");
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
  let told = "";
  page.on("request", (request) => {
    if (request.url().endsWith("/maintenance-required")) told = request.postData() ?? "";
  });
  await context.setOffline(false);
  await allSent(page);
  expect(sent.filter((one) => one === "media" || one === "maintenance-required").slice(-2)).toEqual(["media", "maintenance-required"]);
  expect((JSON.parse(told) as { issue: { photoMediaIds: string[] } }).issue.photoMediaIds).toEqual([expect.stringMatching(/^med_/)]);
  expect((await hotel.ask<{ status: string }>("supervisor", "GET", `${HK}/tasks/${task.taskId}`)).status).toBe("requires_maintenance");
});

test("7 what sends does not come with the page: the tap is kept and shown, and goes when it comes", async ({ browser, hotel, enter }) => {
  const device = await browser.newContext({ baseURL: hotel.url, viewport: { width: 320, height: 640 }, serviceWorkers: "block" });
  const page = await device.newPage();
  let refused = 0;
  await page.route(/\/assets\/sending-/, (route) => {
    refused += 1;
    return route.abort();
  });
  await enter(page, "housekeeper");
  await expect.poll(() => refused).toBeGreaterThan(0);
  const { staffId } = await me(page);
  const { task } = await giveOne(hotel, staffId);
  await page.goto(`/my/${task.taskId}`);
  await page.getByTestId("found-something").click();
  await page.getByTestId("reason").fill(`late-${task.taskId}`);
  await page.getByTestId("found-send").click();
  await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "1");
  await page.unroute(/\/assets\/sending-/);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await allSent(page);
  expect(await lostIn(hotel, `late-${task.taskId}`)).toHaveLength(1);
  await device.close();
});
