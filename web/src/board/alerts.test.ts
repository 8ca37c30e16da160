import { expect, it } from "vitest";
import type { BoardAlert } from "../api/types";
import { toTell } from "./alerts";

const alert = (code: string, roomId: string, because?: string): BoardAlert => ({ code, roomId, ...(because ? { because: { code: because } } : {}) }) as unknown as BoardAlert;

it("says once that an urgent room is not begun, and keeps what is about one room together", () => {
  const told = toTell([
    alert("urgent_not_started", "r1"),
    alert("occupancy_discrepancy", "r2"),
    alert("escalated", "r1", "not_begun"),
    alert("escalated", "r3", "not_begun"),
    alert("escalated", "r1", "help"),
  ]);
  expect(told.map((one) => [one.code, one.roomId])).toEqual([
    ["urgent_not_started", "r1"],
    ["escalated", "r1"],
    ["occupancy_discrepancy", "r2"],
    ["escalated", "r3"],
  ]);
});
