// Names for staff ids: whoever was seen on a board or a roster, and once somebody is unknown, whoever the staff context knows.
import { readJson } from "../api/client";
import { problemOf } from "../api/problem";
import { property, session } from "../app/session";
import { createStore, useStore } from "../app/store";
import { t } from "../i18n";
import { live } from "./state";

const names = createStore<Record<string, string>>({});

interface Person {
  staffId: string;
  userId?: string | null;
  displayName?: string | null;
  givenName?: string;
  familyName?: string;
}

export function learnNames(people: Person[]): void {
  const found: Record<string, string> = {};
  for (const { staffId, userId, displayName, givenName, familyName } of people) {
    const name = displayName ?? [givenName, familyName].filter(Boolean).join(" ");
    // What was done under a token's subject has that for its doer.
    for (const id of [staffId, userId]) if (id && name && names.get()[id] !== name) found[id] = name;
  }
  if (Object.keys(found).length) names.set((now) => ({ ...now, ...found }));
}

/** Each unknown id is asked for once and answered once, and all that a page shows together. */
const missed = new Set<string>();
/** Asked for, and answered in whatever way. */
const asked = new Set<string>();
let soon: ReturnType<typeof setTimeout> | undefined;

/** No answer, or an unwell server: whoever is still unknown when the net is back is asked for again. */
function askLater(ids: string[], error: unknown): void {
  const { status } = problemOf(error);
  if (status && status < 500) return;
  const stop = live.subscribe(() => {
    if (live.get() !== "live") return;
    stop();
    for (const id of ids) missed.delete(id);
    names.set((now) => ({ ...now }));
  });
}

function askFor(id: string): void {
  missed.add(id);
  clearTimeout(soon);
  const tell = () => {
    const ids = [...missed];
    const answer = readJson<{ items: Person[] }>(`/staff/v1/staff?propertyId=${property.get()}&limit=500`).then((page) => learnNames(page.items), (error) => askLater(ids, error));
    void answer.then(() => {
      for (const one of ids) asked.add(one);
      names.set((now) => ({ ...now }));
    });
  };
  soon = setTimeout(tell, 50);
}

export function nameOf(id: string | null | undefined): string {
  if (!id) return "";
  if (id.startsWith("sys")) return t("who.system");
  const who = session.get().who;
  if ((id === who?.userId || id === who?.staffId) && who.displayName) return who.displayName;
  const name = names.get()[id];
  if (!name && !missed.has(id)) askFor(id);
  return name ?? t("who.somebody");
}

/** Draws again when a name becomes known. */
export function useNames(): typeof nameOf {
  useStore(names);
  return nameOf;
}

/** Whether all of them have their names, or nobody knows them: a name that comes later may be longer than the word that stood there, and push what is below. */
export function areNamed(ids: string[]): boolean {
  for (const id of ids) nameOf(id);
  return ids.every((id) => !missed.has(id) || asked.has(id) || id in names.get());
}
