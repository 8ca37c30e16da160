// The houses to look at: the demo's own 48 rooms, one of 500, one where every name is long, five rooms and nobody, nothing at all, and no net.
// The large and the long one are the demo's answers, multiplied or lengthened on their way into the page.

const LONG_NAMES = [
  "Maximiliane-Friederike von Hohenstein-Wildenburg-Schwarzenau",
  "عبدالرحمان جان د محمد ابراهیم خان زوی احمدزی نورزی هوتک",
  "Donaudampfschifffahrtsgesellschaftskapitänswitwe Brunner",
  "سیده فاطمه زهرا حسینی خراسانی اصفهانی تبریزی",
  "Wolfeschlegelsteinhausenbergerdorff",
  "زرغونه ستانکزۍ",
];
const LONG_WORDS = [
  "Bettwäschewechselbereitschaftsdienstanweisung: bitte die Fensterscheibenreinigungsmittelflasche nicht vergessen",
  "په دې خونه کې د تشناب نل څاڅي او د کړکۍ شیشه ماته ده، مهرباني وکړئ ژر یې وګورئ او خبر راکړئ",
  "A very long remark that somebody typed on a busy morning, without a full stop, and that goes on and on until nobody reads it",
];
const NAMES = new Set(["displayName", "guestName", "name", "givenName", "familyName"]);
const WORDS = new Set(["description", "note", "body", "reason", "line", "section", "roomType"]);

const sum = (text) => [...text].reduce((total, letter) => total + letter.codePointAt(0), 0);
const pick = (list, text) => list[sum(text) % list.length];

function lengthen(value, key = "") {
  if (Array.isArray(value)) return value.map((one) => lengthen(one, key));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, lengthen(one, name)]));
  if (typeof value !== "string" || !value) return value;
  if (NAMES.has(key)) return pick(LONG_NAMES, value);
  // Codes are one word in small letters; what people type is not.
  if (WORDS.has(key) && !/^[a-z_]+$/.test(value)) return pick(LONG_WORDS, value);
  if (key === "number" && /[05]$/.test(value)) return `${value}-Gartenflügel`;
  return value;
}

function multiply(value, times) {
  const again = (list, copy) =>
    Array.from({ length: times }, (_, round) => (list ?? []).map((one) => (round ? copy(structuredClone(one), round) : one))).flat();
  const renumber = (number, round) => `${Number(number?.[0] ?? 1) + round * 4}${String(number ?? "").slice(1)}`;
  const room = (one, round) => {
    one.roomId += round;
    one.number = renumber(one.number, round);
    if (one.floor !== undefined) one.floor += round * 4;
    if (one.openTask) one.openTask.taskId += round;
    for (const span of one.spans ?? []) if (span.itemId) span.itemId += round;
    return one;
  };
  const task = (one, round) => Object.assign(one, { taskId: one.taskId + round, roomId: one.roomId + round });
  if (!value?.rooms) return value;
  return { ...value, rooms: again(value.rooms, room), ...(value.tasks ? { tasks: again(value.tasks, task) } : {}) };
}

/** What stands between the server and the page, for the houses that are made on the way. */
export const MIRRORS = { long: (value) => lengthen(value), large: (value) => multiply(value, 11) };

export async function mirror(context, house) {
  const change = MIRRORS[house];
  if (!change) return;
  const isAnswer = (url) => /^\/(housekeeping|reservation|staff)\/v1\//.test(url.pathname) && !url.pathname.endsWith("/stream");
  // The stream begins with the whole board as the server has it: here it keeps silent.
  await context.route(/\/housekeeping\/v1\/board\/stream/, () => undefined);
  await context.route(isAnswer, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const headers = { ...route.request().headers() };
    delete headers["if-none-match"];
    try {
      const response = await route.fetch({ headers });
      if (!(response.headers()["content-type"] ?? "").includes("json")) return await route.fulfill({ response });
      return await route.fulfill({ response, json: change(await response.json()) });
    } catch {
      // The page has gone on, or closed: nobody waits for it.
      return route.abort().catch(() => undefined);
    }
  });
}

/** Five rooms, for `melmastoon import`. */
export const FIVE_ROOMS = (property) =>
  ["property_id,room_id,number,floor,section,room_type", ...["1", "2", "3", "4", "5"].map((number) => `${property},rom_0000000000000000000000000${number},${number},1,,double`)].join("\n");
