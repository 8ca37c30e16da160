// Signing in: by PIN, by a token, by the demo's door. Apart from the session, which every page needs; this is for the page that asks.
import { PATIENCE_TO_CHANGE, call } from "../api/client";
import { NO_ANSWER, type Problem, readProblem } from "../api/problem";
import { withOutboxLock } from "../outbox/lock";
import { whoOf } from "../outbox/person";
import { rememberWho } from "../outbox/shelf";
import { COVERED, OWED, type Session, enter, session } from "./session";

export type Credentials = { tenantId: string; staffCode: string; pin: string } | { token: string } | { demo: string };

/** Nothing is sent while the cookie changes hands: a tap is never sent under another name. */
export async function signIn(credentials: Credentials): Promise<Problem | undefined> {
  return withOutboxLock(async () => {
    let problem: Problem | undefined;
    try {
      const response = await call("/web/session", {
        method: "POST",
        signal: AbortSignal.timeout(PATIENCE_TO_CHANGE),
        headers: { "content-type": "application/json" },
        body: JSON.stringify(credentials),
      });
      if (response.ok) {
        // The cookie that was to be ended is another one now.
        localStorage.removeItem(OWED);
        localStorage.removeItem(COVERED);
        await enter((await response.json()) as Session);
        void navigator.storage?.persist?.().catch(() => false);
        return undefined;
      }
      problem = await readProblem(response);
    } catch (error) {
      problem = { ...NO_ANSWER, detail: String(error) };
    }
    const now = session.get();
    if (now.standing === "in" && now.who) {
      await rememberWho(whoOf(now.who)).catch(() => {});
    }
    return problem;
  });
}
