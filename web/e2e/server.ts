// The real server for stories in a browser: `melmastoon up --demo` on a folder and a port of its own, one for each worker.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type APIRequestContext, type Page, expect, test as base } from "@playwright/test";

export type Role = "supervisor" | "housekeeper" | "front_desk" | "property_manager";

const binary = process.env.MELMASTOON_BINARY ?? new URL("../../target/debug/melmastoon", import.meta.url).pathname;

export class Hotel {
  url = "";
  tenant = "";
  property = "";
  supervisor = "";
  readonly said: string[] = [];
  private process: ChildProcess | undefined;
  private port = 0;

  private constructor(
    private readonly folder: string,
    private readonly options: string[],
  ) {}

  /** A hotel that is ready. `--demo` unless other options are given. */
  static async open(options: string[] = ["--demo"]): Promise<Hotel> {
    const folder = mkdtempSync(join(tmpdir(), "melmastoon-e2e-"));
    chmodSync(folder, 0o755);
    const hotel = new Hotel(folder, options);
    await hotel.start();
    return hotel;
  }

  /** Starts it, the second time on the same port and folder. */
  async start(): Promise<void> {
    if (this.isRunning()) return;
    const place = this.options.includes("--listen") ? [] : ["--listen", `127.0.0.1:${this.port}`];
    const child = spawn(binary, ["up", ...place, "--data-dir", this.folder, ...this.options], { stdio: ["ignore", "pipe", "pipe"] });
    this.process = child;
    const ready = new Promise<void>((resolve, reject) => {
      let rest = "";
      child.stdout.on("data", (bytes: Buffer) => {
        rest += bytes.toString();
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        this.said.push(...lines);
        if (lines.some((line) => line.startsWith("melmastoon ready at "))) resolve();
      });
      let wrong = "";
      child.stderr.on("data", (bytes: Buffer) => (wrong += bytes.toString()));
      child.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${wrong.slice(-2_000)}`)));
    });
    await ready;
    const told = this.said.join("\n");
    this.url = /melmastoon ready at (\S+)/.exec(told)?.[1] ?? "";
    this.port = Number(new URL(this.url).port);
    this.tenant = /tnt_[0-9A-Z]+/.exec(told)?.[0] ?? "";
    this.property = /propertyId=(prp_[0-9A-Z]+)/.exec(told)?.[1] ?? "";
    this.supervisor = /--staff (stf_[0-9A-Z]+)/.exec(told)?.[1] ?? "";
  }

  private isRunning(): boolean {
    return this.process !== undefined && this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Ends the process: gently, or as a power cut would. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.process;
    if (!child || !this.isRunning()) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A token, minted as an operator would. */
  token(...options: string[]): string {
    return this.foreignToken(this.tenant, ...options);
  }

  /** One of another hotel, by the same key. */
  foreignToken(tenant: string, ...options: string[]): string {
    return execFileSync(binary, ["token", "--data-dir", this.folder, "--tenant", tenant, ...options]).toString().trim();
  }

  /** Asks the REST interface beside the browser. */
  async ask<T = Record<string, unknown>>(role: string, method: string, path: string, body?: unknown, staff = this.supervisor): Promise<T> {
    const token = this.token("--role", role, "--staff", staff);
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }
}

interface Fixtures {
  /** Signs in by the demo link and waits for the page to be painted. */
  enter(page: Page, role: Role, path?: string): Promise<void>;
  /** What went wrong on any page of the test: console errors, page errors, reports of the content policy. */
  complaints: string[];
}

export const test = base.extend<Fixtures, { hotel: Hotel }>({
  hotel: [
    async ({}, use) => {
      const hotel = await Hotel.open();
      await use(hotel);
      await hotel.close();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  baseURL: async ({ hotel }, use) => use(hotel.url),
  complaints: [
    async ({ context }, use) => {
      const found: string[] = [];
      context.on("page", (page) => {
        page.on("console", (message) => {
          // A browser writes down by itself that nobody is signed in yet.
          const asked = message.location().url.endsWith("/web/session") && message.text().includes("401");
          if (message.type() === "error" && !asked) found.push(`console: ${message.text()} ${message.location().url}`);
        });
        page.on("pageerror", (error) => found.push(`page: ${error.message}`));
      });
      await use(found);
    },
    { auto: true },
  ],
  enter: async ({}, use) => {
    await use(async (page, role, path) => {
      await page.goto(`/login?demo=${role}`);
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
      await ready(page);
      if (path) {
        await page.goto(path);
        await ready(page);
      }
    });
  },
});

/** The page's data is painted. */
export async function ready(page: Page): Promise<void> {
  await expect(page.getByTestId("app")).toHaveAttribute("data-ready", "yes", { timeout: 20_000 });
}

/** Signs in by a link that an operator made, as `melmastoon token --link` prints it. */
export async function enterBy(page: Page, token: string): Promise<void> {
  await page.goto(`/login#token=${token}`);
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
  await ready(page);
}

/** The device speaks this language from the first page on. */
export async function speaks(page: Page, language: "en" | "ps" | "fa"): Promise<void> {
  await page.addInitScript((code) => localStorage.setItem("melmastoon.language", code), language);
}

export { expect, type APIRequestContext, type Page };
