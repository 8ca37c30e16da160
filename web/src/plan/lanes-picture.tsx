// The plan as a picture: who is where until when, where a guest is due, and what will be late. Time runs in reading direction.
import type { SuggestedRow } from "../api/types";
import { clockTime, partsOf } from "../i18n/dates";
import { range } from "../i18n/days";
import { digitsOf } from "../i18n/digits";
import { language, t } from "../i18n";
import type { Shown } from "../live/overlay";
import { nameOf } from "../live/people";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;

/** One of six, for floors below the ground too. */
export const colourOf = (floor: number): string => `floor-${((floor % 6) + 6) % 6}`;

/**
 * A number is on its bar where it has room: whole, else up to its first dash or space, else not at all. Half a number would be another room's. What does not
 * fit goes to a line of its own, which the bar does not show; the row below and the pointer tell it.
 */
function Number({ text }: { text: string }) {
  const [, first = text, rest = ""] = /^(.+?[\s/.–-])(.+)$/u.exec(text) ?? [];
  return (
    <span class="plan-number" dir="auto">
      <span>{first}</span>
      {rest && <span>{rest}</span>}
    </span>
  );
}

export function LanesPicture({ rows, board }: { rows: SuggestedRow[]; board: Shown | undefined }) {
  const timed = rows.filter((row) => row.startAt && row.finishAt);
  if (!timed.length) return null;
  const now = Date.now();
  const from = Math.floor(Math.min(now, ...timed.map((row) => Date.parse(row.startAt as string))) / QUARTER) * QUARTER;
  const to = Math.ceil(Math.max(...timed.map((row) => Date.parse(row.finishAt as string))) / QUARTER) * QUARTER + QUARTER;
  const at = (time: number) => `${((time - from) / (to - from)) * 100}%`;
  const people = [...new Set(timed.map((row) => row.staffId))];
  const hours: number[] = [];
  // Full hours of the hotel's clock: Kabul is half an hour beside the others.
  const first = from + ((60 - partsOf(from, "gregorian").minute) % 60) * MINUTE;
  // One at the very end would be cut by it.
  for (let hour = first; hour < to - (to - from) * 0.06; hour += HOUR) hours.push(hour);
  const roomOf = (row: SuggestedRow) => board?.rooms.find((room) => room.roomId === row.roomId);
  const floors = [...new Set(timed.map((row) => roomOf(row)?.floor).filter((floor): floor is number => typeof floor === "number"))].sort((a, b) => a - b);
  return (
    <section class="card plan-lanes" data-testid="plan-lanes" aria-label={t("plan.picture")}>
      <div class="scroll-box" tabIndex={0} role="region" aria-label={t("plan.picture")}>
        <div class="plan-canvas">
          <div class="plan-hours" aria-hidden="true">
            {hours.map((hour) => (
              <span key={hour} style={{ insetInlineStart: at(hour) }}>
                {clockTime(hour)}
              </span>
            ))}
          </div>
          {people.map((staffId) => (
            <div class="plan-lane" key={staffId}>
              <b class="short" dir="auto" title={nameOf(staffId)}>
                {nameOf(staffId)}
              </b>
              <div class="plan-track">
                {timed
                  .filter((row) => row.staffId === staffId)
                  .map((row) => {
                    const room = roomOf(row);
                    const due = room?.nextArrivalAt ? Date.parse(room.nextArrivalAt) : undefined;
                    const finish = Date.parse(row.finishAt as string);
                    const late = due !== undefined && finish > due;
                    return (
                      <div
                        key={row.taskId}
                        class={`plan-bar ${colourOf(room?.floor ?? 0)} ${late ? "is-late" : ""}`}
                        style={{ insetInlineStart: at(Date.parse(row.startAt as string)), inlineSize: `calc(${((finish - Date.parse(row.startAt as string)) / (to - from)) * 100}% - 2px)` }}
                        data-testid="plan-bar"
                        data-task-id={row.taskId}
                        data-staff-id={staffId}
                        data-late={String(late)}
                        title={`${room?.number ?? ""} ${range(clockTime(row.startAt as string), clockTime(finish))}`}
                      >
                        <Number text={room?.number ?? ""} />
                      </div>
                    );
                  })}
                {timed
                  .filter((row) => row.staffId === staffId)
                  .map((row) => {
                    const due = Date.parse(roomOf(row)?.nextArrivalAt ?? "");
                    if (!(due > from && due < to)) return null;
                    return <i key={row.taskId} class="plan-due" style={{ insetInlineStart: at(due) }} title={t("board.arrivalAt", { time: clockTime(due) })} />;
                  })}
                {now > from && now < to && <i class="plan-now" style={{ insetInlineStart: at(now) }} />}
              </div>
            </div>
          ))}
        </div>
      </div>
      <p class="row small soft">
        {floors.map((floor) => (
          <span key={floor} class={`plan-key ${colourOf(floor)}`}>
            {t("board.floor", { floor: digitsOf(floor, language()) })}
          </span>
        ))}
        <span>{t("plan.legend")}</span>
      </p>
    </section>
  );
}
