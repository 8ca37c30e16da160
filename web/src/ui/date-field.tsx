// A date, or a date and a time, chosen in the reader's calendar and digits. The browser's own field, which speaks the browser's language and calendar, carries the
// value: it is what one sees where both are the same (English, Gregorian), and what a program fills in everywhere.
import { useStore } from "../app/store";
import { type Day, dayIn, daysIn, isoFrom } from "../i18n/calendars";
import { calendarChosen, calendarOf, isoDay, monthName } from "../i18n/dates";
import { digitsOf } from "../i18n/digits";
import { t, useLanguage } from "../i18n";
import { DateSaid } from "./date-said";

interface Field {
  /** What the field is called: each of its parts says it too. */
  label: string;
  /** `2026-04-22`, with a time `2026-04-22T10:30`; empty: none is chosen. */
  value: string;
  onValue: (value: string) => void;
  timed?: boolean;
  /** None may be chosen again. */
  optional?: boolean;
  testid?: string;
  min?: string;
  max?: string;
  disabled?: boolean;
}

export function DateField(field: Field) {
  const language = useLanguage();
  useStore(calendarChosen);
  const { value, onValue, timed, testid, min, max, disabled } = field;
  const isOwn = language !== "en" || calendarOf(language) !== "gregorian";
  const native = (
    <input
      class="input date"
      type={timed ? "datetime-local" : "date"}
      data-testid={testid}
      value={value}
      min={min}
      max={max}
      disabled={disabled}
      {...(isOwn ? { tabIndex: -1, "aria-hidden": true } : {})}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
  return (
    <>
      {isOwn ? (
        <span class="date-field">
          <Parts {...field} />
          <span class="sr">{native}</span>
        </span>
      ) : (
        native
      )}
      <DateSaid day={value} />
    </>
  );
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const two = (value: number) => String(value).padStart(2, "0");
/** Most things are meant to the quarter of an hour; any other minute that was given stays. */
const quarters = (minute: number): number[] => [...new Set([0, 15, 30, 45, minute])].sort((a, b) => a - b);

function Parts({ label, value, onValue, timed, optional, min, max, disabled }: Field) {
  const language = useLanguage();
  const calendar = calendarOf(language);
  const [date = "", time = "12:00"] = value.split("T");
  const today = dayIn(isoDay(), calendar);
  const shown = date ? dayIn(date, calendar) : undefined;
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const within = (iso: string) => (min && iso < min ? min : max && iso > max ? max : iso);
  // Whatever is chosen first, the rest begins with today.
  const choose = (part: Partial<Day & { hour: number; minute: number }>) => {
    const iso = isoFrom({ ...(shown ?? today), ...part }, calendar);
    onValue(within(timed ? `${iso}T${two(part.hour ?? hour)}:${two(part.minute ?? minute)}` : iso));
  };
  const year = shown?.year ?? today.year;
  const years = numbers(Math.min(year, today.year) - 1, Math.max(year, today.year) + 1);
  type Part = [string, "day" | "month" | "year" | "hour" | "minute", number[], number | undefined];
  const days: Part[] = [
    [t("date.day"), "day", numbers(1, daysIn(year, shown?.month ?? today.month, calendar)), shown?.day],
    [t("date.month"), "month", numbers(1, 12), shown?.month],
    [t("date.year"), "year", years, shown?.year],
  ];
  const times: Part[] = [
    [t("date.hour"), "hour", numbers(0, 23), shown && hour],
    [t("date.minute"), "minute", quarters(minute), shown && minute],
  ];
  const draw = ([name, part, choices, now]: Part) => (
    <select
      key={part}
      class="input"
      aria-label={`${label}: ${name}`}
      data-testid={`date-${part}`}
      disabled={disabled}
      value={now === undefined ? "" : String(now)}
      onChange={(event) => (event.currentTarget.value ? choose({ [part]: Number(event.currentTarget.value) }) : onValue(""))}
    >
      {(optional || now === undefined) && <option value="">{name}</option>}
      {choices.map((one) => (
        <option key={one} value={String(one)}>
          {part === "month" ? monthName(one, calendar, language) : digitsOf(part === "hour" || part === "minute" ? two(one) : one, language)}
        </option>
      ))}
    </select>
  );
  return (
    <>
      <span class="date-parts">{days.map(draw)}</span>
      {timed && <span class="date-parts">{times.map(draw)}</span>}
    </>
  );
}
