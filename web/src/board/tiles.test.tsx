// One change draws one tile: the others are not even looked at.
import { options, render } from "preact";
import { act } from "preact/test-utils";
import { beforeAll, expect, it } from "vitest";
import type { Board, BoardRoom, Task } from "../api/types";
import { speak } from "../i18n";
import { mergeBoard } from "../live/merge";
import { overlay } from "../live/overlay";
import { Tile } from "./tile";
import { FloorsView, type Hands, LanesView } from "./views";

const ROOMS = 500;
const room = (index: number): BoardRoom =>
  ({ roomId: `rom_${index}`, number: String(100 + index), floor: 1 + (index % 10), status: "dirty", occupancy: "vacant", version: 1, since: "2026-04-22T06:00:00.000Z", blocks: [] }) as unknown as BoardRoom;
const task = (index: number): Task =>
  ({ taskId: `hkt_${index}`, roomId: `rom_${index}`, kind: "turnover", status: "assigned", priority: "normal", assigneeStaffId: `stf_${index % 20}`, estimatedMinutes: 40, version: 1 }) as unknown as Task;
const house = (): Board =>
  ({
    propertyId: "prp_1",
    etag: "1",
    generatedAt: "2026-04-22T06:00:00.000Z",
    rooms: Array.from({ length: ROOMS }, (_, index) => room(index)),
    tasks: Array.from({ length: ROOMS }, (_, index) => task(index)),
    staff: Array.from({ length: 20 }, (_, index) => ({ staffId: `stf_${index}`, shiftId: "shf_1", capacityMinutes: 480, loadMinutes: 400, languages: [], onBreak: false })),
    alerts: [],
  }) as unknown as Board;

const nothing = () => {};
const hands: Hands = { mayAct: true, selected: new Set(), onOpen: nothing, onPress: nothing, onSelect: nothing, onPass: nothing, onGive: nothing, onHandOver: nothing };
const everything = () => true;

/** How often a component of this name was drawn. */
function drawn(name: string, work: () => void): number {
  const hooks = options as unknown as Record<string, ((vnode: { type: unknown }) => void) | undefined>;
  const before = hooks.__r;
  let count = 0;
  hooks.__r = (vnode) => {
    if (typeof vnode.type === "function" && vnode.type.name === name) count++;
    before?.(vnode);
  };
  void act(work);
  hooks.__r = before;
  return count;
}

beforeAll(() => speak("en", "board"));

for (const [name, View] of [["lanes", LanesView], ["floors", FloorsView]] as const) {
  it(`one change draws one tile of ${ROOMS} (${name})`, () => {
    const root = document.createElement("div");
    const first = house();
    expect(drawn("Tile", () => render(<View board={overlay(first, [])} fits={everything} hands={hands} />, root))).toBe(ROOMS);
    const next = house();
    next.tasks[7] = { ...next.tasks[7], priority: "urgent", version: 2 } as Task;
    const merged = mergeBoard(first, next);
    expect(drawn("Tile", () => render(<View board={overlay(merged, [])} fits={everything} hands={{ ...hands }} />, root))).toBe(1);
    expect(drawn("Tile", () => render(<View board={overlay(mergeBoard(merged, structuredClone(merged)), [])} fits={everything} hands={{ ...hands }} />, root))).toBe(0);
    render(null, root);
  });
}

it("G and P are keys by their letter, and by their place where a keyboard writes other letters", async () => {
  const done: string[] = [];
  const root = document.createElement("div");
  const cleaned = { ...room(1), status: "cleaned" } as BoardRoom;
  const on = { onOpen: () => done.push("open"), onPress: nothing, onSelect: nothing, onPass: () => done.push("pass") };
  await act(() => render(<Tile room={cleaned} task={undefined} pending={false} as="room" whole mayAct selected={false} language="ps" {...on} />, root));
  const press = (key: string, code: string) => root.querySelector(".tile")?.dispatchEvent(new KeyboardEvent("keydown", { key, code }));
  press("ح", "KeyP");
  press("ل", "KeyG");
  press("P", "KeyR");
  // A Latin letter is what it says, wherever it stands.
  press("r", "KeyP");
  expect(done).toEqual(["pass", "open", "pass"]);
  render(null, root);
});
