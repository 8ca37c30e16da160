// Every page, and what opens on it, with who looks at it. `phone`: housekeepers hold it in their hand, so its targets are large.
import pages from "../../src/app/pages.json" with { type: "json" };

const ROLES = { login: "", my: "housekeeper", "my-task": "housekeeper", desk: "front_desk", chart: "front_desk", stats: "property_manager", roster: "property_manager", lost: "housekeeper", linen: "housekeeper", outbox: "housekeeper" };
const PHONE = new Set(["login", "my", "my-task", "linen", "lost", "outbox"]);
/** Paths with an id in them are found on the board, inside the page. */
const PATHS = {
  room: async () => {
    const who = await (await fetch("/web/session")).json();
    const board = await (await fetch(`/housekeeping/v1/board?propertyId=${who.propertyId}`)).json();
    const room = board.rooms.find((one) => one.status === "cleaning") ?? board.rooms[0];
    return room && `/rooms/${room.roomId}`;
  },
  "my-task": async () => {
    const who = await (await fetch("/web/session")).json();
    const board = await (await fetch(`/housekeeping/v1/board?propertyId=${who.propertyId}&staffId=${who.staffId}`)).json();
    const task = board.tasks.filter((one) => one.assigneeStaffId === who.staffId && one.status === "assigned")[0];
    return task && `/my/${task.taskId}`;
  },
  print: async () => {
    const who = await (await fetch("/web/session")).json();
    const board = await (await fetch(`/housekeeping/v1/board?propertyId=${who.propertyId}`)).json();
    const person = board.staff.find((one) => board.tasks.some((task) => task.assigneeStaffId === one.staffId));
    return person && `/print/${person.staffId}`;
  },
};

const optional = (page, testid) => page.getByTestId(testid).first().click({ timeout: 6_000 }).catch(() => undefined);

export const SCENES = [
  ...pages.map((page) => ({ name: page.name, path: PATHS[page.name] ?? page.path, role: ROLES[page.name] ?? "supervisor", phone: PHONE.has(page.name) })),
  { name: "board-floors", path: "/board?view=floors", role: "supervisor" },
  { name: "board-list", path: "/board?view=list", role: "supervisor" },
  { name: "board-desk", path: "/board", role: "front_desk" },
  { name: "menu", path: "/board", role: "supervisor", act: (page) => optional(page, "task-menu") },
  { name: "help", path: "/board", role: "supervisor", act: (page) => optional(page, "help") },
  { name: "new-task", path: "/board", role: "supervisor", act: (page) => optional(page, "add-task") },
  { name: "pause", path: "/my", role: "housekeeper", phone: true, act: (page) => optional(page, "task-pause") },
  { name: "report", path: "/my", role: "housekeeper", phone: true, act: (page) => optional(page, "report") },
  { name: "check-in", path: "/desk", role: "front_desk", act: (page) => optional(page, "check-in") },
  { name: "settings-manager", path: "/settings", role: "property_manager" },
  { name: "my-supervisor", path: "/my", role: "supervisor", phone: true },
  { name: "linen-supervisor", path: "/linen", role: "supervisor" },
  { name: "lost-desk", path: "/lost", role: "front_desk" },
];

/** A plan that waits for an answer. */
const plan = async (page) => {
  if (!(await page.getByTestId("plan-row").count())) await page.getByTestId("plan-suggest").click();
  await page.getByTestId("plan-row").first().waitFor({ timeout: 20_000 });
  await page.evaluate(() => scrollTo(0, 0));
};
/** Taps that wait for the net. */
const waiting = async (page) => {
  await page.goto("/my");
  await page.getByTestId("check").first().waitFor();
  await page.context().setOffline(true);
  await page.getByTestId("seen-vacant").click();
  await page.getByTestId("task-help").click();
  await page.getByTestId("nav-outbox").click();
  await page.getByTestId("entry").first().waitFor();
  await page.locator(".toast").first().waitFor({ state: "detached", timeout: 20_000 });
};

/** The pictures of the documentation. */
export const DOCS = [
  { file: "web-board-people-en", scene: "board", width: 1440, lang: "en", theme: "light" },
  { file: "web-board-people-ps-dark", scene: "board", width: 1440, lang: "ps", theme: "dark" },
  { file: "web-board-floors-dark", scene: "board-floors", width: 1440, lang: "en", theme: "dark" },
  { file: "web-board-list-ps", scene: "board-list", width: 768, height: 900, lang: "ps", theme: "light" },
  { file: "web-board-phone", scene: "board", width: 320, height: 700, lang: "en", theme: "light" },
  { file: "web-menu-give-to", scene: "menu", width: 1280, height: 900, lang: "en", theme: "light" },
  { file: "web-room-history-ps", scene: "room", width: 1280, height: 800, lang: "ps", theme: "light" },
  { file: "web-login-en", scene: "login", width: 768, height: 1000, lang: "en", theme: "light" },
  { file: "web-login-ps-dark", scene: "login", width: 320, height: 760, lang: "ps", theme: "dark" },
  { file: "web-my-ps", scene: "my", width: 320, height: 700, lang: "ps", theme: "light" },
  { file: "web-my-en-dark", scene: "my", width: 320, height: 700, lang: "en", theme: "dark" },
  { file: "web-report-fa", scene: "report", width: 320, height: 700, lang: "fa", theme: "light" },
  { file: "web-outbox-ps", scene: "outbox", width: 320, height: 640, lang: "ps", theme: "light", act: waiting },
  { file: "web-plan-en", scene: "plan", width: 1280, height: 900, lang: "en", theme: "light", act: plan },
  { file: "web-plan-ps-dark", scene: "plan", width: 768, height: 1000, lang: "ps", theme: "dark", act: plan },
  { file: "desk-en-light", scene: "desk", width: 1440, lang: "en", theme: "light" },
  { file: "desk-ps-dark", scene: "desk", width: 1440, lang: "ps", theme: "dark" },
  { file: "chart-en", scene: "chart", width: 1440, lang: "en", theme: "light" },
  { file: "roster-en", scene: "roster", width: 1440, lang: "en", theme: "light" },
  { file: "stats-ps-phone", scene: "stats", width: 320, height: 640, lang: "ps", theme: "light", whole: true },
  { file: "stats-en", scene: "stats", width: 1440, lang: "en", theme: "light", whole: true },
  { file: "linen-en", scene: "linen-supervisor", width: 1280, height: 800, lang: "en", theme: "light" },
  { file: "lost-ps-dark", scene: "lost-desk", width: 1280, height: 800, lang: "ps", theme: "dark" },
  { file: "settings-en", scene: "settings-manager", width: 1280, height: 900, lang: "en", theme: "light" },
  { file: "print-fa", scene: "print-all", width: 1440, lang: "fa", theme: "light" },
];
