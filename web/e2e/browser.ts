// A browser of one's own that can be killed as a phone kills it: the whole process, without a word, and started again on what it left.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type Page, chromium } from "@playwright/test";

const program = process.env.MELMASTOON_CHROMIUM ?? "/usr/bin/chromium";

export class Device {
  private readonly profile = mkdtempSync(join(tmpdir(), "melmastoon-device-"));
  private process: ChildProcess | undefined;
  private browser: Browser | undefined;

  /** Starts the browser on the device's profile and opens a page. */
  async start(): Promise<Page> {
    const told = join(this.profile, "DevToolsActivePort");
    rmSync(told, { force: true });
    const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0", "--window-size=320,640"];
    // A group of its own, so that its helpers die with it.
    const child = spawn(program, [...options, `--user-data-dir=${this.profile}`, "about:blank"], { stdio: "ignore", detached: true });
    this.process = child;
    const port = await until(() => {
      try {
        return readFileSync(told, "utf8").split("\n")[0] || undefined;
      } catch {
        return undefined;
      }
    });
    this.browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const [context] = this.browser.contexts();
    if (!context) throw new Error("the browser has no window");
    const page = await context.newPage();
    // Nothing waits for ever: whoever started the browser must get to end it.
    page.setDefaultTimeout(30_000);
    return page;
  }

  /** As when the battery is taken out. */
  async kill(): Promise<void> {
    await this.end(() => process.kill(-(this.process?.pid ?? 0), "SIGKILL"));
  }

  /** As when somebody closes it: everything is written down. */
  async close(): Promise<void> {
    const session = await this.browser?.newBrowserCDPSession();
    await this.end(() => void session?.send("Browser.close").catch(() => undefined));
  }

  private async end(how: () => void): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    how();
    await ended;
    await this.browser?.close().catch(() => undefined);
    this.process = undefined;
  }

  async forget(): Promise<void> {
    await this.kill();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Looks again in short steps until there is something, for at most 20 s. */
async function until<T>(look: () => T | undefined): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error("it did not come");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
