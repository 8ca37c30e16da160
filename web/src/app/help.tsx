// The legend of all shapes, and the few rules of the board.
import { PRIORITIES, ROOM_STATUSES } from "../api/types";
import { t, word } from "../i18n";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { Status } from "../ui/status";
import "../ui/pictures-office";

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t("frame.help")} onClose={onClose} testid="help-dialog">
      <section class="stack">
        <h3>{t("help.statuses")}</h3>
        <ul class="choices">
          {ROOM_STATUSES.map((status) => (
            <li key={status}>
              <Status status={status} />
            </li>
          ))}
        </ul>
      </section>
      <section class="stack">
        <h3>{t("help.signs")}</h3>
        <ul class="stack">
          <li class="row"><Picture name="chevrons" /> {word("priority", PRIORITIES[0] ?? "urgent")}: {t("help.urgent")}</li>
          <li class="row"><Picture name="occupied" /> {word("occupancy", "occupied")}</li>
          <li class="row"><Picture name="arrival" /> {t("help.arrival")}</li>
          <li class="row"><Picture name="tick" /> {t("help.eta")}</li>
          <li class="row"><Picture name="clock" /> {t("help.pending")}</li>
          <li class="row"><Picture name="offline" /> {t("help.offline")}</li>
        </ul>
      </section>
      <section class="stack">
        <h3>{t("help.keys")}</h3>
        <p>{t("help.keysText")}</p>
      </section>
    </Dialog>
  );
}
