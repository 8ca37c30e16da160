import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { calendarChosen, clockTime, duration, isoDay, longDate, noonOf, partsOf, weekdayName, zone } from "./dates";
import { instantOf, range, tomorrowOf, weekStart } from "./days";
import { speak } from "./index";
import { asTyped, digitsOf, plainDigits } from "./digits";
import { pluralOf, wordsOf } from "./index";

// The names of months and days are words of a language like all others.
beforeAll(async () => {
  for (const language of ["en", "ps", "fa"] as const) await wordsOf(language, ["base"]);
});

beforeEach(() => {
  zone.set("Asia/Kabul");
  calendarChosen.set(null);
});

describe("dates on the hotel's clock", () => {
  it("knows the Solar Hijri days that the design names", () => {
    expect(partsOf("2025-03-20T08:00:00Z", "solar")).toMatchObject({ year: 1403, month: 12, day: 30 });
    expect(partsOf("2026-03-21T08:00:00Z", "solar")).toMatchObject({ year: 1405, month: 1, day: 1 });
    expect(partsOf("2026-04-21T19:30:00Z", "solar")).toMatchObject({ month: 2, day: 2 });
  });
  it("writes them in three languages, with their own months and digits", () => {
    expect(longDate("2025-03-20T08:00:00Z", "fa")).toBe("۳۰ حوت ۱۴۰۳");
    expect(longDate("2026-03-21T08:00:00Z", "ps")).toBe("۱ وری ۱۴۰۵");
    expect(longDate("2026-04-21T19:30:00Z", "ps")).toBe("۲ غویی ۱۴۰۵");
    expect(longDate("2026-04-21T19:30:00Z", "en")).toBe("22 April 2026");
    expect(longDate("2026-04-21T19:30:00Z", "en", "solar")).toBe("2 Sawr 1405");
  });
  it("tells the hotel's time, not the device's", () => {
    expect(clockTime("2026-04-21T19:30:00Z", "en")).toBe("00:00");
    expect(clockTime("2026-04-21T19:30:00Z", "ps")).toBe("۰۰:۰۰");
    expect(isoDay("2026-04-21T19:30:00Z")).toBe("2026-04-22");
  });
  it("takes what is typed into a field as the hotel's time, also where clocks change", () => {
    expect(instantOf("2026-04-22T00:00").toISOString()).toBe("2026-04-21T19:30:00.000Z");
    expect(instantOf("2026-03-29T01:30", "Europe/Berlin").toISOString()).toBe("2026-03-29T00:30:00.000Z");
    expect(instantOf("2026-03-29T03:30", "Europe/Berlin").toISOString()).toBe("2026-03-29T01:30:00.000Z");
    expect(instantOf("2026-07-01T12:00", "America/New_York").toISOString()).toBe("2026-07-01T16:00:00.000Z");
  });
  it("says what Intl says, in every zone and calendar, also around the hours in which clocks change", () => {
    const around = (at: number) => Array.from({ length: 40 }, (_, index) => at + (index - 20) * 7 * 60_000);
    const changes = ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", "2026-04-04T15:00:00Z", "2026-10-03T15:30:00Z", "2026-03-20T20:30:00Z", "1999-12-31T23:59:00Z", "2044-02-29T12:00:00Z"];
    for (const timeZone of ["Asia/Kabul", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns", "Asia/Tehran", "Africa/Casablanca", "UTC"]) {
      for (const calendar of ["gregorian", "solar"] as const) {
        const tag = `en-u-ca-${calendar === "solar" ? "persian" : "gregory"}-nu-latn`;
        const format = new Intl.DateTimeFormat(tag, { year: "numeric", month: "numeric", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
        for (const at of changes.flatMap((one) => around(Date.parse(one)))) {
          const told = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, parseInt(part.value, 10)]));
          const { weekday, ...ours } = partsOf(at, calendar, timeZone);
          expect(ours).toEqual({ year: told.year, month: told.month, day: told.day, hour: told.hour, minute: told.minute });
          expect(weekday).toBeGreaterThanOrEqual(0);
        }
      }
    }
  });
  it("begins the week on Saturday", () => {
    expect(weekStart("2026-04-22T08:00:00Z")).toBe("2026-04-18");
    expect(weekStart("2026-04-18T08:00:00Z")).toBe("2026-04-18");
    expect(weekdayName("2026-04-18T08:00:00Z", "fa")).toBe("شنبه");
    expect(weekdayName("2026-04-17T08:00:00Z", "ps")).toBe("جمعه");
  });
  it("a day without a time is that day on the clock of a hotel anywhere, summer and winter", () => {
    for (const timeZone of ["Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/St_Johns", "UTC", "Asia/Kabul", "Asia/Kathmandu", "Pacific/Auckland", "Pacific/Chatham"]) {
      for (const day of ["2026-01-15", "2026-07-15"]) expect([timeZone, isoDay(noonOf(day), timeZone)]).toEqual([timeZone, day]);
    }
  });
  it("begins the week on Saturday also where clocks changed since", () => {
    zone.set("Europe/Berlin");
    // The Sunday before had 23 hours, and the other one 25.
    expect(weekStart("2026-03-29T22:30:00Z")).toBe("2026-03-28");
    expect(weekStart("2026-10-25T22:30:00Z")).toBe("2026-10-24");
  });
  it("counts as people do: Pashto one is 1, Dari one is 0 and 1", () => {
    expect([0, 1, 2].map((count) => pluralOf(count, "ps"))).toEqual(["other", "one", "other"]);
    expect([0, 1, 2].map((count) => pluralOf(count, "fa"))).toEqual(["one", "one", "other"]);
    expect([0, 1, 2].map((count) => pluralOf(count, "en"))).toEqual(["other", "one", "other"]);
  });
  it("changes digits there and back", () => {
    expect(digitsOf("12.5", "ps")).toBe("۱۲٫۵");
    expect(digitsOf(304, "en")).toBe("304");
    expect(plainDigits("۱۲۳٤٥٦")).toBe("123456");
  });

  it("knows when the hotel's day is over, wherever the browser stands", () => {
    // Half past eleven at night in Kabul is seven in the evening in Greenwich.
    expect(tomorrowOf("2026-04-22T19:00:00Z")).toBe("2026-04-22T19:30:00.000Z");
    expect(tomorrowOf("2026-04-22T19:31:00Z")).toBe("2026-04-23T19:30:00.000Z");
  });
  it("finds what was typed with any digits", () => {
    expect([" ۲۰۴ ", "٢٠٤", "204"].map(asTyped)).toEqual(["204", "204", "204"]);
    expect(asTyped("B۱۲")).toBe("b12");
  });
});

it("runs from one time to another as the page is read", () => {
  expect(range("08:00", "16:00", "en")).toBe("\u206608:00–16:00\u2069");
  expect(range("۰۸:۰۰", "۱۶:۰۰", "ps")).toBe("\u2067۰۸:۰۰–۱۶:۰۰\u2069");
});

it("has another word for one minute and one hour than for many, in Pashto", async () => {
  await speak("ps");
  expect([duration(1), duration(2), duration(60), duration(61), duration(122), duration(0)]).toEqual(["۱ دقیقه", "۲ دقیقې", "۱ ساعت", "۱ ساعت ۱ دقیقه", "۲ ساعته ۲ دقیقې", "۰ دقیقې"]);
  await speak("en");
});
