import { expect, it } from "vitest";
import { dayIn, daysIn, isoFrom } from "./calendars";

it("finds the date of a solar day, also at the end of a leap year", () => {
  expect(isoFrom({ year: 1405, month: 2, day: 2 }, "solar")).toBe("2026-04-22");
  expect(isoFrom({ year: 1405, month: 1, day: 1 }, "solar")).toBe("2026-03-21");
  expect(isoFrom({ year: 1403, month: 12, day: 30 }, "solar")).toBe("2025-03-20");
  expect([daysIn(1403, 12, "solar"), daysIn(1404, 12, "solar"), daysIn(1405, 6, "solar"), daysIn(1405, 7, "solar")]).toEqual([30, 29, 31, 30]);
});

it("takes the month's last day for one that it does not have", () => {
  expect(isoFrom({ year: 1404, month: 12, day: 30 }, "solar")).toBe("2026-03-20");
  expect(isoFrom({ year: 2026, month: 2, day: 31 }, "gregorian")).toBe("2026-02-28");
});

it("every day of twenty years goes there and back, in both calendars", () => {
  for (let at = Date.UTC(2018, 0, 1); at < Date.UTC(2038, 0, 1); at += 86_400_000) {
    const iso = new Date(at).toISOString().slice(0, 10);
    for (const calendar of ["solar", "gregorian"] as const) expect(isoFrom(dayIn(iso, calendar), calendar)).toBe(iso);
  }
});
