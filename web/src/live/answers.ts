// For those whom no board is told, and before anybody is signed in: whether there is a net is learned from ordinary answers.
import { call, configure } from "../api/client";
import { live } from "./state";

const LOOK_EVERY = 15_000;

async function look(): Promise<void> {
  await call("/web/config", { cache: "no-store", signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
}

/** Until it is told to stop. Without a net it looks by itself whether there is one again. */
export function watchAnswers(): () => void {
  configure({ onAnswer: (came) => live.set(came ? "live" : "offline") });
  const again = () => void look();
  const lost = () => live.set("offline");
  const timer = setInterval(() => live.get() !== "live" && again(), LOOK_EVERY);
  addEventListener("online", again);
  addEventListener("offline", lost);
  again();
  return () => {
    configure({ onAnswer: () => {} });
    clearInterval(timer);
    removeEventListener("online", again);
    removeEventListener("offline", lost);
  };
}
