// Linen and lost things.
import { expect, speaks, test } from "./server";

const HK = "/housekeeping/v1";

for (const language of ["en", "ps"] as const) {
  test(`12 linen goes out and comes back, and what runs low stands first (${language})`, async ({ page, hotel, enter }) => {
    const line = `towels_${language}`;
    await hotel.ask("supervisor", "POST", `${HK}/linen`, { propertyId: hotel.property, line: `zz_${language}`, onHand: 100, lowWatermark: 5 });
    await hotel.ask("supervisor", "POST", `${HK}/linen`, { propertyId: hotel.property, line, onHand: 12, lowWatermark: 10 });
    await speaks(page, language);
    await enter(page, "supervisor", "/linen");
    const row = page.locator(`[data-testid=linen-line][data-line="${line}"]`);
    await expect(row).toHaveAttribute("data-on-hand", "12");
    await expect(row).toHaveAttribute("data-low", "false");
    await row.getByTestId("linen-issue").click();
    await page.getByTestId("amount").fill("4");
    await page.getByTestId("confirm").click();
    await expect(row).toHaveAttribute("data-on-hand", "8");
    await expect(row).toHaveAttribute("data-low", "true");
    await expect(page.getByTestId("linen-line").first()).toHaveAttribute("data-low", "true");
    await row.getByTestId("linen-return").click();
    await page.getByTestId("amount").fill("3");
    await page.getByTestId("confirm").click();
    await expect(row).toHaveAttribute("data-on-hand", "11");
    await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "0");
    const kept = await hotel.ask<{ items: { line: string; onHand: number }[] }>("supervisor", "GET", `${HK}/linen?propertyId=${hotel.property}`);
    expect(kept.items.find((one) => one.line === line)?.onHand).toBe(11);
    await row.getByTestId("linen-more").click();
    await expect(page.getByTestId("linen-movement")).toHaveCount(3);
    await expect(page.getByTestId("linen-movement").first()).toHaveAttribute("data-direction", "return");
    await page.getByTestId("linen-low-at").fill("12");
    await page.getByTestId("confirm").click();
    await expect(row).toHaveAttribute("data-low", "true");
  });
}

for (const language of ["en", "ps"] as const) {
  test(`12 a thing is recorded, found by its words, claimed and given back (${language})`, async ({ page, hotel, enter }) => {
    await speaks(page, language);
    await enter(page, "front_desk", "/lost");
    await page.getByTestId("lost-record").click();
    await page.getByTestId("lost-room").selectOption({ index: 3 });
    await page.getByTestId("lost-description").fill(`a red scarf, behind the door (${language})`);
    await page.getByTestId("confirm").click();
    await page.getByTestId("lost-search").fill(`scarf red (${language})`);
    const item = page.getByTestId("lost-item");
    await expect(item).toHaveCount(1);
    await expect(item).toHaveAttribute("data-status", "recorded");
    await item.getByTestId("lost-match").click();
    await page.getByTestId("claimant-name").fill(`Laila Karimi ${language}`);
    await page.getByTestId("confirm").click();
    await expect(item).toHaveAttribute("data-status", "matched");
    await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "0");
    await item.getByTestId("lost-return").click();
    await page.getByTestId("confirm").click();
    await expect(item).toHaveCount(0);
    await page.getByTestId("lost-all").click();
    await expect(item).toHaveAttribute("data-status", "returned");
    const kept = await hotel.ask<{ items: { status: string; claimantName: string }[] }>("front_desk", "GET", `${HK}/lost-and-found?propertyId=${hotel.property}&status=returned`);
    expect(kept.items.some((one) => one.claimantName === `Laila Karimi ${language}`)).toBe(true);
  });
}

test("12 a manager sees the linen and is offered nothing that the server refuses", async ({ page, hotel, enter }) => {
  await hotel.ask("supervisor", "POST", `${HK}/linen`, { propertyId: hotel.property, line: "aprons", onHand: 1, lowWatermark: 5 });
  await enter(page, "property_manager", "/linen");
  await expect(page.locator("[data-testid=linen-line][data-line=aprons]")).toBeVisible();
  for (const verb of ["issue", "return", "adjust"]) await expect(page.getByTestId(`linen-${verb}`)).toHaveCount(0);
  await page.goto("/board");
  await page.getByTestId("logout").click();
  // The desk is told that it runs low; the page of linen is not the desk's.
  await enter(page, "front_desk", "/board");
  const alert = page.locator("[data-testid=alert][data-code=linen_low]");
  if (!(await alert.count())) await page.locator(".alerts").getByRole("button").last().click();
  await expect(alert.first()).toBeVisible();
  await expect(alert.getByRole("button")).toHaveCount(0);
});

test("12 what went out does not come back for a moment when the server has heard of it", async ({ page, hotel, enter }) => {
  await hotel.ask("supervisor", "POST", `${HK}/linen`, { propertyId: hotel.property, line: "napkins", onHand: 100, lowWatermark: 5 });
  await enter(page, "supervisor", "/linen");
  const row = page.locator("[data-testid=linen-line][data-line=napkins]");
  await expect(row).toHaveAttribute("data-on-hand", "100");
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/linen\?/, async (route) => (await held, await route.continue()));
  await row.evaluate((line) => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => seen.push(line.getAttribute("data-on-hand") ?? "")).observe(line, { attributes: true, attributeFilter: ["data-on-hand"] });
  });
  await row.getByTestId("linen-issue").click();
  const amount = page.getByTestId("amount");
  await amount.fill("30");
  await amount.press("Backspace");
  await amount.press("Backspace");
  await expect(amount).toHaveValue("");
  await expect(page.getByTestId("confirm")).toBeDisabled();
  // As a keyboard in Pashto or Dari gives it.
  await amount.pressSequentially("۲0");
  const sent = page.waitForRequest(/\/linen\/[^/]+\/issue$/);
  await page.getByTestId("confirm").click();
  expect((await sent).postDataJSON()).toEqual({ count: 20 });
  await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "0");
  await expect(row).toHaveAttribute("data-on-hand", "80");
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  release();
  await page.waitForResponse(/\/linen\?/);
  await expect(row).toHaveAttribute("data-on-hand", "80");
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual(["80"]);
});
