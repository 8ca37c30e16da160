// A thousand bad days: tabs die, answers get lost, sessions end, people change. Every tap took effect once or stands on /outbox.
import { describe, expect, it } from "vitest";
import { NO_ANSWER, type Problem } from "../api/problem";
import type { Entry, Who } from "./entry";
import { MEDIA } from "./paths";
import { referenceTo } from "./photos";
import { type Answer, type World, pump } from "./sender";
import type { Shelf } from "./shelf";

const RUNS = Number(process.env.RUNS ?? 1_000);
/** The same every time, so that a red run is red again; other days with SEED=… RUNS=…. */
const SEED = Number(process.env.SEED ?? 31_237);
const HOUR = 3_600_000;

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const never = new Promise<never>(() => {});
const moment = () => Promise.resolve();

/** A server as ours is: a key answers once, for a day; a task has a state; a session ends. */
class ModelServer {
  keys = new Map<string, { at: number; body: string; problem?: Problem }>();
  effects: { tap: number; lane: string; by: string; photo?: string }[] = [];
  /** By what they show: the same photo again is the one that is there. */
  photos = new Set<string>();
  states = new Map<string, string>();
  session: string | undefined = "anna";
  constructor(
    readonly clock: () => number,
    readonly poison: Set<number>,
  ) {}

  /** `as`: whose cookie the request carries; the browser put it there when it was sent. */
  take(entry: Entry, as: string | undefined): Answer {
    if (!as || !this.session) return { problem: problem(401, "UNAUTHENTICATED") };
    if (entry.path === MEDIA) {
      this.photos.add(`med ${entry.photo}`);
      return { body: { mediaId: `med ${entry.photo}` } };
    }
    for (const [key, kept] of this.keys) if (this.clock() - kept.at > 24 * HOUR) this.keys.delete(key);
    const known = this.keys.get(entry.key);
    if (known) {
      if (known.body !== entry.body) return { problem: problem(422, "IDEMPOTENCY_KEY_REUSED") };
      return known.problem ? { problem: known.problem } : {};
    }
    const { tap, photoMediaIds } = JSON.parse(entry.body) as { tap: number; photoMediaIds?: string[] };
    const refused = this.refusal(entry, tap);
    this.keys.set(entry.key, { at: this.clock(), body: entry.body, ...(refused ? { problem: refused } : {}) });
    if (refused) return { problem: refused };
    this.effects.push({ tap, lane: entry.lane, by: as, ...(photoMediaIds ? { photo: photoMediaIds.join() } : {}) });
    if (entry.wants) this.states.set(entry.lane, entry.wants);
    return {};
  }

  private refusal(entry: Entry, tap: number): Problem | undefined {
    if (this.poison.has(tap)) return problem(tap % 2 ? 422 : 412, "REFUSED");
    const state = this.states.get(entry.lane);
    if (entry.wants && state === entry.wants) return { ...problem(409, "TASK_ILLEGAL_TRANSITION"), currentStatus: state };
    return undefined;
  }
}

const problem = (status: number, code: string): Problem => ({ ...NO_ANSWER, status, code, fullCode: code });

class MemoryShelf implements Shelf {
  rows = new Map<number, Entry>();
  next = 1;
  signedIn: Who | undefined = { tenant: "tnt", staff: "anna", staffId: "anna" };
  async add(entry: Omit<Entry, "seq">) {
    const kept = { ...entry, seq: this.next++ };
    this.rows.set(kept.seq, kept);
    return kept;
  }
  async all() {
    return [...this.rows.values()].sort((a, b) => a.seq - b.seq).map((row) => ({ ...row }));
  }
  async change(seq: number, change: (entry: Entry) => Entry, behind?: (entry: Entry) => Entry) {
    const row = this.rows.get(seq);
    if (!row) return undefined;
    const changed = change({ ...row });
    this.rows.set(seq, changed);
    this.changeBehind(row, behind);
    return { ...changed };
  }
  async remove(seq: number, behind?: (entry: Entry) => Entry) {
    const row = this.rows.get(seq);
    if (row) this.changeBehind(row, behind);
    this.rows.delete(seq);
  }
  private changeBehind(row: Entry, change: ((entry: Entry) => Entry) | undefined) {
    for (const other of this.rows.values()) {
      if (change && other.seq > row.seq && other.lane === row.lane && other.staff === row.staff) this.rows.set(other.seq, change({ ...other }));
    }
  }
  async photo() {
    return undefined;
  }
  async who() {
    return this.signedIn;
  }
}

class Day {
  now = 1_000_000;
  online = true;
  locked = false;
  shelf = new MemoryShelf();
  server: ModelServer;
  taps = new Map<number, { lane: string; by: string; readable: boolean }>();
  nextTap = 1;
  nextKey = 1;
  /** Requests on their way, those of dead tabs too. */
  onTheWay = 0;
  tabs: Tab[] = [];
  /** Senders that wait for a new tap while others are on their way. */
  waiting = new Set<() => void>();
  constructor(readonly random: () => number) {
    const poison = new Set(Array.from({ length: 60 }, (_, tap) => tap).filter(() => random() < 0.06));
    this.server = new ModelServer(() => this.now, poison);
    this.tabs = [new Tab(this), new Tab(this)];
  }

  chance = (share: number) => this.random() < share;

  async tap(): Promise<void> {
    const by = this.shelf.signedIn?.staff;
    if (!by) return;
    const tap = this.nextTap++;
    const readable = this.chance(0.6);
    const lane = `${by} lane ${Math.floor(this.random() * 4)} ${readable ? "task" : "linen"}`;
    const photo = this.chance(0.25) ? `photo ${tap}` : undefined;
    const plain = { tenant: "tnt", staff: by, lane, method: "POST", at: new Date(this.now).toISOString(), state: "waiting" as const, tries: 0, notBefore: 0 };
    if (photo) await this.shelf.add({ ...plain, key: `key ${this.nextKey++}`, path: MEDIA, body: "", photo, verb: "photo", readable: false });
    await this.shelf.add({
      key: `key ${this.nextKey++}`,
      tenant: "tnt",
      staff: by,
      lane,
      method: "POST",
      path: "/",
      body: JSON.stringify({ tap, ...(photo ? { photoMediaIds: [referenceTo(photo)] } : {}) }),
      at: new Date(this.now).toISOString(),
      state: "waiting",
      verb: "start",
      ...(readable ? { wants: `after ${tap}` } : {}),
      readable,
      tries: 0,
      notBefore: 0,
    });
    this.taps.set(tap, { lane, by, readable });
    for (const go of this.waiting) go();
    this.waiting.clear();
  }

  /** As in the app: the cookie changes hands only while nobody sends. */
  signIn(name: string): void {
    if (this.locked) return;
    this.server.session = name;
    this.shelf.signedIn = { tenant: "tnt", staff: name, staffId: name };
  }
}

class Tab {
  alive = true;
  die!: () => void;
  readonly death = new Promise<void>((resolve) => (this.die = resolve));
  world: World;
  constructor(readonly day: Day) {
    const { shelf } = day;
    const guarded = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => async (...args: A): Promise<R> => {
      if (!this.alive) return never;
      const result = await work(...args);
      return this.alive ? result : never;
    };
    this.world = {
      shelf: {
        add: guarded((entry) => shelf.add(entry)),
        all: guarded(() => shelf.all()),
        change: guarded((seq, change, behind) => shelf.change(seq, change, behind)),
        remove: guarded((seq, behind) => shelf.remove(seq, behind)),
        photo: guarded(() => shelf.photo()),
        who: guarded(() => shelf.who()),
      },
      send: guarded((entry) => {
        day.onTheWay++;
        return this.send(entry).finally(() => day.onTheWay--);
      }),
      look: guarded(async (entry) => {
        if (!day.online || day.chance(0.2)) throw new Error("no answer");
        const status = day.server.states.get(entry.lane);
        return status ? { status, holder: entry.staff } : undefined;
      }),
      alone: async (work) => {
        if (day.locked || !this.alive) return;
        day.locked = true;
        // A browser gives the lock of a dead tab to the next one.
        await Promise.race([work(), this.death]);
        day.locked = false;
      },
      tapped: guarded(() => new Promise<void>((resolve) => day.waiting.add(resolve))),
      now: () => day.now,
      random: day.random,
      newKey: () => `key ${day.nextKey++}`,
      changed: () => {},
      done: () => {},
      refused: () => {},
      signedOut: () => {
        if (this.alive) shelf.signedIn = undefined;
      },
    };
  }

  kill(): void {
    this.alive = false;
    this.die();
  }

  async send(entry: Entry): Promise<Answer> {
    const { day } = this;
    const trouble = day.random();
    const cookie = day.server.session;
    for (let turns = Math.floor(day.random() * 6); turns > 0; turns--) await moment();
    if (!day.online || trouble < 0.12) throw new Error("did not arrive");
    if (trouble < 0.18) return { problem: problem(day.chance(0.5) ? 503 : 429, "BUSY") };
    if (trouble < 0.21) return { problem: { ...problem(409, "IDEMPOTENCY_KEY_IN_FLIGHT"), retryAfter: 1 } };
    const answer = day.server.take(entry, cookie);
    for (let turns = Math.floor(day.random() * 6); turns > 0; turns--) await moment();
    if (trouble < 0.33) throw new Error("the answer was lost");
    return answer;
  }
}

async function live(day: Day): Promise<void> {
  for (let step = 0; step < 70; step++) {
    day.now += Math.floor(day.random() * 5_000);
    const what = day.random();
    if (what < 0.35 && day.nextTap < 30) await day.tap();
    else if (what < 0.75) void pump(day.tabs[day.chance(0.5) ? 0 : 1]!.world);
    else if (what < 0.82) {
      const which = day.chance(0.5) ? 0 : 1;
      day.tabs[which]!.kill();
      day.tabs[which] = new Tab(day);
    } else if (what < 0.88) day.online = !day.online;
    else if (what < 0.92) day.server.session = undefined;
    else if (what < 0.97) day.signIn(day.chance(0.8) ? "anna" : "bibi");
    // A request gives up after 30 s: none is on its way while hours pass.
    else if (day.onTheWay === 0 && day.chance(0.2)) day.now += Math.floor(day.random() * 30 * HOUR);
    for (let turns = Math.floor(day.random() * 8); turns > 0; turns--) await moment();
  }
}

/** In the end all is well again, and both people sign in once more. */
async function settle(day: Day): Promise<void> {
  for (const tab of day.tabs) tab.kill();
  for (let turn = 0; turn < 50; turn++) await moment();
  day.locked = false;
  day.online = true;
  day.tabs = [new Tab(day)];
  const quiet = day.tabs[0]!;
  quiet.send = async (entry) => day.server.take(entry, day.server.session);
  quiet.world.look = async (entry) => {
    const status = day.server.states.get(entry.lane);
    return status ? { status, holder: entry.staff } : undefined;
  };
  quiet.world.send = (entry) => quiet.send(entry);
  for (const name of ["anna", "bibi"]) {
    day.signIn(name);
    for (let round = 0; round < 40; round++) {
      day.now += 61_000;
      await pump(quiet.world);
    }
  }
}

function judge(day: Day): string | undefined {
  const standing = new Map([...day.shelf.rows.values()].filter((row) => !row.photo).map((row) => [(JSON.parse(row.body) as { tap: number }).tap, row]));
  const nameless = day.server.effects.find((effect) => effect.photo !== undefined && !day.server.photos.has(effect.photo));
  if (nameless) return `tap ${nameless.tap} spoke of a photo that the server does not have: ${nameless.photo}`;
  for (const [tap, { by }] of day.taps) {
    const effects = day.server.effects.filter((effect) => effect.tap === tap);
    if (effects.length > 1) return `tap ${tap} took effect ${effects.length} times`;
    if (!effects.length && !standing.has(tap)) return `tap ${tap} is lost`;
    if (effects[0] && effects[0].by !== by) return `tap ${tap} of ${by} was sent as ${effects[0].by}`;
  }
  for (const lane of new Set(day.server.effects.map((effect) => effect.lane))) {
    const order = day.server.effects.filter((effect) => effect.lane === lane).map((effect) => effect.tap);
    if (order.some((tap, index) => index > 0 && tap < order[index - 1]!)) return `lane ${lane} is out of order: ${order.join(", ")}`;
  }
  for (const row of standing.values()) {
    const behind = [...standing.values()].some((other) => other.lane === row.lane && other.state === "refused" && other.seq <= row.seq);
    if (!behind) return `tap in ${row.lane} (${row.state}) stands there for no reason`;
  }
  return undefined;
}

describe("the outbox against a model server", () => {
  it(`takes every tap to the server once, or shows it, in order (seeds ${SEED} to ${SEED + RUNS - 1})`, async () => {
    console.log(`outbox model: seed ${SEED}, ${RUNS} runs`);
    let effects = 0;
    let photos = 0;
    let standing = 0;
    for (let run = 0; run < RUNS; run++) {
      const day = new Day(randomOf(SEED + run));
      await live(day);
      await settle(day);
      const wrong = judge(day);
      expect(wrong, `SEED=${SEED + run} RUNS=1: ${wrong}`).toBeUndefined();
      effects += day.server.effects.length;
      photos += day.server.photos.size;
      standing += day.shelf.rows.size;
    }
    console.log(`outbox model: ${effects} effects, ${photos} photos, ${standing} standing on /outbox`);
    expect(photos).toBeGreaterThan(RUNS / 2);
    expect(effects).toBeGreaterThan(RUNS * 4);
    expect(standing).toBeGreaterThan(0);
  });

  it("notices a sender that forgets its keys (the model can fail)", async () => {
    let caught = false;
    for (let run = 0; run < 60 && !caught; run++) {
      const day = new Day(randomOf(SEED + run));
      const broken = (tab: Tab) => {
        const { send } = tab.world;
        tab.world.send = (entry) => send({ ...entry, key: `other ${day.nextKey++}`, wants: undefined as never });
      };
      day.tabs.forEach(broken);
      await live(day);
      await settle(day);
      caught = judge(day) !== undefined;
    }
    expect(caught).toBe(true);
  });
});
