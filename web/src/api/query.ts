// Questions that a page asks again by itself. Apart from the frame: the phone's day and the board do without.
import { QueryClient, type DefaultError, type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery as useQueryOf } from "@tanstack/preact-query";
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

/** `useQuery` of the library, with the one client that there is. */
export const useQuery = <T, E = DefaultError, D = T, K extends QueryKey = QueryKey>(options: UseQueryOptions<T, E, D, K>): UseQueryResult<D, E> => useQueryOf(options, queries);

export const useQueryClient = (): QueryClient => queries;
