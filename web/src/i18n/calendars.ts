// From a calendar's day back to the date as the server takes it, for fields in which a date is chosen.
import { type Calendar, DAY, partsOf } from "./dates";

/** At noon on no zone's edge: a date alone is the same date in every zone that we ask for. */
const dayOf = (iso: string): number => Date.parse(`${iso}T12:00:00Z`);
const isoOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export interface Day {
  year: number;
  month: number;
  day: number;
}

export function dayIn(iso: string, calendar: Calendar): Day {
  const { year, month, day } = partsOf(dayOf(iso), calendar, "UTC");
  return { year, month, day };
}

/** The first day of a solar year is one of four: Intl knows which. */
function nawruz(year: number): number {
  let at = dayOf(`${year + 621}-03-19`);
  for (let step = 0; step < 4; step++, at += DAY) {
    const { month, day } = partsOf(at, "solar", "UTC");
    if (month === 1 && day === 1) break;
  }
  return at;
}

/** Six months of 31 days, five of 30; the last has what is left. */
function firstOf(year: number, month: number, calendar: Calendar): number {
  if (month > 12) return firstOf(year + 1, month - 12, calendar);
  if (calendar === "gregorian") return Date.UTC(year, month - 1, 1, 12);
  return nawruz(year) + DAY * ((month - 1) * 30 + Math.min(month - 1, 6));
}

export const daysIn = (year: number, month: number, calendar: Calendar): number => Math.round((firstOf(year, month + 1, calendar) - firstOf(year, month, calendar)) / DAY);

/** `2026-04-22`; a day that the month does not have becomes its last. */
export function isoFrom({ year, month, day }: Day, calendar: Calendar): string {
  return isoOf(firstOf(year, month, calendar) + DAY * (Math.min(day, daysIn(year, month, calendar)) - 1));
}
