// A worker has no localStorage: each time it starts it knows the server's time anew, or not at all.
import { learnTime } from "../api/clock";
import { PUNCHES } from "../outbox/paths";
import { type Shelf, deviceShelf } from "../outbox/shelf";

const PATIENCE = 4_000;

/**
 * A punch that waited says when it is sent, by the server's clock, and keeps saying it: so that is asked first, where one waits. False where
 * nobody tells it. Nothing else that is sent needs it.
 */
export async function knowsTime(shelf: Pick<Shelf, "all"> = deviceShelf): Promise<boolean> {
  const punches = (await shelf.all()).some((one) => one.path === PUNCHES && (one.state === "waiting" || one.state === "sending"));
  if (!punches) return true;
  const asked = Date.now();
  return fetch("/web/config", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).then(
    (response) => (learnTime(response, asked), true),
    () => false,
  );
}
