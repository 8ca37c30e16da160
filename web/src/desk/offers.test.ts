import { expect, it } from "vitest";
import type { BoardRoom } from "../api/types";
import { type ChartedRoom, isFree, offersFor } from "./offers";

const charted = (number: string, roomTypeId: string, ...spans: ChartedRoom["spans"]): ChartedRoom => ({ roomId: `rom_${number}`, number, roomTypeId, spans });
const told = (number: string, status: string, occupancy = "vacant"): [string, BoardRoom] => [`rom_${number}`, { roomId: `rom_${number}`, number, status, occupancy, blocks: [] } as unknown as BoardRoom];
const stay = { reservationId: "rsv_1", stayWindow: { start: "2026-04-22", end: "2026-04-24", nights: 2 } };

it("offers what is free on all nights: ready ones first, then those of the kind that was sold", () => {
  const rooms = [
    charted("104", "double"),
    charted("102", "single"),
    charted("101", "single", { start: "2026-04-23", end: "2026-04-25", reservationId: "rsv_2" }),
    charted("103", "single"),
    charted("105", "single"),
  ];
  const board = new Map([told("101", "ready"), told("102", "dirty"), told("103", "ready"), told("104", "ready"), told("105", "ready", "occupied")]);
  expect(offersFor(stay, "single", rooms, board).map((one) => [one.number, one.fit, one.sameType])).toEqual([
    ["103", true, true],
    ["104", true, false],
    ["102", false, true],
  ]);
});

it("a guest who leaves and one who comes share a day, and one's own stay is in nobody's way", () => {
  expect(isFree(charted("1", "x", { start: "2026-04-20", end: "2026-04-22", reservationId: "rsv_2" }), "2026-04-22", "2026-04-24", "rsv_1")).toBe(true);
  expect(isFree(charted("1", "x", { start: "2026-04-22", end: "2026-04-24", reservationId: "rsv_1" }), "2026-04-22", "2026-04-24", "rsv_1")).toBe(true);
  // A block has no reservation.
  expect(isFree(charted("1", "x", { start: "2026-04-22", end: "2026-04-23" }), "2026-04-22", "2026-04-24", undefined)).toBe(false);
});
