// Own shifts, asking for leave, and what became of it.
import { useEffect, useState } from "preact/hooks";
import { readJson } from "../api/client";
import { session } from "../app/session";
import { useStore } from "../app/store";
import { clockTime, isoDay, noonOf, shortDate, weekdayName } from "../i18n/dates";
import { range } from "../i18n/days";
import { t, useLanguage, word } from "../i18n";
import { onOutcome } from "../outbox";
import { copies } from "../outbox/shelf";
import { DateField } from "../ui/date-field";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { askLeave } from "./telling";
import "../ui/pictures-office";

interface MyShift {
  shiftId: string;
  windowUtc: { startUtc: string; endUtc: string };
  localWindow: { date: string; startLocal: string; endLocal: string };
  status: string;
}

interface MyLeave {
  leaveRequestId: string;
  type: string;
  windowLocal: { from: string; to: string };
  status: string;
}

/** The last copy first: without a net one still knows when one works. `turn`: asked for once more. */
function useList<T>(name: string, path: string, turn = 0): { items: T[] | undefined; known: boolean } {
  const [items, setItems] = useState<T[]>();
  const [known, setKnown] = useState(false);
  useEffect(() => {
    let gone = false;
    let fresh = false;
    void copies.get<T[]>(name).then((kept) => kept && !gone && !fresh && setItems(kept.value));
    void readJson<{ items: T[] }>(path).then(
      ({ items: told }) => {
        fresh = true;
        if (!gone) setItems(told), setKnown(true);
        void copies.put(name, told, Date.now()).catch(() => {});
      },
      () => !gone && setKnown(true),
    );
    return () => {
      gone = true;
    };
  }, [path, turn]);
  return { items, known: known || items !== undefined };
}

/** How often one's own leave has been told anew since the page was opened: what was asked for is shown as soon as the hotel has it. */
function useTurn(): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => onOutcome((heard) => void (heard.is === "done" && heard.entry.verb === "leave" && setTurn((now) => now + 1))), []);
  return turn;
}

export function Shifts() {
  useLanguage();
  const from = isoDay();
  const to = isoDay(Date.now() + 13 * 86_400_000);
  const staffId = useStore(session, (now) => now.who?.staffId ?? "");
  const shifts = useList<MyShift>("my-shifts", `/staff/v1/me/shifts?from=${from}&to=${to}`);
  const leave = useList<MyLeave>("my-leave", `/staff/v1/leave?staffId=${staffId}&from=${from}&limit=20`, useTurn());
  const [asking, setAsking] = useState(false);
  const items = shifts.items?.filter((one) => one.status !== "cancelled") ?? [];
  // All at once, so that nothing is pushed away under the thumb.
  if (!shifts.known || !leave.known) return null;
  return (
    <section class="stack">
      <h2>{t("my.shifts")}</h2>
      {shifts.items && !items.length && <p class="soft">{t("my.noShifts")}</p>}
      <ul class="stack">
        {items.map((one) => (
          <li class="shift card" key={one.shiftId} data-testid="my-shift" data-shift-id={one.shiftId}>
            <b>
              {weekdayName(noonOf(one.localWindow.date))} {shortDate(noonOf(one.localWindow.date))}
            </b>
            <span>
              {range(clockTime(one.windowUtc.startUtc), clockTime(one.windowUtc.endUtc))}
            </span>
          </li>
        ))}
      </ul>
      <button class="button big" data-testid="leave-ask" onClick={() => setAsking(true)}>
        <Picture name="calendar" />
        {t("my.leaveAsk")}
      </button>
      <Answers leave={(leave.items ?? []).filter((one) => one.status !== "cancelled")} />
      {asking && <LeaveDialog onClose={() => setAsking(false)} />}
    </section>
  );
}

/** What one asked for and what the hotel says, below the button: a new one pushes nothing away. */
function Answers({ leave }: { leave: MyLeave[] }) {
  if (!leave.length) return null;
  const day = (date: string) => shortDate(noonOf(date));
  return (
    <>
      <h3>{t("roster.leave")}</h3>
      <ul class="stack">
        {leave.map(({ leaveRequestId, type, windowLocal: { from, to }, status }) => (
          <li class="shift card" key={leaveRequestId} data-testid="my-leave" data-id={leaveRequestId} data-status={status}>
            <b>
              {word("leaveType", type)} · {from === to ? day(from) : range(day(from), day(to))}
            </b>
            <span>{word("leaveStatus", status)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const LEAVES = ["annual", "sick", "religious", "bereavement", "parental", "unpaid", "other"] as const;

function LeaveDialog({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<string>(LEAVES[0]);
  const [from, setFrom] = useState(isoDay(Date.now() + 86_400_000));
  const [to, setTo] = useState(isoDay(Date.now() + 86_400_000));
  const send = () => {
    void askLeave(type, from, to < from ? from : to, t("my.leaveAsked"));
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
        <DateField label={t("my.from")} testid="leave-from" value={from} onValue={setFrom} />
      </label>
      <label class="field">
        <span>{t("my.to")}</span>
        <DateField label={t("my.to")} testid="leave-to" value={to} min={from} onValue={setTo} />
      </label>
    </Dialog>
  );
}
