// Pictures of pages for those at a desk, and of what opens later: a housekeeper's day is painted without them.
import { addPictures } from "./pictures";

addPictures({
  board: "M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z",
  plan: "M4 6h8M4 12h14M4 18h10M17 4v4M21 10v4M17 16v4",
  desk: "M3 18h18M5 18a7 7 0 0 1 14 0M12 11V8M10 8h4",
  chart: "M3 5h18v15H3zM3 10h18M9 5v15M11 13h7M6 16h6",
  roster: "M4 5h16v16H4zM4 10h16M8 3v4M16 3v4M8 14h2M14 14h2M8 17h2",
  stats: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6M20 16V6",
  more: "M5 12h.1M12 12h.1M19 12h.1",
  print: "M7 9V4h10v5M5 9h14v8h-3M5 17H4V9M8 14h8v6H8z",
  staff_swap: "M7 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16c0-3 2-4 5-4M17 20a3 3 0 1 0 0-6M12 22c0-3 2-4 5-4M13 5h6v5M17 8l2 2 2-2M11 19H5v-3",
  photo: "M4 8h4l2-3h4l2 3h4v11H4zM12 10a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z",
  calendar: "M4 5h16v16H4zM4 10h16M8 3v4M16 3v4",
  info: "M12 11v6M12 7v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  search: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l6 6",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
  other: "M5 12h.1M12 12h.1M19 12h.1",
});
