// The browser's offer to install the app: an installed one keeps its storage, others may lose it after a week unused.
import { createStore } from "../app/store";

interface InstallEvent extends Event {
  prompt(): Promise<void>;
}
export const installOffer = createStore<InstallEvent | undefined>(undefined);

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installOffer.set(event as InstallEvent);
});
addEventListener("appinstalled", () => installOffer.set(undefined));

/** Safari on a phone offers nothing by itself, and says so: `false` is a page in the browser, `true` one from the home screen. */
export const byHand = (): boolean => (navigator as { standalone?: boolean }).standalone === false;
