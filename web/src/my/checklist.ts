// The list of a task, from the device first: it must be there without a net.
import { useEffect, useState } from "preact/hooks";
import { api, read } from "../api/client";
import type { Checklist } from "../api/types";
import { useStore } from "../app/store";
import { type Language } from "../i18n";
import { live } from "../live/state";
import { copies } from "../outbox/shelf";

const kept = new Map<string, Checklist>();

export async function fetchChecklist(id: string): Promise<Checklist | undefined> {
  const had = kept.get(id) ?? (await copies.get<Checklist>(`checklist ${id}`))?.value;
  if (had) {
    kept.set(id, had);
    // A published list never changes.
    return had;
  }
  const list = await read<Checklist>(api.GET("/housekeeping/v1/checklists/{id}", { params: { path: { id } } }));
  kept.set(id, list);
  await copies.put(`checklist ${id}`, list, Date.now()).catch(() => {});
  return list;
}

/** Where it did not come, it is asked for again when the net is back, or when somebody says so. */
export function useChecklist(id: string | undefined): { list: Checklist | undefined; failed: unknown; retry: () => void } {
  const [list, setList] = useState<Checklist | undefined>(id ? kept.get(id) : undefined);
  const [failed, setFailed] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const isLive = useStore(live) === "live";
  useEffect(() => {
    if (!id) return;
    let gone = false;
    fetchChecklist(id).then(
      (found) => !gone && setList(found),
      (error: unknown) => !gone && setFailed(error),
    );
    return () => {
      gone = true;
    };
  }, [id, tries, isLive]);
  // What is on the device already is there at once, also for a room that has just been begun.
  return { list: list?.id === id ? list : id ? kept.get(id) : undefined, failed, retry: () => setTries(tries + 1) };
}

/** The words in the reader's language, else in English, else any. */
export function labelOf(labels: Record<string, unknown>, language: Language): string {
  const tags = { en: ["en"], ps: ["ps-AF", "ps"], fa: ["fa-AF", "fa", "prs"] }[language];
  for (const tag of [...tags, "en"]) if (typeof labels[tag] === "string") return labels[tag] as string;
  return String(Object.values(labels)[0] ?? "");
}
