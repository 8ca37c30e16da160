// The week as a calendar. There is one order of things, by day and by shift, as a phone shows it and a reader of the screen hears it; where there is room for
// seven days, `roster.css` places the same things in rows of people. So a place on a shift is always within its shift.
import { useEffect, useRef } from "preact/hooks";
import { change, useChange } from "../api/change";
import { can } from "../app/session";
import { t, tn, word } from "../i18n";
import { duration, isoDay, noonOf, partsOf, shortDate, weekdayName } from "../i18n/dates";
import { useNames } from "../live/people";
import { Picture } from "../ui/pictures";
import type { Assignment, Roster, Shift } from "./data";
import { hoursOf } from "./dialogs";
import { type Layout, activeOf, isOpen, layOut, leaveKey, leaveOn, missingOf } from "./layout";

interface Acts {
  offline: boolean;
  again: () => void;
  give: (shift: Shift) => void;
  swap: (shift: Shift, assignment: Assignment) => void;
}
const FRIDAY = 6;
const at = (line: number | undefined, lines = 1) => ({ "--row": line ?? 1, "--rows": lines });

/** Where days stand below each other, the page begins with today: what is over lies above it, as in a diary. */
function useFromToday(wanted: boolean) {
  const week = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const today = wanted ? week.current?.querySelector(".today") : undefined;
    // In a table of seven days, a day has no box of its own.
    if (today && today.getBoundingClientRect().top > innerHeight / 2) today.scrollIntoView();
  }, []);
  return week;
}

/** `fromToday`: it was opened by itself, and not for a week that somebody chose. */
export function Calendar({ roster, jobName, fromToday, ...acts }: Acts & { roster: Roster; jobName: (positionId: string) => string; fromToday: boolean }) {
  const name = useNames();
  const week = useFromToday(fromToday);
  const placed = layOut(roster, jobName);
  const today = isoDay();
  return (
    <div class="calendar" style={{ "--all": placed.lines }}>
      <ol class="week" ref={week}>
        {roster.days.map((day, index) => {
          const when = day.date === today ? "today" : day.date < today ? "past" : "";
          const away = placed.rows.filter(({ person }) => leaveOn(person, day.date));
          return (
            <li
              key={day.date}
              class={`day ${when} ${partsOf(noonOf(day.date), "gregorian").weekday === FRIDAY ? "friday" : ""}`}
              style={{ "--column": index + 2 }}
              aria-current={when === "today" ? "date" : undefined}
              data-testid="day"
              data-date={day.date}
            >
              <i class="day-back" aria-hidden="true" />
              <h2>
                {weekdayName(noonOf(day.date))} <span class="day-date soft">{shortDate(noonOf(day.date))}</span>
              </h2>
              {!day.shifts.length && <p class="small soft day-free">{t("roster.free")}</p>}
              {day.shifts.map((shift) => (
                <ShiftCard key={shift.shiftId} shift={shift} job={jobName(shift.positionId)} placed={placed} {...acts} />
              ))}
              {away.map(({ person }) => (
                <p key={person.staffId} class={`away ${leaveOn(person, day.date)?.status ?? ""}`} style={at(placed.leave.get(leaveKey(person, day.date)))} data-testid="away" data-staff-id={person.staffId} data-status={leaveOn(person, day.date)?.status}>
                  <bdi class="in-row">{name(person.staffId)}</bdi> {t("roster.leave")}
                  {leaveOn(person, day.date)?.status === "requested" && <span class="small"> {word("leaveStatus", "requested")}</span>}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
      <p class="shifts-label" aria-hidden="true">
        {t("roster.shifts")}
      </p>
      {placed.rows.length > 0 && <People placed={placed} />}
    </div>
  );
}

function ShiftCard({ shift, job, placed, offline, again, give, swap }: Acts & { shift: Shift; job: string; placed: Layout }) {
  const name = useNames();
  const { busy, run } = useChange();
  const active = activeOf(shift);
  const missing = missingOf(shift);
  const open = isOpen(shift);
  const leads = can("supervisor", "property_manager", "admin") && open && !offline;
  const hasStandby = active.some((one) => one.role === "standby");
  return (
    <section class={missing && open ? "shift missing" : "shift"} data-testid="shift" data-shift-id={shift.shiftId} data-missing={String(missing)}>
      <div class="shift-head" style={at(placed.shift.get(shift.shiftId))}>
        <p>
          <b>{hoursOf(shift)}</b>{" "}
          <span class="small soft">
            <bdi>{job}</bdi> {!open && <span class={`shift-status ${shift.status}`}>· {word("shiftStatus", shift.status)}</span>}
          </span>
        </p>
        {missing > 0 && open && (
          <p class="small low">
            <Picture name="alert" /> {tn("roster.missing", missing)}
          </p>
        )}
        {leads && (
          <div class="row shift-acts">
            <button class="button small" data-testid="assign" title={t("roster.assign")} onClick={() => give(shift)}>
              <Picture name="plus" />
              <span>{t("roster.assign")}</span>
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
      </div>
      <ul class="stack tight places">
        {active.map((one) => (
          <li key={one.assignmentId} class={`row assignment ${one.role}`} style={at(placed.assignment.get(one.assignmentId))} data-testid="assignment" data-staff-id={one.staffId} data-role={one.role}>
            <span class="grow">
              <bdi class="in-row">{name(one.staffId)}</bdi>{" "}
              <span class="in-cell" aria-hidden="true">
                <b>{hoursOf(shift)}</b> <bdi class="small soft">{job}</bdi>
              </span>{" "}
              {one.role === "standby" && <span class="small soft">{t("roster.standby")}</span>}
            </span>
            {leads && shift.status === "scheduled" && (
              <span class="assignment-acts">
                <button class="icon-button" aria-label={t("roster.swap")} title={t("roster.swap")} data-testid="swap" onClick={() => swap(shift, one)}>
                  <Picture name="staff_swap" />
                </button>
                <button
                  class="icon-button"
                  aria-label={t("roster.takeOff", { name: name(one.staffId) })}
                  title={t("roster.takeOff", { name: name(one.staffId) })}
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
    </section>
  );
}

/** Hours of the week and what to look at: the heads of the rows, or a list of its own on a narrow screen. */
function People({ placed }: { placed: Layout }) {
  const name = useNames();
  return (
    <section class="card stack people">
      <h2>{t("roster.people")}</h2>
      <ul class="roster-people">
        {placed.rows.map(({ person, line, lines }) => (
          <li key={person.staffId} style={at(line, lines)}>
            <bdi class="person-name">{name(person.staffId)}</bdi> <span class="soft person-hours">{duration(person.scheduledMinutes ?? 0)}</span>
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
