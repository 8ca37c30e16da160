// What a person decides about a tap that was refused or waits: once more, or not at all.
import type { Entry } from "./entry";
import { entries, pump, refresh, tellTabs } from "./index";
import { behind } from "./photos";
import { deviceShelf } from "./shelf";

/** Again, with a new key, in its old place; with another version where the person has seen the newer state. */
export async function again(seq: number, changes: Partial<Pick<Entry, "ifMatch" | "body">> & { dropIfMatch?: boolean } = {}): Promise<void> {
  const { dropIfMatch, ...rest } = changes;
  await deviceShelf.change(seq, (entry) => {
    const { firstTriedAt: _tried, problem: _problem, droppedAt: _dropped, ...kept } = entry;
    if (dropIfMatch) delete kept.ifMatch;
    return { ...kept, ...rest, key: crypto.randomUUID(), state: "waiting", tries: 0, notBefore: 0 };
  });
  await refresh();
  tellTabs(true);
  void pump();
}

/** Not sent any more; kept for seven days, in case. */
export async function drop(seq: number): Promise<void> {
  const photo = entries.get().find((one) => one.seq === seq)?.photo;
  // Nobody will name a photo that is given up: what speaks of it goes on without it.
  await deviceShelf.change(seq, (entry) => ({ ...entry, state: "dropped", droppedAt: Date.now() }), photo ? behind(photo, undefined) : undefined);
  await refresh();
  tellTabs(true);
  void pump();
}
