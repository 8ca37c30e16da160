// For those whom no board is told, and before anybody is signed in: whether there is a net is learned from ordinary answers.
import { call, configure } from "../api/client";
import { live } from "./state";

const SOONEST = 1_000;
const LATEST = 15_000;

async function look(): Promise<void> {
  await call("/web/config", { cache: "no-store", signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
}

/** Until it is told to stop. Without a net it looks by itself whether there is one again: soon at first, for a net that comes back stutters. */
export function watchAnswers(): () => void {
  let after = SOONEST;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  const again = async () => {
    clearTimeout(timer);
    await look();
    clearTimeout(timer);
    if (over || live.get() === "live") return;
    timer = setTimeout(() => void again(), after);
    after = Math.min(LATEST, after * 2);
  };
  const soon = () => {
    after = SOONEST;
    void again();
  };
  configure({
    onAnswer(came) {
      const had = live.get() === "live";
      live.set(came ? "live" : "offline");
      if (!came && had) soon();
    },
  });
  // What was asked before may still be answered: whether there is a net, only a new question tells.
  const lost = () => {
    live.set("offline");
    soon();
  };
  addEventListener("online", soon);
  addEventListener("offline", lost);
  soon();
  return () => {
    over = true;
    configure({ onAnswer: () => {} });
    clearTimeout(timer);
    removeEventListener("online", soon);
    removeEventListener("offline", lost);
  };
}
