// Dates and times on the hotel's clock, in the reader's calendar. Chromium knows no Pashto, so only numbers come from Intl.
import { createStore } from "../app/store";
import { digitsOf } from "./digits";
import { type Key, type Language, language, t, tn, wordIn } from "./index";

export type Calendar = "gregorian" | "solar";

/** The hotel's zone, and the calendar that was chosen on this device, if any. */
export const zone = createStore("Asia/Kabul");
const CHOSEN = "melmastoon.calendar";
export const calendarChosen = createStore<Calendar | null>((globalThis.localStorage?.getItem(CHOSEN) as Calendar | null) ?? null);

export function chooseCalendar(calendar: Calendar): void {
  localStorage.setItem(CHOSEN, calendar);
  calendarChosen.set(calendar);
}

export const calendarOf = (lang: Language): Calendar => calendarChosen.get() ?? (lang === "en" ? "gregorian" : "solar");

interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  /** 0 is Saturday. */
  weekday: number;
}

export const DAY = 86_400_000;
/** No zone changes its clocks but at a quarter of an hour. */
const QUARTER = 900_000;
/** What is kept of Intl's answers, which take longer than all the rest of a tile: far more than a page shows. */
const MOST_KEPT = 5_000;

function kept<K, V>(make: (key: K) => V): (key: K) => V {
  const found = new Map<K, V>();
  return (key) => {
    let value = found.get(key);
    if (value === undefined) {
      if (found.size >= MOST_KEPT) found.clear();
      value = make(key);
      found.set(key, value);
    }
    return value;
  };
}

const FIELDS = { year: "numeric", month: "numeric", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

function numbersOf(format: Intl.DateTimeFormat, at: number): (name: Intl.DateTimeFormatPartTypes) => number {
  const parts = format.formatToParts(at);
  return (name) => parseInt(parts.find((part) => part.type === name)?.value ?? "0", 10);
}

/** How far the clock of a zone is ahead in a quarter of an hour, in milliseconds. */
const aheadIn = kept((timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", { ...FIELDS, timeZone });
  return kept((quarter: number) => {
    const told = numbersOf(format, quarter * QUARTER);
    return Date.UTC(told("year"), told("month") - 1, told("day"), told("hour"), told("minute")) - quarter * QUARTER;
  });
});

let persian: Intl.DateTimeFormat | undefined;
const solarDay = kept((day: number) => {
  persian ??= new Intl.DateTimeFormat("en-u-ca-persian-nu-latn", { ...FIELDS, timeZone: "UTC" });
  const told = numbersOf(persian, day * DAY);
  return { year: told("year"), month: told("month"), day: told("day") };
});

export function partsOf(at: Date | string | number, calendar: Calendar, timeZone: string = zone.get()): Parts {
  const instant = new Date(at).getTime();
  const local = new Date(instant + aheadIn(timeZone)(Math.floor(instant / QUARTER)));
  const date =
    calendar === "solar"
      ? solarDay(Math.floor(local.getTime() / DAY))
      : { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
  return { ...date, hour: local.getUTCHours(), minute: local.getUTCMinutes(), weekday: (local.getUTCDay() + 1) % 7 };
}

const two = (value: number) => String(value).padStart(2, "0");

export function clockTime(at: Date | string | number, lang: Language = language(), timeZone?: string): string {
  const { hour, minute } = partsOf(at, "gregorian", timeZone);
  return digitsOf(`${two(hour)}:${two(minute)}`, lang);
}

/** Names are words of a language like all others, one after the other: months from the first, weekdays from Saturday, as the week runs. */
const nameIn = (lang: Language, names: Key, index: number): string | undefined => wordIn(lang, names).split(" ")[index];

export function monthName(month: number, calendar: Calendar, lang: Language): string {
  return nameIn(lang, calendar === "solar" ? "time.monthsSolar" : "time.monthsGregorian", month - 1) || String(month);
}

export function weekdayName(at: Date | string | number, lang: Language = language(), timeZone?: string): string {
  return nameIn(lang, "time.weekdays", partsOf(at, "gregorian", timeZone).weekday) ?? "";
}

/** `22 April 2026`, `۲ ثور ۱۴۰۵`. */
export function longDate(at: Date | string | number, lang: Language = language(), calendar = calendarOf(lang), timeZone?: string): string {
  const { year, month, day } = partsOf(at, calendar, timeZone);
  return `${digitsOf(day, lang)} ${monthName(month, calendar, lang)} ${digitsOf(year, lang)}`;
}

/** `22 April`, without the year. */
export function shortDate(at: Date | string | number, lang: Language = language(), calendar = calendarOf(lang), timeZone?: string): string {
  const { month, day } = partsOf(at, calendar, timeZone);
  return `${digitsOf(day, lang)} ${monthName(month, calendar, lang)}`;
}

/** `2026-04-22` on the hotel's clock: the form in which the server takes dates. */
export function isoDay(at: Date | string | number = Date.now(), timeZone?: string): string {
  const { year, month, day } = partsOf(at, "gregorian", timeZone);
  return `${year}-${two(month)}-${two(day)}`;
}

/** A date without time (`2026-04-22`) as an instant that is that date on every clock from Honolulu to Auckland in summer. */
export const noonOf = (day: string): Date => new Date(`${day}T10:00:00Z`);

/** The time alone on the same day, else with its date. */
export function dayTime(at: Date | string | number, now: number = Date.now(), lang: Language = language()): string {
  const time = clockTime(at, lang);
  const days = Math.round((Date.parse(isoDay(at)) - Date.parse(isoDay(now))) / DAY);
  if (days === 0) return time;
  if (days === 1) return t("time.tomorrow", { time });
  if (days === -1) return t("time.yesterday", { time });
  return `${shortDate(at, lang)} ${time}`;
}

/** `50 min`, `1 h 20 min`. */
export function duration(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  const hours = Math.floor(whole / 60);
  // One is another word than many, in each of the two.
  return [hours && tn("time.hours", hours), (whole % 60 || !hours) && tn("time.minutes", whole % 60)].filter(Boolean).join(" ");
}
