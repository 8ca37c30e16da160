// Giving somebody a shift, and changing places. What the rules refuse is said; what only warns is shown afterwards.
import { useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import { language, t, word } from "../i18n";
import { noonOf, shortDate } from "../i18n/dates";
import { range } from "../i18n/days";
import { digitsOf } from "../i18n/digits";
import { useNames } from "../live/people";
import { Dialog } from "../ui/dialog";
import { toast } from "../ui/toast";
import type { Assignment, Person, Shift } from "./data";

const MAY_BE_FORCED = ["HEADCOUNT_FULL", "CERTIFICATION_MISSING"];
interface Warned {
  warnings?: { code: string }[];
}
/** From when to when, in the reader's digits. */
export const hoursOf = ({ localWindow }: Shift): string => range(digitsOf(localWindow.startLocal, language()), digitsOf(localWindow.endLocal, language()));

const tellWarnings = (answer: Warned) => answer.warnings?.forEach((one) => toast(word("warning", one.code)));

export function GiveShift({ shift, job, people, onClose, again }: { shift: Shift; job: string; people: Person[]; onClose: () => void; again: () => void }) {
  const { busy, run } = useChange();
  const [role, setRole] = useState<"primary" | "standby">("primary");
  const [refused, setRefused] = useState<{ staffId: string; code: string }>();
  const on = new Set(shift.assignments.filter((one) => one.status === "active").map((one) => one.staffId));
  const free = people
    .filter((one) => one.employmentStatus !== "terminated" && !on.has(one.staffId))
    .sort((a, b) => Number(b.positionId === shift.positionId) - Number(a.positionId === shift.positionId) || a.givenName.localeCompare(b.givenName));
  const give = async (staffId: string, force: boolean) => {
    const work = () => change<Warned>("POST", `/staff/v1/shifts/${shift.shiftId}/assignments`, { staffId, role, ...(force ? { force } : {}) }).then(tellWarnings);
    const refusal = (code: string) => (MAY_BE_FORCED.includes(code) ? (setRefused({ staffId, code }), true) : false);
    if (await run(work, t("roster.assigned"), (problem) => refusal(problem.code))) onClose();
    again();
  };
  return (
    <Dialog
      title={t("roster.assign")}
      onClose={onClose}
      foot={
        refused && (
          <>
            <span class="grow">{word("problem", refused.code)}</span>
            <button class="button danger" data-testid="force" disabled={busy} onClick={() => void give(refused.staffId, true)}>
              {t("roster.anyway")}
            </button>
          </>
        )
      }
    >
      <p class="soft">
        {shortDate(noonOf(shift.localWindow.date))} · {hoursOf(shift)} · <bdi>{job}</bdi>
      </p>
      <div class="row" role="group" aria-label={t("roster.role")}>
        {(["primary", "standby"] as const).map((one) => (
          <button key={one} class="button" aria-pressed={role === one} data-testid={`role-${one}`} onClick={() => setRole(one)}>
            {t(`roster.${one}`)}
          </button>
        ))}
      </div>
      <ul class="stack tight">
        {free.map((one) => (
          <li key={one.staffId}>
            <button class="button wide" data-testid="person" data-staff-id={one.staffId} disabled={busy} onClick={() => void give(one.staffId, false)}>
              <bdi>
                {one.givenName} {one.familyName}
              </bdi>
            </button>
          </li>
        ))}
      </ul>
      {!free.length && <p>{t("roster.nobody")}</p>}
    </Dialog>
  );
}

export function SwapShift({ shift, assignment, shifts, onClose, again }: { shift: Shift; assignment: Assignment; shifts: Shift[]; onClose: () => void; again: () => void }) {
  const { busy, run } = useChange();
  const name = useNames();
  const others = shifts
    .filter((other) => other.status === "scheduled" && other.shiftId !== shift.shiftId)
    .flatMap((other) => other.assignments.filter((one) => one.status === "active" && one.staffId !== assignment.staffId).map((one) => ({ other, one })));
  const swap = async (right: string) => {
    const work = () => change<Warned>("POST", "/staff/v1/shifts/swap", { leftAssignmentId: assignment.assignmentId, rightAssignmentId: right }).then(tellWarnings);
    if (await run(work, t("roster.swapped"))) onClose();
    again();
  };
  return (
    <Dialog title={t("roster.swapWith", { name: name(assignment.staffId) })} onClose={onClose}>
      <ul class="stack tight">
        {others.map(({ other, one }) => (
          <li key={one.assignmentId}>
            <button class="button wide" data-testid="swap-with" data-staff-id={one.staffId} disabled={busy} onClick={() => void swap(one.assignmentId)}>
              <bdi>{name(one.staffId)}</bdi>
              <span class="soft">
                {shortDate(noonOf(other.localWindow.date))} {hoursOf(other)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {!others.length && <p>{t("roster.nobody")}</p>}
    </Dialog>
  );
}
