// A guest in a line: rooms, name, when and how long.
import { t, tn } from "../i18n";
import { clockTime } from "../i18n/dates";
import type { Stay } from "./data";

export function Who({ stay }: { stay: Stay }) {
  const numbers = stay.items.map((item) => item.number).filter(Boolean);
  return (
    <div class="guest-who">
      <b class="guest-number">
        <bdi>{numbers.length ? numbers.join(", ") : "–"}</bdi>
      </b>
      <bdi class="guest-name">{stay.primaryGuest?.name ?? stay.reservationCode}</bdi>
      <p class="small soft">
        {!numbers.length && <>{t("desk.noRoomYet")} · </>}
        {stay.expectedArrivalAt && stay.status !== "checked_in" && <>{t("desk.expected", { time: clockTime(stay.expectedArrivalAt) })} · </>}
        {tn("desk.nights", stay.stayWindow.nights)}
        {stay.overdue && <> · {t("desk.overdue")}</>}
      </p>
    </div>
  );
}
