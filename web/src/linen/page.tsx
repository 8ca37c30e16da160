// Linen: how much there is, what runs low first, and what goes out and comes back.
import { replaceRow, useQuery } from "../api/query";
import { useEffect, useMemo, useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import { readJson } from "../api/client";
import { useReady } from "../app/ready";
import { can, property } from "../app/session";
import { useStore } from "../app/store";
import { t, useLanguage, word } from "../i18n";
import { digitsOf } from "../i18n/digits";
import { language } from "../i18n";
import { type Entry, entries, onOutcome } from "../outbox";
import { keep } from "../outbox/keep";
import { CountField } from "../ui/count-field";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import { LineDialog, MOST } from "./line";
import "../ui/pictures-office";
import "./linen.css";

interface Line {
  lineId: string;
  line: string;
  onHand: number;
  lowWatermark: number;
  version: number;
  updatedAt: string;
}
type Verb = "issue" | "return" | "adjust";

/** What goes out and comes back is told by those who carry it; a correction is the supervisor's. */
const verbsOf = (): Verb[] => (can("supervisor") ? ["issue", "return", "adjust"] : can("housekeeper") ? ["issue", "return"] : []);

/** What waits is counted already: issued goes off, returned comes on, corrections as they say. */
function waitingFor(line: Line, all: Entry[]): number {
  return all
    .filter((one) => one.lane === line.lineId && (one.state === "waiting" || one.state === "sending") && one.body)
    .reduce((sum, one) => {
      const count = Number((JSON.parse(one.body) as { count?: number }).count ?? 0);
      return sum + (one.verb === "linen_issue" ? -count : count);
    }, 0);
}

export default function LinenPage() {
  useLanguage();
  const house = useStore(property);
  const waiting = useStore(entries);
  const key = ["linen", house];
  const { data, error, refetch, isLoading, dataUpdatedAt } = useQuery({
    queryKey: key,
    enabled: Boolean(house),
    queryFn: () => readJson<{ items: Line[] }>(`/housekeeping/v1/linen?propertyId=${encodeURIComponent(house)}&limit=500`),
  });
  const opens = can("supervisor", "property_manager");
  const [moving, setMoving] = useState<{ line: Line; verb: Verb }>();
  const [adding, setAdding] = useState(false);
  const [opened, setOpened] = useState<Line>();
  useEffect(() => onOutcome((heard) => void (heard.entry.verb.startsWith("linen_") && replaceRow<Line>(key, "lineId", heard.is === "done" && heard.body))), [house]);
  useReady(!isLoading && Boolean(data ?? error));
  const lines = useMemo(() => {
    const counted = (data?.items ?? []).map((line) => {
      const change = waitingFor(line, waiting);
      return { ...line, shown: line.onHand + change, pending: change !== 0 };
    });
    const low = (line: (typeof counted)[number]) => line.shown < line.lowWatermark;
    return counted.sort((a, b) => Number(low(b)) - Number(low(a)) || word("linenLine", a.line).localeCompare(word("linenLine", b.line), "en"));
  }, [data, waiting]);

  return (
    <div class="page linen">
      <header class="page-head">
        <h1>{t("nav.linen")}</h1>
        {opens && (
          <button class="button" data-testid="linen-new" onClick={() => setAdding(true)}>
            <Picture name="plus" />
            {t("linen.new")}
          </button>
        )}
      </header>
      <OfflineNote at={dataUpdatedAt} />
      {!data && error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && !lines.length && (
        <Empty title={t("linen.empty")} picture="linen">
          {opens ? (
            <button class="button primary" data-testid="linen-first" onClick={() => setAdding(true)}>
              <Picture name="plus" />
              {t("linen.new")}
            </button>
          ) : (
            <p>{t("linen.emptyNext")}</p>
          )}
        </Empty>
      )}
      <ul class="linen-lines">
        {lines.map((line) => (
          <li
            key={line.lineId}
            class={line.pending ? "card linen-line pending" : "card linen-line"}
            data-testid="linen-line"
            data-line={line.line}
            data-on-hand={String(line.shown)}
            data-low={String(line.shown < line.lowWatermark)}
          >
            <div class="grow">
              <h2>
                <bdi>{word("linenLine", line.line)}</bdi>
              </h2>
              <p class="small soft">
                {line.shown < line.lowWatermark ? (
                  <span class="low">
                    <Picture name="alert" /> {t("linen.low", { count: line.lowWatermark })}
                  </span>
                ) : (
                  t("linen.watermark", { count: line.lowWatermark })
                )}
              </p>
            </div>
            <b class="linen-count">{digitsOf(line.shown, language())}</b>
            <Level onHand={line.shown} low={line.lowWatermark} />
            <div class="row">
              {opens && (
                <button class="button icon" data-testid="linen-more" aria-label={t("linen.history")} title={t("linen.history")} onClick={() => setOpened(line)}>
                  <Picture name="clock" />
                </button>
              )}
              {verbsOf().map((verb) => (
                <button key={verb} class="button" data-testid={`linen-${verb}`} onClick={() => setMoving({ line, verb })}>
                  {t(`linen.${verb}`)}
                </button>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {moving && <Move {...moving} onClose={() => setMoving(undefined)} />}
      {opened && <LineDialog line={opened} onClose={() => setOpened(undefined)} done={() => void refetch()} />}
      {adding && <NewLine house={house} onClose={() => setAdding(false)} done={() => void refetch()} />}
    </div>
  );
}

/** As much as there is beside where it becomes too little; the figures stand above. */
function Level({ onHand, low }: { onHand: number; low: number }) {
  const all = Math.max(onHand, low * 2, 1);
  const share = (count: number) => `${(Math.max(0, count) / all) * 100}%`;
  return (
    <div class="level" aria-hidden="true">
      <i style={{ inlineSize: share(onHand) }} />
      {low > 0 && <b style={{ insetInlineStart: share(low) }} />}
    </div>
  );
}

function Move({ line, verb, onClose }: { line: Line; verb: Verb; onClose: () => void }) {
  const least = verb === "adjust" ? -10_000 : 1;
  const [count, setCount] = useState(verb === "adjust" ? 0 : 1);
  const step = (by: number) => setCount(Math.min(10_000, Math.max(least, (count || 0) + by)));
  const send = () => {
    void keep({ lane: line.lineId, method: "POST", path: `/housekeeping/v1/linen/${line.lineId}/${verb}`, verb: `linen_${verb}`, body: { count }, room: "" });
    onClose();
  };
  return (
    <Dialog
      title={
        <>
          {t(`linen.${verb}`)}: <bdi>{word("linenLine", line.line)}</bdi>
        </>
      }
      onClose={onClose}
      foot={
        <>
          <button class="button" onClick={onClose}>
            {t("action.cancel")}
          </button>
          <button class="button primary" data-testid="confirm" disabled={!count} onClick={send}>
            {t("action.confirm")}
          </button>
        </>
      }
    >
      {verb === "adjust" && <p class="soft">{t("linen.adjustHint")}</p>}
      <div class="stepper">
        <button class="button" aria-label={t("linen.less")} onClick={() => step(-1)}>
          <Picture name="minus" />
        </button>
        <label class="grow">
          <span class="sr">{t("linen.amount")}</span>
          <CountField testid="amount" value={count} onCount={setCount} least={least} most={10_000} />
        </label>
        <button class="button" aria-label={t("linen.more")} onClick={() => step(1)}>
          <Picture name="plus" />
        </button>
      </div>
    </Dialog>
  );
}

function NewLine({ house, onClose, done }: { house: string; onClose: () => void; done: () => void }) {
  const { busy, run } = useChange();
  const [line, setLine] = useState("");
  const [onHand, setOnHand] = useState(0);
  const [lowWatermark, setLow] = useState(0);
  const send = async () => {
    const body = { propertyId: house, line: line.trim(), onHand, lowWatermark };
    if (await run(() => change("POST", "/housekeeping/v1/linen", body), t("linen.opened"))) {
      done();
      onClose();
    }
  };
  return (
    <Dialog
      title={t("linen.new")}
      onClose={onClose}
      foot={
        <button class="button primary" data-testid="confirm" disabled={busy || !line.trim() || Number.isNaN(onHand + lowWatermark)} onClick={() => void send()}>
          {t("action.save")}
        </button>
      }
    >
      <label class="field">
        <span>{t("linen.name")}</span>
        <input class="input" data-testid="linen-name" value={line} onInput={(event) => setLine(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>{t("linen.onHand")}</span>
        <CountField testid="linen-on-hand" value={onHand} onCount={setOnHand} most={MOST} />
      </label>
      <label class="field">
        <span>{t("linen.lowAt")}</span>
        <CountField value={lowWatermark} onCount={setLow} most={MOST} />
      </label>
    </Dialog>
  );
}
