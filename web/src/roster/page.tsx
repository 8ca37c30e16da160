// The week, from Saturday: who works when, where somebody is missing, who asked for leave, what the last shift left to say.
import { useQuery, useQueryClient } from "../api/query";
import { useEffect, useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import { readJson } from "../api/client";
import { useReady } from "../app/ready";
import { can, property } from "../app/session";
import { setSearch, useSearch } from "../app/router";
import { useStore } from "../app/store";
import { t, tn, useLanguage, word } from "../i18n";
import { duration, isoDay, longDate, noonOf, shortDate, weekdayName } from "../i18n/dates";
import { weekStart } from "../i18n/days";
import { learnNames, useNames } from "../live/people";
import { live } from "../live/state";
import { Picture } from "../ui/pictures";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import type { Assignment, Person, Roster, Shift } from "./data";
import { LeaveList, Notes } from "./leave";
import { GiveShift, SwapShift, hoursOf } from "./dialogs";
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
  useEffect(() => {
    learnNames([...(roster.data?.people ?? []), ...(staff.data?.items ?? [])]);
  }, [roster.data, staff.data]);
  useReady(!roster.isLoading && Boolean(roster.data ?? roster.error));
  const again = () => void client.invalidateQueries({ queryKey: ["roster", house] });
  const move = (days: number) => setSearch({ from: isoDay(noonOf(from).getTime() + days * DAY) });
  const [giving, setGiving] = useState<Shift>();
  const [swapping, setSwapping] = useState<{ shift: Shift; assignment: Assignment }>();
  const jobName = (id: string) => {
    const job = positions.data?.items.find((one) => one.positionId === id);
    return job ? word("position", job.code ?? job.name) : "";
  };
  // Names of work come with the shifts, so that no line grows under the pointer.
  const isFirst = [roster, positions].some((one) => one.isLoading && !one.failureCount);
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
        <ol class="week">
          {roster.data.days.map((day) => (
            <li key={day.date} class={`day ${day.date === isoDay() ? "today" : day.date < isoDay() ? "past" : ""}`} aria-current={day.date === isoDay() ? "date" : undefined}>
              <h2>
                {weekdayName(noonOf(day.date))} <span class="day-date soft">{shortDate(noonOf(day.date))}</span>
              </h2>
              {!day.shifts.length && <p class="small soft">{t("roster.free")}</p>}
              {day.shifts.map((shift) => (
                <ShiftCard
                  key={shift.shiftId}
                  shift={shift}
                  job={jobName(shift.positionId)}
                  offline={offline}
                  again={again}
                  give={() => setGiving(shift)}
                  swap={(assignment) => setSwapping({ shift, assignment })}
                />
              ))}
            </li>
          ))}
        </ol>
      )}
      {!isFirst && roster.data && roster.data.people.length > 0 && <People roster={roster.data} />}
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

interface CardProps {
  shift: Shift;
  job: string;
  offline: boolean;
  again: () => void;
  give: () => void;
  swap: (assignment: Assignment) => void;
}

function ShiftCard({ shift, job, offline, again, give, swap }: CardProps) {
  const name = useNames();
  const { busy, run } = useChange();
  const active = shift.assignments.filter((one) => one.status === "active");
  const primaries = active.filter((one) => one.role === "primary").length;
  const missing = shift.missingPrimary ?? Math.max(0, shift.primaryHeadcount - primaries);
  const open = shift.status === "scheduled" || shift.status === "started";
  const leads = can("supervisor", "property_manager", "admin") && open && !offline;
  const hasStandby = active.some((one) => one.role === "standby");
  return (
    <section class={missing && open ? "shift missing" : "shift"} data-testid="shift" data-shift-id={shift.shiftId} data-missing={String(missing)}>
      <p>
        <b>{hoursOf(shift)}</b>{" "}
        <span class="small soft">
          <bdi>{job}</bdi> {!open && `· ${word("shiftStatus", shift.status)}`}
        </span>
      </p>
      <ul class="stack tight">
        {active.map((one) => (
          <li key={one.assignmentId} class="row assignment" data-testid="assignment" data-staff-id={one.staffId} data-role={one.role}>
            <span class="grow">
              <bdi>{name(one.staffId)}</bdi> {one.role === "standby" && <span class="small soft">{t("roster.standby")}</span>}
            </span>
            {leads && shift.status === "scheduled" && (
              <span class="assignment-acts">
                <button class="icon-button" aria-label={t("roster.swap")} data-testid="swap" onClick={() => swap(one)}>
                  <Picture name="staff_swap" />
                </button>
                <button
                  class="icon-button"
                  aria-label={t("roster.takeOff", { name: name(one.staffId) })}
                  data-testid="unassign"
                  disabled={busy}
                  onClick={() => void run(() => change("DELETE", `/staff/v1/shifts/${shift.shiftId}/assignments/${one.assignmentId}`), t("roster.takenOff")).then(again)}
                >
                  <Picture name="close" />
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {missing > 0 && open && (
        <p class="small low">
          <Picture name="alert" /> {tn("roster.missing", missing)}
        </p>
      )}
      {leads && (
        <div class="row shift-acts">
          <button class="button small" data-testid="assign" onClick={give}>
            <Picture name="plus" />
            {t("roster.assign")}
          </button>
          {missing > 0 && hasStandby && (
            <button class="button small" data-testid="promote-standby" disabled={busy} onClick={() => void run(() => change("POST", `/staff/v1/shifts/${shift.shiftId}/promote-standby`, {}), t("roster.promoted")).then(again)}>
              {t("roster.promote")}
            </button>
          )}
        </div>
      )}
      {shift.note && (
        <p class="small soft">
          <bdi>{shift.note}</bdi>
        </p>
      )}
    </section>
  );
}

/** Hours of the week and what to look at; in the order of names, and never as a ranking. */
function People({ roster }: { roster: Roster }) {
  const people = [...roster.people].sort((a, b) => `${a.givenName} ${a.familyName}`.localeCompare(`${b.givenName} ${b.familyName}`));
  return (
    <section class="card stack">
      <h2>{t("roster.people")}</h2>
      <ul class="roster-people">
        {people.map((person) => (
          <li key={person.staffId}>
            <bdi>
              {person.givenName} {person.familyName}
            </bdi>{" "}
            <span class="soft">{duration(person.scheduledMinutes)}</span>
            {person.warnings.map((warning) => (
              <span key={warning.code} class="chip" data-testid="warning" data-code={warning.code}>
                <Picture name="alert" />
                {word("warning", warning.code)}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
