// Registers the service worker, and notices when a newer version waits or another tab let it take over. Fetched once the page is painted.
import { place } from "../app/router";
import { entries } from "../outbox";
import { updateReady } from "./update";

let waiting: ServiceWorker | null = null;
let taking = false;

function found(worker: ServiceWorker | null): void {
  if (!worker || !navigator.serviceWorker.controller) return;
  waiting = worker;
  updateReady.set({ takeOver });
}

/** The new version takes over, and the page starts anew with it. */
function takeOver(): void {
  taking = true;
  waiting?.postMessage("take-over");
}

/** Another tab let the new version take over. The parts of this one are gone with the old: it starts anew on a tap, or with the next page. */
function leftBehind(): void {
  updateReady.set({ takeOver: () => location.reload() });
  const { path } = place.get();
  place.subscribe(() => {
    if (place.get().path !== path) location.reload();
  });
}

export function registerWorker(): void {
  if (!("serviceWorker" in navigator) || !import.meta.env.PROD) return;
  const hadOne = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    // The first worker of all changes nothing on the page; a newer one does.
    if (hadOne && taking) location.reload();
    else if (hadOne) leftBehind();
  });
  void navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).then((registration?: ServiceWorkerRegistration) => {
    // A browser may forbid workers and say so with nothing.
    if (!registration) return;
    if (registration.waiting && hadOne) {
      waiting = registration.waiting;
      // At a start with nothing to send, nobody is in the middle of anything.
      if (!entries.get().some((entry) => entry.state !== "dropped")) takeOver();
      else updateReady.set({ takeOver });
    }
    const follow = () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => worker.state === "installed" && found(worker));
    };
    registration.addEventListener("updatefound", follow);
    // One that was found while the page was on its way is told of by nobody any more.
    follow();
    setInterval(() => void registration.update().catch(() => {}), 30 * 60_000);
  }, () => undefined);
}
