// What can wait until the page is painted and nobody is tapping.
import { ready } from "./ready";

const rest: (work: () => void) => void =
  typeof requestIdleCallback === "function" ? (work) => requestIdleCallback(work, { timeout: 2_000 }) : (work) => setTimeout(work, 200);

/** Once the page's data is on the screen, and there is a moment for it. */
export function afterPainted(work: () => void): void {
  if (ready.get()) return rest(work);
  const stop = ready.subscribe(() => {
    if (!ready.get()) return;
    stop();
    rest(work);
  });
}
