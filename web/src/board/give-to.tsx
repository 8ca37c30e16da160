// Who shall have it: those who clean by free minutes, then whoever else is at work; the focused one with what would come of it. Arrows, Enter, Esc.
import { useRef, useState } from "preact/hooks";
import type { BoardStaff } from "../api/types";
import { duration } from "../i18n/dates";
import { t } from "../i18n";
import type { Shown } from "../live/overlay";
import { useNames } from "../live/people";
import { Picture } from "../ui/pictures";
import { byDuty, jobOf } from "./lanes";
import { WhatIfNote, useWhatIf } from "./what-if";

export const freeMinutes = (person: BoardStaff): number => person.capacityMinutes - person.loadMinutes;

interface Props {
  board: Shown;
  /** One task, for which there is a what-if, or several. */
  taskIds: string[];
  onGive: (staffId: string) => void;
  focusFirst: boolean;
}

export function GiveTo({ board, taskIds, onGive, focusFirst }: Props) {
  const nameOf = useNames();
  const holder = taskIds.length === 1 ? board.tasks.find((one) => one.taskId === taskIds[0])?.assigneeStaffId : undefined;
  const { clean, others } = byDuty(board.staff.filter((one) => one.staffId !== holder).sort((a, b) => freeMinutes(b) - freeMinutes(a)));
  const people = [...clean, ...others];
  const [focused, setFocused] = useState(people[0]?.staffId);
  const list = useRef<HTMLUListElement>(null);
  const found = useWhatIf(taskIds.length === 1 ? taskIds[0] : undefined, focused, board.etag);
  const move = (step: number) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  if (!people.length) return <p class="soft">{t("board.nobodyOnShift")}</p>;
  return (
    <section class="give-to">
      <button class="button quiet give-to-head" data-testid="give-to" onClick={() => move(1)}>
        <Picture name="my" />
        {t("board.giveTo")}
      </button>
      <ul
        ref={list}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") move(1);
          else if (event.key === "ArrowUp") move(-1);
          else return;
          event.preventDefault();
        }}
      >
        {people.map((person, index) => (
          <li key={person.staffId}>
            {person === others[0] && <p class="small soft">{t("board.othersAtWork")}</p>}
            <button
              class="person"
              data-testid="person"
              data-job={jobOf(person)}
              data-staff-id={person.staffId}
              data-free-minutes={String(freeMinutes(person))}
              ref={(element) => {
                // The first person is one key away; the browser would choose the closing cross.
                if (element && index === 0 && focusFirst) element.setAttribute("autofocus", "");
              }}
              onFocus={() => setFocused(person.staffId)}
              onPointerEnter={() => setFocused(person.staffId)}
              onClick={() => onGive(person.staffId)}
            >
              <b>
                <bdi>{nameOf(person.staffId)}</bdi>
              </b>
              <span class="small soft">
                {freeMinutes(person) >= 0
                  ? t("board.free", { time: duration(freeMinutes(person)) })
                  : t("board.overloaded", { time: duration(-freeMinutes(person)) })}
              </span>
              {focused === person.staffId && taskIds.length === 1 && <WhatIfNote staffId={person.staffId} found={found} />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
