// A date that somebody is in the middle of typing is none for the moment.
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, expect, it } from "vitest";
import { speak } from "../i18n";
import { ChangeStay } from "./change-stay";
import type { Span } from "./data";

const root = document.createElement("div");
beforeAll(() => speak("en", "chart"));
afterEach(() => act(() => render(null, root)));

const find = <T extends Element>(name: string) => root.querySelector<T>(`[data-testid=${name}]`) as T;
const type = (name: string, value: string) =>
  act(() => {
    const field = find<HTMLInputElement>(name);
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

it("half a date is no date: nothing is asked for, and the dialog stays", async () => {
  const span = { kind: "stay", start: "2026-04-22", end: "2026-04-25", reservationId: "res_1", reservationCode: "R1", status: "confirmed" } as Span;
  const rooms = [{ roomId: "rom_1", number: "101", roomTypeId: "typ_1", spans: [] }];
  for (const room of [rooms[0], undefined]) {
    await act(() => render(<ChangeStay key={String(room)} wish={{ span, room }} rooms={rooms} onClose={() => {}} again={() => {}} />, root));
    for (const name of ["chart-start", "chart-end"]) {
      const before = find<HTMLInputElement>(name).value;
      await type(name, "");
      expect(find("change-stay")).not.toBeNull();
      expect(find<HTMLButtonElement>("confirm").disabled).toBe(true);
      expect(root.querySelector("[role=status].notice")).toBeNull();
      await type(name, before);
    }
    await type("chart-end", "2026-04-26");
    expect(find<HTMLButtonElement>("confirm").disabled).toBe(false);
  }
});
