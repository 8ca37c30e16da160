// Who comes and who goes today, as the desk has it: asked for once the house is painted, and again when something changed.
import { useEffect, useState } from "preact/hooks";
import { readJson } from "../api/client";
import { afterPainted } from "../app/idle";
import { property } from "../app/session";
import { useStore } from "../app/store";
import { onNews } from "../live/hub";

export interface Due {
  reservationId: string;
  status: string;
  items: { roomId?: string | null }[];
  expectedArrivalAt?: string | null;
}
export interface Day {
  arrivals: Due[];
  departures: number;
}

/** Changes come in bursts; the desk's lists are no hurry. */
const REST = 3_000;

export function useDay(): Day | undefined {
  const house = useStore(property);
  const [day, setDay] = useState<Day>();
  useEffect(() => {
    let gone = false;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const of = (list: string) => readJson<{ items: Due[] }>(`/reservation/v1/${list}?propertyId=${encodeURIComponent(house)}&limit=500`);
    const ask = () =>
      void Promise.all([of("arrivals"), of("departures")]).then(
        ([come, go]) => gone || setDay({ arrivals: come.items, departures: go.items.length }),
        // Without an answer the board says what it knows by itself.
        () => undefined,
      );
    afterPainted(() => gone || ask());
    const deaf = onNews(() => {
      clearTimeout(soon);
      soon = setTimeout(ask, REST);
    });
    return () => ((gone = true), clearTimeout(soon), deaf(), setDay(undefined));
  }, [house]);
  return day;
}
