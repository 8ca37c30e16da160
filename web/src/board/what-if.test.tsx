// What would come of it, in words: less is said as less, and not as more with a sign.
import { render } from "preact";
import { expect, it } from "vitest";
import type { Consequences } from "../api/types";
import { speak } from "../i18n";
import { WhatIfNote } from "./what-if";

const said = (addedMinutes: number, floors: number): string => {
  const root = document.createElement("div");
  const found = { staffId: "stf_1", addedMinutes, floors, overtimeMinutes: 0, lateness: [] } as unknown as Consequences;
  render(<WhatIfNote staffId="stf_1" found={found} />, root);
  return root.textContent ?? "";
};

it("tells more and less by different words", async () => {
  await speak("en", "board");
  expect(said(25, 1)).toBe("adds 25 min · 1 more floor");
  expect(said(-10, -1)).toBe("saves 10 min · 1 fewer floor");
  expect(said(0, -2)).toBe("adds 0 min · 2 fewer floors");
  for (const language of ["ps", "fa"] as const) {
    await speak(language, "board");
    expect(said(-10, -2)).not.toMatch(/[-−]/);
    expect(said(-10, -2)).not.toBe(said(10, 2));
  }
});
