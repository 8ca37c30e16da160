// Drawn pictures for those who read little; 24 by 24, lines in the colour of the text.

const LINES: Record<string, string> = {
  // The frame
  board: "M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z",
  my: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-5 4-7 8-7s7 2 8 7",
  plan: "M4 6h8M4 12h14M4 18h10M17 4v4M21 10v4M17 16v4",
  desk: "M3 18h18M5 18a7 7 0 0 1 14 0M12 11V8M10 8h4",
  chart: "M3 5h18v15H3zM3 10h18M9 5v15M11 13h7M6 16h6",
  linen: "M4 8c0-2 2-3 4-3h8c2 0 4 1 4 3v9H4zM4 12h16M4 16h16",
  lost: "M8 9V7a4 4 0 0 1 8 0v2M5 9h14l1 11H4zM12 13v3",
  roster: "M4 5h16v16H4zM4 10h16M8 3v4M16 3v4M8 14h2M14 14h2M8 17h2",
  stats: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6M20 16V6",
  outbox: "M4 13v7h16v-7M12 15V4M8 8l4-4 4 4",
  settings: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1",
  help: "M9 9a3 3 0 1 1 4 3c-1 .6-1 1-1 2M12 18v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  logout: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  hotel: "M4 21V5l8-2v18M12 8h8v13M3 21h18M7 8h2M7 12h2M7 16h2M15 12h2M15 16h2",
  language: "M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  theme: "M12 3a9 9 0 1 0 9 9c-4 3-10 0-9-9z",
  close: "M6 6l12 12M18 6L6 18",
  more: "M5 12h.1M12 12h.1M19 12h.1",
  next: "M9 5l7 7-7 7",
  back: "M15 5l-7 7 7 7",
  search: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l6 6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  tick: "M4 13l5 5L20 6",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l4 2",
  offline: "M3 3l18 18M5 10a10 10 0 0 1 4-2M19 10a10 10 0 0 0-6-3M8 14a6 6 0 0 1 5-1M12 18v.1",
  alert: "M12 4l9 16H3zM12 10v4M12 17v.1",
  chevrons: "M6 11l6-6 6 6M6 18l6-6 6 6",
  arrival: "M3 20h18M5 20V6l9-2v16M14 8h5v12M10 12h.1M22 3l-4 2 4 2",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
  print: "M7 9V4h10v5M5 9h14v8h-3M5 17H4V9M8 14h8v6H8z",
  // Kinds of work: the guest has gone, the guest stays, everything, a look, after a repair, after painters
  turnover: "M3 9h10v11H3zM6 9V6h4v3M16 9l4 4-4 4M20 13h-4",
  mid_stay_clean: "M3 19V7M3 15h18v4M21 15v-2a3 3 0 0 0-3-3H9v5M5.5 12a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z",
  deep_clean: "M14 3l-4 10M7 13h7l2 8H4zM18 4v4M16 6h4M19 12v3",
  inspection: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l6 6M7.500 10l2 2 3.500-4",
  post_maintenance: "M14 6a4 4 0 0 0-5 5L3 17l4 4 6-6a4 4 0 0 0 5-5l-3 3-3-3z",
  post_renovation: "M5 4h12v5H5zM17 6h3v5h-8v3M11 14h3v7h-3z",
  // What is done in a room
  strip_bed: "M3 18v-8M3 14h18v4M21 14v-2a3 3 0 0 0-3-3h-7v5M6 6l3 3M9 6l-3 3",
  make_bed: "M3 19V7M3 15h18v4M21 15v-2a3 3 0 0 0-3-3H9v5M5.5 12a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z",
  bed: "M3 19V7M3 15h18v4M21 15v-2a3 3 0 0 0-3-3H9v5M5.5 12a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z",
  bathroom: "M3 12h18v2a6 6 0 0 1-6 6H9a6 6 0 0 1-6-6zM6 12V6a2 2 0 0 1 4 0M8 8h4M7 20l-1 2M17 20l1 2",
  towels: "M6 4h12v3H6zM7 7v13h10V7M10 7v13M7 16h10",
  floor: "M14 3l-4 10M7 13h7l2 8H4zM8 17v4M11 17v4",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 14h8l1-14M10 11v6M14 11v6",
  minibar: "M6 3h12v18H6zM6 10h12M9 6v2M9 13v3",
  lost_items: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l6 6M10 8v4M8 10h4",
  windows: "M4 4h16v16H4zM12 4v16M4 12h16",
  mattress: "M3 9h18v7H3zM6 16v3M18 16v3M7 12h.1M12 12h.1M17 12h.1",
  curtains: "M3 4h18M5 4c0 7 2 10 0 16h4c1-6 2-9 2-16M19 4c0 7-2 10 0 16h-4c-1-6-2-9-2-16",
  debris: "M3 20h18M5 20l3-6 3 3 3-7 5 10M14 5l3-2 2 3-3 2z",
  paint: "M5 4h12v5H5zM17 6h3v5h-8v3M11 14h3v7h-3z",
  full_clean: "M14 3l-4 10M7 13h7l2 8H4zM18 4v4M16 6h4M19 12v3",
  supplies: "M9 3h6v4H9zM8 7h8l1 5v9H7v-9zM7 14h10",
  smell: "M8 20c-3-4 3-6 0-10M12 20c-3-4 3-6 0-10M16 20c-3-4 3-6 0-10M12 4v2",
  repair_check: "M14 6a4 4 0 0 0-5 5L3 17l4 4 6-6a4 4 0 0 0 5-5l-3 3-3-3z",
  dust: "M4 20c2-6 6-8 9-11M13 9l4-5 3 3-5 4M4 20h7",
  check: "M5 4h14v16H5zM8 9l2 2 4-4M8 16h8",
  // Why it rests
  break: "M4 8h13v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM17 9h2a2 2 0 0 1 0 5h-2M8 3v2M12 3v2",
  awaiting_linen: "M4 8c0-2 2-3 4-3h8c2 0 4 1 4 3v9H4zM4 12h16M9 21l3-2 3 2",
  awaiting_maintenance: "M14 6a4 4 0 0 0-5 5L3 17l4 4 6-6a4 4 0 0 0 5-5l-3 3-3-3z",
  staff_swap: "M7 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16c0-3 2-4 5-4M17 20a3 3 0 1 0 0-6M12 22c0-3 2-4 5-4M13 5h6v5M17 8l2 2 2-2M11 19H5v-3",
  guest_present: "M4 21V3h11v18M2 21h20M18 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM16 21v-7a2 2 0 0 1 4 0v7M11 12v1",
  other: "M5 12h.1M12 12h.1M19 12h.1",
  // Why it cannot be done
  room_not_vacated: "M6 8h12v12H6zM9 8V5h6v3M9 20v2M15 20v2M6 13h12",
  access_denied: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3M12 14v3",
  sickness: "M10 14V5a2 2 0 0 1 4 0v9a4 4 0 1 1-4 0zM12 10v7",
  equipment_missing: "M14 3l-4 10M7 13h7l2 8H4zM18 12c2-1 3 1 1 2v1M19 18v.1",
  // What is broken
  plumbing: "M4 10h9a4 4 0 0 1 4 4v1M4 6v8M9 10V6M6 6h6M17 18c-1 1.5-1 3 0 3s1-1.500 0-3z",
  electrical: "M13 2L5 13h6l-1 9 8-12h-6z",
  heating: "M12 3c4 4 5 7 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-3 0-6 1-9z",
  furniture: "M6 3v10h12V3M6 13v8M18 13v8M6 17h12M6 8h12",
  television: "M3 5h18v12H3zM8 21h8M12 17v4",
  door: "M6 21V3h12v18M3 21h18M14 12v.1",
  glass: "M4 4h16v16H4zM10 4l2 6-4 3 5 3-2 4",
  // How bad
  info: "M12 11v6M12 7v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  minor: "M12 4l9 16H3zM12 10v4M12 17v.1",
  blocking: "M8 3h8l5 5v8l-5 5H8l-5-5V8zM8 12h8",
  // Things that guests leave
  phone: "M8 2h8v20H8zM11 18h2",
  money: "M3 7h18v11H3zM12 15a2.5 2.5 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM6 10v5M18 10v5",
  ring: "M12 21a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM9 9L8 5l4-2 4 2-1 4",
  shirt: "M8 3L3 7l3 4 2-1v11h8V10l2 1 3-4-5-4c-1 2-7 2-8 0z",
  papers: "M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7",
  toy: "M12 8a4 4 0 1 0 0 .1M8 6a2 2 0 1 1 1-2M16 6a2 2 0 1 0-1-2M12 21a5 5 0 1 0 0-9 5 5 0 0 0 0 9z",
  // Things to tap on the phone
  start: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  done: "M4 13l5 5L20 6",
  fail: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM6 6l12 12",
  hand: "M8 12V5a1.500 1.500 0 0 1 3 0v5V4a1.500 1.500 0 0 1 3 0v6V5a1.500 1.500 0 0 1 3 0v9a7 7 0 0 1-13 3l-2-4c0-2 2-2 3-1z",
  vacant: "M5 21V3h14v18M2 21h20M15 12v.1",
  occupied: "M5 21V3h14v18M2 21h20M12 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 21v-4a4 4 0 0 1 8 0v4",
  photo: "M4 8h4l2-3h4l2 3h4v11H4zM12 10a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z",
  coffee: "M4 8h13v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM17 9h2a2 2 0 0 1 0 5h-2",
  calendar: "M4 5h16v16H4zM4 10h16M8 3v4M16 3v4",
  empty: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5",
};

/** Arrows mirror with the reading direction; clocks, ticks and tools do not. */
const MIRRORS = new Set(["next", "back", "logout", "arrival", "turnover"]);

export function Picture({ name }: { name: string }) {
  return (
    <svg class={MIRRORS.has(name) ? "picture mirrors" : "picture"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={LINES[name] ?? LINES.check} />
    </svg>
  );
}

export const hasPicture = (name: string): boolean => name in LINES;
