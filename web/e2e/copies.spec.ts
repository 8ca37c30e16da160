// What was read once is there without a net, and says how old it is.
import { HK } from "./hands";
import { type Page, expect, ready, speaks, test } from "./server";

/** Pages, and what shows that their last copy is on the screen. */
const PAGES = [
  ["/board", "lane"],
  ["/desk", "ready-room"],
  ["/plan", "plan-status"],
  ["/linen", "linen-line"],
  ["/lost", "lost-item"],
  ["/roster", "shift"],
  ["/stats", "plot-turnaround"],
  ["/print/all", "sheet"],
] as const;

/** Reads each page once, then again without a net. */
async function readTwice(page: Page, pages: readonly (readonly [string, string])[]): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  for (const [path, shown] of pages) {
    await page.goto(path);
    await ready(page);
    await expect(page.getByTestId(shown).first(), path).toBeVisible();
  }
  await page.context().setOffline(true);
  for (const [path, shown] of pages) {
    await page.goto(path);
    await expect(page.getByTestId(shown).first(), path).toBeVisible({ timeout: 20_000 });
    await expect(page.getByTestId("state-offline"), path).toContainText(/You see the copy of .*\d\d:\d\d/);
    await expect(page.getByTestId("state-error"), path).toHaveCount(0);
  }
  await page.context().setOffline(false);
}

test("every page shows its last copy without a net, with its time", async ({ page, hotel, enter }) => {
  test.setTimeout(180_000);
  const [room] = (await hotel.ask<{ rooms: { roomId: string }[] }>("supervisor", "GET", `${HK}/board?propertyId=${hotel.property}`)).rooms;
  await hotel.ask("supervisor", "POST", `${HK}/linen`, { propertyId: hotel.property, line: "copies_e2e", onHand: 20, lowWatermark: 4 });
  await hotel.ask("supervisor", "POST", `${HK}/lost-and-found`, { propertyId: hotel.property, roomId: room?.roomId, description: "a pair of glasses" });
  await hotel.ask("supervisor", "POST", `${HK}/routing/suggest`, { propertyId: hotel.property });
  await speaks(page, "en");
  await enter(page, "supervisor");
  await readTwice(page, PAGES);
});

test("the chart shows its last copy without a net, with its time", async ({ page, enter }) => {
  await speaks(page, "en");
  await enter(page, "front_desk");
  await readTwice(page, [["/desk/chart", "stay"]]);
});
