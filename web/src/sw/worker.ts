// The service worker: the whole build by version, pages from the cache, the API never; and it sends what waits.
import { CHANNEL } from "../outbox/lock";
import { rememberWho } from "../outbox/shelf";
import { sendNow } from "../outbox/sender";
import { browserWorld } from "../outbox/world";
import { match } from "../app/match";
import { knowsTime } from "./server-time";

declare const __FILES__: string[];
declare const __BUILD__: string;
declare const self: ServiceWorkerGlobalScope;
interface SyncEvent extends ExtendableEvent {
  tag: string;
}

const CACHE = `melmastoon-${__BUILD__}`;
/** The font is for two of the three languages: it is kept when it is first used. */
const LATER = /\.(woff2)$/;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(__FILES__.filter((file) => !LATER.test(file)).map((file) => new Request(file, { cache: "no-cache" })))),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith("melmastoon-") && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "take-over") void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  const isPage = request.mode === "navigate" && (url.pathname === "/" || match(url.pathname) !== undefined);
  if (isPage) event.respondWith(fromCache("/", request));
  else if (__FILES__.includes(url.pathname) && url.pathname !== "/sw.js") event.respondWith(fromCache(url.pathname, request));
});

async function fromCache(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(path);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && LATER.test(path)) await cache.put(path, response.clone());
  return response;
}

const channel = new BroadcastChannel(CHANNEL);
const world = browserWorld({
  changed: () => channel.postMessage({ is: "changed" }),
  done: (entry, body) => channel.postMessage({ is: "done", entry, body }),
  refused: (entry) => channel.postMessage({ is: "refused", entry }),
  signedOut: () => void rememberWho(undefined),
});

/** A promise that fails is how a browser is asked to come back. */
async function sendAll(): Promise<void> {
  if (!(await knowsTime()) || !(await sendNow(world))) throw new Error("something still waits to be sent");
}

self.addEventListener("sync", (event) => {
  if ((event as SyncEvent).tag === "outbox") (event as SyncEvent).waitUntil(sendAll());
});
