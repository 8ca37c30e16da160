import { render } from "preact";
import { act } from "preact/test-utils";
import { useState } from "preact/hooks";
import { afterEach, expect, it } from "vitest";
import { speak } from "../i18n";
import { CountField } from "./count-field";

const root = document.createElement("div");
let counted: number | undefined;
let become: (count: number | undefined) => void = () => {};
function Form({ first, least, optional }: { first?: number; least?: number; optional?: boolean }) {
  const [value, setValue] = useState(first);
  [counted, become] = [value, setValue];
  const most = { most: 100, ...(least === undefined ? {} : { least }) };
  return optional ? <CountField optional value={value} onCount={setValue} {...most} /> : <CountField value={value ?? NaN} onCount={setValue} {...most} />;
}
const draw = (node: preact.ComponentChild) => act(() => render(node, root));
const field = () => root.querySelector("input") as HTMLInputElement;
async function type(text: string): Promise<void> {
  field().value = text;
  await act(() => void field().dispatchEvent(new Event("input", { bubbles: true })));
}

afterEach(() => act(() => render(null, root)));

it("may be emptied and typed anew without a digit of its own", async () => {
  await draw(<Form first={1} />);
  await type("");
  expect([field().value, counted, field().getAttribute("aria-invalid")]).toEqual(["", NaN, "true"]);
  await type("20");
  expect([field().value, counted, field().getAttribute("aria-invalid")]).toEqual(["20", 20, "false"]);
});

it("reads the digits of any keyboard, and leaves them as they were typed", async () => {
  await draw(<Form first={0} least={-100} />);
  await type("۲٤");
  expect([field().value, counted]).toEqual(["۲٤", 24]);
  await type("−3");
  expect([field().value, counted]).toEqual(["−3", -3]);
});

it.each(["101", "-1", "1.5", "1e1", "٫", "2 0", "NaN"])("counts %s for nothing, says so, and keeps it for who types on", async (text) => {
  await draw(<Form first={7} />);
  await type(text);
  expect([field().value, counted, field().getAttribute("aria-invalid")]).toEqual([text, NaN, "true"]);
});

it("shows a count in the digits of who reads", async () => {
  await speak("ps", "more");
  await draw(<Form first={90} />);
  expect([field().value, counted]).toEqual(["۹۰", 90]);
  await speak("en", "more");
});

it("tells nothing from what is no number, where nothing may stand", async () => {
  await draw(<Form first={5} optional />);
  await type(" ");
  expect([counted, field().getAttribute("aria-invalid")]).toEqual([undefined, "false"]);
  await type("half");
  expect([counted, field().getAttribute("aria-invalid")]).toEqual([NaN, "true"]);
});

it("shows what was counted elsewhere, and nothing wrong where nothing need stand", async () => {
  await draw(<Form optional />);
  expect([field().value, field().getAttribute("aria-invalid")]).toEqual(["", "false"]);
  await act(() => become(9));
  expect(field().value).toBe("9");
  await act(() => become(undefined));
  expect([field().value, field().getAttribute("aria-invalid")]).toEqual(["", "false"]);
});
