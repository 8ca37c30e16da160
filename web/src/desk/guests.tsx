// Guests who come and guests who go. Checking in and out needs the net: two desks must not give one room.
import { useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import type { BoardRoom } from "../api/types";
import { can } from "../app/session";
import { t, tn, word } from "../i18n";
import { clockTime } from "../i18n/dates";
import { live } from "../live/state";
import { tap } from "../outbox";
import { useStore } from "../app/store";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { Status } from "../ui/status";
import { Empty, Failed, Loading } from "../ui/states";
import { toast } from "../ui/toast";
import { type Stay, amount, isAGuess, readinessOf } from "./data";

interface Shared {
  stays: Stay[] | undefined;
  error: unknown;
  again: () => void;
}

export function Arrivals({ stays, error, rooms, again, pending }: Shared & { rooms: Map<string, BoardRoom>; pending: Set<string> }) {
  const [chosen, setChosen] = useState<Stay>();
  return (
    <section class="card stack" aria-labelledby="desk-arrivals">
      <h2 id="desk-arrivals">
        {t("desk.arrivals")} {stays && <span class="soft">{tn("desk.count", stays.length)}</span>}
      </h2>
      <Listed stays={stays} error={error} again={again} empty={t("desk.noArrivals")}>
        {(stay) => {
          const room = rooms.get(stay.items[0]?.roomId ?? "");
          return (
            <li class="guest" key={stay.reservationId} data-testid="arrival" data-reservation-id={stay.reservationId} data-room={stay.items[0]?.number ?? ""} data-room-status={room?.status ?? ""}>
              <Who stay={stay} />
              <div class="guest-room">
                {room && <Status status={room.status} />}
                {room?.readyEtaAt && readinessOf(room) === "at" && <span class="small soft">{t(isAGuess(room) ? "desk.about" : "desk.at", { time: clockTime(room.readyEtaAt) })}</span>}
              </div>
              <div class="guest-acts">
                <FirstPlease room={room} pending={pending} />
                {can("front_desk", "property_manager") && (
                  <NetButton testid="check-in" primary={room !== undefined && readinessOf(room) === "now"} onClick={() => setChosen(stay)}>
                    {t("desk.checkIn")}
                  </NetButton>
                )}
              </div>
            </li>
          );
        }}
      </Listed>
      {chosen && <CheckIn stay={chosen} room={rooms.get(chosen.items[0]?.roomId ?? "")} onClose={() => setChosen(undefined)} again={again} />}
    </section>
  );
}

export function Departures({ stays, error, again }: Shared) {
  const [chosen, setChosen] = useState<Stay>();
  return (
    <section class="card stack" aria-labelledby="desk-departures">
      <h2 id="desk-departures">
        {t("desk.departures")} {stays && <span class="soft">{tn("desk.count", stays.length)}</span>}
      </h2>
      <Listed stays={stays} error={error} again={again} empty={t("desk.noDepartures")}>
        {(stay) => (
          <li class="guest" key={stay.reservationId} data-testid="departure" data-reservation-id={stay.reservationId} data-room={stay.items[0]?.number ?? ""}>
            <Who stay={stay} />
            <div class="guest-room">
              {stay.balanceMicro && Number(stay.balanceMicro) !== 0 && (
                <span class="small">
                  {t("desk.toPay")} <bdi>{amount(stay.balanceMicro, stay.currency)}</bdi>
                </span>
              )}
            </div>
            <div class="guest-acts">
              {can("front_desk", "property_manager") && (
                <NetButton testid="check-out" primary onClick={() => setChosen(stay)}>
                  {t("desk.checkOut")}
                </NetButton>
              )}
            </div>
          </li>
        )}
      </Listed>
      {chosen && <CheckOut stay={chosen} onClose={() => setChosen(undefined)} again={again} />}
    </section>
  );
}

function Listed({ stays, error, again, empty, children }: Shared & { empty: string; children: (stay: Stay) => preact.JSX.Element }) {
  if (!stays) return error ? <Failed error={error} retry={again} /> : <Loading count={3} />;
  if (!stays.length) return <Empty title={empty} picture="desk" />;
  return <ul class="guests">{stays.map(children)}</ul>;
}

function Who({ stay }: { stay: Stay }) {
  const numbers = stay.items.map((item) => item.number).filter(Boolean);
  return (
    <div class="guest-who">
      <b class="guest-number">
        <bdi>{numbers.length ? numbers.join(", ") : "–"}</bdi>
      </b>
      <bdi class="guest-name">{stay.primaryGuest?.name ?? stay.reservationCode}</bdi>
      <p class="small soft">
        {!numbers.length && <>{t("desk.noRoomYet")} · </>}
        {stay.expectedArrivalAt && stay.status !== "checked_in" && <>{t("desk.expected", { time: clockTime(stay.expectedArrivalAt) })} · </>}
        {tn("desk.nights", stay.stayWindow.nights)}
        {stay.overdue && <> · {t("desk.overdue")}</>}
      </p>
    </div>
  );
}

function NetButton({ testid, primary, onClick, children }: { testid: string; primary?: boolean; onClick: () => void; children: preact.ComponentChildren }) {
  const offline = useStore(live) === "offline";
  return (
    <button class={primary ? "button primary" : "button"} data-testid={testid} disabled={offline} title={offline ? t("state.needsNet") : undefined} onClick={onClick}>
      {children}
    </button>
  );
}

/** A guest stands at the desk: the room comes first, please. */
function FirstPlease({ room, pending }: { room: BoardRoom | undefined; pending: Set<string> }) {
  const task = room?.openTask;
  if (!room || !task || readinessOf(room) === "now" || task.priority === "urgent" || !can("front_desk", "supervisor", "property_manager")) return null;
  return (
    <button
      class="button quiet first-please"
      data-testid="first-please"
      disabled={pending.has(task.taskId)}
      onClick={() => {
        void tap({
          lane: task.taskId,
          method: "PATCH",
          path: `/housekeeping/v1/tasks/${task.taskId}/priority`,
          verb: "priority",
          body: { priority: "urgent" },
          room: room.number ?? "",
          effect: { taskId: task.taskId, task: { priority: "urgent" } },
          readable: true,
        });
        toast(t("desk.firstAsked", { room: room.number ?? "" }));
      }}
    >
      <Picture name="chevrons" />
      {t("desk.firstPlease")}
    </button>
  );
}

function CheckIn({ stay, room, onClose, again }: { stay: Stay; room: BoardRoom | undefined; onClose: () => void; again: () => void }) {
  const { busy, run } = useChange();
  const [refusal, setRefusal] = useState("");
  const unready = refusal === "ROOM_NOT_READY" || (room !== undefined && readinessOf(room) !== "now");
  const send = async () => {
    const path = `/reservation/v1/reservations/${stay.reservationId}/check-in`;
    const body = unready ? { force: true } : {};
    const work = async () => {
      if (stay.status === "confirmed") await change("POST", `${path}/start`, {});
      await change("POST", `${path}/complete`, body);
    };
    if (await run(work, t("desk.checkedIn"), (problem) => (setRefusal(problem.code), false))) onClose();
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
            {room && <> {word("roomStatus", room.status)}.</>}
            {room?.readyEtaAt && <> {t("desk.about", { time: clockTime(room.readyEtaAt) })}</>}
          </span>
        </p>
      )}
    </Dialog>
  );
}

function CheckOut({ stay, onClose, again }: { stay: Stay; onClose: () => void; again: () => void }) {
  const { busy, run } = useChange();
  const due = Number(stay.balanceMicro ?? 0) > 0;
  const send = async (paid: boolean) => {
    const path = `/reservation/v1/reservations/${stay.reservationId}`;
    const work = async () => {
      if (paid) await change("POST", `${path}/payments`, { method: "cash", amountMicro: stay.balanceMicro, currency: stay.currency });
      if (stay.status === "checked_in") await change("POST", `${path}/check-out/start`, {});
      await change("POST", `${path}/check-out/complete`, {});
    };
    if (await run(work, t("desk.checkedOut"))) onClose();
    again();
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
          <button class="button primary" data-testid="confirm" disabled={busy} onClick={() => void send(due)}>
            {due ? t("desk.paidAndOut") : t("desk.checkOut")}
          </button>
        </>
      }
    >
      <Who stay={stay} />
      {due && (
        <p class="notice warn">
          {t("desk.toPay")} <b><bdi>{amount(stay.balanceMicro, stay.currency)}</bdi></b>
        </p>
      )}
    </Dialog>
  );
}
