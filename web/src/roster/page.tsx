// The week, from Saturday: who works when, where somebody is missing, who asked for leave, what the last shift left to say.
import { useQuery, useQueryClient } from "../api/query";
import { useMemo, useState } from "preact/hooks";
import { readJson } from "../api/client";
import { useReady } from "../app/ready";
import { property } from "../app/session";
import { setSearch, useSearch } from "../app/router";
import { useStore } from "../app/store";
import { t, useLanguage, word } from "../i18n";
import { isoDay, longDate, noonOf, shortDate } from "../i18n/dates";
import { weekStart } from "../i18n/days";
import { learnNames } from "../live/people";
import { live } from "../live/state";
import { Picture } from "../ui/pictures";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import { Calendar } from "./calendar";
import type { Assignment, Person, Roster, Shift } from "./data";
import { LeaveList, Notes, useLeave, useNotes } from "./leave";
import { GiveShift, SwapShift } from "./dialogs";
import "../ui/pictures-office";
import "./roster.css";

const DAY = 86_400_000;

export default function RosterPage() {
  useLanguage();
  const house = useStore(property);
  const search = useSearch();
  const client = useQueryClient();
  const from = search.get("from") ?? weekStart();
  const offline = useStore(live) === "offline";
  const roster = useQuery({
    queryKey: ["roster", house, from],
    enabled: Boolean(house),
    queryFn: () => readJson<Roster>(`/staff/v1/roster?propertyId=${encodeURIComponent(house)}&from=${from}`),
  });
  const staff = useQuery({
    queryKey: ["staff", house],
    enabled: Boolean(house),
    queryFn: () => readJson<{ items: Person[] }>(`/staff/v1/staff?propertyId=${encodeURIComponent(house)}&limit=500`),
  });
  const positions = useQuery({ queryKey: ["positions"], queryFn: () => readJson<{ items: { positionId: string; name: string; code?: string | null }[] }>("/staff/v1/positions") });
  // Before they are drawn: a name that comes later is longer than what stood there.
  useMemo(() => learnNames([...(roster.data?.people ?? []), ...(staff.data?.items ?? [])]), [roster.data, staff.data]);
  const again = () => void client.invalidateQueries({ queryKey: ["roster", house] });
  const move = (days: number) => setSearch({ from: isoDay(noonOf(from).getTime() + days * DAY) });
  const [giving, setGiving] = useState<Shift>();
  const [swapping, setSwapping] = useState<{ shift: Shift; assignment: Assignment }>();
  const jobName = (id: string) => {
    const job = positions.data?.items.find((one) => one.positionId === id);
    return job ? word("position", job.code ?? job.name) : "";
  };
  // Everything comes at once (names of work, of people, who asked for leave, what is noted), so that no line grows under the pointer.
  const isFirst = [roster, positions, staff, useLeave(house), useNotes(house)].some((one) => one.isLoading && !one.failureCount);
  useReady(!isFirst && Boolean(roster.data ?? roster.error));
  const shifts = roster.data?.days.flatMap((day) => day.shifts) ?? [];

  return (
    <div class="page roster">
      <header class="page-head">
        <h1>{t("nav.roster")}</h1>
        <div class="row week-choice">
          <button class="icon-button" aria-label={t("roster.before")} data-testid="week-before" onClick={() => move(-7)}>
            <Picture name="back" />
          </button>
          <b data-testid="week" data-from={from}>
            {t("roster.week", { from: shortDate(noonOf(from)), to: longDate(noonOf(from).getTime() + 6 * DAY) })}
          </b>
          <button class="icon-button" aria-label={t("roster.after")} data-testid="week-after" onClick={() => move(7)}>
            <Picture name="next" />
          </button>
        </div>
      </header>
      <OfflineNote needsNet at={roster.dataUpdatedAt} />
      {!roster.data && roster.error && <Failed error={roster.error} retry={() => void roster.refetch()} />}
      {(isFirst || (!roster.data && !roster.error)) && <Loading count={7} />}
      {!isFirst && roster.data && !shifts.length && (
        <Empty title={t("roster.empty")} picture="roster">
          <p>{t("roster.emptyNext")}</p>
        </Empty>
      )}
      {!isFirst && roster.data && (
        <Calendar
          roster={roster.data}
          jobName={jobName}
          fromToday={!search.get("from")}
          offline={offline}
          again={again}
          give={setGiving}
          swap={(shift, assignment) => setSwapping({ shift, assignment })}
        />
      )}
      {!isFirst && roster.data && (
        <div class="roster-columns">
          <LeaveList house={house} again={again} />
          <Notes house={house} />
        </div>
      )}
      {giving && <GiveShift shift={giving} job={jobName(giving.positionId)} people={staff.data?.items ?? []} onClose={() => setGiving(undefined)} again={again} />}
      {swapping && <SwapShift {...swapping} shifts={shifts} onClose={() => setSwapping(undefined)} again={again} />}
    </div>
  );
}
