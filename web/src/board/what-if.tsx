// What would come of giving this task to that person, before anything is decided.
import { useEffect, useState } from "preact/hooks";
import { HOUSEKEEPING, ask } from "../api/client";
import { problemOf } from "../api/problem";
import type { Consequences } from "../api/types";
import { property } from "../app/session";
import { duration } from "../i18n/dates";
import { t, tn, word } from "../i18n";

const REST = 150;
const cache = new Map<string, Promise<Consequences>>();

function consequences(taskId: string, staffId: string, etag: string): Promise<Consequences> {
  const key = `${taskId} ${staffId} ${etag}`;
  let found = cache.get(key);
  if (!found) {
    if (cache.size > 500) cache.clear();
    found = ask<Consequences>("POST", `${HOUSEKEEPING}/routing/what-if`, { propertyId: property.get(), taskId, staffId });
    cache.set(key, found);
    found.catch(() => cache.delete(key));
  }
  return found;
}

/** Asked after a moment of rest over the same person. */
export function useWhatIf(taskId: string | undefined, staffId: string | undefined, etag: string): Consequences | undefined {
  const [found, setFound] = useState<Consequences>();
  useEffect(() => {
    setFound(undefined);
    if (!taskId || !staffId) return;
    let gone = false;
    const timer = setTimeout(() => {
      consequences(taskId, staffId, etag).then(
        (answer) => !gone && setFound(answer),
        (error: unknown) => {
          const none = { taskId, staffId, sequence: 0, addedMinutes: 0, walkSeconds: 0, floors: 0, overtimeMinutes: 0, costMinutes: 0, lateness: [], text: "" };
          if (!gone && problemOf(error).status) setFound({ ...none, obstacle: "not_planned" });
        },
      );
    }, REST);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [taskId, staffId, etag]);
  return found?.staffId === staffId && found?.taskId === taskId ? found : undefined;
}

export function WhatIfNote({ staffId, found }: { staffId: string; found: Consequences | undefined }) {
  const later = found?.lateness.filter((one) => one.lateMinutesAfter > one.lateMinutesBefore).length ?? 0;
  const sooner = found?.lateness.filter((one) => one.lateMinutesAfter < one.lateMinutesBefore).length ?? 0;
  return (
    <span class="what-if" data-testid="what-if" data-staff-id={staffId} data-added-minutes={found ? String(found.addedMinutes) : ""} data-obstacle={found?.obstacle ?? ""}>
      {!found && "…"}
      {found?.obstacle && word("obstacle", found.obstacle)}
      {found && !found.obstacle && (
        <>
          {t(found.addedMinutes < 0 ? "whatIf.saves" : "whatIf.adds", { time: duration(Math.abs(found.addedMinutes)) })}
          {found.floors !== 0 && ` · ${tn(found.floors < 0 ? "whatIf.fewerFloors" : "whatIf.floors", Math.abs(found.floors))}`}
          {later > 0 && ` · ${tn("whatIf.later", later)}`}
          {sooner > 0 && ` · ${tn("whatIf.sooner", sooner)}`}
          {found.overtimeMinutes > 0 && ` · ${t("whatIf.overtime", { time: duration(found.overtimeMinutes) })}`}
        </>
      )}
    </span>
  );
}
