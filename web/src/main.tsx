// The start: theme and language first, then who is here, then the page.
import { render } from "preact";
import { App } from "./app/app";
import { configure } from "./api/client";
import { loadConfig } from "./app/config";
import { followLinks } from "./app/router";
import { lastSession, resume, signedOutElsewhere } from "./app/session";
import { startTheme } from "./app/theme";
import { preferred, speak } from "./i18n";
import { startOutbox } from "./outbox";
import { registerWorker } from "./sw/register";
import "./ui/base.css";

startTheme();
followLinks();
configure({ onSignedOut: signedOutElsewhere });
const root = document.getElementById("root");
if (root) {
  await speak(preferred(lastSession()?.language));
  render(<App />, root);
  void loadConfig();
  await resume();
  startOutbox({ onSignedOut: signedOutElsewhere });
  registerWorker();
}
