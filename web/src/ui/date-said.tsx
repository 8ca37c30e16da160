// A date as the page says it, beside the browser's own field, which speaks the browser's language and calendar.
import { clockTime, longDate, noonOf, weekdayName } from "../i18n/dates";
import { instantOf } from "../i18n/days";

/** `day`: as a field for dates has it (`2026-04-22`), or one for date and time (`2026-04-22T10:30`). */
export function DateSaid({ day }: { day: string }) {
  if (Number.isNaN(Date.parse(day))) return null;
  const timed = day.includes("T");
  const at = timed ? instantOf(day) : noonOf(day);
  return (
    <span class="small soft date-said" data-testid="date-said" data-iso={day}>
      {weekdayName(at)} {longDate(at)}
      {timed && ` ${clockTime(at)}`}
    </span>
  );
}
