import { describe, expect, it } from "vitest";
import type { Board, BoardRoom, BoardStaff, Task } from "../api/types";
import type { Entry } from "../outbox/entry";
import { applyAnswer, mergeBoard } from "./merge";
import { overlay } from "./overlay";

const task = (id: string, version: number, more: Partial<Task> = {}): Task =>
  ({ taskId: id, id, roomId: "rom_1", status: "assigned", assigneeStaffId: "stf_a", estimatedMinutes: 50, version, ...more }) as Task;
const room = (version: number, more: Partial<BoardRoom> = {}): BoardRoom =>
  ({ roomId: "rom_1", number: "101", status: "dirty", occupancy: "vacant", version, ...more }) as BoardRoom;
const person = (id: string, loadMinutes: number) => ({ staffId: id, shiftId: "shf", capacityMinutes: 480, loadMinutes }) as BoardStaff;
const board = (tasks: Task[], rooms = [room(1)], staff = [person("stf_a", 50), person("stf_b", 0)]): Board =>
  ({ propertyId: "prp", tasks, rooms, staff, alerts: [], etag: "", generatedAt: "" }) as unknown as Board;
const entry = (more: Partial<Entry>): Entry => ({ seq: 1, state: "waiting", ...more }) as Entry;

describe("merging boards", () => {
  it("never lets a row yield to a lower version", () => {
    const newer = task("hkt_1", 5, { status: "in_progress" });
    expect(mergeBoard(board([newer]), board([task("hkt_1", 4)])).tasks[0]).toBe(newer);
    expect(mergeBoard(board([newer]), board([task("hkt_1", 6)])).tasks[0]?.version).toBe(6);
  });
  it("keeps what did not change as it is, so that one change draws one tile", () => {
    const old = board([task("hkt_1", 1), task("hkt_2", 1)]);
    const merged = mergeBoard(old, board([task("hkt_1", 1), task("hkt_2", 2)]));
    expect(merged.tasks[0]).toBe(old.tasks[0]);
    expect(merged.tasks[1]).not.toBe(old.tasks[1]);
    expect(merged.rooms[0]).toBe(old.rooms[0]);
  });
  it("lets go of what is no longer there, and of another house", () => {
    expect(mergeBoard(board([task("hkt_1", 9)]), board([])).tasks).toEqual([]);
    const other = { ...board([]), propertyId: "prp_2" } as Board;
    expect(mergeBoard(board([task("hkt_1", 9)]), other)).toBe(other);
  });
  it("takes an answer for the task it is about, unless it is older", () => {
    const now = board([task("hkt_1", 3)]);
    expect(applyAnswer(now, task("hkt_1", 4, { status: "paused" })).tasks[0]?.status).toBe("paused");
    expect(applyAnswer(now, task("hkt_1", 2, { status: "paused" }))).toBe(now);
    expect(applyAnswer(now, room(2, { status: "ready" })).rooms[0]?.status).toBe("ready");
    expect(applyAnswer(now, undefined)).toBe(now);
  });
});

describe("what waits, laid over the board", () => {
  const give = entry({ effect: { taskId: "hkt_1", task: { assigneeStaffId: "stf_b" } } });
  it("shows the tap, marks it, and moves the minutes", () => {
    const shown = overlay(board([task("hkt_1", 1)]), [give]);
    expect(shown.tasks[0]?.assigneeStaffId).toBe("stf_b");
    expect(shown.pending.has("hkt_1")).toBe(true);
    expect(shown.staff.map((one) => one.loadMinutes)).toEqual([0, 50]);
  });
  it("lays later taps over earlier ones", () => {
    const start = entry({ seq: 2, effect: { taskId: "hkt_1", roomId: "rom_1", task: { status: "in_progress" }, room: { status: "cleaning" } } });
    const pause = entry({ seq: 3, effect: { taskId: "hkt_1", task: { status: "paused" } } });
    const shown = overlay(board([task("hkt_1", 1)]), [start, pause]);
    expect([shown.tasks[0]?.status, shown.rooms[0]?.status]).toEqual(["paused", "cleaning"]);
  });
  it("is lifted by a refusal", () => {
    const shown = overlay(board([task("hkt_1", 1)]), [{ ...give, state: "refused" }]);
    expect(shown.tasks[0]?.assigneeStaffId).toBe("stf_a");
    expect(shown.pending.size).toBe(0);
  });
});
