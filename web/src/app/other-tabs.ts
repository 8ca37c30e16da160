// All tabs have one cookie: what another tab does about who is signed in holds for this one too.
import { isSamePerson } from "../outbox/person";
import { LAST, lastSession, leave, session } from "./session";

/** Whoever signed out is out everywhere; somebody else begins on a page of their own, and sees nothing of what was here. */
function look(): void {
  const { who } = session.get();
  const now = lastSession();
  if (!who || isSamePerson(who, now)) return;
  if (now) location.assign("/");
  else leave({ standing: "out" });
}

export function followTabs(): void {
  window.addEventListener("storage", ({ key }) => {
    if (key === LAST) look();
  });
  // Somebody may have come while this was on its way. Where nothing is written, it was lost and nobody has left.
  if (lastSession()) look();
}
