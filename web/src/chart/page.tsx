// Rooms by days: who stays where, what is blocked. A stay is moved or stretched by hand or by its menu, and asks before it does.
import { useQuery, useQueryClient } from "../api/query";
import { useEffect, useRef, useState } from "preact/hooks";
import { readJson } from "../api/client";
import type { RoomStatus } from "../api/types";
import { useReady } from "../app/ready";
import { can, property } from "../app/session";
import { setSearch, useSearch } from "../app/router";
import { useStore } from "../app/store";
import { dirOf, language, t, useLanguage } from "../i18n";
import { isoDay, noonOf, partsOf, calendarOf, monthName, shortDate, weekdayName } from "../i18n/dates";
import { dayAfter, daysBetween, range } from "../i18n/days";
import { digitsOf } from "../i18n/digits";
import { live } from "../live/state";
import { onNews } from "../live/hub";
import { Picture } from "../ui/pictures";
import { StatusShape } from "../ui/status";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import { type ChartRoom, type Span, DAYS } from "./data";
import { ChangeStay, type Wish } from "./change-stay";
import "../ui/pictures-office";
import "./chart.css";

interface Timeline {
  rooms: ChartRoom[];
  unplaced: Span[];
}

export default function ChartPage() {
  useLanguage();
  const house = useStore(property);
  const search = useSearch();
  const client = useQueryClient();
  const from = search.get("from") ?? dayAfter(isoDay(), -1);
  const to = dayAfter(from, DAYS);
  const { data, error, refetch, isLoading, dataUpdatedAt } = useQuery({
    queryKey: ["timeline", house, from],
    enabled: Boolean(house),
    queryFn: () => readJson<Timeline>(`/reservation/v1/timeline?propertyId=${encodeURIComponent(house)}&from=${from}&to=${to}`),
  });
  useEffect(() => onNews(() => void client.invalidateQueries({ queryKey: ["timeline", house] })), [house]);
  useReady(!isLoading && Boolean(data ?? error));
  const [wish, setWish] = useState<Wish>();
  const may = useMay();
  const rooms = [...(data?.rooms ?? [])].sort((a, b) => (a.number ?? "").localeCompare(b.number ?? "", "en", { numeric: true }));
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t("nav.chart")}</h1>
        <div class="row">
          <button class="icon-button" aria-label={t("chart.before")} onClick={() => setSearch({ from: dayAfter(from, -7) })}>
            <Picture name="back" />
          </button>
          <button class="button" onClick={() => setSearch({ from: null })}>
            {t("chart.today")}
          </button>
          <button class="icon-button" aria-label={t("chart.after")} onClick={() => setSearch({ from: dayAfter(from, 7) })}>
            <Picture name="next" />
          </button>
        </div>
      </header>
      <OfflineNote needsNet at={dataUpdatedAt} />
      {!data && error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading count={10} />}
      {data && !rooms.length && (
        <Empty title={t("chart.empty")} picture="chart">
          <p>{t("chart.emptyNext")}</p>
        </Empty>
      )}
      {data && data.unplaced.length > 0 && (
        <section class="card unplaced" aria-label={t("chart.unplaced")}>
          <h2>{t("chart.unplaced")}</h2>
          <ul class="row">
            {data.unplaced.map((span) => (
              <li key={span.itemId ?? span.reservationId}>
                <button class="chip" data-testid="unplaced" data-reservation-id={span.reservationId} disabled={!may} onClick={() => setWish({ span })}>
                  <bdi>{span.guestName ?? span.reservationCode}</bdi>
                  <span class="soft">{days(span.start, span.end)}</span>
                  {may && <b>{t("chart.giveRoom")}</b>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {rooms.length > 0 && <Grid rooms={rooms} from={from} onWish={setWish} />}
      {wish && <ChangeStay wish={wish} rooms={rooms} onClose={() => setWish(undefined)} again={() => void refetch()} />}
    </div>
  );
}

/** Changing needs the net, and the desk's or the manager's say. */
const useMay = (): boolean => useStore(live) !== "offline" && can("front_desk", "property_manager");

const days = (start: string, end: string): string => range(shortDate(noonOf(start)), shortDate(noonOf(end)));

/** The week runs from Saturday. */
const FRIDAY = 6;

function Grid({ rooms, from, onWish }: { rooms: ChartRoom[]; from: string; onWish: (wish: Wish) => void }) {
  const days = Array.from({ length: DAYS }, (_, index) => dayAfter(from, index));
  const lang = language();
  const today = isoDay();
  return (
    <div class="chart" data-testid="chart" role="region" aria-label={t("nav.chart")} tabIndex={0} style={{ "--days": String(DAYS) }}>
      <div class="chart-head" aria-hidden="true">
        <span class="chart-room" />
        {days.map((day) => {
          const { day: number, month, weekday } = partsOf(noonOf(day), calendarOf(lang));
          return (
            <span key={day} class={`chart-day ${day === today ? "today" : weekday === FRIDAY ? "friday" : ""}`} title={shortDate(noonOf(day))}>
              <small>{weekdayName(noonOf(day), lang).slice(0, lang === "en" ? 3 : 12)}</small>
              <b>{digitsOf(number, lang)}</b>
              {(number === 1 || day === from) && <small>{monthName(month, calendarOf(lang), lang).slice(0, lang === "en" ? 3 : 12)}</small>}
            </span>
          );
        })}
      </div>
      {rooms.map((room) => (
        <div class="chart-row" key={room.roomId} data-room-id={room.roomId} data-room={room.number ?? ""}>
          <span class="chart-room">
            {room.housekeepingStatus ? <StatusShape status={room.housekeepingStatus as RoomStatus} /> : <i class="status-shape" />}
            <b class="short" title={room.number ?? ""}>
              <bdi class="short">{room.number}</bdi>
            </b>
          </span>
          <div class="chart-line">
            {days.includes(today) && <i class="chart-today" style={{ insetInlineStart: `${(daysBetween(from, today) / DAYS) * 100}%`, inlineSize: `${100 / DAYS}%` }} />}
            {room.spans.map((span) => (
              <Bar key={`${span.kind}${span.itemId ?? span.blockId ?? ""}${span.start}`} span={span} room={room} from={from} onWish={onWish} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** From the middle of the first day to the middle of the last: a guest who leaves and one who comes share a day. */
function Bar({ span, room, from, onWish }: { span: Span; room: ChartRoom; from: string; onWish: (wish: Wish) => void }) {
  const may = useMay();
  const bar = useRef<HTMLButtonElement>(null);
  const drag = useRef<{ x: number; y: number; stretch: boolean; moved: boolean; width: number } | undefined>(undefined);
  /** The click that a browser tells after a drag is none. */
  const dragged = useRef(false);
  const block = span.kind === "block";
  const shift = block ? 0 : 0.5;
  const starts = Math.max(0, daysBetween(from, span.start) + shift);
  const ends = Math.min(DAYS, daysBetween(from, span.end) + shift);
  if (ends <= starts) return null;
  const place = { insetInlineStart: `${(starts / DAYS) * 100}%`, inlineSize: `${((ends - starts) / DAYS) * 100}%` };
  if (block) {
    return (
      <span class="bar block" style={place} title={span.reason ?? ""}>
        <span class="sr">{t("chart.blocked")}</span>
      </span>
    );
  }
  const line = () => bar.current?.parentElement?.getBoundingClientRect();
  /** As it was before somebody pulled at it. */
  const rest = () => {
    const element = bar.current;
    if (!element) return;
    element.style.transform = "";
    element.style.inlineSize = place.inlineSize;
    element.classList.remove("is-moved");
  };
  const finish = (event: PointerEvent) => {
    const begun = drag.current;
    drag.current = undefined;
    rest();
    const box = line();
    dragged.current = begun?.moved ?? false;
    if (!begun?.moved || !box) return;
    const sign = dirOf(language()) === "rtl" ? -1 : 1;
    const days = Math.round((sign * (event.clientX - begun.x)) / (box.width / DAYS));
    if (begun.stretch) {
      if (days) onWish({ span, room, end: dayAfter(span.end, days) });
      return;
    }
    const row = document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.classList.contains("chart-row")) as HTMLElement | undefined;
    const roomId = row?.dataset.roomId;
    const other = roomId && roomId !== room.roomId ? { roomId } : {};
    // Somebody who is in the house does not come on another day.
    const later = days && span.status !== "checked_in" ? { start: dayAfter(span.start, days), end: dayAfter(span.end, days) } : {};
    if ("roomId" in other || "start" in later) onWish({ span, room, ...other, ...later });
  };
  return (
    <button
      ref={bar}
      class={`bar ${span.status ?? ""}`}
      style={place}
      data-testid="stay"
      data-reservation-id={span.reservationId}
      data-room={room.number ?? ""}
      title={`${span.guestName ?? span.reservationCode ?? ""} · ${days(span.start, span.end)}`}
      disabled={!may}
      onClick={() => {
        if (!dragged.current) onWish({ span, room });
        dragged.current = false;
      }}
      onPointerDown={(event) => {
        if (!may || event.button !== 0) return;
        const box = event.currentTarget.getBoundingClientRect();
        const atEnd = dirOf(language()) === "rtl" ? event.clientX - box.x < 12 : box.right - event.clientX < 12;
        dragged.current = false;
        drag.current = { x: event.clientX, y: event.clientY, stretch: atEnd, moved: false, width: box.width };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const begun = drag.current;
        if (!begun) return;
        const [dx, dy] = [event.clientX - begun.x, event.clientY - begun.y];
        if (Math.abs(dx) + Math.abs(dy) < 6) return;
        begun.moved = true;
        event.currentTarget.classList.add("is-moved");
        // What is pulled follows the hand: the end of the stay, or all of it.
        if (begun.stretch) event.currentTarget.style.inlineSize = `${Math.max(24, begun.width + (dirOf(language()) === "rtl" ? -dx : dx))}px`;
        else event.currentTarget.style.transform = `translate(${dx}px, ${dy}px)`;
      }}
      onPointerUp={finish}
      onPointerCancel={() => ((drag.current = undefined), rest())}
    >
      <bdi class="short">{span.guestName ?? span.reservationCode}</bdi>
      {span.pinned && <Picture name="lock" />}
    </button>
  );
}
