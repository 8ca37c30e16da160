// Reading the server. Whatever changes something goes through the outbox instead.
import type { Client } from "openapi-fetch";
import type { components, paths } from "./schema";
import { learnTime } from "./clock";
import { NO_ANSWER, Refused, readProblem } from "./problem";

export type Schemas = components["schemas"];

const HOUSEKEEPING = "/housekeeping/v1";
export { HOUSEKEEPING };

let language = "en";
let onSignedOut: () => void = () => {};
let onAnswer: (came: boolean) => void = () => {};

/** Half-open Wi-Fi gives no answer and no refusal: a question that takes longer is one without an answer. */
export const PATIENCE = 15_000;
/** What changes something is waited for a little longer; its key makes trying again harmless. */
export const PATIENCE_TO_CHANGE = 30_000;

/** The language of the server's own words, what to do when it no longer knows us, and who hears whether answers come at all. */
export function configure(options: { language?: string; onSignedOut?: () => void; onAnswer?: (came: boolean) => void }): void {
  language = options.language ?? language;
  onSignedOut = options.onSignedOut ?? onSignedOut;
  onAnswer = options.onAnswer ?? onAnswer;
}

/** A plain fetch that reads the time and notices a 401. */
export async function call(input: string | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(input instanceof Request ? input.headers : init.headers);
  headers.set("accept-language", language);
  const asked = Date.now();
  const response = await fetch(input, { credentials: "same-origin", ...init, headers }).catch((error: unknown) => {
    // Whoever ends a question themselves learns nothing about the net.
    if ((error as Error | undefined)?.name !== "AbortError") onAnswer(false);
    throw error;
  });
  onAnswer(true);
  learnTime(response, asked);
  if (response.status === 401 && !String(input instanceof Request ? input.url : input).includes("/web/session")) onSignedOut();
  return response;
}

type Asked = { params?: { path?: Record<string, unknown>; query?: Record<string, unknown> } };

/** openapi-fetch's types over a fetch of our own: only questions are asked this way, and theirs is larger than all of this file. */
async function get(template: string, asked: Asked = {}): Promise<{ data: unknown }> {
  const { path = {}, query = {} } = asked.params ?? {};
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null) search.append(name, String(one));
  }
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const text = search.toString();
  return { data: await readJson(text ? `${address}?${text}` : address) };
}
export const api = { GET: get } as unknown as Pick<Client<paths>, "GET">;

/** The body of an answer, or a `Refused`: `await read(api.GET("/housekeeping/v1/rooms/{roomId}", …))`. */
export async function read<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

/** For routes that are not in the document yet: the caller says what comes back. */
export async function readJson<T>(path: string): Promise<T> {
  let response: Response;
  try {
    response = await call(path, { signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    throw new Refused({ ...NO_ANSWER, detail: String(error) });
  }
  if (!response.ok) throw new Refused(await readProblem(response));
  try {
    return (await response.json()) as T;
  } catch (error) {
    // The line broke in the middle of it.
    throw new Refused({ ...NO_ANSWER, detail: String(error) });
  }
}

/** A question that is sent as POST and changes nothing (what-if), or a change that waits for its answer (plan). */
export async function ask<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
  let response: Response;
  try {
    response = await call(path, {
      method,
      signal: AbortSignal.timeout(PATIENCE_TO_CHANGE),
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw new Refused({ ...NO_ANSWER, detail: String(error) });
  }
  if (!response.ok) throw new Refused(await readProblem(response));
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as T;
}
