// How the work goes: how long rooms take, how much each person has before them, and when the house was ready. People are never ranked.
import { useQuery } from "../api/query";
import { readJson } from "../api/client";
import { ROOM_STATUSES, type RoomStatus } from "../api/types";
import { useReady } from "../app/ready";
import { property } from "../app/session";
import { setSearch, useSearch } from "../app/router";
import { useStore } from "../app/store";
import { language, t, tn, useLanguage, word } from "../i18n";
import { calendarOf, clockTime, duration, isoDay, noonOf, partsOf, shortDate } from "../i18n/dates";
import { digitsOf } from "../i18n/digits";
import { useBoard } from "../live/board";
import { useNames } from "../live/people";
import { DateField } from "../ui/date-field";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import { everyDay } from "./every-day";
import { shortName } from "./short-name";
import { Plot } from "./plot";
import "../ui/pictures-office";
import "./stats.css";

interface Figures {
  count: number;
  medianMinutes: number | null;
  p90Minutes: number | null;
  medianMinutesToInspection: number | null;
  inspected: number;
  passRate: number | null;
}
interface Turnover {
  total: Figures;
  /** In order; days on which nothing was done are not in it. */
  byDay: ({ day: string } & Figures)[];
}
interface Readiness {
  points: { at: string; counts: Record<string, number> }[];
}
const COLORS: Record<RoomStatus, string> = {
  dirty: "--dirty",
  cleaning: "--cleaning",
  cleaned: "--cleaned",
  inspected: "--ready",
  ready: "--ready",
  clean: "--ready",
  out_of_order: "--out-of-order",
  out_of_service: "--out-of-service",
};
const DASHES: Partial<Record<RoomStatus, number[]>> = { cleaning: [8, 4], cleaned: [2, 3], inspected: [10, 3, 2, 3], clean: [5, 5], out_of_service: [3, 6] };

/** Minutes that are whole hours. */
const HOURS = [60, 120, 180, 240, 480, 960];

export default function StatsPage() {
  useLanguage();
  const house = useStore(property);
  const search = useSearch();
  const name = useNames();
  const { board, error: noBoard } = useBoard();
  const days = Number(search.get("days")) || 14;
  const date = search.get("date") ?? isoDay();
  const to = isoDay();
  const from = isoDay(noonOf(to).getTime() - (days - 1) * 86_400_000);
  const turnover = useQuery({
    queryKey: ["turnover", house, from, to],
    enabled: Boolean(house),
    queryFn: () => readJson<Turnover>(`/housekeeping/v1/stats/turnover?propertyId=${encodeURIComponent(house)}&from=${from}&to=${to}`),
  });
  const readiness = useQuery({
    queryKey: ["readiness", house, date],
    enabled: Boolean(house),
    queryFn: () => readJson<Readiness>(`/housekeeping/v1/stats/readiness?propertyId=${encodeURIComponent(house)}&date=${date}`),
  });
  useReady(!turnover.isLoading && !readiness.isLoading && Boolean(board ?? noBoard));
  const isFirst = [turnover, readiness].some((one) => one.isLoading && !one.failureCount) || !(board ?? noBoard);
  const number = (value: number) => digitsOf(Math.round(value), language());
  const byDay = everyDay(turnover.data?.byDay ?? []);
  const known = ROOM_STATUSES.filter((status) => readiness.data?.points.some((point) => point.counts[status]));
  const people = [...(board?.staff ?? [])].sort((left, right) => name(left.staffId).localeCompare(name(right.staffId)));

  return (
    <div class="page">
      <header class="page-head">
        <h1>{t("nav.stats")}</h1>
        <label class="row">
          <span class="small">{t("stats.span")}</span>
          <select class="input" data-testid="stats-days" value={String(days)} onChange={(event) => setSearch({ days: event.currentTarget.value })}>
            {[7, 14, 30, 90].map((count) => (
              <option key={count} value={String(count)}>
                {tn("stats.days", count)}
              </option>
            ))}
          </select>
        </label>
      </header>
      <OfflineNote at={turnover.dataUpdatedAt} />
      {isFirst && <Loading count={8} />}
      {!isFirst && turnover.data && (
        <dl class="figures">
          <Figure label={t("stats.done")} value={number(turnover.data.total.count)} />
          <Figure label={t("stats.median")} value={turnover.data.total.medianMinutes === null ? "–" : duration(turnover.data.total.medianMinutes)} />
          <Figure label={t("stats.p90")} value={turnover.data.total.p90Minutes === null ? "–" : duration(turnover.data.total.p90Minutes)} />
          <Figure label={t("stats.toInspection")} value={turnover.data.total.medianMinutesToInspection === null ? "–" : duration(turnover.data.total.medianMinutesToInspection)} />
          <Figure label={t("stats.passed")} value={turnover.data.total.passRate === null ? "–" : `${number(turnover.data.total.passRate * 100)}${language() === "en" ? "%" : "٪"}`} />
        </dl>
      )}
      {turnover.error && !turnover.data && <Failed error={turnover.error} retry={() => void turnover.refetch()} />}
      {turnover.isLoading && !isFirst && <Loading count={3} />}
      {!isFirst &&
        turnover.data &&
        (byDay.length ? (
          <Plot
            testid="plot-turnaround"
            title={t("stats.turnaround")}
            labels={byDay.map(({ day }) => shortDate(noonOf(day)))}
            short={byDay.map(({ day }, index) => axisDay(noonOf(day), index === 0))}
            series={[
              { label: t("stats.median"), values: byDay.map(({ row }) => row?.medianMinutes ?? null), color: "--accent" },
              { label: t("stats.p90"), values: byDay.map(({ row }) => row?.p90Minutes ?? null), color: "--dirty", dash: [6, 4] },
            ]}
            unit={(value) => duration(value)}
            scale={number}
          />
        ) : (
          <Empty title={t("stats.nothingDone")} picture="stats">
            <p>{t("stats.nothingDoneNext")}</p>
          </Empty>
        ))}
      {!isFirst && people.length > 0 && (
        <Plot
          testid="plot-load"
          title={t("stats.load")}
          labels={people.map((person) => name(person.staffId))}
          series={[
            { label: t("stats.loadMinutes"), values: people.map((person) => person.loadMinutes), color: "--accent" },
            { label: t("stats.capacity"), values: people.map((person) => person.capacityMinutes), color: "--out-of-service", dash: [4, 4] },
          ]}
          short={people.map((person) => shortName(name(person.staffId)))}
          unit={(value) => duration(value)}
          steps={HOURS}
          bars
        />
      )}
      {readiness.error && !readiness.data && <Failed error={readiness.error} retry={() => void readiness.refetch()} />}
      {!isFirst && readiness.data && (
        <div class="stack">
          <label class="row">
            <span class="small">{t("stats.day")}</span>
            <DateField label={t("stats.day")} testid="stats-day" max={isoDay()} value={date} onValue={(day) => day && setSearch({ date: day })} />
          </label>
          {known.length ? (
            <Plot
              testid="plot-readiness"
              title={t("stats.readiness")}
              labels={readiness.data.points.map((point) => clockTime(point.at))}
              series={known.map((status) => ({
                label: word("roomStatus", status),
                values: readiness.data.points.map((point) => point.counts[status] ?? 0),
                color: COLORS[status],
                ...(DASHES[status] ? { dash: DASHES[status] } : {}),
              }))}
              unit={number}
            />
          ) : (
            <Empty title={t("stats.noRooms")} picture="stats" />
          )}
        </div>
      )}
    </div>
  );
}

/** The month where it begins, else the day alone: a whole date would be cut at the edge. */
export function axisDay(at: Date, first: boolean): string {
  const { day } = partsOf(at, calendarOf(language()));
  return first || day === 1 ? shortDate(at) : digitsOf(day, language());
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div class="card">
      <dt class="small soft">{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
