// The pictures behind a housekeeper's buttons: they come with the questions that show them.
import { addPictures } from "../ui/pictures";

addPictures({
  // Why it rests
  break: "M4 8h13v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM17 9h2a2 2 0 0 1 0 5h-2M8 3v2M12 3v2",
  awaiting_linen: "M4 8c0-2 2-3 4-3h8c2 0 4 1 4 3v9H4zM4 12h16M9 21l3-2 3 2",
  awaiting_maintenance: "M14 6a4 4 0 0 0-5 5L3 17l4 4 6-6a4 4 0 0 0 5-5l-3 3-3-3z",
  guest_present: "M4 21V3h11v18M2 21h20M18 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM16 21v-7a2 2 0 0 1 4 0v7M11 12v1",
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
  minor: "M12 4l9 16H3zM12 10v4M12 17v.1",
  blocking: "M8 3h8l5 5v8l-5 5H8l-5-5V8zM8 12h8",
  // Things that guests leave
  phone: "M8 2h8v20H8zM11 18h2",
  money: "M3 7h18v11H3zM12 15a2.5 2.5 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM6 10v5M18 10v5",
  ring: "M12 21a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM9 9L8 5l4-2 4 2-1 4",
  shirt: "M8 3L3 7l3 4 2-1v11h8V10l2 1 3-4-5-4c-1 2-7 2-8 0z",
  papers: "M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7",
  toy: "M12 8a4 4 0 1 0 0 .1M8 6a2 2 0 1 1 1-2M16 6a2 2 0 1 0-1-2M12 21a5 5 0 1 0 0-9 5 5 0 0 0 0 9z",
});
