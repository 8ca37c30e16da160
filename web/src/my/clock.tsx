// In, out, break.
import { useRef } from "preact/hooks";
import { useStore } from "../app/store";
import { t, word } from "../i18n";
import { entries, isMine, isWaiting } from "../outbox";
import type { Punch } from "../outbox/punches";
import { Picture } from "../ui/pictures";
import { punch } from "./actions";

export type ClockState = "out" | "in" | "on_break";
const AFTER: Record<Punch["kind"], ClockState> = { in: "in", out: "out", break_started: "on_break", break_ended: "in" };

/** As it is told of somebody who is in the house; nobody: they are not. */
export const clockOf = (there: { onBreak?: boolean } | undefined): ClockState => (!there ? "out" : there.onBreak ? "on_break" : "in");

/** As it was told, with one's own punches laid over it: what waits, and what arrived last until something else is told. */
export function useClock(told: ClockState): { state: ClockState; pending: boolean } {
  const laid = useRef<[seq: number, told: ClockState, state: ClockState]>();
  const mine = useStore(entries).filter((one) => one.verb === "clock" && isMine(one));
  const last = mine.filter(isWaiting).at(-1);
  if (last) {
    const body = JSON.parse(last.body) as { kind?: Punch["kind"]; punches?: { kind: Punch["kind"] }[] };
    laid.current = [last.seq, told, AFTER[body.kind ?? body.punches?.at(-1)?.kind ?? "in"]];
  } else if (laid.current?.[1] !== told || mine.at(-1)?.seq === laid.current[0]) {
    // Something else is told, or it was refused.
    laid.current = undefined;
  }
  return { state: laid.current?.[2] ?? told, pending: Boolean(last) };
}

export function Clock({ state, pending }: { state: ClockState; pending: boolean }) {
  const press = (kind: Punch["kind"], said: string) => void punch(kind, said);
  return (
    <section class={`clock ${pending ? "is-pending" : ""}`} aria-label={t("verb.clock")}>
      <p class="clock-state">
        <Picture name="clock" /> {word("my.clock", state)}
      </p>
      {state === "out" && (
        <button class="clock-button primary" data-testid="clock-in" onClick={() => press("in", t("my.clockedIn"))}>
          {t("my.clockIn")}
        </button>
      )}
      {state !== "out" && (
        <>
          <button class="clock-button" data-testid="clock-break" aria-pressed={state === "on_break"} onClick={() => press(state === "on_break" ? "break_ended" : "break_started", t("my.noted"))}>
            <Picture name="coffee" />
            {state === "on_break" ? t("my.breakEnd") : t("my.break")}
          </button>
          <button class="clock-button" data-testid="clock-out" onClick={() => press("out", t("my.clockedOut"))}>
            {t("my.clockOut")}
          </button>
        </>
      )}
    </section>
  );
}
