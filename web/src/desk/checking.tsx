// Checking a guest in or out: one look at the room or the bill, then one click. It needs the net: two desks must not give one room.
import { useEffect, useRef, useState } from "preact/hooks";
import { useChange } from "../api/change";
import type { Problem } from "../api/problem";
import type { BoardRoom } from "../api/types";
import { t, word } from "../i18n";
import { dayTime } from "../i18n/dates";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { toast } from "../ui/toast";
import { Loading } from "../ui/states";
import { type Stay, amount, readinessOf } from "./data";
import { type ChartedRoom, type Offer, chartFor, offersFor } from "./offers";
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

/** The rooms that are free for a guest: asked for where there is something to choose. */
function useChart(stay: Stay, wanted: boolean): ChartedRoom[] | undefined {
  const [rooms, setRooms] = useState<ChartedRoom[]>();
  useEffect(() => {
    if (wanted) chartFor(stay).then(setRooms, () => setRooms([]));
  }, [wanted]);
  return rooms;
}

export function CheckIn({ stay, rooms, onClose, again }: Props & { rooms: Map<string, BoardRoom> }) {
  const { busy, run } = useChange();
  const steps = useSteps();
  const [refusal, setRefusal] = useState("");
  const [named, setNamed] = useState<Record<string, string>>({});
  const isUnready = (roomId: string | null | undefined) => {
    const room = rooms.get(roomId ?? "");
    return room !== undefined && readinessOf(room) !== "now";
  };
  const open = stay.items.filter((item) => !item.roomId || refusal || isUnready(item.roomId));
  const chart = useChart(stay, open.length > 0);
  // The first room that is ready; two of one party do not get the same.
  const given = new Map<string, string>();
  const offers = new Map<string, Offer[]>();
  for (const item of stay.items) {
    const taken = new Set([...given.values(), ...stay.items.filter((other) => other !== item).map((other) => other.roomId)]);
    const found = chart && open.includes(item) ? offersFor(stay, item.roomTypeId, chart, rooms).filter((one) => !taken.has(one.roomId) && one.roomId !== item.roomId) : [];
    // Whoever has a room is offered another only where it is ready.
    const shown = item.roomId ? found.filter((one) => one.fit) : found;
    offers.set(item.itemId, shown);
    given.set(item.itemId, named[item.itemId] ?? item.roomId ?? shown[0]?.roomId ?? "");
  }
  const late = stay.items.map((item) => given.get(item.itemId) ?? "").find(isUnready);
  const room = rooms.get(late ?? "");
  const changed = stay.items.map((item) => ({ itemId: item.itemId, roomId: given.get(item.itemId) ?? "" })).filter((one, index) => one.roomId && one.roomId !== stay.items[index]?.roomId);
  const unready = room !== undefined || (refusal === "ROOM_NOT_READY" && !changed.length);
  const homeless = [...given.values()].includes("");
  const send = async () => {
    if (await run(() => checkIn(stay, steps, unready, changed), t("desk.checkedIn"), (problem) => (setRefusal(problem.code), false))) onClose();
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
          <button class={unready ? "button danger" : "button primary"} data-testid="confirm" disabled={busy || homeless} onClick={() => void send()}>
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
            {t("desk.notReady", { room: room?.number ?? stay.items[0]?.number ?? "" })}
            {room && <> {room.occupancy === "occupied" ? word("occupancy", "occupied") : word("roomStatus", room.status)}</>}
            {room?.readyEtaAt && <>, {t("desk.about", { time: dayTime(room.readyEtaAt) })}</>}
          </span>
        </p>
      )}
      {open.map((item) => {
        const shown = offers.get(item.itemId) ?? [];
        if (!chart) return <Loading key={item.itemId} count={1} />;
        if (!shown.length) return !item.roomId && <p key={item.itemId} class="notice warn" data-testid="no-room-free">{t("desk.noRoomFree")}</p>;
        return (
          <label class="field" key={item.itemId}>
            <span>{t(item.roomId ? "desk.otherRoom" : "desk.giveRoom")}</span>
            <select class="input" data-testid="assign-room" data-item-id={item.itemId} value={given.get(item.itemId)} onChange={(event) => setNamed({ ...named, [item.itemId]: event.currentTarget.value })}>
              {item.roomId && <option value={item.roomId}>{t("desk.keepRoom", { room: item.number ?? "" })}</option>}
              {shown.map((one) => (
                <option key={one.roomId} value={one.roomId}>
                  {[one.number, one.room?.roomType && word("roomType", one.room.roomType), one.room && word("roomStatus", one.room.status), !one.sameType && t("desk.otherKind")].filter(Boolean).join(" · ")}
                </option>
              ))}
            </select>
          </label>
        );
      })}
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
