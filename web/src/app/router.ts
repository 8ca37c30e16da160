// Paths to pages. The list is pages.json, which the server reads too: a path that is not in it is not ours.
import { useMemo } from "preact/hooks";
import { type Page, match } from "./match";
import { createStore, useStore } from "./store";

export { type Page, match, pages } from "./match";

export interface Place {
  path: string;
  search: string;
  page: Page | undefined;
  params: Record<string, string>;
  /** The page's code. A room lies over the page that it was opened from. */
  folder: string;
}

function here(): Place {
  const path = location.pathname.replace(/\/+$/, "") || "/";
  const found = match(path);
  const under = (history.state as { under?: string } | null)?.under;
  return { path, search: location.search, page: found?.page, params: found?.params ?? {}, folder: under ?? found?.page.folder ?? "" };
}

/** Where a room may lie over: all others begin anew with the board below it. */
const UNDER_A_ROOM = new Set(["board", "desk"]);

export const place = createStore<Place>(here());

export function go(to: string, options: { replace?: boolean } = {}): void {
  const { pathname: before, search } = location;
  const room = match(to)?.page.name === "room" && to !== before;
  const { folder } = place.get();
  const over = room && UNDER_A_ROOM.has(folder);
  // The page below stays as it is, with its filters and where one has scrolled to.
  const state = over ? { under: folder } : options.replace && to.split("?")[0] === before ? history.state : null;
  history[options.replace ? "replaceState" : "pushState"](state, "", over ? to + search : to);
  place.set(here());
  if (location.pathname !== before && !over) scrollTo(0, 0);
}

/** Changes the search part without leaving a trace in the history for every letter that is typed. */
export function setSearch(changes: Record<string, string | null>): void {
  const search = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) search.set(name, value);
    else search.delete(name);
  }
  const text = search.toString();
  go(location.pathname + (text ? `?${text}` : ""), { replace: true });
}

export function useSearch(): URLSearchParams {
  const search = useStore(place, (now) => now.search);
  return useMemo(() => new URLSearchParams(search), [search]);
}

/** Ordinary links work: within the app they change the page without loading it anew. */
export function followLinks(): void {
  addEventListener("popstate", () => place.set(here()));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
    // A place on this very page is the browser's to find.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    if (!match(link.pathname) && link.pathname !== "/") return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
