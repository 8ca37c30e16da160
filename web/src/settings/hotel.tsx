// How the hotel works. Decided on the version that was read: two managers do not overwrite each other unseen.
import { useQuery } from "../api/query";
import { useEffect, useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import { PATIENCE, call } from "../api/client";
import { Refused, readProblem } from "../api/problem";
import { TASK_KINDS } from "../api/types";
import { useStore } from "../app/store";
import { LANGUAGES, t, word } from "../i18n";
import { live } from "../live/state";
import { CountField } from "../ui/count-field";
import { Failed, Loading } from "../ui/states";

interface Settings {
  inspectionRequired: boolean;
  routingGate: "supervisor_approval" | "auto_apply" | "manual_only";
  lostFoundRetentionDays: number;
  autoMidStay: boolean;
  timezone: string;
  locale: string;
  estimatedMinutes: Record<string, number>;
  linenLine?: string | null;
}
/** One of the languages of the app; another that the hotel has already stays. */
const LOCALES = ["en", "ps-AF", "fa-AF"];
const PATH = "/housekeeping/v1/settings";

async function load(): Promise<{ settings: Settings; etag: string }> {
  const response = await call(PATH, { signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw new Refused(await readProblem(response));
  return { settings: (await response.json()) as Settings, etag: response.headers.get("etag") ?? "" };
}

/** Asked for by whoever may see them. */
export const useHotelSettings = (enabled = true) => useQuery({ queryKey: ["hk-settings"], queryFn: load, enabled });

export function HotelSettings() {
  const { data, error, refetch } = useHotelSettings();
  // What is known already is drawn at once: what stands below is not pushed.
  const [draft, setDraft] = useState(data?.settings);
  const { busy, run } = useChange();
  const offline = useStore(live) === "offline";
  useEffect(() => setDraft(data?.settings), [data]);
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!draft || !data) return <Loading count={4} />;
  const set = (part: Partial<Settings>) => setDraft({ ...draft, ...part });
  const save = async () => {
    await run(() => change("PUT", PATH, draft, data.etag || undefined), t("settings.saved"));
    await refetch();
  };
  const minutes = (kind: string, count: number | undefined) => {
    const { [kind]: _, ...others } = draft.estimatedMinutes;
    set({ estimatedMinutes: count === undefined ? others : { ...others, [kind]: count } });
  };
  const wrong = [draft.lostFoundRetentionDays, ...Object.values(draft.estimatedMinutes)].some(Number.isNaN);
  return (
    <section class="card stack" aria-labelledby="hotel" data-testid="hotel-settings">
      <h2 id="hotel">{t("settings.hotel")}</h2>
      <div class="fields">
        <label class="check">
          <input type="checkbox" data-testid="inspection-required" checked={draft.inspectionRequired} onChange={(event) => set({ inspectionRequired: event.currentTarget.checked })} />
          <span>{t("settings.inspectionRequired")}</span>
        </label>
        <label class="check">
          <input type="checkbox" checked={draft.autoMidStay} onChange={(event) => set({ autoMidStay: event.currentTarget.checked })} />
          <span>{t("settings.autoMidStay")}</span>
        </label>
        <label class="field">
          <span>{t("settings.routingGate")}</span>
          <select class="input" value={draft.routingGate} onChange={(event) => set({ routingGate: event.currentTarget.value as Settings["routingGate"] })}>
            {(["supervisor_approval", "auto_apply", "manual_only"] as const).map((one) => (
              <option key={one} value={one}>
                {word("routingGate", one)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t("settings.lostDays")}</span>
          <CountField testid="lost-days" least={1} most={3650} value={draft.lostFoundRetentionDays} onCount={(days) => set({ lostFoundRetentionDays: days })} />
        </label>
        <label class="field">
          <span>{t("settings.timezone")}</span>
          <input class="input" dir="ltr" value={draft.timezone} onInput={(event) => set({ timezone: event.currentTarget.value })} />
        </label>
        <label class="field">
          <span>{t("settings.locale")}</span>
          <select class="input" data-testid="hotel-locale" value={draft.locale} onChange={(event) => set({ locale: event.currentTarget.value })}>
            {[...new Set([...LOCALES, draft.locale])].map((one) => (
              <option key={one} value={one}>
                {LANGUAGES.find(({ code }) => one.split("-")[0] === code)?.name ?? one}
              </option>
            ))}
          </select>
        </label>
      </div>
      <fieldset class="fields">
        <legend class="label">{t("settings.minutes")}</legend>
        {TASK_KINDS.map((kind) => (
          <label class="field" key={kind}>
            <span>{word("kind", kind)}</span>
            <CountField optional least={1} most={1440} placeholder={t("settings.asUsual")} value={draft.estimatedMinutes[kind]} onCount={(count) => minutes(kind, count)} />
          </label>
        ))}
      </fieldset>
      <div class="row">
        <button class="button primary" data-testid="settings-save" disabled={busy || offline || wrong} onClick={() => void save()}>
          {t("action.save")}
        </button>
      </div>
    </section>
  );
}
