// A guest in a line: rooms, name, when and how long.
import { t, tn } from "../i18n";
import { dayTime } from "../i18n/dates";
import { type Stay, isHere } from "./data";

/** `since`: when somebody who stands at the desk came. */
export function Who({ stay, since }: { stay: Stay; since?: string | null | undefined }) {
  const numbers = stay.items.map((item) => item.number).filter(Boolean);
  // What there is to say, each piece on one line: with dots between them, lines began and ended with a dot.
  const said = [
    !numbers.length && t("desk.noRoomYet"),
    isHere(stay) && <b class="here">{since ? t("desk.hereSince", { time: dayTime(since) }) : t("desk.here")}</b>,
    stay.expectedArrivalAt && stay.status !== "checked_in" && !isHere(stay) && t("desk.expected", { time: dayTime(stay.expectedArrivalAt) }),
    tn("desk.nights", stay.stayWindow.nights),
    stay.overdue && t("desk.overdue"),
  ].filter(Boolean);
  return (
    <div class="guest-who">
      <b class="guest-number">
        <bdi>{numbers.length ? numbers.join(", ") : "–"}</bdi>
      </b>
      <bdi class="guest-name">{stay.primaryGuest?.name ?? stay.reservationCode}</bdi>
      <p class="small soft">
        {said.map((one, at) => (
          <span key={at}>{one} </span>
        ))}
      </p>
    </div>
  );
}
