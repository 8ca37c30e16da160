// What is ticked in a room. A list never changes: a new version is put in force, and work that has begun keeps the old one.
import { useQuery } from "../api/query";
import { useEffect, useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import { readJson } from "../api/client";
import { TASK_KINDS, type Checklist, type TaskKind } from "../api/types";
import { useStore } from "../app/store";
import { LANGUAGES, known, t, word } from "../i18n";
import { live } from "../live/state";
import { Picture } from "../ui/pictures";
import { Failed, Loading } from "../ui/states";

type Item = Checklist["items"][number];

/** A key that nobody sees: from the English words, and never one that is there already. */
function newKey(taken: string[]): string {
  let number = taken.length + 1;
  while (taken.includes(`item_${number}`)) number += 1;
  return `item_${number}`;
}

export const useChecklists = (enabled = true) =>
  useQuery({ queryKey: ["checklists"], queryFn: () => readJson<{ items: Checklist[] }>("/housekeeping/v1/checklists"), enabled });

export function ChecklistSettings() {
  const { data, error, refetch } = useChecklists();
  const [kind, setKind] = useState<TaskKind>("turnover");
  const { busy, run } = useChange();
  const offline = useStore(live) === "offline";
  const list = data?.items.find((one) => one.kind === kind);
  const [items, setItems] = useState<Item[]>(list?.items ?? []);
  useEffect(() => setItems(list?.items ?? []), [list]);
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Loading count={4} />;
  const put = (at: number, item: Item) => setItems(items.map((one, index) => (index === at ? item : one)));
  const label = (item: Item, code: string) => Object.entries(item.labelI18n).find(([tag]) => known(tag) === code);
  const setLabel = (item: Item, code: string, text: string): Item => {
    const tag = label(item, code)?.[0] ?? (code === "en" ? "en" : `${code}-AF`);
    return { ...item, labelI18n: { ...item.labelI18n, [tag]: text } };
  };
  const complete = items.length > 0 && items.every((item) => label(item, "en")?.[1].trim());
  const publish = async () => {
    const cleaned = items.map((item) => ({ ...item, labelI18n: Object.fromEntries(Object.entries(item.labelI18n).filter(([, text]) => text.trim())) }));
    if (await run(() => change("POST", "/housekeeping/v1/checklists", { kind, items: cleaned }), t("settings.listPublished"))) await refetch();
  };
  return (
    <section class="card stack" aria-labelledby="lists" data-testid="checklist-settings">
      <div class="row">
        <h2 id="lists" class="grow">
          {t("settings.checklists")}
        </h2>
        <label>
          <span class="sr">{t("settings.listKind")}</span>
          <select class="input" value={kind} onChange={(event) => setKind(event.currentTarget.value as TaskKind)}>
            {TASK_KINDS.map((one) => (
              <option key={one} value={one}>
                {word("kind", one)}
              </option>
            ))}
          </select>
        </label>
        {list && <span class="chip">{t("settings.listVersion", { version: list.version })}</span>}
      </div>
      <ol class="stack">
        {items.map((item, at) => (
          <li key={item.key} class="list-item" data-testid="list-item" data-key={item.key}>
            {LANGUAGES.map(({ code, name }) => (
              <label class="field" key={code}>
                <span>{name}</span>
                <input class="input" lang={code} dir={code === "en" ? "ltr" : "rtl"} value={label(item, code)?.[1] ?? ""} onInput={(event) => put(at, setLabel(item, code, event.currentTarget.value))} />
              </label>
            ))}
            <label class="check">
              <input type="checkbox" checked={item.required} onChange={(event) => put(at, { ...item, required: event.currentTarget.checked })} />
              <span>{t("settings.listRequired")}</span>
            </label>
            <button class="icon-button" aria-label={t("settings.listRemove")} onClick={() => setItems(items.filter((_one, index) => index !== at))}>
              <Picture name="trash" />
            </button>
          </li>
        ))}
      </ol>
      <div class="row">
        <button class="button" data-testid="list-add" onClick={() => setItems([...items, { key: newKey(items.map((one) => one.key)), labelI18n: {}, required: true } as Item])}>
          <Picture name="plus" />
          {t("settings.listAdd")}
        </button>
        <button class="button primary" data-testid="list-publish" disabled={busy || offline || !complete} onClick={() => void publish()}>
          {t("settings.listPublish")}
        </button>
      </div>
    </section>
  );
}
