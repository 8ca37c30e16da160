// Photos wait like taps: each is an entry before the one that speaks of it, in the same lane. Until the server has named it, that one
// speaks of it by the name that it has on the device. The server names a photo by what it shows, so one sent twice is one.
import type { Entry } from "./entry";

/** How an entry speaks of a photo that is not named yet. */
export const referenceTo = (photo: string): string => `waits:${photo}`;

/** The body with the photo's own id in place of the reference; without it where there will be none. */
export function named(body: string, photo: string, mediaId: string | undefined): string {
  const reference = referenceTo(photo);
  if (!body.includes(reference)) return body;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((one) => one !== reference || mediaId !== undefined).map(walk);
    if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)]));
    return value === reference ? mediaId : value;
  };
  return JSON.stringify(walk(JSON.parse(body)));
}

/** What stands behind a photo in its lane, once the server has it or somebody gave it up. */
export const behind = (photo: string, mediaId: string | undefined) => (entry: Entry): Entry => ({ ...entry, body: named(entry.body, photo, mediaId) });
