// What a supervisor should know before anything else.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { BoardAlert } from "../api/types";
import { go, pages } from "../app/router";
import { maySee, session } from "../app/session";
import { useStore } from "../app/store";
import { dayTime } from "../i18n/dates";
import { hasWord, spoken, t, tn, word } from "../i18n";
import type { Shown } from "../live/overlay";
import { Picture } from "../ui/pictures";

const FEW = 4;

/** Why, in the reader's language where the server says it by code; somebody's own words stand as they were typed. */
function Why({ alert }: { alert: BoardAlert }) {
  // The words for refusals may come a moment later.
  useStore(spoken);
  const { because, reason } = alert;
  const said = because && whyText(because);
  // Where the code says it all, the stored English adds nothing; a note beside it is somebody's own.
  const typed = !because || alert.code === "occupancy_discrepancy" ? reason : undefined;
  if (!said && !typed) return null;
  return (
    // A long text is cut at its own end: what cuts it takes the text's direction, not the page's.
    <span class="alert-reason" data-because={because?.code ?? ""} dir={said ? undefined : "auto"} title={[said, typed].filter(Boolean).join(" · ")}>
      {said}
      {said && typed && " · "}
      {typed && <bdi>{typed}</bdi>}
    </span>
  );
}

function whyText({ code, params }: NonNullable<BoardAlert["because"]>): string {
  const given = (params ?? {}) as Record<string, unknown>;
  const text = (name: string) => String(given[name] ?? "");
  // The phone's bare call says no more than the alert's own code.
  if (code === "help") return "";
  return word("alertReason", code, {
    line: word("linenLine", text("line")),
    onHand: Number(given.onHand ?? 0),
    lowWatermark: Number(given.lowWatermark ?? 0),
    minutes: Number(given.minutes ?? 0),
    verb: word("verb", text("verb")),
    problem: hasWord("problem", text("problem")) ? word("problem", text("problem")) : text("problem"),
    observed: word("occupancy", text("observed")),
    recorded: word("occupancy", text("recorded")),
  });
}

const isTimers = (alert: BoardAlert): boolean => alert.code === "escalated" && alert.because?.code === "not_begun";

/** What the timer says of a room that is said to be urgent and not begun is the same once more. What is about one room stands together. */
export function toTell(alerts: BoardAlert[]): BoardAlert[] {
  const urgent = new Set(alerts.filter((one) => one.code === "urgent_not_started").map((one) => one.roomId));
  const told = alerts.filter((one) => !isTimers(one) || !urgent.has(one.roomId));
  const first = new Map<string | null | undefined, number>();
  told.forEach((one, index) => first.has(one.roomId) || first.set(one.roomId, index));
  const placeOf = (one: BoardAlert, index: number) => (one.roomId ? (first.get(one.roomId) ?? index) : index);
  return told.map((one, index) => ({ one, at: placeOf(one, index) })).sort((left, right) => left.at - right.at).map(({ one }) => one);
}

/** A button where it leads somewhere. */
function Box({ leads, open, children }: { leads: boolean; open: () => void; children: ComponentChildren }) {
  return leads ? (
    <button class="alert" onClick={open}>
      {children}
    </button>
  ) : (
    <div class="alert">{children}</div>
  );
}

export function Alerts({ board, onOpen }: { board: Shown; onOpen: (roomId: string, taskId: string | undefined) => void }) {
  const [all, setAll] = useState(false);
  const alerts = toTell(board.alerts);
  if (!alerts.length) return null;
  const shown = all ? alerts : alerts.slice(0, FEW);
  return (
    <ul class="alerts card" aria-label={t("board.alerts")}>
      {shown.map((alert, index) => {
        const room = board.rooms.find((one) => one.roomId === alert.roomId);
        // What is about no room is about linen: its page says the rest, to those who may see it.
        const linen = pages.find((page) => page.name === "linen");
        const leads = alert.roomId || (linen && maySee(linen, session.get().who));
        const open = () => (alert.roomId ? onOpen(alert.roomId, alert.taskId ?? undefined) : go("/linen"));
        return (
          <li key={`${alert.code} ${alert.roomId} ${index}`} data-testid="alert" data-code={alert.code}>
            <Box leads={Boolean(leads)} open={open}>
              <Picture name={alert.code === "urgent_not_started" ? "chevrons" : "alert"} />
              <b class="alert-room">
                <bdi>{room?.number}</bdi>
              </b>
              <span class="alert-what">
                <span>{isTimers(alert) ? t("board.waitsLong") : word("alert", alert.code)}</span>
                <Why alert={alert} />
              </span>
              {alert.since && <span class="soft small">{dayTime(alert.since)}</span>}
            </Box>
          </li>
        );
      })}
      {alerts.length > FEW && (
        <li>
          <button class="button quiet small" onClick={() => setAll(!all)}>
            {all ? t("board.fewerAlerts") : tn("board.moreAlerts", alerts.length - FEW)}
          </button>
        </li>
      )}
    </ul>
  );
}
