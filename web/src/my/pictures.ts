// The pictures of a housekeeper's day: the kinds of work, and what is done in a room.
import { addPictures } from "../ui/pictures";

addPictures({
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
  floor: "M14 3l-4 10M7 13h7l2 8H4zM8 17v4M11 17v4",
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
  // What goes out of a room: a heap in a basket. What comes in is a folded pile (`linen`).
  returned: "M4 12h16l-2 9H6zM9 15v3M12 15v3M15 15v3M6 12c-1-4 2-3 3-5s4-3 5-1 4 1 4 6",
  dust: "M4 20c2-6 6-8 9-11M13 9l4-5 3 3-5 4M4 20h7",
});
