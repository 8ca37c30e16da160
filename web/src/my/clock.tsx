// In, out, break; own shifts, and asking for leave.
import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { readJson } from "../api/client";
import { useStore } from "../app/store";
import { clockTime, isoDay, noonOf, shortDate, weekdayName } from "../i18n/dates";
import { t, useLanguage, word } from "../i18n";
import type { Shown } from "../live/overlay";
import { entries } from "../outbox";
import type { Punch } from "../outbox/punches";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { toast } from "../ui/toast";
import { askLeave, punch } from "./actions";

type ClockState = "out" | "in" | "on_break";
const AFTER: Record<Punch["kind"], ClockState> = { in: "in", out: "out", break_started: "on_break", break_ended: "in" };

/** As the board has it, with the punches that wait laid over it. */
export function useClock(board: Shown, staffId: string | undefined): { state: ClockState; pending: boolean } {
  const waiting = useStore(entries);
  const mine = board.staff.find((one) => one.staffId === staffId);
  const told: ClockState = !mine ? "out" : mine.onBreak ? "on_break" : "in";
  const last = waiting.filter((one) => one.verb === "clock" && (one.state === "waiting" || one.state === "sending")).at(-1);
  if (!last) return { state: told, pending: false };
  const body = JSON.parse(last.body) as { kind?: Punch["kind"]; punches?: { kind: Punch["kind"] }[] };
  return { state: AFTER[body.kind ?? body.punches?.at(-1)?.kind ?? "in"], pending: true };
}

export function Clock({ state, pending }: { state: ClockState; pending: boolean }) {
  const press = (kind: Punch["kind"], said: string) => void punch(kind).then(() => toast(said));
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

interface MyShift {
  shiftId: string;
  windowUtc: { startUtc: string; endUtc: string };
  localWindow: { date: string; startLocal: string; endLocal: string };
  status: string;
}

export function Shifts() {
  useLanguage();
  const from = isoDay();
  const to = isoDay(Date.now() + 13 * 86_400_000);
  const shifts = useQuery({
    queryKey: ["my-shifts", from],
    queryFn: () => readJson<{ items: MyShift[] }>(`/staff/v1/me/shifts?from=${from}&to=${to}`),
  });
  const [asking, setAsking] = useState(false);
  const items = shifts.data?.items.filter((one) => one.status !== "cancelled") ?? [];
  return (
    <section class="stack">
      <h2>{t("my.shifts")}</h2>
      {shifts.data && !items.length && <p class="soft">{t("my.noShifts")}</p>}
      <ul class="stack">
        {items.map((one) => (
          <li class="shift card" key={one.shiftId} data-testid="my-shift" data-shift-id={one.shiftId}>
            <b>
              {weekdayName(noonOf(one.localWindow.date))} {shortDate(noonOf(one.localWindow.date))}
            </b>
            <span>
              <bdi>
                {clockTime(one.windowUtc.startUtc)}–{clockTime(one.windowUtc.endUtc)}
              </bdi>
            </span>
          </li>
        ))}
      </ul>
      <button class="button big" data-testid="leave-ask" onClick={() => setAsking(true)}>
        <Picture name="calendar" />
        {t("my.leaveAsk")}
      </button>
      {asking && <LeaveDialog onClose={() => setAsking(false)} />}
    </section>
  );
}

const LEAVES = ["annual", "sick", "religious", "bereavement", "parental", "unpaid", "other"] as const;

function LeaveDialog({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<string>(LEAVES[0]);
  const [from, setFrom] = useState(isoDay(Date.now() + 86_400_000));
  const [to, setTo] = useState(isoDay(Date.now() + 86_400_000));
  const send = () => {
    void askLeave(type, from, to < from ? from : to);
    toast(t("my.leaveAsked"));
    onClose();
  };
  return (
    <Dialog
      title={t("my.leaveAsk")}
      onClose={onClose}
      foot={
        <button class="button primary big wide" data-testid="confirm" disabled={!from} onClick={send}>
          {t("action.send")}
        </button>
      }
    >
      <label class="field">
        <span>{t("my.leaveType")}</span>
        <select class="input" data-testid="leave-type" value={type} onChange={(event) => setType(event.currentTarget.value)}>
          {LEAVES.map((one) => (
            <option key={one} value={one}>
              {word("leaveType", one)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t("my.from")}</span>
        <input class="input" type="date" data-testid="leave-from" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
        <span class="small">{from && shortDate(noonOf(from))}</span>
      </label>
      <label class="field">
        <span>{t("my.to")}</span>
        <input class="input" type="date" data-testid="leave-to" value={to} min={from} onInput={(event) => setTo(event.currentTarget.value)} />
        <span class="small">{to && shortDate(noonOf(to))}</span>
      </label>
    </Dialog>
  );
}
