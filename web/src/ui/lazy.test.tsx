// What is fetched ahead is drawn, whenever it comes.
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, it } from "vitest";
import { speak } from "../i18n";
import { lazy } from "./lazy";

it("draws a part that came between the first drawing and its effect", async () => {
  await speak("en", "more");
  let come: () => void = () => {};
  const Part = lazy(() => new Promise<() => preact.JSX.Element>((resolve) => (come = () => resolve(() => <p>here</p>))));
  Part.preload();
  const root = document.createElement("div");
  render(<Part />, root);
  expect(root.textContent).toBe("");
  // The code is there before the effect of the drawing above has run.
  come();
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  await act(async () => undefined);
  await expect.poll(() => root.textContent).toBe("here");
});
