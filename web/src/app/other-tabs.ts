// All tabs have one cookie: what another tab does about who is signed in holds for this one too.
import { isSamePerson } from "../outbox/person";
import { LAST, type Session, enter, lastSession, leave, session } from "./session";

/** Whoever signed out is out everywhere; somebody else begins on a page of their own, and sees nothing of what was here. */
function look(): void {
  const { who } = session.get();
  const now = lastSession();
  if (!who) return;
  if (now && isSamePerson(who, now)) return signedInElsewhere(now);
  if (now) location.assign("/");
  else leave({ standing: "out" });
}

/** Nobody gives the PIN once in each tab: what covered this one is gone with the new cookie. */
function signedInElsewhere(now: Session): void {
  const { standing, who } = session.get();
  if (standing === "locked" && who?.expiresAt !== now.expiresAt) void enter(now);
}

export function followTabs(): void {
  window.addEventListener("storage", ({ key }) => {
    if (key === LAST) look();
  });
  // Somebody may have come while this was on its way. Where nothing is written, it was lost and nobody has left.
  if (lastSession()) look();
}
