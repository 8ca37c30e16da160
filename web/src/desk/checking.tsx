// Checking a guest in or out: one look at the room or the bill, then one click. It needs the net: two desks must not give one room.
import { useRef, useState } from "preact/hooks";
import { useChange } from "../api/change";
import type { Problem } from "../api/problem";
import type { BoardRoom } from "../api/types";
import { t, word } from "../i18n";
import { clockTime } from "../i18n/dates";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { toast } from "../ui/toast";
import { type Stay, amount, readinessOf } from "./data";
import { Steps, billOf, checkIn, checkOut, isDue } from "./steps";
import { Who } from "./who";

interface Props {
  stay: Stay;
  onClose: () => void;
  again: () => void;
}

function useSteps(): Steps {
  const kept = useRef<Steps>();
  return (kept.current ??= new Steps());
}

export function CheckIn({ stay, room, onClose, again }: Props & { room: BoardRoom | undefined }) {
  const { busy, run } = useChange();
  const steps = useSteps();
  const [refusal, setRefusal] = useState("");
  const unready = refusal === "ROOM_NOT_READY" || (room !== undefined && readinessOf(room) !== "now");
  const send = async () => {
    if (await run(() => checkIn(stay, steps, unready), t("desk.checkedIn"), (problem) => (setRefusal(problem.code), false))) onClose();
    again();
  };
  return (
    <Dialog
      title={t("desk.checkIn")}
      onClose={onClose}
      foot={
        <>
          <button class="button" onClick={onClose}>
            {t("action.cancel")}
          </button>
          <button class={unready ? "button danger" : "button primary"} data-testid="confirm" disabled={busy} onClick={() => void send()}>
            {t(unready ? "desk.checkInAnyway" : "desk.checkIn")}
          </button>
        </>
      }
    >
      <Who stay={stay} />
      {unready && (
        <p class="notice warn" role="alert" data-testid="not-ready">
          <Picture name="alert" />
          <span>
            {t("desk.notReady", { room: stay.items[0]?.number ?? "" })}
            {room && <> {room.occupancy === "occupied" ? word("occupancy", "occupied") : word("roomStatus", room.status)}.</>}
            {room?.readyEtaAt && <> {t("desk.about", { time: clockTime(room.readyEtaAt) })}</>}
          </span>
        </p>
      )}
    </Dialog>
  );
}

export function CheckOut({ stay: listed, onClose, again }: Props) {
  const { busy, run } = useChange();
  const steps = useSteps();
  const [stay, setStay] = useState(listed);
  const [changed, setChanged] = useState(false);
  const due = isDue(stay);
  const tell = (bill: Pick<Stay, "status" | "balanceMicro">) => setStay((now) => ({ ...now, status: bill.status, balanceMicro: bill.balanceMicro }));
  const send = async () => {
    let out = false;
    const work = async () => void (out = await checkOut(stay, steps, tell));
    const refused = (problem: Problem) => {
      // It may be about a bill that grew meanwhile: it is shown as it is now.
      if (problem.status) void billOf(stay).then(tell, () => undefined);
      return false;
    };
    const answered = await run(work, undefined, refused);
    setChanged(answered && !out);
    again();
    if (!out) return;
    toast(t("desk.checkedOut"));
    onClose();
  };
  return (
    <Dialog
      title={t("desk.checkOut")}
      onClose={onClose}
      foot={
        <>
          <button class="button" onClick={onClose}>
            {t("action.cancel")}
          </button>
          <button class="button primary" data-testid="confirm" disabled={busy} onClick={() => void send()}>
            {due ? t("desk.paidAndOut") : t("desk.checkOut")}
          </button>
        </>
      }
    >
      <Who stay={stay} />
      {changed && (
        <p class="notice warn" role="alert" data-testid="bill-changed">
          <Picture name="alert" />
          {t("desk.billChanged")}
        </p>
      )}
      {due && (
        <p class="notice warn" data-testid="to-pay" data-balance={stay.balanceMicro ?? ""}>
          {t("desk.toPay")} <b><bdi>{amount(stay.balanceMicro, stay.currency)}</bdi></b>
        </p>
      )}
    </Dialog>
  );
}
