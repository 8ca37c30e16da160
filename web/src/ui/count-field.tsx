// A whole number that somebody types, in whatever digits. It stays as typed: a field that fills itself while one empties it makes 120 of 20.
import { useEffect, useState } from "preact/hooks";
import { language } from "../i18n";
import { digitsOf, plainDigits } from "../i18n/digits";

interface Field {
  /** NaN: what stands there is no number, or none that may be. */
  value: number | undefined;
  onCount: (count: number | undefined) => void;
  least?: number;
  most: number;
  testid?: string | undefined;
  placeholder?: string;
}
/** A field that may stand empty: then it counts undefined. */
type Optional = Field & { optional: true };
type Needed = Omit<Field, "value" | "onCount"> & { optional?: false; value: number; onCount: (count: number) => void };

/** The number in what was typed; NaN: there is none between the two. */
function countIn(typed: string, least: number, most: number): number {
  const text = plainDigits(typed).trim().replace("−", "-");
  const count = /^-?\d+$/.test(text) ? Number(text) : NaN;
  return count >= least && count <= most ? count : NaN;
}

export function CountField({ value, least = 0, most, testid, placeholder, ...kind }: Optional | Needed) {
  const shown = value === undefined || Number.isNaN(value) ? "" : digitsOf(value, language());
  const [typed, setTyped] = useState(shown);
  const counted = (text: string) => (kind.optional && !text.trim() ? undefined : countIn(text, least, most));
  // Changed from elsewhere, by a stepper or by what was saved: then that stands here.
  useEffect(() => {
    if (!Object.is(counted(typed), value)) setTyped(shown);
  }, [value]);
  const type = (text: string) => {
    setTyped(text);
    const count = counted(text);
    if (kind.optional) kind.onCount(count);
    else kind.onCount(count ?? NaN);
  };
  return (
    <input
      class="input"
      data-testid={testid}
      inputMode="numeric"
      autocomplete="off"
      placeholder={placeholder}
      aria-invalid={Number.isNaN(counted(typed))}
      value={typed}
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
}
