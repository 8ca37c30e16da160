// Refuses what would break right-to-left pages: left and right in CSS, and physical spacing in style objects.
import { readdir, readFile } from "node:fs/promises";

const root = new URL("../src/", import.meta.url).pathname;
const CSS = /(^|[\s;{])((margin|padding|border|inset|scroll-margin|scroll-padding)-(left|right)|left|right|border-(top|bottom)-(left|right)-radius)\s*:|(text-align|float|clear)\s*:\s*(left|right)/;
const STYLE = /\b(margin|padding|border)(Left|Right)\b|style=\{\{[^}]*\b(left|right)\s*:/;
const findings = [];
for (const name of await readdir(root, { recursive: true })) {
  const rule = name.endsWith(".css") ? CSS : /\.tsx?$/.test(name) ? STYLE : null;
  if (!rule) continue;
  const lines = (await readFile(root + name, "utf8")).split("\n");
  lines.forEach((line, index) => rule.test(line) && findings.push(`src/${name}:${index + 1}: ${line.trim()}`));
}
if (findings.length) {
  console.error("Only logical properties (inline-start, inline-end) are allowed:\n" + findings.join("\n"));
  process.exit(1);
}
