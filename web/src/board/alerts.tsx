// What a supervisor should know before anything else.
import { useState } from "preact/hooks";
import { go } from "../app/router";
import { dayTime } from "../i18n/dates";
import { t, tn, word } from "../i18n";
import type { Shown } from "../live/overlay";
import { Picture } from "../ui/pictures";

const FEW = 4;

/** The timer's own English, and the phone's bare call, say no more than the code does. */
const saysMore = (reason: string | null | undefined): reason is string =>
  Boolean(reason) && reason !== "help" && !reason?.startsWith("urgent, and not begun");

export function Alerts({ board, onOpen }: { board: Shown; onOpen: (roomId: string, taskId: string | undefined) => void }) {
  const [all, setAll] = useState(false);
  if (!board.alerts.length) return null;
  const shown = all ? board.alerts : board.alerts.slice(0, FEW);
  return (
    <ul class="alerts" aria-label={t("board.alerts")}>
      {shown.map((alert, index) => {
        const room = board.rooms.find((one) => one.roomId === alert.roomId);
        // What is about no room is about linen: its page says the rest.
        const open = () => (alert.roomId ? onOpen(alert.roomId, alert.taskId ?? undefined) : go("/linen"));
        return (
          <li key={`${alert.code} ${alert.roomId} ${index}`} data-testid="alert" data-code={alert.code}>
            <button class="alert" onClick={open}>
              <Picture name={alert.code === "urgent_not_started" ? "chevrons" : "alert"} />
              {room && (
                <b>
                  <bdi>{room.number}</bdi>
                </b>
              )}
              <span>{word("alert", alert.code)}</span>
              {saysMore(alert.reason) && (
                // Its own direction, so that a long one is shortened at its end and not at its beginning.
                <span class="alert-reason" dir="auto" title={alert.reason}>
                  {alert.reason}
                </span>
              )}
              {alert.since && <span class="soft small">{dayTime(alert.since)}</span>}
            </button>
          </li>
        );
      })}
      {board.alerts.length > FEW && (
        <li>
          <button class="button quiet small" onClick={() => setAll(!all)}>
            {all ? t("board.fewerAlerts") : tn("board.moreAlerts", board.alerts.length - FEW)}
          </button>
        </li>
      )}
    </ul>
  );
}
