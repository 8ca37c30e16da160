// Where one is and when: the house, its day in the reader's calendar, its clock, and how many are in it, come and go.
import { useEffect, useState } from "preact/hooks";
import { houseName, property, session } from "../app/session";
import { useStore } from "../app/store";
import { clockTime, longDate, weekdayName } from "../i18n/dates";
import { otherDate } from "../i18n/days";
import { language, t, tn } from "../i18n";
import type { Shown } from "../live/overlay";
import type { Day } from "./guests-due";

/** The time, once a minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), 60_000 - (Date.now() % 60_000));
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}

export function House({ board, day }: { board: Shown; day: Day | undefined }) {
  const now = useMinute();
  const house = useStore(property);
  const name = useStore(session, ({ who }) => houseName(who, house));
  const inside = board.rooms.filter((room) => room.occupancy === "occupied").length;
  return (
    <div class="house">
      <h1>{name ? <bdi>{name}</bdi> : t("nav.board")}</h1>
      <p class="house-when">
        <time dateTime={new Date(now).toISOString()}>
          {weekdayName(now)} {longDate(now)}
        </time>
        {language() !== "en" && <span class="soft">{otherDate(now)}</span>}
        <b>{clockTime(now)}</b>
      </p>
      <p class="house-who small soft" data-testid="house-day">
        {[tn("board.inHouse", inside), day && tn("board.come", day.arrivals.length), day && tn("board.go", day.departures)].filter(Boolean).join(" · ")}
      </p>
    </div>
  );
}
