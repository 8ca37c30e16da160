// Photos that a tap takes along. Pages that take none do without this code, and so does the worker.
import { property } from "../app/session";
import type { Entry } from "./entry";
import { MEDIA } from "./paths";
import { behind, referenceTo } from "./photos";

/** A photo as it was taken, and the name by which a tap speaks of it. */
export interface Photo {
  bytes: ArrayBuffer;
  reference: string;
}
export const photoOf = (bytes: ArrayBuffer): Photo => ({ bytes, reference: referenceTo(crypto.randomUUID()) });

/** What a tap carries along. */
export interface Carried {
  bytes: Map<string, ArrayBuffer>;
  /** The entries that go before the tap. */
  before(tapped: Entry): Omit<Entry, "seq">[];
  /** The tap where photos cannot be kept. */
  without(tapped: Entry): Entry;
}

export function carried(photos: Photo[]): Carried {
  const bytes = new Map(photos.map((one) => [one.reference.slice(referenceTo("").length), one.bytes]));
  return {
    bytes,
    before: (tapped) =>
      [...bytes.keys()].map((photo) => {
        const { wants: _wants, effect: _effect, ifMatch: _match, ...plain } = tapped;
        const path = `${MEDIA}?propertyId=${encodeURIComponent(property.get())}`;
        return { ...plain, key: crypto.randomUUID(), photo, body: "", method: "POST", path, verb: "photo", readable: false };
      }),
    without: (tapped) => [...bytes.keys()].reduce((now, photo) => behind(photo, undefined)(now), tapped),
  };
}
