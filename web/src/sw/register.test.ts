// A newer version that another tab let in: this one has parts that are gone.
import { afterEach, expect, it, vi } from "vitest";
import { go } from "../app/router";
import { registerWorker } from "./register";
import { updateReady } from "./update";

afterEach(() => vi.unstubAllEnvs());

it("a version that was on its way before anybody listened is offered too", async () => {
  vi.stubEnv("PROD", true);
  const installing = Object.assign(new EventTarget(), { state: "installing" });
  const registration = Object.assign(new EventTarget(), { installing, waiting: null });
  const workers = Object.assign(new EventTarget(), { controller: {}, register: async () => registration });
  Object.defineProperty(navigator, "serviceWorker", { value: workers, configurable: true });
  vi.useFakeTimers();
  registerWorker();
  await vi.advanceTimersByTimeAsync(0);
  installing.state = "installed";
  installing.dispatchEvent(new Event("statechange"));
  expect(updateReady.get()).toBeDefined();
  vi.useRealTimers();
  updateReady.set(undefined);
});

it("a tab that did not ask for it keeps saying so, and starts anew on a tap or with the next page", async () => {
  vi.stubEnv("PROD", true);
  const workers = Object.assign(new EventTarget(), { controller: {}, register: async () => undefined });
  Object.defineProperty(navigator, "serviceWorker", { value: workers, configurable: true });
  const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
  go("/board");
  registerWorker();
  workers.dispatchEvent(new Event("controllerchange"));
  expect(reload).not.toHaveBeenCalled();
  updateReady.get()?.takeOver();
  expect(reload).toHaveBeenCalledTimes(1);
  // A filter is no other page.
  go("/board?view=list", { replace: true });
  expect(reload).toHaveBeenCalledTimes(1);
  go("/plan");
  expect(reload).toHaveBeenCalledTimes(2);
});
