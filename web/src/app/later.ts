// What a page can do without until it is painted.
import { registerWorker } from "../sw/register";
import { watchIdle } from "./idle-lock";
import { followTabs } from "./other-tabs";

export function startLater(): void {
  followTabs();
  watchIdle();
  registerWorker();
}
