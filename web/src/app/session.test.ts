import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { copies, deviceShelf } from "../outbox/shelf";
import { lock } from "./idle-lock";
import { pages } from "./match";
import { COVERED, OWED, type Role, type Session, homeOf, maySee, resume, session, signOut, signedOutElsewhere } from "./session";
import { signIn } from "./sign-in";

const person = (roles: Role[], more: Partial<Session> = {}): Session => ({
  userId: "usr_local",
  tenantId: "tnt_a",
  staffId: "stf_anna",
  roles,
  properties: ["prp_1"],
  propertyId: "prp_1",
  timezone: "Asia/Kabul",
  language: "en",
  expiresAt: "2026-04-22T18:30:00Z",
  ...more,
});

/** The server's door: who holds the cookie, and whether there is a net. */
const door = { cookie: undefined as Session | undefined, next: person(["supervisor"]), net: true };
beforeEach(() => {
  localStorage.clear();
  door.cookie = undefined;
  door.next = person(["supervisor"]);
  door.net = true;
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit = {}) => {
    if (!door.net) throw new TypeError("no net");
    if (init.method === "DELETE") door.cookie = undefined;
    if (init.method === "POST") door.cookie = door.next;
    if (init.method === "DELETE") return new Response(null, { status: 204 });
    return door.cookie ? new Response(JSON.stringify(door.cookie), { status: 200 }) : new Response("{}", { status: 401 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** From now on nobody answers; whoever has set a limit reaches it at once. Gives the limits. */
function silence(): number[] {
  const limits: number[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((limit) => {
    limits.push(limit);
    const ends = new AbortController();
    setTimeout(() => ends.abort(), 1);
    return ends.signal;
  });
  vi.stubGlobal("fetch", (_path: string, { signal }: RequestInit = {}) => new Promise((_answer, reject) => signal?.addEventListener("abort", () => reject(new DOMException("it took too long", "TimeoutError")))));
  return limits;
}

const paths = (roles: Role[]) => pages.filter((page) => page.nav && maySee(page, person(roles))).map((page) => page.path);

describe("where one begins", () => {
  it("is what one comes for, else the first page that one may see", () => {
    const home = (...roles: Role[]) => homeOf(person(roles));
    expect(home("housekeeper", "staff")).toBe("/my");
    expect(home("front_desk", "staff")).toBe("/desk");
    expect(home("supervisor", "staff")).toBe("/board");
    expect(home("property_manager", "staff")).toBe("/board");
    expect(home("maintenance", "staff")).toBe("/my");
    expect(home("staff")).toBe("/my");
    expect(home("admin")).toBe("/desk/chart");
  });

  it("is never a page that refuses one, and nobody stands before a door without a way", () => {
    for (const role of ["housekeeper", "supervisor", "front_desk", "property_manager", "maintenance", "admin", "staff"] as Role[]) {
      expect(paths([role]), role).toContain(homeOf(person([role])));
      expect(paths([role]), role).toEqual(expect.arrayContaining(["/outbox", "/settings"]));
    }
  });

  it("leads an admin to no page that is made of the board", () => {
    expect(paths(["admin"])).toEqual(["/desk/chart", "/roster", "/outbox", "/settings"]);
  });
});

describe("signing in", () => {
  it("after a sign-out without a net, the next start does not end the new person's session", async () => {
    await signIn({ token: "a" });
    door.net = false;
    await signOut();
    door.net = true;
    door.next = person(["housekeeper"], { staffId: "stf_bibi" });
    expect(await signIn({ token: "b" })).toBeUndefined();
    await resume();
    expect(door.cookie?.staffId).toBe("stf_bibi");
    expect(session.get()).toMatchObject({ standing: "in", who: { staffId: "stf_bibi" } });
  });

  it("ends a session that was left without a net before anything else", async () => {
    door.next = person(["supervisor"]);
    await signIn({ token: "a" });
    door.net = false;
    await signOut();
    door.net = true;
    await resume();
    expect(door.cookie).toBeUndefined();
    expect(session.get().standing).toBe("out");
  });

  it("takes the copies away from whoever comes next under the same subject, and from nobody who comes back", async () => {
    door.next = person(["supervisor"]);
    await signIn({ token: "a" });
    await copies.put("board", { rooms: [] }, 1);
    door.next = person(["supervisor"], { userId: "stf_anna" });
    await signIn({ token: "by PIN this time" });
    expect(await copies.get("board")).toBeDefined();
    expect(await deviceShelf.who()).toMatchObject({ tenant: "tnt_a", staff: "stf_anna" });
    door.next = person(["supervisor"], { staffId: "stf_bibi" });
    await signIn({ token: "b" });
    expect(await copies.get("board")).toBeUndefined();
    expect(await deviceShelf.who()).toMatchObject({ tenant: "tnt_a", staff: "stf_bibi" });
  });
});

describe("on a line that gives no answer", () => {
  it("signing in ends, and says that none came", async () => {
    const limits = silence();
    expect(await signIn({ token: "a" })).toMatchObject({ code: "NO_ANSWER" });
    expect(limits).toEqual([30_000]);
  });

  it("signing out ends soon, and the cookie is owed", async () => {
    await signIn({ token: "a" });
    const limits = silence();
    await signOut();
    expect(session.get().standing).toBe("out");
    expect(localStorage.getItem(OWED)).toBe("yes");
    await resume();
    expect(session.get().standing).toBe("out");
    expect(limits.slice(0, 2)).toEqual([4_000, 4_000]);
  });
});

describe("a page that was covered because nobody touched it", () => {
  it("is covered after a start without a net too, until somebody signs in", async () => {
    await signIn({ token: "a" });
    await lock();
    door.net = false;
    await resume();
    expect(session.get()).toMatchObject({ standing: "locked", who: { staffId: "stf_anna" } });
    door.net = true;
    await signIn({ token: "a" });
    door.net = false;
    await resume();
    expect(session.get().standing).toBe("in");
  });

  it("is not covered for whoever comes after a sign-out, nor where a session ended by itself", async () => {
    await signIn({ token: "a" });
    await lock();
    await signOut();
    expect(localStorage.getItem(COVERED)).toBeNull();
    await signIn({ token: "a" });
    signedOutElsewhere();
    expect(session.get().standing).toBe("locked");
    expect(localStorage.getItem(COVERED)).toBeNull();
  });
});
