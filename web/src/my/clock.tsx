// In, out, break.
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

/** As it was told, with one's own punches that wait laid over it. */
export function useClock(told: ClockState): { state: ClockState; pending: boolean } {
  const last = useStore(entries).filter((one) => one.verb === "clock" && isWaiting(one) && isMine(one)).at(-1);
  if (!last) return { state: told, pending: false };
  const body = JSON.parse(last.body) as { kind?: Punch["kind"]; punches?: { kind: Punch["kind"] }[] };
  return { state: AFTER[body.kind ?? body.punches?.at(-1)?.kind ?? "in"], pending: true };
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
