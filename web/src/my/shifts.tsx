// Own shifts, and asking for leave.
import { useEffect, useState } from "preact/hooks";
import { readJson } from "../api/client";
import { clockTime, isoDay, noonOf, shortDate, weekdayName } from "../i18n/dates";
import { range } from "../i18n/days";
import { t, useLanguage, word } from "../i18n";
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

/** The last copy first: without a net one still knows when one works. */
function useShifts(from: string, to: string): { shifts: MyShift[] | undefined; known: boolean } {
  const [shifts, setShifts] = useState<MyShift[]>();
  const [known, setKnown] = useState(false);
  useEffect(() => {
    let gone = false;
    let fresh = false;
    void copies.get<MyShift[]>("my-shifts").then((kept) => kept && !gone && !fresh && setShifts(kept.value));
    void readJson<{ items: MyShift[] }>(`/staff/v1/me/shifts?from=${from}&to=${to}`).then(
      ({ items }) => {
        fresh = true;
        if (!gone) setShifts(items), setKnown(true);
        void copies.put("my-shifts", items, Date.now()).catch(() => {});
      },
      () => !gone && setKnown(true),
    );
    return () => {
      gone = true;
    };
  }, [from, to]);
  return { shifts, known: known || shifts !== undefined };
}

export function Shifts() {
  useLanguage();
  const from = isoDay();
  const to = isoDay(Date.now() + 13 * 86_400_000);
  const { shifts, known } = useShifts(from, to);
  const [asking, setAsking] = useState(false);
  const items = shifts?.filter((one) => one.status !== "cancelled") ?? [];
  // All at once, so that nothing is pushed away under the thumb.
  if (!known) return null;
  return (
    <section class="stack">
      <h2>{t("my.shifts")}</h2>
      {shifts && !items.length && <p class="soft">{t("my.noShifts")}</p>}
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
