// Names for staff ids: whoever was seen on a board or a roster. Ids of unknown people show their end.
import { readJson } from "../api/client";
import { session } from "../app/session";
import { createStore, useStore } from "../app/store";
import { t } from "../i18n";

const names = createStore<Record<string, string>>({});
let askedFor = "";

export function learnNames(people: { staffId: string; displayName?: string | null; givenName?: string; familyName?: string }[]): void {
  const found: Record<string, string> = {};
  for (const { staffId, displayName, givenName, familyName } of people) {
    const name = displayName ?? [givenName, familyName].filter(Boolean).join(" ");
    if (name && names.get()[staffId] !== name) found[staffId] = name;
  }
  if (Object.keys(found).length) names.set((now) => ({ ...now, ...found }));
}

/** Where the board does not tell names, the staff context does, to those who may ask. */
export function askForNames(propertyId: string): void {
  if (askedFor === propertyId) return;
  askedFor = propertyId;
  type People = { items: { staffId: string; givenName: string; familyName: string }[] };
  void readJson<People>(`/staff/v1/staff?propertyId=${encodeURIComponent(propertyId)}&limit=500`).then(
    (page) => learnNames(page.items),
    () => undefined,
  );
}

export function nameOf(id: string | null | undefined): string {
  if (!id) return "";
  if (id.startsWith("sys")) return t("who.system");
  const who = session.get().who;
  if ((id === who?.userId || id === who?.staffId) && who.displayName) return who.displayName;
  return names.get()[id] ?? `…${id.slice(-4)}`;
}

/** Draws again when a name becomes known. */
export function useNames(): typeof nameOf {
  useStore(names);
  return nameOf;
}
