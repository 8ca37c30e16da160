// A day on which nothing was done is a day all the same: a plot that leaves it out puts a week side by side with a day.
import { dayAfter, daysBetween } from "../i18n/days";

/** Every day from the first row's to the last one's, with its row where there is one. Rows come in order. */
export function everyDay<R extends { day: string }>(rows: R[]): { day: string; row: R | undefined }[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return [];
  const found = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: daysBetween(first.day, last.day) + 1 }, (_, index) => dayAfter(first.day, index)).map((day) => ({ day, row: found.get(day) }));
}
