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

/** What comes after the dialog or the drawer stands: a picture of three dots tells nothing. */
const told = (page, selector) => page.waitForFunction((one) => /\p{L}{2}/u.test(document.querySelector(one)?.textContent ?? ""), selector, { timeout: 6_000 }).catch(() => undefined);
const optional = (page, testid) => page.getByTestId(testid).first().click({ timeout: 6_000 }).catch(() => undefined);

export const SCENES = [
  ...pages.map((page) => ({ name: page.name, path: PATHS[page.name] ?? page.path, role: ROLES[page.name] ?? "supervisor", phone: PHONE.has(page.name) })),
  { name: "board-floors", path: "/board?view=floors", role: "supervisor" },
  { name: "board-list", path: "/board?view=list", role: "supervisor" },
  { name: "board-desk", path: "/board", role: "front_desk" },
  { name: "menu", path: "/board", role: "supervisor", act: async (page) => (await optional(page, "task-menu"), told(page, "[data-testid=what-if]")) },
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

/** A guest who has no room yet. */
const homeless = async (page) => {
  await page.locator('[data-testid=arrival][data-room=""] [data-testid=check-in]').first().click({ timeout: 6_000 });
  await page.getByTestId("assign-room").waitFor();
};

const LOOKS = [
  { end: "desk-en", width: 1440, lang: "en", theme: "light" },
  { end: "desk-ps-dark", width: 1440, lang: "ps", theme: "dark" },
  { end: "phone-en", width: 320, height: 700, lang: "en", theme: "light" },
  { end: "phone-ps-dark", width: 320, height: 700, lang: "ps", theme: "dark" },
];
/** Each page for the desk and the phone, in English by day and in Pashto by night. What changes the house comes last. */
const EVERY = [
  ["login", "login"],
  ["board", "board"],
  ["room", "room", (page) => page.getByTestId("history-item").first().waitFor({ timeout: 20_000 })],
  ["my", "my"],
  ["my-task", "my-task"],
  ["desk", "desk"],
  ["chart", "chart"],
  ["linen", "linen-supervisor"],
  ["lost", "lost-desk"],
  ["roster", "roster"],
  ["stats", "stats"],
  ["print", "print-all"],
  ["settings", "settings-manager"],
  ["outbox", "outbox", waiting],
  ["plan", "plan", plan],
];

/** The pictures of the documentation. */
export const DOCS = [
  ...EVERY.flatMap(([file, scene, act]) => LOOKS.map(({ end, ...how }) => ({ file: `${file}-${end}`, scene, ...how, ...(act ? { act } : {}) }))),
  { file: "board-floors-desk-en-dark", scene: "board-floors", width: 1440, lang: "en", theme: "dark" },
  { file: "board-list-tablet-ps", scene: "board-list", width: 768, height: 900, lang: "ps", theme: "light" },
  { file: "menu-give-to-desk-en", scene: "menu", width: 1280, height: 900, lang: "en", theme: "light" },
  { file: "report-phone-fa", scene: "report", width: 320, height: 700, lang: "fa", theme: "light" },
  { file: "check-in-desk-en", scene: "desk", width: 1280, height: 800, lang: "en", theme: "light", act: homeless },
];
