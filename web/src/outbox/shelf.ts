// Where entries lie: IndexedDB, shared by all tabs and the service worker. Written through to the disk before it says so.
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Entry, Who } from "./entry";

/** What the sender needs of a store; the model test has one in memory. */
export interface Shelf {
  add(entry: Omit<Entry, "seq">): Promise<Entry>;
  /** In the order of taps. */
  all(): Promise<Entry[]>;
  /** Changes an entry that is still there; nothing where it is gone. */
  change(seq: number, change: (entry: Entry) => Entry): Promise<Entry | undefined>;
  remove(seq: number): Promise<void>;
  /** Who is signed in on this device, for the worker and the other tabs. */
  who(): Promise<Who | undefined>;
}

interface Schema extends DBSchema {
  outbox: { key: number; value: Entry };
  copies: { key: string; value: { name: string; value: unknown; at: number } };
  meta: { key: string; value: unknown };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

export function database(name = "melmastoon"): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>(name, 1, {
    upgrade(db) {
      db.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
      db.createObjectStore("copies", { keyPath: "name" });
      db.createObjectStore("meta");
    },
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
    terminated: () => (opened = undefined),
  });
  opened.catch(() => (opened = undefined));
  return opened;
}

const STRICT = { durability: "strict" } as const;

export const deviceShelf: Shelf = {
  async add(entry) {
    const db = await database();
    const tx = db.transaction("outbox", "readwrite", STRICT);
    const seq = await tx.store.add(entry as Entry);
    await tx.done;
    return { ...entry, seq };
  },
  async all() {
    return (await database()).getAll("outbox");
  },
  async change(seq, change) {
    const tx = (await database()).transaction("outbox", "readwrite", STRICT);
    const entry = await tx.store.get(seq);
    const changed = entry && change(entry);
    if (changed) await tx.store.put(changed);
    await tx.done;
    return changed;
  },
  async remove(seq) {
    const tx = (await database()).transaction("outbox", "readwrite", STRICT);
    await tx.store.delete(seq);
    await tx.done;
  },
  async who() {
    return (await (await database()).get("meta", "who")) as Who | undefined;
  },
};

export async function rememberWho(who: Who | undefined): Promise<void> {
  const db = await database();
  if (who) await db.put("meta", who, "who");
  else await db.delete("meta", "who");
}

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
