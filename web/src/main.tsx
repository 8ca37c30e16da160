// The start: theme and language first, then who is here, then the page. What does not wait for one another is asked for at once.
import { render } from "preact";
import { App } from "./app/app";
import { configure } from "./api/client";
import { loadConfig } from "./app/config";
import { afterPainted } from "./app/idle";
import { preload } from "./app/page-view";
import { followLinks, place } from "./app/router";
import { lastSession, resume, signedOutElsewhere } from "./app/session";
import { startTheme } from "./app/theme";
import { zone } from "./i18n/dates";
import { needMoreWords, preferred, speak } from "./i18n";
import { askEarly } from "./live/early";
import { refresh, startOutbox } from "./outbox";
import "./ui/base.css";

/** A shelf that does not open is not waited for. */
const SHELF_PATIENCE = 1_000;

startTheme();
// Before anybody is signed in: the clock of the house that was here last, else the device's own.
zone.set(lastSession()?.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone);
followLinks();
configure({ onSignedOut: signedOutElsewhere });
const root = document.getElementById("root");
if (root) {
  const { page } = place.get();
  const words = speak(preferred(lastSession()?.language), ...(page ? [page.folder] : []));
  if (page) preload(page);
  void loadConfig();
  const known = resume().then(() => askEarly(page));
  // What waits is laid over the first thing that is shown: a room that was begun without a net is not offered for beginning once more.
  await Promise.all([words, Promise.race([refresh(), new Promise((resolve) => setTimeout(resolve, SHELF_PATIENCE))])]);
  render(<App />, root);
  await known;
  startOutbox({ onSignedOut: signedOutElsewhere });
  // The whole build for a day without a net: after the page, not before it.
  afterPainted(() => {
    void needMoreWords();
    const begin = () => void import("./app/later").then(({ startLater }) => startLater(), () => addEventListener("online", begin, { once: true }));
    begin();
  });
}
