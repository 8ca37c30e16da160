// Where the desk and the house disagree: what each says, who saw it, and what it was, in one click.
import { useState } from "preact/hooks";
import type { BoardRoom } from "../api/types";
import { t, word } from "../i18n";
import { dayTime } from "../i18n/dates";
import { useNames } from "../live/people";
import { entries } from "../outbox";
import { keep } from "../outbox/keep";
import { useStore } from "../app/store";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { Failed } from "../ui/states";
import { type Discrepancy, RESOLUTIONS, kindOf } from "./data";

export function Discrepancies({ items, error, rooms, again }: { items: Discrepancy[]; error: unknown; rooms: Map<string, BoardRoom>; again: () => void }) {
  const [chosen, setChosen] = useState<Discrepancy>();
  const waiting = useStore(entries, (all) => all.filter((one) => one.verb === "resolve" && one.state !== "refused" && one.state !== "dropped").map((one) => one.lane).join(" "));
  const name = useNames();
  const open = items.filter((one) => !waiting.split(" ").includes(one.id));
  if (error && !items.length) return <Failed error={error} retry={again} />;
  if (!open.length) return null;
  return (
    <section class="stack" aria-labelledby="desk-differences">
      <h2 id="desk-differences">{t("desk.differences")}</h2>
      <ul class="differences">
        {open.map((one) => {
          const number = rooms.get(one.roomId)?.number ?? "";
          return (
            <li class="notice warn" key={one.id} data-testid="discrepancy" data-id={one.id} data-kind={kindOf(one)}>
              <Picture name="alert" />
              <div class="grow">
                <b>
                  <bdi>{number}</bdi>
                </b>{" "}
                {t("desk.deskSays", { what: word("occupancy", one.recorded) })} · {t("desk.wasSeen", { what: word("occupancy", one.observed) })}
                <p class="small">
                  <bdi>{name(one.observedBy.id)}</bdi> · {dayTime(one.observedAt)}
                  {one.note && (
                    <>
                      {" · "}
                      <bdi>{one.note}</bdi>
                    </>
                  )}
                </p>
              </div>
              <button class="button" data-testid="resolve" onClick={() => setChosen(one)}>
                {t("desk.resolve")}
              </button>
            </li>
          );
        })}
      </ul>
      {chosen && (
        <Dialog title={t("desk.whatWasIt", { room: rooms.get(chosen.roomId)?.number ?? "" })} onClose={() => setChosen(undefined)}>
          <div class="stack">
            {RESOLUTIONS.map((resolution) => (
              <button
                key={resolution}
                class="button"
                data-testid="resolution"
                data-resolution={resolution}
                onClick={() => {
                  void keep({
                    lane: chosen.id,
                    method: "POST",
                    path: `/housekeeping/v1/discrepancies/${chosen.id}/resolve`,
                    verb: "resolve",
                    body: { resolution },
                    room: rooms.get(chosen.roomId)?.number ?? "",
                    ifMatch: `"${chosen.version}"`,
                  });
                  setChosen(undefined);
                }}
              >
                {word("resolution", resolution)}
              </button>
            ))}
          </div>
        </Dialog>
      )}
    </section>
  );
}
