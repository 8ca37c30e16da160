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
