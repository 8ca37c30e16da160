// One kind of linen: of how many there are too few, and what went out, came back and was counted anew.
import { useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import { readJson } from "../api/client";
import { useQuery } from "../api/query";
import { language, t, word } from "../i18n";
import { dayTime } from "../i18n/dates";
import { digitsOf } from "../i18n/digits";
import { useNames } from "../live/people";
import { CountField } from "../ui/count-field";
import { Dialog } from "../ui/dialog";
import { Failed, Loading } from "../ui/states";

/** More of one kind no hotel has. */
export const MOST = 100_000;

interface Movement {
  id: string;
  direction: "issue" | "return" | "adjust";
  count: number;
  occurredAt: string;
  actor: { id: string };
}

/** With its sign: what went out is less. */
const signed = (one: Movement) => {
  const count = one.direction === "issue" ? -one.count : one.count;
  return `\u2066${count < 0 ? "−" : "+"}${digitsOf(Math.abs(count), language())}\u2069`;
};

export function LineDialog({ line, onClose, done }: { line: { lineId: string; line: string; lowWatermark: number }; onClose: () => void; done: () => void }) {
  const nameOf = useNames();
  const { busy, run } = useChange();
  const [mark, setMark] = useState(line.lowWatermark);
  const path = `/housekeeping/v1/linen/${line.lineId}`;
  const moved = useQuery({ queryKey: ["linen-movements", line.lineId], queryFn: () => readJson<{ items: Movement[] }>(`${path}/movements?limit=30`) });
  const save = async () => {
    if (await run(() => change("PATCH", path, { lowWatermark: mark }), t("my.noted"))) {
      done();
      onClose();
    }
  };
  return (
    <Dialog
      title={<bdi>{word("linenLine", line.line)}</bdi>}
      onClose={onClose}
      foot={
        <button class="button primary" data-testid="confirm" disabled={busy || Number.isNaN(mark) || mark === line.lowWatermark} onClick={() => void save()}>
          {t("action.save")}
        </button>
      }
    >
      <label class="field">
        <span>{t("linen.lowAt")}</span>
        <CountField testid="linen-low-at" value={mark} onCount={setMark} most={MOST} />
      </label>
      <h3>{t("linen.history")}</h3>
      {moved.isError && <Failed error={moved.error} retry={() => void moved.refetch()} />}
      {!moved.data && !moved.isError && <Loading />}
      <ul class="linen-moves">
        {moved.data?.items.map((one) => (
          <li key={one.id} data-testid="linen-movement" data-direction={one.direction} data-count={String(one.count)}>
            <b>{signed(one)}</b>
            <span class="grow">
              {t(`linen.${one.direction}`)} · <bdi>{nameOf(one.actor.id)}</bdi>
            </span>
            <span class="small soft">{dayTime(one.occurredAt)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
