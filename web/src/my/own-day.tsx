// The day of whoever works in the house and cleans no rooms: clock, shifts, leave.
import { useEffect } from "preact/hooks";
import { readJson } from "../api/client";
import { useQuery, useQueryClient } from "../api/query";
import { useReady } from "../app/ready";
import { property, session } from "../app/session";
import { useStore } from "../app/store";
import { longDate, weekdayName } from "../i18n/dates";
import { t, useLanguage } from "../i18n";
import { onOutcome } from "../outbox";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import { Clock, clockOf, useClock } from "./clock";
import { InstallOffer } from "./install-offer";
import { Shifts } from "./shifts";

type OnNow = { items: { staffId: string; onBreak: boolean }[] };

export function OwnDay() {
  useLanguage();
  const staffId = useStore(session, (now) => now.who?.staffId);
  const house = useStore(property);
  const client = useQueryClient();
  const key = ["on-now", house];
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: key,
    enabled: Boolean(house && staffId),
    queryFn: () => readJson<OnNow>(`/staff/v1/on-now?propertyId=${encodeURIComponent(house)}`),
  });
  useEffect(() => onOutcome((heard) => void (heard.entry.verb === "clock" && client.invalidateQueries({ queryKey: key }))), [house]);
  const clock = useClock(clockOf(data?.items.find((one) => one.staffId === staffId)));
  useReady(Boolean(data ?? error) || !staffId || !house);
  return (
    <div class="page my">
      <header class="my-head">
        <p>
          <b>{weekdayName(Date.now())}</b> <span class="soft">{longDate(Date.now())}</span>
        </p>
      </header>
      <OfflineNote at={dataUpdatedAt} />
      <InstallOffer />
      {!staffId && <Empty title={t("my.nobody")} />}
      {staffId && !data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading count={2} />)}
      {staffId && data && <Clock {...clock} />}
      {staffId && <Shifts />}
    </div>
  );
}
