// Whose tap it is. A person is the one whom the hotel knows, whichever way they signed in: by PIN, by a link, by the demo's door.
import type { Entry, Who } from "./entry";

interface SignedIn {
  userId: string;
  staffId?: string | undefined;
  tenantId?: string | undefined;
}

/** A token's subject alone is no person of the hotel, and never mistaken for one. */
export const personOf = ({ staffId, userId }: SignedIn): string => staffId ?? `user ${userId}`;

export const whoOf = (one: SignedIn): Who => ({ tenant: one.tenantId ?? "", staff: personOf(one), staffId: one.staffId, userId: one.userId });

export const isSamePerson = (one: SignedIn | undefined, other: SignedIn | undefined): boolean =>
  one !== undefined && other !== undefined && personOf(one) === personOf(other) && (one.tenantId ?? "") === (other.tenantId ?? "");

/** Builds before this one wrote the token's subject as it is: such taps are still sent, by whoever signs in under it. */
export const isOf = (entry: Pick<Entry, "tenant" | "staff">, who: Who): boolean =>
  (entry.tenant === who.tenant || !entry.tenant) && (entry.staff === who.staff || entry.staff === who.userId);
