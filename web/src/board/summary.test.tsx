// The figures above the board are about today.
import { render } from "preact";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { BoardRoom } from "../api/types";
import { speak } from "../i18n";
import { zone } from "../i18n/dates";
import type { Shown } from "../live/overlay";
import { dueTime } from "../print/page";
import { Summary, guestsWaiting } from "./summary";

beforeAll(() => speak("en", "board", "print"));
beforeEach(() => zone.set("Asia/Kabul"));

const room = (nextArrivalAt: string | undefined, status = "dirty") => ({ roomId: nextArrivalAt ?? status, status, occupancy: "vacant", blocks: [], version: 1, nextArrivalAt }) as unknown as BoardRoom;

it("counts the guests who would wait today, and not those of tomorrow", () => {
  const rooms = [
    room("2026-04-22T06:00:00.000Z"),
    room("2026-04-22T19:29:00.000Z"),
    room("2026-04-22T19:31:00.000Z"),
    room("2026-04-25T09:00:00.000Z"),
    room("2026-04-22T09:00:00.000Z", "ready"),
    room(undefined),
  ];
  const board = { propertyId: "prp_1", etag: "1", generatedAt: "2026-04-22T07:00:00.000Z", rooms, tasks: [], staff: [], alerts: [], pending: new Set() } as unknown as Shown;
  const root = document.createElement("div");
  render(<Summary board={board} status={null} />, root);
  expect([...root.querySelectorAll("dd b")].map((one) => one.textContent)).toEqual(["1", "0", "2", "–"]);
});

it("counts those whom the desk expects too, each once, and whoever has no room", () => {
  const rooms = [{ ...room("2026-04-22T06:00:00.000Z"), roomId: "r1" }, { ...room(undefined), roomId: "r2", readyEtaAt: "2026-04-22T08:00:00.000Z" }, { ...room(undefined, "ready"), roomId: "r3" }] as BoardRoom[];
  const board = { generatedAt: "2026-04-22T07:00:00.000Z", rooms, tasks: [], staff: [], alerts: [], pending: new Set() } as unknown as Shown;
  const due = (roomId: string | null, expectedArrivalAt: string) => ({ reservationId: roomId ?? "", status: "confirmed", items: [{ roomId }], expectedArrivalAt });
  const arrivals = [due("r1", "2026-04-22T06:00:00.000Z"), due("r2", "2026-04-22T09:00:00.000Z"), due("r3", "2026-04-22T09:00:00.000Z"), due(null, "2026-04-22T09:00:00.000Z")];
  expect(guestsWaiting(board, arrivals, "2026-04-22T19:30:00.000Z")).toEqual({ waiting: 3, late: 1 });
});

it("a paper says on which day a guest comes, where it is not today", () => {
  const now = "2026-04-22T07:00:00.000Z";
  expect(dueTime("2026-04-22T10:30:00.000Z", now, "en")).toBe("15:00");
  expect(dueTime("2026-04-23T10:30:00.000Z", now, "en")).toBe("23 April 15:00");
});

it("a room that is ready and has a guest in it is free for nobody, and the chips say that they count it all the same", () => {
  const rooms = [{ ...room(undefined, "ready"), occupancy: "occupied" }] as BoardRoom[];
  const board = { generatedAt: "2026-04-22T07:00:00.000Z", rooms, tasks: [], staff: [], alerts: [], pending: new Set() } as unknown as Shown;
  const root = document.createElement("div");
  render(<Summary board={board} status={null} />, root);
  expect(root.querySelector("dd")?.textContent).toBe("0 of 1 room");
  expect(root.querySelector("[data-testid=count][data-status=ready]")?.getAttribute("data-count")).toBe("1");
  const name = root.querySelector(".counts")?.getAttribute("aria-labelledby");
  expect(root.querySelector(`#${name}`)?.textContent).toBe("All rooms by status, with guests too");
});
