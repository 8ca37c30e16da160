// Which rooms a guest can have: free on all of their nights, those that are ready first, and among them those of the kind that was sold.
import { readJson } from "../api/client";
import type { BoardRoom } from "../api/types";
import { property } from "../app/session";
import { type Stay, byNumber, readinessOf } from "./data";

export interface ChartedRoom {
  roomId: string;
  number?: string | null;
  roomTypeId: string;
  spans: { start: string; end: string; reservationId?: string | null }[];
}

export interface Offer {
  roomId: string;
  number: string;
  sameType: boolean;
  fit: boolean;
  room: BoardRoom | undefined;
}

/** Whether nobody else has it, and nothing blocks it, on any of these nights. */
export const isFree = (room: ChartedRoom, start: string, end: string, reservationId?: string | null): boolean =>
  room.spans.every((span) => span.start >= end || span.end <= start || (span.reservationId !== undefined && span.reservationId === reservationId));

export function offersFor(stay: Pick<Stay, "reservationId" | "stayWindow">, roomTypeId: string, charted: ChartedRoom[], board: Map<string, BoardRoom>): Offer[] {
  const { start, end } = stay.stayWindow;
  return charted
    .filter((room) => isFree(room, start, end, stay.reservationId) && board.get(room.roomId)?.occupancy !== "occupied")
    .map((one) => {
      const room = board.get(one.roomId);
      return { roomId: one.roomId, number: one.number ?? "", sameType: one.roomTypeId === roomTypeId, fit: room !== undefined && readinessOf(room) === "now", room };
    })
    .sort((left, right) => Number(right.fit) - Number(left.fit) || Number(right.sameType) - Number(left.sameType) || byNumber(left, right));
}

/** The house on the nights of a stay. */
export async function chartFor(stay: Pick<Stay, "stayWindow">): Promise<ChartedRoom[]> {
  const { start, end } = stay.stayWindow;
  const path = `/reservation/v1/timeline?propertyId=${encodeURIComponent(property.get())}&from=${start}&to=${end}`;
  return (await readJson<{ rooms: ChartedRoom[] }>(path)).rooms;
}
