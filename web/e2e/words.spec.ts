// What the server says, in the reader's language; what people wrote, as they wrote it.
import { HK, boardOf } from "./hands";
import { expect, speaks, test } from "./server";

test("alerts say why in the reader's language, and a long foreign text is cut at its own end", async ({ page, hotel, enter }) => {
  const board = await boardOf(hotel);
  const [first, second] = board.tasks.filter((one) => one.status === "assigned" || one.status === "pending");
  if (!first || !second) throw new Error("no work to bring up");
  const bringUp = (taskId: string, reason: string) => hotel.ask("supervisor", "POST", `${HK}/tasks/${taskId}/escalate`, { to: { role: "supervisor" }, reason });
  const long = "The guest in this room says that the water has been cold since yesterday evening, and wants to speak with somebody who can decide about it before noon.";
  await bringUp(first.taskId, long);
  await bringUp(second.taskId, "complete refused: NOT_THE_ASSIGNEE");
  await hotel.ask("supervisor", "POST", `${HK}/linen`, { propertyId: hotel.property, line: "sheets_e2e", onHand: 2, lowWatermark: 9 });
  await page.setViewportSize({ width: 800, height: 700 });
  await speaks(page, "ps");
  await enter(page, "supervisor");
  const more = page.locator(".alerts > li > .button");
  if (await more.count()) await more.click();
  const why = (code: string) => page.locator(`.alert-reason[data-because=${code}]`);
  const low = why("linen_low").filter({ hasText: "sheets" });
  await expect(low).toContainText("۲");
  await expect(low).not.toContainText("on hand");
  await expect(why("refused").first()).not.toContainText("refused:");
  const typed = page.locator(".alert-reason", { hasText: "The guest in this room" });
  await expect(typed).toHaveCount(1);
  expect(await typed.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  // On a phone in three lines at most.
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(low).toBeVisible();
  await expect(typed).toBeVisible();
  const lines = await typed.evaluate((element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight));
  expect(Math.round(lines)).toBe(3);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
