// Drawn pictures for those who read little; 24 by 24, lines in the colour of the text.

const LINES: Record<string, string> = {
  // The frame
  my: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-5 4-7 8-7s7 2 8 7",
  linen: "M4 8c0-2 2-3 4-3h8c2 0 4 1 4 3v9H4zM4 12h16M4 16h16",
  lost: "M8 9V7a4 4 0 0 1 8 0v2M5 9h14l1 11H4zM12 13v3",
  outbox: "M4 13v7h16v-7M12 15V4M8 8l4-4 4 4",
  settings: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1",
  help: "M9 9a3 3 0 1 1 4 3c-1 .6-1 1-1 2M12 18v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  logout: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  hotel: "M4 21V5l8-2v18M12 8h8v13M3 21h18M7 8h2M7 12h2M7 16h2M15 12h2M15 16h2",
  language: "M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  theme: "M12 3a9 9 0 1 0 9 9c-4 3-10 0-9-9z",
  close: "M6 6l12 12M18 6L6 18",
  next: "M9 5l7 7-7 7",
  back: "M15 5l-7 7 7 7",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  tick: "M4 13l5 5L20 6",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l4 2",
  offline: "M3 3l18 18M5 10a10 10 0 0 1 4-2M19 10a10 10 0 0 0-6-3M8 14a6 6 0 0 1 5-1M12 18v.1",
  alert: "M12 4l9 16H3zM12 10v4M12 17v.1",
  chevrons: "M6 11l6-6 6 6M6 18l6-6 6 6",
  arrival: "M3 20h18M5 20V6l9-2v16M14 8h5v12M10 12h.1M22 3l-4 2 4 2",
  // Used in more places than one
  towels: "M6 4h12v3H6zM7 7v13h10V7M10 7v13M7 16h10",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 14h8l1-14M10 11v6M14 11v6",
  repair_check: "M14 6a4 4 0 0 0-5 5L3 17l4 4 6-6a4 4 0 0 0 5-5l-3 3-3-3z",
  check: "M5 4h14v16H5zM8 9l2 2 4-4M8 16h8",
  // Things to tap on the phone
  start: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  done: "M4 13l5 5L20 6",
  fail: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM6 6l12 12",
  hand: "M8 12V5a1.500 1.500 0 0 1 3 0v5V4a1.500 1.500 0 0 1 3 0v6V5a1.500 1.500 0 0 1 3 0v9a7 7 0 0 1-13 3l-2-4c0-2 2-2 3-1z",
  vacant: "M5 21V3h14v18M2 21h20M15 12v.1",
  occupied: "M5 21V3h14v18M2 21h20M12 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 21v-4a4 4 0 0 1 8 0v4",
  coffee: "M4 8h13v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM17 9h2a2 2 0 0 1 0 5h-2",
  empty: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5",
};

/** Pictures that only some parts need come with those parts. */
export function addPictures(more: Record<string, string>): void {
  Object.assign(LINES, more);
}

/** Arrows mirror with the reading direction; clocks, ticks and tools do not. */
const MIRRORS = new Set(["next", "back", "logout", "arrival", "turnover"]);

export function Picture({ name }: { name: string }) {
  return (
    <svg class={MIRRORS.has(name) ? "picture mirrors" : "picture"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={name && (LINES[name] ?? LINES.check)} />
    </svg>
  );
}

export const hasPicture = (name: string): boolean => name in LINES;
