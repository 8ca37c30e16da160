// Who is signed in. The cookie is the server's and no script sees it; here is only what the server tells about it.
import { call } from "../api/client";
import { zone } from "../i18n/dates";
import { preferred, speak } from "../i18n";
import { isSamePerson, personOf, whoOf } from "../outbox/person";
import { copies, notes, rememberWho } from "../outbox/shelf";
import { withOutboxLock } from "../outbox/lock";
import { type Page, pages } from "./match";
import { createStore } from "./store";

export type Role = "housekeeper" | "supervisor" | "property_manager" | "front_desk" | "maintenance" | "admin" | "service" | "staff";

export interface Session {
  userId: string;
  tenantId?: string;
  staffId?: string;
  displayName?: string;
  roles: Role[];
  /** Ids, or `*` alone: then `houses` names them. */
  properties: string[];
  houses?: string[];
  /** What those are called that have a name. */
  houseNames?: Record<string, string>;
  propertyId: string;
  timezone: string;
  language: string;
  expiresAt: string;
}

/** Empty where nobody told it. */
export const houseName = (who: Session | undefined, id: string): string => who?.houseNames?.[id] ?? "";

/** `locked`: the page stays as it is, covered, until the same person signs in. */
export type Standing = "unknown" | "in" | "locked" | "out";
export const session = createStore<{ standing: Standing; who?: Session }>({ standing: "unknown" });
export const property = createStore("");

export const LAST = "melmastoon.session";
const HOTEL = "melmastoon.hotel";
const CODE = "melmastoon.staff-code";
export const OWED = "melmastoon.sign-out-owed";
/** Whose page was covered because nobody touched it: a start without a net does not lift the cover. */
export const COVERED = "melmastoon.covered";

/** The highest of one's roles says what one comes for. */
const RANK: Role[] = ["admin", "property_manager", "supervisor", "front_desk", "housekeeper", "maintenance", "staff"];
export const roleOf = (who: Session | undefined): Role | "" => RANK.find((role) => who?.roles.includes(role)) ?? "";

/** The page that one comes for, else the first that one may see. */
export function homeOf(who: Session | undefined): string {
  const role = roleOf(who);
  if (role === "housekeeper") return "/my";
  if (role === "front_desk") return "/desk";
  return pages.find((page) => page.nav && maySee(page, who))?.path ?? "/outbox";
}

export const maySee = (page: Page, who: Session | undefined): boolean => page.roles.some((role) => who?.roles.includes(role as Role));

export const can = (...roles: Role[]): boolean => session.get().who?.roles.some((role) => roles.includes(role)) ?? false;

/** Whom the server tells the board, and what changes on it. */
export const readsBoard = (): boolean => can("housekeeper", "supervisor", "property_manager", "front_desk");

export const device = {
  hotel: () => localStorage.getItem(HOTEL) ?? "",
  setHotel: (hotel: string) => localStorage.setItem(HOTEL, hotel),
  code: () => localStorage.getItem(CODE) ?? "",
  setCode: (code: string) => localStorage.setItem(CODE, code),
};

const propertyKey = (who: Session) => `melmastoon.property.${personOf(who)}`;

function propertyKept(who: Session): string {
  const kept = localStorage.getItem(propertyKey(who));
  const allowed = kept && (who.properties.includes("*") || who.properties.includes(kept));
  return (allowed ? kept : undefined) ?? who.propertyId ?? who.properties.find((one) => one !== "*") ?? "";
}

export function chooseProperty(id: string): void {
  const who = session.get().who;
  if (who) localStorage.setItem(propertyKey(who), id);
  property.set(id);
}

/** Who is here is decided by whoever asked last: an earlier answer that takes longer does not undo a later one. */
let turn = 0;

export async function enter(who: Session): Promise<void> {
  const mine = ++turn;
  const before = lastSession();
  if (before && !isSamePerson(before, who)) await copies.clear().catch(() => {});
  localStorage.setItem(LAST, JSON.stringify(who));
  // A browser that is killed forgets what it wrote to localStorage in the last seconds.
  void notes.put(LAST, who).catch(() => {});
  zone.set(who.timezone || "Asia/Kabul");
  property.set(propertyKept(who));
  await rememberWho(whoOf(who)).catch(() => {});
  await speak(preferred(who.language));
  if (mine === turn) session.set({ standing: "in", who });
}

/** Who was here last, for a start without a net. */
export function lastSession(): Session | undefined {
  try {
    return JSON.parse(localStorage.getItem(LAST) ?? "") as Session;
  } catch {
    return undefined;
  }
}

/** Somebody who was here before is not kept waiting longer than this for the server to say that they still are. */
const PATIENCE = 300;

/** At the start: asks the server; without an answer, or while it takes long, the last person goes on with what is on the device. */
export async function resume(): Promise<void> {
  if (localStorage.getItem(OWED)) await end();
  const last = lastSession() ?? (await notes.get<Session>(LAST).catch(() => undefined));
  // A device that was never signed in has nothing to ask on the page where one signs in.
  if (!last && location.pathname === "/login") return session.set({ standing: "out" });
  if (last && localStorage.getItem(COVERED) === personOf(last)) return leave({ standing: "locked", who: last });
  const settled = askWho(last);
  if (!last) return settled;
  const soon = await Promise.race([settled.then(() => true), new Promise<false>((resolve) => setTimeout(() => resolve(false), PATIENCE))]);
  if (!soon && session.get().standing === "unknown") await enter(last);
}

async function askWho(last: Session | undefined): Promise<void> {
  try {
    const response = await call("/web/session", { signal: AbortSignal.timeout(last ? 4_000 : 15_000) });
    if (response.ok) return await enter((await response.json()) as Session);
    if (response.status >= 500 && last) return await enter(last);
    // It ended while nobody looked: cover the page, keep path and entries.
    if (response.status === 401 && last) return leave({ standing: "locked", who: last });
  } catch {
    if (last) return await enter(last);
  }
  leave({ standing: "out" });
}

export function leave(to: { standing: Standing; who?: Session }): void {
  turn++;
  session.set(to);
}

/** The server no longer knows us: cover the page, keep everything. */
export function signedOutElsewhere(): void {
  const { who, standing } = session.get();
  if (standing !== "in") return;
  void rememberWho(undefined).catch(() => {});
  leave(who ? { standing: "locked", who } : { standing: "out" });
}

export async function end(): Promise<void> {
  // Without a net the cookie stays for now; the next start ends it before anything else. Nothing is sent meanwhile: it is not waited for long.
  localStorage.setItem(OWED, "yes");
  const response = await call("/web/session", { method: "DELETE", signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
  if (response?.ok || response?.status === 401) localStorage.removeItem(OWED);
}

/** Copies for reading go; what waits to be sent stays for the same person. */
export async function signOut(): Promise<void> {
  await withOutboxLock(end);
  await copies.clear().catch(() => {});
  localStorage.removeItem(COVERED);
  localStorage.removeItem(LAST);
  await notes.put(LAST, undefined).catch(() => {});
  leave({ standing: "out" });
}
