// The front desk: which room is ready, when the others will be, who comes, who goes, and what does not fit together.
import { useQuery, useQueryClient } from "../api/query";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { readJson } from "../api/client";
import type { BoardRoom } from "../api/types";
import { useReady } from "../app/ready";
import { place } from "../app/router";
import { property } from "../app/session";
import { useStore } from "../app/store";
import { t, tn, useLanguage } from "../i18n";
import { asTyped, plainDigits } from "../i18n/digits";
import { useBoard } from "../live/board";
import { onNews } from "../live/hub";
import { onOutcome } from "../outbox";
import { areNamed, useNames } from "../live/people";
import { Picture } from "../ui/pictures";
import { lazy } from "../ui/lazy";
import { StatusShape } from "../ui/status";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import { word } from "../i18n";
import { type Discrepancy, type Readiness, type Stay, byNumber, readinessOf, readyWhen } from "./data";
import { Arrivals, Departures } from "./guests";
import { Discrepancies } from "./discrepancies";
import "../ui/pictures-office";
import "./desk.css";

const RoomDrawer = lazy(() => import("../board/room-drawer").then((module) => module.RoomDrawer));

const GROUPS: Readiness[] = ["now", "at", "unplanned"];

export default function DeskPage() {
  useLanguage();
  const house = useStore(property);
  const isDrawer = useStore(place, (now) => now.page?.name === "room");
  const { board, error, retry } = useBoard();
  const client = useQueryClient();
  const list = <T,>(name: string, path: string) => ({ queryKey: [name, house], enabled: Boolean(house), queryFn: () => readJson<{ items: T[] }>(path) });
  const query = `propertyId=${encodeURIComponent(house)}`;
  const arrivals = useQuery(list<Stay>("arrivals", `/reservation/v1/arrivals?${query}`));
  const departures = useQuery(list<Stay>("departures", `/reservation/v1/departures?${query}`));
  const differences = useQuery(list<Discrepancy>("discrepancies", `/housekeeping/v1/discrepancies?${query}&open=true&limit=100`));
  const again = () => {
    for (const name of ["arrivals", "departures", "discrepancies"]) void client.invalidateQueries({ queryKey: [name, house] });
  };
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    const deaf = onNews(() => {
      clearTimeout(soon);
      soon = setTimeout(again, 400);
    });
    // What was resolved is gone before the list is asked for again.
    const unheard = onOutcome((heard) => {
      if (heard.is !== "done" || heard.entry.verb !== "resolve") return;
      client.setQueryData<{ items: Discrepancy[] }>(["discrepancies", house], (now) => now && { ...now, items: now.items.filter((one) => one.id !== heard.entry.lane) });
      again();
    });
    return () => (clearTimeout(soon), deaf(), unheard());
  }, [house]);
  useNames();
  useReady(Boolean(board ?? error) && !arrivals.isLoading && !departures.isLoading && !differences.isLoading);
  const rooms = useMemo(() => new Map((board?.rooms ?? []).map((room) => [room.roomId, room])), [board]);

  // All at once, so that nothing is pushed away under the pointer; what fails is not waited for.
  const isNamed = areNamed((differences.data?.items ?? []).map((one) => one.observedBy.id));
  if (!board || !isNamed || [arrivals, departures, differences].some((one) => one.isLoading && !one.failureCount)) {
    return (
      <div class="page desk">
        <h1>{t("nav.desk")}</h1>
        <OfflineNote />
        {error && !board ? <Failed error={error} retry={retry} /> : <Loading count={8} />}
      </div>
    );
  }
  return (
    <div class="page desk">
      <header class="page-head">
        <h1>{t("nav.desk")}</h1>
        <nav class="row" aria-label={t("nav.desk")}>
          <Jump to="desk-rooms" name={t("desk.group.now")} count={board.rooms.filter((room) => readinessOf(room) === "now").length} />
          <Jump to="desk-arrivals" name={t("desk.arrivals")} count={arrivals.data?.items.length} />
          <Jump to="desk-departures" name={t("desk.departures")} count={departures.data?.items.length} />
        </nav>
      </header>
      <OfflineNote />
      <Discrepancies items={differences.data?.items ?? []} error={differences.error} rooms={rooms} again={again} />
      <div class="desk-columns">
        <Rooms rooms={board.rooms} />
        <div class="stack">
          <Arrivals stays={arrivals.data?.items} error={arrivals.error} rooms={rooms} again={again} pending={board.pending} />
          <Departures stays={departures.data?.items} error={departures.error} again={again} />
        </div>
      </div>
      {isDrawer && <RoomDrawer />}
    </div>
  );
}

/** The day in three figures; each leads to its list. */
function Jump({ to, name, count }: { to: string; name: string; count: number | undefined }) {
  return (
    <a class="chip jump" href={`#${to}`}>
      {name} <b>{count === undefined ? "–" : tn("desk.count", count)}</b>
    </a>
  );
}

function Rooms({ rooms }: { rooms: BoardRoom[] }) {
  const [typed, setTyped] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Somebody at the desk types a number without looking where the cursor is.
    const type = (event: KeyboardEvent) => {
      const busy = (event.target as Element | null)?.closest?.("input, textarea, select, dialog");
      if (busy || event.ctrlKey || event.metaKey || event.altKey || !/^[0-9]$/.test(plainDigits(event.key))) return;
      field.current?.focus();
    };
    addEventListener("keydown", type);
    return () => removeEventListener("keydown", type);
  }, []);
  const wanted = asTyped(typed);
  const shown = rooms.filter((room) => !wanted || asTyped(room.number ?? "").startsWith(wanted)).sort(byNumber);
  return (
    <section class="stack" aria-labelledby="desk-rooms">
      <div class="row">
        <h2 id="desk-rooms" class="grow">
          {t("desk.rooms")}
        </h2>
        <label class="search">
          <Picture name="search" />
          <span class="sr">{t("desk.find")}</span>
          <input
            ref={field}
            class="input"
            data-testid="find-room"
            inputMode="numeric"
            placeholder={t("desk.find")}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      </div>
      {!shown.length && <Empty title={t(wanted ? "desk.noSuchRoom" : "desk.noRooms")}>{!wanted && <p>{t("desk.noRoomsNext")}</p>}</Empty>}
      {GROUPS.map((group) => {
        const here = shown.filter((room) => readinessOf(room) === group);
        if (!here.length) return null;
        if (group === "at") here.sort((left, right) => (left.readyEtaAt ?? "").localeCompare(right.readyEtaAt ?? ""));
        return (
          <div class="card stack" key={group}>
            <h3>
              {t(`desk.group.${group}`)} <span class="soft">{tn("desk.count", here.length)}</span>
            </h3>
            <ul class="ready-rooms">
              {here.map((room) => (
                <ReadyRoom key={room.roomId} room={room} group={group} />
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}

function ReadyRoom({ room, group }: { room: BoardRoom; group: Readiness }) {
  const what = group !== "at" && room.occupancy === "occupied" ? word("occupancy", "occupied") : word("roomStatus", room.status);
  return (
    <li>
      <a class="ready-room" href={`/rooms/${room.roomId}`} data-testid="ready-room" data-room={room.number ?? ""} data-status={room.status} data-eta={group === "at" ? (room.readyEtaAt ?? "") : ""}>
        <StatusShape status={room.status} />
        <b>
          <bdi>{room.number}</bdi>
        </b>
        <span class="small">{what}</span>
        {group === "at" && <span class="small ready-when">{readyWhen(room)}</span>}
      </a>
    </li>
  );
}
