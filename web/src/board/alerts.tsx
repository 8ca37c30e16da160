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
  if (!board.alerts.length) return null;
  const shown = all ? board.alerts : board.alerts.slice(0, FEW);
  return (
    <ul class="alerts" aria-label={t("board.alerts")}>
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
              {room && (
                <b>
                  <bdi>{room.number}</bdi>
                </b>
              )}
              <span>{word("alert", alert.code)}</span>
              <Why alert={alert} />
              {alert.since && <span class="soft small">{dayTime(alert.since)}</span>}
            </Box>
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
