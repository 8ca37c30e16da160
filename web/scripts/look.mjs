// Looks at every page as people would, in every language, theme and width, for houses of all sizes, and writes the pictures, sheets of many pictures at
// once, and what the eyes of look/eyes.mjs found. A tool for people who change pages; nothing of it is in the build.
//
//   node scripts/look.mjs --out /tmp/look [--houses demo,long] [--pages board,desk] [--widths 320,768,1440] [--langs en,ps,fa] [--themes light,dark,contrast,print]
//   node scripts/look.mjs --docs ../docs/screens      retakes the pictures of the documentation
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { clipped, sideways, small } from "./look/eyes.mjs";
import { FIVE_ROOMS, mirror } from "./look/houses.mjs";
import { toPalette } from "./look/palette.mjs";
import { DOCS, SCENES } from "./look/scenes.mjs";

const { values: asked } = parseArgs({
  options: {
    out: { type: "string", default: join(tmpdir(), "melmastoon-look") },
    docs: { type: "string" },
    houses: { type: "string", default: "demo,long,large,tiny,none,offline,broken,slow" },
    pages: { type: "string" },
    widths: { type: "string", default: "320,768,1440" },
    langs: { type: "string", default: "en,ps,fa" },
    themes: { type: "string", default: "light,dark" },
  },
});
const binary = process.env.MELMASTOON_BINARY ?? new URL("../../target/debug/melmastoon", import.meta.url).pathname;
const HEIGHTS = { 320: 640, 390: 844, 768: 1024, 1440: 900 };
const TENANT = "tnt_00000000000000000000000005";
const [FIVE, NOTHING] = ["prp_00000000000000000000000005", "prp_00000000000000000000000000"];
const list = (text) => text.split(",").filter(Boolean);

class Hotel {
  constructor(options) {
    this.folder = mkdtempSync(join(tmpdir(), "wl-"));
    chmodSync(this.folder, 0o755);
    this.options = options;
  }
  async start() {
    this.child = spawn(binary, ["up", "--listen", "127.0.0.1:0", "--data-dir", this.folder, ...this.options], { stdio: ["ignore", "pipe", "ignore"] });
    await new Promise((resolve, reject) => {
      let told = "";
      this.child.stdout.on("data", (bytes) => {
        told += bytes;
        this.url = /melmastoon ready at (\S+)/.exec(told)?.[1];
        if (this.url) resolve();
      });
      this.child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    return this;
  }
  run(...words) {
    return execFileSync(binary, [words[0], ...words.slice(1), "--data-dir", this.folder], { stdio: ["ignore", "pipe", "ignore"] }).toString().trim();
  }
  async stop() {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const browser = await chromium.launch({ executablePath: process.env.MELMASTOON_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--font-render-hinting=none"] });
const hotels = {};
async function hotelOf(house) {
  const kind = house === "tiny" || house === "none" ? "plain" : "demo";
  hotels[kind] ??= await new Hotel(kind === "demo" ? ["--demo"] : []).start();
  if (kind === "plain" && !hotels.plain.filled) {
    hotels.plain.filled = true;
    const file = join(hotels.plain.folder, "rooms.csv");
    writeFileSync(file, FIVE_ROOMS(FIVE));
    hotels.plain.run("import", file, "--tenant", TENANT);
  }
  return hotels[kind];
}

/** The app says that its data is painted; a page that never does is looked at all the same, and told. */
async function painted(page) {
  await page.locator('[data-testid=app][data-ready="yes"]').waitFor({ state: "attached", timeout: 15_000 });
  await page.evaluate(() => document.fonts.ready);
}

async function signIn(page, house, hotel, role) {
  if (!role) return;
  if (house === "tiny" || house === "none") {
    const token = hotel.run("token", "--tenant", TENANT, "--role", role, "--property", house === "tiny" ? FIVE : NOTHING, "--staff", "stf_00000000000000000000000001");
    await page.goto(`${hotel.url}/login#token=${token}`);
  } else await page.goto(`${hotel.url}/login?demo=${role}`);
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
  await painted(page);
}

const doors = new Map();
/** A browser's context of somebody who is signed in; signing in once is enough for all widths and themes. */
async function enter(house, role, { width, height = HEIGHTS[width] ?? 900, lang, theme }) {
  const hotel = await hotelOf(house);
  const door = `${house === "tiny" || house === "none" ? house : "demo"} ${role}`;
  const options = { viewport: { width, height }, serviceWorkers: "block", baseURL: hotel.url, reducedMotion: "reduce", hasTouch: width < 500 };
  // The person's own colours, and paper, are looked at as themes are.
  if (theme === "contrast") Object.assign(options, { forcedColors: "active", colorScheme: "dark" });
  if (role && !doors.has(door)) {
    const context = await browser.newContext(options);
    await signIn(await context.newPage(), house, hotel, role);
    doors.set(door, await context.storageState());
    await context.close();
  }
  const context = await browser.newContext({ ...options, ...(role ? { storageState: doors.get(door) } : {}) });
  await context.addInitScript(
    ([language, dark]) => {
      localStorage.setItem("melmastoon.language", language);
      localStorage.setItem("melmastoon.theme", dark);
      localStorage.setItem("melmastoon.no-install", "yes");
    },
    [lang, theme === "contrast" ? "dark" : theme === "print" ? "light" : theme],
  );
  await mirror(context, house);
  if (house === "broken") await context.route(/\/(housekeeping|reservation|staff)\/v1\//, (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify({ status: 500, code: "MELMASTOON.PLATFORM.INTERNAL", title: "Something went wrong", traceId: "4bf92f3577b34da6a3ce929d0e0e4736" }) }));
  if (house === "slow") await context.route(/\/(housekeeping|reservation|staff)\/v1\//, () => undefined);
  return context;
}

async function visit(context, scene, house) {
  const page = await context.newPage();
  if (house === "slow") {
    await page.goto(typeof scene.path === "string" ? scene.path : "/board");
    await page.waitForTimeout(900);
    return page;
  }
  const path = typeof scene.path === "string" ? scene.path : await findPath(page, scene);
  if (!path) return page.close();
  await page.goto(path);
  await painted(page).catch(() => console.log(`never ready: ${house} ${path}`));
  if (house === "offline") {
    await context.setOffline(true);
    await page.locator('[data-testid=app][data-live="offline"]').waitFor({ state: "attached", timeout: 60_000 });
  }
  if (scene.act) await scene.act(page);
  await page.waitForTimeout(120);
  return page;
}

async function findPath(page, scene) {
  await page.goto("/outbox");
  await painted(page);
  return page.evaluate(scene.path);
}

async function look() {
  mkdirSync(asked.out, { recursive: true });
  const scenes = SCENES.filter((scene) => !asked.pages || list(asked.pages).includes(scene.name));
  const findings = [];
  for (const house of list(asked.houses)) {
    const states = house === "broken" || house === "slow" || house === "offline";
    for (const width of list(asked.widths).map(Number)) {
      for (const lang of list(asked.langs)) {
        for (const theme of list(asked.themes)) {
          const shots = [];
          for (const role of [...new Set(scenes.map((scene) => scene.role))]) {
            const context = await enter(house, role, { width, lang, theme });
            for (const scene of scenes.filter((one) => one.role === role && !(states && (one.act || !one.role)))) {
              try {
                await context.setOffline(false);
                const page = await visit(context, scene, house);
                if (!page) continue;
                if (theme === "print") await page.emulateMedia({ media: "print" });
                const [folder, name] = [join(asked.out, house), `${scene.name}-${width}-${lang}-${theme}`];
                mkdirSync(folder, { recursive: true });
                const told = [
                  [await page.evaluate(sideways), "sideways"],
                  ...(await page.evaluate(clipped)).map((text) => [text, "text"]),
                  ...(await page.evaluate(small, scene.phone && width < 500 ? 44 : 24)).map((text) => [text, "small"]),
                ];
                for (const [what, kind] of told) if (what) findings.push({ house, scene: scene.name, width, lang, theme, kind, what });
                const tall = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), width < 500 ? 1300 : HEIGHTS[width] ?? 900);
                const file = join(folder, `${name}.png`);
                await page.screenshot({ path: file, fullPage: true, clip: { x: 0, y: 0, width, height: Math.max(tall, HEIGHTS[width] ?? 900) } });
                shots.push({ file, name: scene.name });
                await page.close();
              } catch (error) {
                console.log(`${house} ${scene.name} ${width} ${lang} ${theme}: ${String(error).split("\n")[0]}`);
              }
            }
            await context.close();
          }
          await sheet(shots, `${house}-${width}-${lang}-${theme}`, width);
        }
      }
    }
  }
  writeFileSync(join(asked.out, "findings.json"), JSON.stringify(findings, null, 1));
  const kinds = new Map();
  for (const one of findings) {
    const line = `${one.kind} ${one.scene}: ${one.what}`;
    kinds.set(line, [...(kinds.get(line) ?? []), `${one.house}/${one.width}/${one.lang}/${one.theme}`]);
  }
  for (const [line, where] of [...kinds].sort(([a], [b]) => a.localeCompare(b))) console.log(`${line}  [${where.length}: ${where[0]}]`);
}

/** Many pictures on one sheet, small enough to be seen whole. */
async function sheet(shots, name, width) {
  if (!shots.length) return;
  const [columns, each, rows] = width < 500 ? [6, 226, 1] : width < 1000 ? [5, 272, 2] : [3, 460, 3];
  const page = await browser.newPage({ viewport: { width: 1400, height: 880 } });
  for (let at = 0; at * columns * rows < shots.length; at += 1) {
    const part = shots.slice(at * columns * rows, (at + 1) * columns * rows);
    const cells = part.map((shot) => `<figure><figcaption>${shot.name}</figcaption><img src="data:image/png;base64,${readFileSync(shot.file).toString("base64")}"></figure>`);
    await page.setContent(
      `<style>body{margin:4px;font:12px sans-serif;background:#777;color:#fff;display:grid;grid-template-columns:repeat(${columns},${each}px);gap:6px}figure{margin:0}img{width:${each}px;display:block;max-height:${Math.floor(860 / rows) - 20}px;object-fit:cover;object-position:top}</style>${cells.join("")}`,
    );
    mkdirSync(join(asked.out, "sheets"), { recursive: true });
    await page.screenshot({ path: join(asked.out, "sheets", `${name}-${at + 1}.png`) });
  }
  await page.close();
}

/** The pictures of the documentation, in 256 colours: by pngquant where it is installed. */
async function takeDocs(folder) {
  const before = existsSync(folder) ? readdirSync(folder).reduce((total, name) => total + statSync(join(folder, name)).size, 0) : 0;
  for (const { file, scene, ...how } of DOCS) {
    if (asked.pages && !list(asked.pages).includes(file)) continue;
    const found = SCENES.find((one) => one.name === scene);
    const context = await enter(how.house ?? "demo", how.role ?? found.role, how);
    const page = await visit(context, { ...found, ...(how.act ? { act: how.act } : {}) }, how.house ?? "demo");
    // A picture of a living house shows that it is; one without a net does not wait for long.
    await page.locator('[data-testid=app][data-live="live"]').waitFor({ state: "attached", timeout: 5_000 }).catch(() => undefined);
    const path = join(folder, `${file}.png`);
    await page.screenshot({ path, fullPage: Boolean(how.whole) });
    try {
      execFileSync("pngquant", ["--force", "--skip-if-larger", "--speed", "1", "--quality", "70-98", "--output", path, path], { stdio: "ignore" });
    } catch {
      toPalette(path);
    }
    console.log(`${file}: ${statSync(path).size} bytes`);
    await context.close();
  }
  const after = readdirSync(folder).reduce((total, name) => total + statSync(join(folder, name)).size, 0);
  console.log(`${before} bytes before, ${after} after`);
}

try {
  if (asked.docs) await takeDocs(asked.docs);
  else await look();
} finally {
  await browser.close();
  for (const hotel of Object.values(hotels)) await hotel.stop();
}
