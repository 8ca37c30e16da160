// What the stories do beside the browser, through the same REST interface as everybody.
import { type Hotel, type Page, expect } from "./server";

export interface BoardTask {
  taskId: string;
  roomId: string;
  status: string;
  kind: string;
  priority: string;
  assigneeStaffId?: string | null;
  checklistId: string;
  version: number;
}
export interface Board {
  rooms: { roomId: string; number: string; status: string; version: number }[];
  tasks: BoardTask[];
  staff: { staffId: string; displayName?: string; capacityMinutes: number; loadMinutes: number }[];
}

export const HK = "/housekeeping/v1";

export const boardOf = (hotel: Hotel): Promise<Board> => hotel.ask<Board>("supervisor", "GET", `${HK}/board?propertyId=${hotel.property}`);
export const numberOf = (board: Board, task: BoardTask): string => board.rooms.find((room) => room.roomId === task.roomId)?.number ?? "";

export async function historyOf(hotel: Hotel, taskId: string): Promise<string[]> {
  type History = { items: { subject: string }[] };
  const { items } = await hotel.ask<History>("supervisor", "GET", `${HK}/tasks/${taskId}/history`);
  return items.map((item) => item.subject.split(".").at(-2) ?? "");
}

/** Whoever has a task is done with it, and has ticked everything. */
async function complete(hotel: Hotel, task: BoardTask): Promise<void> {
  const list = await hotel.ask<{ items: { key: string }[] }>("supervisor", "GET", `${HK}/checklists/${task.checklistId}`);
  const checklistResults = list.items.map((item) => ({ itemKey: item.key, checked: true }));
  await hotel.ask("housekeeper", "POST", `${HK}/tasks/${task.taskId}/complete`, { checklistResults, noMaintenanceFound: true }, task.assigneeStaffId ?? "");
}

/** Somebody finishes the room they are in, so that it waits for an inspection. Where nobody is in one that is inspected, somebody begins. */
export async function finishOne(hotel: Hotel): Promise<{ task: BoardTask; number: string }> {
  const board = await boardOf(hotel);
  const turnovers = board.tasks.filter((one) => one.kind === "turnover" && one.assigneeStaffId);
  const waiting = turnovers.filter((one) => one.status === "assigned");
  const busy = new Set(board.tasks.filter((one) => one.status === "in_progress" || one.status === "paused").map((one) => one.assigneeStaffId));
  let task = turnovers.find((one) => one.status === "in_progress") ?? waiting.find((one) => !busy.has(one.assigneeStaffId));
  if (!task) {
    // Everybody is in another room: one of them finishes that first.
    const first = board.tasks.find((one) => one.status === "in_progress" && waiting.some((next) => next.assigneeStaffId === one.assigneeStaffId));
    if (first) await complete(hotel, first);
    task = waiting.find((one) => one.assigneeStaffId === first?.assigneeStaffId);
  }
  if (!task?.assigneeStaffId) throw new Error("nobody is in a room");
  if (task.status === "assigned") await hotel.ask("housekeeper", "POST", `${HK}/tasks/${task.taskId}/start`, {}, task.assigneeStaffId);
  await complete(hotel, task);
  return { task, number: numberOf(board, task) };
}

/** Gives a task that nobody has to this person; there is always one left in the demo, or one is made. */
export async function giveOne(hotel: Hotel, staffId: string): Promise<{ task: BoardTask; number: string }> {
  const board = await boardOf(hotel);
  const free = board.rooms.find((room) => (room.status === "clean" || room.status === "ready") && !board.tasks.some((task) => task.roomId === room.roomId));
  if (!free) throw new Error("no room without work");
  const body = { propertyId: hotel.property, roomId: free.roomId, kind: "mid_stay_clean", priority: "low" };
  const task = await hotel.ask<BoardTask>("supervisor", "POST", `${HK}/tasks`, body);
  await hotel.ask("supervisor", "POST", `${HK}/tasks/${task.taskId}/assign`, { staffId, reason: "manual" });
  return { task, number: free.number };
}

/** Everything that waited has arrived. */
export async function allSent(page: Page): Promise<void> {
  await expect(page.getByTestId("app")).toHaveAttribute("data-pending", "0", { timeout: 30_000 });
}

export const me = (page: Page): Promise<{ staffId: string; userId: string; displayName: string }> =>
  page.evaluate(async () => (await (await fetch("/web/session")).json()) as never);

/** Ticks every row of the list on the screen. */
export async function tickAll(page: Page): Promise<void> {
  const rows = page.getByTestId("check");
  await expect(rows.first()).toBeVisible();
  for (const row of await rows.all()) if ((await row.getAttribute("data-checked")) === "false") await row.click();
}

/** What learns of other tabs and of newer versions has come: it does after the page. */
export async function followsTabs(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByType("resource").some((one) => /\/later-[^/]*\.js$/.test(one.name)));
}
