// The chart of a house as the reservation context tells it: dates of nights, without times.
export const DAYS = 14;

export interface Span {
  kind: "stay" | "block";
  start: string;
  end: string;
  reservationId?: string | null;
  itemId?: string | null;
  reservationCode?: string | null;
  status?: string | null;
  roomTypeId?: string | null;
  pinned?: boolean | null;
  guestName?: string | null;
  blockId?: string | null;
  reason?: string | null;
}
export interface ChartRoom {
  roomId: string;
  number?: string | null;
  roomTypeId: string;
  housekeepingStatus?: string | null;
  spans: Span[];
}

const DAY = 86_400_000;
export const dayAfter = (day: string, count: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY);
