// Refuses what would break pages by surprise: left and right in CSS and physical spacing in style objects (pages from right to left), and one name
// for two things in the styles of two pages (they stay when one goes from page to page, so the second changes the first).
import { readdir, readFile } from "node:fs/promises";

const root = new URL("../src/", import.meta.url).pathname;
const CSS = /(^|[\s;{])((margin|padding|border|inset|scroll-margin|scroll-padding)-(left|right)|left|right|border-(top|bottom)-(left|right)-radius)\s*:|(text-align|float|clear)\s*:\s*(left|right)/;
const STYLE = /\b(margin|padding|border)(Left|Right)\b|style=\{\{[^}]*\b(left|right)\s*:/;
const findings = [];
const named = new Map();
for (const name of await readdir(root, { recursive: true })) {
  const rule = name.endsWith(".css") ? CSS : /\.tsx?$/.test(name) ? STYLE : null;
  if (!rule) continue;
  const text = await readFile(root + name, "utf8");
  text.split("\n").forEach((line, index) => rule.test(line) && findings.push(`src/${name}:${index + 1}: only logical properties (inline-start, inline-end): ${line.trim()}`));
  if (!name.endsWith(".css")) continue;
  for (const [, selectors] of text.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{}]+)\{/g)) {
    for (const selector of selectors.split(",")) {
      const first = /^\s*((?:\.[\w-]+)+)/.exec(selector)?.[1];
      if (first) named.set(first, (named.get(first) ?? new Set()).add(name));
    }
  }
}
for (const [first, files] of named) {
  const shared = [...files].some((file) => file.startsWith("ui/"));
  if (files.size > 1 && !shared) findings.push(`${first} is styled in ${[...files].join(" and in ")}: move it to ui/base.css, or begin with the page's own name`);
}
if (findings.length) {
  console.error(findings.join("\n"));
  process.exit(1);
}
