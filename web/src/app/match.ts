// Which page a path belongs to. Apart from the router, because the service worker asks too.
import list from "./pages.json";

export interface Page {
  name: string;
  path: string;
  folder: string;
  roles: string[];
  nav: boolean;
}

export const pages: Page[] = list;

/** A fixed path goes before one with a parameter, in the list's order. */
export function match(path: string): { page: Page; params: Record<string, string> } | undefined {
  const parts = path.split("/").filter(Boolean);
  for (const page of pages) {
    const wanted = page.path.split("/").filter(Boolean);
    if (wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((part, index) => {
      const given = parts[index] ?? "";
      if (!part.startsWith(":")) return part === given;
      params[part.slice(1)] = given;
      return given !== "";
    });
    if (fits) return { page, params };
  }
  return undefined;
}
