// What the desk asks: guests who come and go, rooms by when they are fit for a guest, and where desk and house disagree.
import type { BoardRoom } from "../api/types";
import { isFit } from "../board/lanes";
import { language, t } from "../i18n";
import { clockTime, dayTime } from "../i18n/dates";
import { digitsOf } from "../i18n/digits";

export interface Stay {
  reservationId: string;
  reservationCode: string;
  status: string;
  primaryGuest?: { name?: string | null; guestId?: string } | null;
  stayWindow: { start: string; end: string; nights: number };
  items: { itemId: string; roomTypeId: string; roomId?: string | null; number?: string | null; roomReady?: boolean | null }[];
  balanceMicro?: string | null;
  currency?: string | null;
  expectedArrivalAt?: string | null;
  overdue: boolean;
}

/** The guest stands at the desk: checking in was begun and not finished. */
export const isHere = (stay: Pick<Stay, "status">): boolean => stay.status === "check_in_started";

export interface Discrepancy {
  id: string;
  roomId: string;
  observed: "vacant" | "occupied";
  recorded: "vacant" | "occupied";
  observedBy: { type: string; id: string };
  observedAt: string;
  note?: string | null;
  version: number;
}

export const RESOLUTIONS = ["desk_right", "housekeeping_right", "guest_moved", "left_without_checkout", "other"] as const;

/** Seen a guest where the desk has none: somebody sleeps there. Seen none where the desk has one: somebody skipped. */
export const kindOf = (one: Discrepancy): "sleep" | "skip" => (one.observed === "occupied" ? "sleep" : "skip");

export type Readiness = "now" | "at" | "unplanned";

/** Whether a guest can have it now, at a known time, or nobody knows when. */
export function readinessOf(room: BoardRoom): Readiness {
  if (isFit(room)) return "now";
  return room.readyEtaAt && room.occupancy === "vacant" ? "at" : "unplanned";
}

/** Nobody has begun: the time is a guess. */
export const isAGuess = (room: BoardRoom): boolean => room.status === "dirty" && room.openTask?.status !== "in_progress";

/** When it will be ready, with its day where that is not today. */
export function readyWhen(room: BoardRoom): string {
  const at = room.readyEtaAt ?? "";
  const time = dayTime(at);
  if (isAGuess(room)) return t("desk.about", { time });
  return time === clockTime(at) ? t("desk.at", { time }) : time;
}

export function byNumber(left: { number?: string | null }, right: { number?: string | null }): number {
  return (left.number ?? "").localeCompare(right.number ?? "", "en", { numeric: true });
}

const numberOf = (stay: Pick<Stay, "items">) => ({ number: stay.items[0]?.number ?? null });

/** Whoever stands at the desk first, then as they are expected, then by number; of whom no hour is known, last. */
export function byTurn(left: Pick<Stay, "status" | "items" | "expectedArrivalAt">, right: Pick<Stay, "status" | "items" | "expectedArrivalAt">): number {
  const hour = (stay: Pick<Stay, "expectedArrivalAt">) => Date.parse(stay.expectedArrivalAt ?? "") || Number.MAX_SAFE_INTEGER;
  return Number(isHere(right)) - Number(isHere(left)) || hour(left) - hour(right) || byRoom(left, right);
}

export const byRoom = (left: Pick<Stay, "items">, right: Pick<Stay, "items">): number => byNumber(numberOf(left), numberOf(right));

/** Micro units as an amount, with the currency's own letters: `2,400 AFN`, `۲٬۴۰۰ AFN`. */
export function amount(micro: string | null | undefined, currency: string | null | undefined): string {
  const value = Number(micro ?? 0) / 1_000_000;
  const english = new Intl.NumberFormat("en", { maximumFractionDigits: 2 }).format(value);
  const figure = language() === "en" ? english : digitsOf(english, language()).replaceAll(",", "٬");
  return `${figure} ${currency ?? ""}`.trim();
}
