import { expect, it } from "vitest";
import { everyDay } from "./every-day";

it("has a place for each day, also where nothing was done", () => {
  const rows = [{ day: "2026-04-28" }, { day: "2026-04-29" }, { day: "2026-05-02" }];
  expect(everyDay(rows).map(({ day, row }) => `${day.slice(5)} ${row ? "work" : "-"}`)).toEqual(["04-28 work", "04-29 work", "04-30 -", "05-01 -", "05-02 work"]);
  expect(everyDay([])).toEqual([]);
});
