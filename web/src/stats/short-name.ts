// Names below bars: as much of one as does not run into the next.
export function shortName(name: string): string {
  const first = [...(name.split(" ")[0] ?? "")];
  return first.length > 8 ? `${first.slice(0, 7).join("")}…` : first.join("");
}
