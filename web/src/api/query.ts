// Questions that a page asks again by itself. Apart from the frame: the phone's day and the board do without.
// What pages show is kept on the device as the board is: without a net they show the last copy, with its time.
import { QueryClient, type DefaultError, type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery as useQueryOf } from "@tanstack/preact-query";
import { session } from "../app/session";
import { copies } from "../outbox/shelf";
import { problemOf } from "./problem";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What was refused stays refused; only silence and an unwell server are worth another try.
      retry: (count, error) => count < 2 && [0, 429, 500, 502, 503, 504].includes(problemOf(error).status),
      refetchOnWindowFocus: true,
      networkMode: "always",
    },
  },
});

// Whoever comes next sees nothing of what another one saw.
session.subscribe(() => session.get().standing === "out" && queries.clear());

/** What is shown of one room, or decided upon by its version, is not worth much when it is old. */
const NOT_KEPT = new Set<unknown>(["room", "room-history", "hk-settings"]);
const nameOf = (key: QueryKey) => `page ${JSON.stringify(key)}`;

/** The answer is kept; where none comes and nothing is shown yet, the last one is, as old as it is. */
async function withCopy<T>(key: QueryKey, ask: () => T | Promise<T>): Promise<T> {
  if (NOT_KEPT.has(key[0])) return ask();
  try {
    const answer = await ask();
    void copies.put(nameOf(key), answer, Date.now()).catch(() => {});
    return answer;
  } catch (error) {
    const kept = problemOf(error).status || queries.getQueryData(key) ? undefined : await copies.get<T>(nameOf(key)).catch(() => undefined);
    if (kept) queries.setQueryData(key, kept.value, { updatedAt: kept.at });
    throw error;
  }
}

/** `useQuery` of the library, with the one client that there is. */
export function useQuery<T, E = DefaultError, D = T, K extends QueryKey = QueryKey>(options: UseQueryOptions<T, E, D, K>): UseQueryResult<D, E> {
  const { queryKey, queryFn } = options;
  if (typeof queryFn !== "function") return useQueryOf(options, queries);
  return useQueryOf({ ...options, queryFn: (context) => withCopy(queryKey, () => queryFn(context)) }, queries);
}

/** What a tap's answer says takes the place of its row in the list, unless that is newer; then the list is asked for again. */
export function replaceRow<T extends { version: number }>(key: QueryKey, id: keyof T, body: unknown): void {
  const told = (body ?? {}) as T;
  const place = (one: T): T => (one[id] === told[id] && told.version >= one.version ? { ...one, ...told } : one);
  queries.setQueryData<{ items: T[] }>(key, (now) => now && { ...now, items: now.items.map(place) });
  void queries.invalidateQueries({ queryKey: key });
}

export const useQueryClient = (): QueryClient => queries;
