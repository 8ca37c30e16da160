// Sends what lies on the shelf, in order within each lane, three lanes at once, under one lock for all tabs and the worker.
import { NO_ANSWER, type Problem } from "../api/problem";
import type { Entry } from "./entry";
import { behind } from "./photos";
import { AT_ONCE, DROPPED_KEPT_FOR, ON_THE_WAY_FOR, isTooOld, sendable, verdict } from "./rules";
import type { Shelf } from "./shelf";

export interface Answer {
  problem?: Problem;
  /** The resource, where the server gave it. */
  body?: unknown;
}

export interface World {
  shelf: Shelf;
  /** One request. Throws where no answer came. */
  send(entry: Entry): Promise<Answer>;
  /** The task as the server has it now: status and holder. Throws where no answer came. */
  look(entry: Entry): Promise<{ status?: string; holder?: string } | undefined>;
  /** Makes an entry fit for now: a punch that has become old goes another way. Nothing: as it is. */
  prepare?(entry: Entry): Entry | undefined;
  /** Runs alone among all tabs and the worker; does nothing where somebody else is at it. */
  alone(work: () => Promise<void>): Promise<void>;
  now(): number;
  random(): number;
  newKey(): string;
  /** Resolves once there is a new tap: it does not wait until those on their way have arrived. */
  tapped?(): Promise<void>;
  /** Told after the shelf has changed. */
  changed(): void;
  done(entry: Entry, body: unknown): void;
  refused(entry: Entry): void;
  signedOut(): void;
}

/** Sends until nothing can be sent now. */
export function pump(world: World): Promise<void> {
  return world.alone(() => sendAll(world));
}

async function sendAll(world: World): Promise<void> {
  const { shelf } = world;
  const inFlight = new Map<number, Promise<void>>();
  let stop = false;
  for (;;) {
    const who = await shelf.who();
    const entries = await shelf.all();
    await forget(world, entries);
    const ready = who && !stop ? sendable(entries, who, world.now(), new Set(inFlight.keys())) : [];
    for (const entry of ready.slice(0, AT_ONCE - inFlight.size)) {
      const sending = sendOne(world, entry, who?.staffId)
        .then((goesOn) => {
          if (!goesOn) stop = true;
        })
        .finally(() => inFlight.delete(entry.seq));
      inFlight.set(entry.seq, sending);
    }
    if (!inFlight.size) return;
    const isRoom = !stop && inFlight.size < AT_ONCE;
    // One request may hang for half a minute; a tap in another lane goes beside it.
    await Promise.race([...inFlight.values(), ...(isRoom && world.tapped ? [world.tapped()] : [])]);
  }
}

/** Whatever waits for a time need not: the net came back, or somebody asks. */
export async function hurry(shelf: Shelf, now: number): Promise<void> {
  for (const entry of await shelf.all()) {
    if (entry.state === "waiting" && entry.notBefore > now) await shelf.change(entry.seq, (one) => ({ ...one, notBefore: 0 }));
  }
}

/** Sends what it can, whatever it was waiting for. False where something of whoever is signed in is still to be sent. */
export async function sendNow(world: World): Promise<boolean> {
  await hurry(world.shelf, world.now());
  await pump(world);
  const who = await world.shelf.who();
  return !who || sendable(await world.shelf.all(), who, Infinity, new Set()).length === 0;
}

async function forget({ shelf, now }: World, entries: Entry[]): Promise<void> {
  for (const entry of entries) {
    if (entry.state === "dropped" && now() - (entry.droppedAt ?? 0) > DROPPED_KEPT_FOR) await shelf.remove(entry.seq);
  }
}

/** False where it makes no sense to go on with others now: nobody is signed in. */
async function sendOne(world: World, entry: Entry, staffId: string | undefined): Promise<boolean> {
  const prepared = world.prepare?.(entry);
  const fit = prepared ? await world.shelf.change(entry.seq, () => prepared) : entry;
  const good = fit && isTooOld(fit, world.now()) ? await renew(world, fit, staffId) : fit;
  if (!good) return true;
  const isOver = (now: Entry) => now.key !== good.key || now.state === "refused" || now.state === "dropped";
  const sent = await world.shelf.change(good.seq, (now) =>
    isOver(now) ? now : { ...now, state: "sending", firstTriedAt: now.firstTriedAt ?? world.now(), lastTriedAt: world.now() },
  );
  // Dropped, or decided upon in another tab, since the list was read.
  if (!sent || isOver(sent)) return true;
  // A machine may sleep for a night between two lines: what was young above is looked at once more.
  if (isTooOld(sent, world.now())) return postpone(world, sent, 0);
  world.changed();
  const answer = await world.send(sent).catch((): Answer => ({ problem: NO_ANSWER }));
  const meant = verdict(sent, answer.problem, world.random);
  if (meant.is === "done") return finish(world, sent, answer.body);
  if (meant.is === "look") {
    const found = await world.look(sent).catch(() => "unknown" as const);
    if (found === "unknown") return postpone(world, sent, 1_000);
    const mine = found?.status === sent.wants && (!found?.holder || found.holder === staffId);
    return mine ? finish(world, sent, undefined) : refuse(world, sent, answer.problem);
  }
  if (meant.is === "again") return postpone(world, sent, meant.after, answer.problem);
  if (meant.is === "signed-out") {
    await postpone(world, sent, 0, answer.problem);
    world.signedOut();
    return false;
  }
  return refuse(world, sent, answer.problem);
}

/** The key may be forgotten. Where the state tells whether it was done, it does; else a person decides. */
async function renew(world: World, entry: Entry, staffId: string | undefined): Promise<Entry | undefined> {
  if (!entry.readable || !entry.wants) {
    await refuse(world, entry, { ...NO_ANSWER, code: "KEY_TOO_OLD", fullCode: "KEY_TOO_OLD" });
    return undefined;
  }
  // Under a new key, an old request that is still on its way would be done a second time.
  const quietAt = (entry.lastTriedAt ?? 0) + ON_THE_WAY_FOR;
  if (quietAt > world.now()) {
    await postpone(world, entry, quietAt - world.now());
    return undefined;
  }
  const found = await world.look(entry).catch(() => "unknown" as const);
  if (found === "unknown") await postpone(world, entry, 1_000);
  else if (found?.status === entry.wants && (!found.holder || found.holder === staffId)) await finish(world, entry, undefined);
  else return world.shelf.change(entry.seq, (now) => ({ ...now, key: world.newKey(), firstTriedAt: world.now() }));
  return undefined;
}

async function finish(world: World, entry: Entry, body: unknown): Promise<boolean> {
  const mediaId = (body as { mediaId?: string } | undefined)?.mediaId;
  await world.shelf.remove(entry.seq, entry.photo && mediaId ? behind(entry.photo, mediaId) : undefined);
  world.done(entry, body);
  // The net is there again: whoever waits for a time need not.
  for (const other of await world.shelf.all()) {
    if (other.state === "waiting" && other.notBefore > world.now() && other.problem?.status === 0) {
      await world.shelf.change(other.seq, (now) => ({ ...now, notBefore: 0 }));
    }
  }
  world.changed();
  return true;
}

/** `problem`: what the server said, where it asked for patience; that is kept to, also when others get through. */
async function postpone(world: World, entry: Entry, after: number, problem: Problem = NO_ANSWER): Promise<boolean> {
  await world.shelf.change(entry.seq, (now) => ({
    ...now,
    state: "waiting",
    tries: now.tries + 1,
    notBefore: after ? world.now() + after : 0,
    problem,
  }));
  world.changed();
  return true;
}

async function refuse(world: World, entry: Entry, problem: Problem | undefined): Promise<boolean> {
  const refused = await world.shelf.change(entry.seq, (now) => ({ ...now, state: "refused", ...(problem ? { problem } : {}) }));
  world.changed();
  if (refused) world.refused(refused);
  return true;
}
