// The server said no: somebody must decide. The dialog comes when there is something to decide about.
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../app/store";
import { entries, onOutcome } from "../outbox";
import { lazy } from "../ui/lazy";

const Conflict = lazy(() => import("./conflict").then((module) => module.Conflict));

export function Conflicts() {
  const [seqs, setSeqs] = useState<number[]>([]);
  const all = useStore(entries);
  useEffect(
    () =>
      onOutcome((heard) => {
        if (heard.is !== "refused") return;
        setSeqs((now) => (now.includes(heard.entry.seq) ? now : [...now, heard.entry.seq]));
      }),
    [],
  );
  const entry = all.find((one) => one.seq === seqs[0]);
  // The list may still show it as on its way: only what is gone or dropped needs no decision.
  const over = seqs.length > 0 && (!entry || entry.state === "dropped");
  useEffect(() => {
    if (over) setSeqs((now) => now.slice(1));
  }, [over, all]);
  if (!entry || entry.state !== "refused") return null;
  return <Conflict key={entry.seq} entry={entry} onClose={() => setSeqs((now) => now.slice(1))} />;
}
