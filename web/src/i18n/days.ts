// More about dates, for pages that do more than show one: apart, since every page carries the rest.
import { DAY, calendarOf, isoDay, longDate, partsOf, zone } from "./dates";
import { type Language, language } from "./index";

/** The date in the other calendar, for papers that show both. */
export function otherDate(at: Date | string | number, lang: Language = language()): string {
  return longDate(at, lang, calendarOf(lang) === "solar" ? "gregorian" : "solar");
}

/** What a field for date and time says (`2026-04-22T10:30`), as an instant: it is the hotel's clock that was meant, wherever the browser stands. */
export function instantOf(local: string, timeZone: string = zone.get()): Date {
  const meant = Date.parse(`${local}Z`);
  // Twice, for the first step may cross a change of the clocks.
  let at = meant;
  for (let step = 0; step < 2; step++) {
    const { year, month, day, hour, minute } = partsOf(at, "gregorian", timeZone);
    at += meant - Date.UTC(year, month - 1, day, hour, minute);
  }
  return new Date(at);
}

/** Dates without times (`2026-04-22`), as a calendar counts them. */
export const dayAfter = (day: string, count: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY);

/** When the next day begins on the hotel's clock, as the server writes times: what comes before it comes today. */
export function tomorrowOf(at: Date | string | number, timeZone: string = zone.get()): string {
  return instantOf(`${dayAfter(isoDay(at, timeZone), 1)}T00:00`, timeZone).toISOString();
}

/** From one time or date to another, as the page is read: digits alone would run from left to right everywhere. */
export const range = (from: string, to: string, lang: Language = language()): string => `${lang === "en" ? "\u2066" : "\u2067"}${from}–${to}\u2069`;

/** The Saturday on or before a day. */
export function weekStart(at: Date | string | number = Date.now()): string {
  // By dates and not by hours: a day on which the clocks change has one more or one less.
  return dayAfter(isoDay(at), -partsOf(at, "gregorian").weekday);
}
