import { render } from "preact";
import { act } from "preact/test-utils";
import { useState } from "preact/hooks";
import { afterEach, expect, it } from "vitest";
import { speak } from "../i18n";
import { DateField } from "./date-field";

const root = document.createElement("div");
let chosen = "";
function Form({ first, ...more }: { first: string; timed?: boolean; optional?: boolean; max?: string }) {
  const [value, setValue] = useState(first);
  chosen = value;
  return <DateField label="When" testid="when" value={value} onValue={setValue} {...more} />;
}
const draw = (node: preact.ComponentChild) => act(() => render(node, root));
const part = (name: string) => root.querySelector<HTMLSelectElement>(`[data-testid=date-${name}]`);
const native = () => root.querySelector<HTMLInputElement>("[data-testid=when]");
async function pick(name: string, value: string): Promise<void> {
  const select = part(name);
  if (!select) throw new Error(`no ${name}`);
  select.value = value;
  await act(() => void select.dispatchEvent(new Event("change", { bubbles: true })));
}

afterEach(() => act(() => render(null, root)));

it("shows and takes a date in the solar calendar and its digits, and the native field carries it", async () => {
  await speak("ps", "more");
  await draw(<Form first="2026-04-22" />);
  expect([part("day")?.value, part("month")?.value, part("year")?.value]).toEqual(["2", "2", "1405"]);
  expect(part("year")?.selectedOptions[0]?.textContent).toBe("۱۴۰۵");
  await pick("month", "1");
  expect(chosen).toBe("2026-03-22");
  expect(native()?.value).toBe("2026-03-22");
});

it("what is filled into the native field is what the parts show", async () => {
  await speak("fa", "more");
  await draw(<Form first="2026-04-22" />);
  const field = native();
  if (!field) throw new Error("no field");
  field.value = "2026-03-21";
  await act(() => void field.dispatchEvent(new Event("input", { bubbles: true })));
  expect([part("day")?.value, part("month")?.value]).toEqual(["1", "1"]);
});

it("begins with today, has a time, can be taken back, and goes no further than it may", async () => {
  await speak("ps", "more");
  await draw(<Form first="" timed optional />);
  await pick("hour", "9");
  expect(chosen).toMatch(/^\d{4}-\d\d-\d\dT09:00$/);
  await pick("minute", "45");
  expect(chosen).toMatch(/T09:45$/);
  await pick("day", "");
  expect(chosen).toBe("");
  act(() => render(null, root));
  await draw(<Form first="2026-04-22" max="2026-04-25" />);
  await pick("day", "31");
  expect(chosen).toBe("2026-04-25");
});

it("is the browser's own field where it says the same", async () => {
  await speak("en", "more");
  await draw(<Form first="2026-04-22" />);
  expect(part("day")).toBeNull();
  expect(native()?.tabIndex).not.toBe(-1);
});
