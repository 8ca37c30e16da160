// A room's status as a shape and a word. The colour only adds: in black and white nothing is lost.
import type { RoomStatus } from "../api/types";
import { word } from "../i18n";

const SHAPES: Record<RoomStatus, preact.JSX.Element> = {
  dirty: <path d="M8 0.8 15.2 8 8 15.2 0.8 8Z" fill="currentColor" />,
  cleaning: (
    <>
      <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" stroke-width="1.8" />
      <path d="M8 1.4a6.6 6.6 0 0 0 0 13.2Z" fill="currentColor" />
    </>
  ),
  cleaned: (
    <>
      <rect x="1.4" y="1.4" width="13.2" height="13.2" rx="1.5" fill="none" stroke="currentColor" stroke-width="1.8" />
      <rect x="4.6" y="4.6" width="6.8" height="6.8" fill="currentColor" />
    </>
  ),
  inspected: (
    <>
      <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" stroke-width="1.8" />
      <circle cx="8" cy="8" r="3.2" fill="currentColor" />
    </>
  ),
  ready: <circle cx="8" cy="8" r="7.2" fill="currentColor" />,
  clean: <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" stroke-width="1.8" />,
  out_of_order: <path d="M4.4 1.2h7.2L15.2 8l-3.6 6.8H4.4L0.8 8Z" fill="currentColor" />,
  out_of_service: <path d="M4.7 1.8h6.6L14.6 8l-3.3 6.2H4.7L1.4 8Z" fill="none" stroke="currentColor" stroke-width="1.8" />,
};

export function StatusShape({ status }: { status: RoomStatus }) {
  return (
    <svg class="status-shape" data-shape={status} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[status] ?? SHAPES.clean}
    </svg>
  );
}

export function Status({ status }: { status: RoomStatus }) {
  return (
    <span class="status">
      <StatusShape status={status} />
      <span>{word("roomStatus", status)}</span>
    </span>
  );
}
