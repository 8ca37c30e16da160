// Where entries lie: IndexedDB, shared by all tabs and the service worker. Written through to the disk before it says so.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Entry, Who } from "./entry";

/** What the sender needs of a store; the model test has one in memory. */
export interface Shelf {
  add(entry: Omit<Entry, "seq">): Promise<Entry>;
  /** The photo that an entry carries, as it was taken. */
  photo(id: string): Promise<ArrayBuffer | undefined>;
  /** In the order of taps. */
  all(): Promise<Entry[]>;
  /**
   * Changes an entry that is still there; nothing where it is gone. `behind` changes, in the same moment, what stands behind it in its
   * lane: a killed tab does both or neither.
   */
  change(seq: number, change: (entry: Entry) => Entry, behind?: (entry: Entry) => Entry): Promise<Entry | undefined>;
  remove(seq: number, behind?: (entry: Entry) => Entry): Promise<void>;
  /** Who is signed in on this device, for the worker and the other tabs. */
  who(): Promise<Who | undefined>;
}

interface Schema extends DBSchema {
  outbox: { key: number; value: Entry };
  copies: { key: string; value: { name: string; value: unknown; at: number } };
  meta: { key: string; value: unknown };
  /** Bytes of photos, by the name that their entry has for them: apart, since the list of entries is read often. */
  photos: { key: string; value: ArrayBuffer };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

export function database(name = "melmastoon"): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>(name, 2, {
    upgrade(db, from) {
      if (from < 1) {
        db.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
        db.createObjectStore("copies", { keyPath: "name" });
        db.createObjectStore("meta");
      }
      if (from < 2) db.createObjectStore("photos");
    },
    // A newer build, or somebody who clears the device: what is closed here is opened again by the next tap.
    blocking(_from, _to, event) {
      (event.target as IDBDatabase).close();
      opened = undefined;
    },
    terminated: () => (opened = undefined),
  });
  opened.catch(() => (opened = undefined));
  return opened;
}

const STRICT = { durability: "strict" } as const;

/** Everything of one tap in one transaction: the photos first, then what speaks of them. */
export async function addAll(entries: Omit<Entry, "seq">[], photos: Map<string, ArrayBuffer> = new Map()): Promise<Entry[]> {
  const tx = (await database()).transaction(["outbox", "photos"], "readwrite", STRICT);
  for (const [id, bytes] of photos) await tx.objectStore("photos").put(bytes, id);
  const kept: Entry[] = [];
  for (const entry of entries) kept.push({ ...entry, seq: await tx.objectStore("outbox").add(entry as Entry) });
  await tx.done;
  return kept;
}

interface Rows {
  getAll(range: IDBKeyRange): Promise<Entry[]>;
  put(entry: Entry): Promise<unknown>;
}
async function changeBehind(rows: Rows, entry: Entry, change: (entry: Entry) => Entry): Promise<void> {
  for (const other of await rows.getAll(IDBKeyRange.lowerBound(entry.seq, true))) {
    if (other.lane === entry.lane && other.staff === entry.staff) await rows.put(change(other));
  }
}

/** What the device cannot keep lives as long as the tab, in the order of taps, under numbers below zero. */
const unkept = new Map<number, Entry>();

let lastHeld = -1e9;

export function holdUnkept(entry: Omit<Entry, "seq">): Entry {
  const held = { ...entry, seq: lastHeld++ };
  unkept.set(held.seq, held);
  return held;
}

export const deviceShelf: Shelf = {
  async add(entry) {
    return (await addAll([entry]))[0] as Entry;
  },
  async all() {
    const kept = await database().then((db) => db.getAll("outbox")).catch((error: unknown) => {
      if (!unkept.size) throw error;
      return [];
    });
    return [...kept, ...unkept.values()];
  },
  async photo(id) {
    return (await database()).get("photos", id);
  },
  async change(seq, change, behind) {
    const held = unkept.get(seq);
    if (held) {
      const next = change(held);
      unkept.set(seq, next);
      return next;
    }
    const tx = (await database()).transaction("outbox", "readwrite", STRICT);
    const entry = await tx.store.get(seq);
    const changed = entry && change(entry);
    if (changed) await tx.store.put(changed);
    if (entry && behind) await changeBehind(tx.store, entry, behind);
    await tx.done;
    return changed;
  },
  async remove(seq, behind) {
    if (unkept.delete(seq)) return;
    const tx = (await database()).transaction(["outbox", "photos"], "readwrite", STRICT);
    const outbox = tx.objectStore("outbox");
    const entry = await outbox.get(seq);
    if (entry && behind) await changeBehind(outbox, entry, behind);
    if (entry?.photo) await tx.objectStore("photos").delete(entry.photo);
    await outbox.delete(seq);
    await tx.done;
  },
  async who() {
    const asked = database().then((db) => db.get("meta", "who"));
    return (await (unkept.size ? asked.catch(() => here) : asked)) as Who | undefined;
  },
};

/** Who is signed in as far as this tab knows, for where nothing can be read. */
let here: Who | undefined;

export async function rememberWho(who: Who | undefined): Promise<void> {
  here = who;
  const db = await database();
  if (who) await db.put("meta", who, "who");
  else await db.delete("meta", "who");
}

/** Small things that must outlive a killed browser: who was here last, what is ticked and not finished. */
export const notes = {
  async get<T>(name: string): Promise<T | undefined> {
    return (await (await database()).get("meta", name)) as T | undefined;
  },
  /** Resolves once it is on the disk; nothing takes it away. */
  async put(name: string, value: unknown): Promise<void> {
    const tx = (await database()).transaction("meta", "readwrite", STRICT);
    if (value === undefined) await tx.store.delete(name);
    else await tx.store.put(value, name);
    await tx.done;
  },
};

/** Copies for reading: the last board, the last checklist. They go at log-out; the outbox does not. */
export const copies = {
  async get<T>(name: string): Promise<{ value: T; at: number } | undefined> {
    const found = await (await database()).get("copies", name).catch(() => undefined);
    return found && { value: found.value as T, at: found.at };
  },
  async put(name: string, value: unknown, at: number): Promise<void> {
    await (await database()).put("copies", { name, value, at });
  },
  async clear(): Promise<void> {
    await (await database()).clear("copies");
  },
};
