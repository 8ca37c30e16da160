// Guests who come and guests who go. Checking in and out needs the net: two desks must not give one room.
import { useState } from "preact/hooks";
import type { BoardRoom } from "../api/types";
import { can } from "../app/session";
import { t, tn, word } from "../i18n";
import { live } from "../live/state";
import { keep } from "../outbox/keep";
import { useStore } from "../app/store";
import { lazy } from "../ui/lazy";
import { Picture } from "../ui/pictures";
import { Status } from "../ui/status";
import { Empty, Failed, Loading } from "../ui/states";
import { type Stay, amount, byRoom, byTurn, isHere, readinessOf, readyWhen } from "./data";
import { Who } from "./who";

const CheckIn = lazy(() => import("./checking").then((module) => module.CheckIn));
const CheckOut = lazy(() => import("./checking").then((module) => module.CheckOut));

interface Shared {
  stays: Stay[] | undefined;
  error: unknown;
  again: () => void;
}

export function Arrivals({ stays, error, rooms, again, pending }: Shared & { rooms: Map<string, BoardRoom>; pending: Set<string> }) {
  const [chosen, setChosen] = useState<Stay>();
  const ordered = stays && [...stays].sort(byTurn);
  return (
    <section class="card stack" aria-labelledby="desk-arrivals">
      <h2 id="desk-arrivals">
        {t("desk.arrivals")} {stays && <span class="soft">{tn("desk.count", stays.length)}</span>}
      </h2>
      <NeedsNet />
      <Listed stays={ordered} error={error} again={again} empty={t("desk.noArrivals")}>
        {(stay) => {
          const here = isHere(stay);
          const room = rooms.get(stay.items[0]?.roomId ?? "");
          return (
            <li class={here ? "guest is-here" : "guest"} key={stay.reservationId} data-testid="arrival" data-here={String(here)} data-reservation-id={stay.reservationId} data-room={stay.items[0]?.number ?? ""} data-room-status={room?.status ?? ""}>
              <Who stay={stay} since={here ? room?.nextArrivalAt : undefined} />
              <div class="guest-room">
                {room && <Status status={room.status} />}
                {room?.occupancy === "occupied" && (
                  <span class="small guest-inside">
                    <Picture name="occupied" />
                    {word("occupancy", "occupied")}
                  </span>
                )}
                {room?.readyEtaAt && readinessOf(room) === "at" && <span class="small soft">{readyWhen(room)}</span>}
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
      {chosen && <CheckIn stay={chosen} rooms={rooms} onClose={() => setChosen(undefined)} again={again} />}
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
      <NeedsNet />
      <Listed stays={stays && [...stays].sort(byRoom)} error={error} again={again} empty={t("desk.noDepartures")}>
        {(stay) => (
          <li class="guest" key={stay.reservationId} data-testid="departure" data-reservation-id={stay.reservationId} data-room={stay.items[0]?.number ?? ""}>
            <Who stay={stay} />
            <div class="guest-room">
              {stay.balanceMicro && Number(stay.balanceMicro) !== 0 && (
                <span class="small">
                  {t("desk.toPay")} <bdi class="amount">{amount(stay.balanceMicro, stay.currency)}</bdi>
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

/** Why the buttons below do nothing, where a finger finds no title. */
function NeedsNet() {
  if (useStore(live) !== "offline" || !can("front_desk", "property_manager")) return null;
  return (
    <p class="small" data-testid="needs-net">
      <Picture name="offline" /> {t("desk.needsNet")}
    </p>
  );
}

function NetButton({ testid, primary, onClick, children }: { testid: string; primary?: boolean; onClick: () => void; children: preact.ComponentChildren }) {
  const offline = useStore(live) === "offline";
  return (
    <button class={primary ? "button primary" : "button"} data-testid={testid} disabled={offline} onClick={onClick}>
      {children}
    </button>
  );
}

/** A guest stands at the desk: the room comes first, please. */
function FirstPlease({ room, pending }: { room: BoardRoom | undefined; pending: Set<string> }) {
  const task = room?.openTask;
  if (room && task?.priority === "urgent" && readinessOf(room) !== "now") {
    return (
      <span class="small comes-first" data-testid="comes-first">
        <Picture name="chevrons" />
        {t("desk.comesFirst")}
      </span>
    );
  }
  if (!room || !task || readinessOf(room) === "now" || !can("front_desk", "supervisor", "property_manager")) return null;
  return (
    <button
      class="button quiet first-please"
      data-testid="first-please"
      disabled={pending.has(task.taskId)}
      onClick={() => {
        void keep({
          lane: task.taskId,
          method: "PATCH",
          path: `/housekeeping/v1/tasks/${task.taskId}/priority`,
          verb: "priority",
          body: { priority: "urgent" },
          room: room.number ?? "",
          effect: { taskId: task.taskId, task: { priority: "urgent" } },
          readable: true,
        }, t("desk.firstAsked", { room: room.number ?? "" }));
      }}
    >
      <Picture name="chevrons" />
      {t("desk.firstPlease")}
    </button>
  );
}
