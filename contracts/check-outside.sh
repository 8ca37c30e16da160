#!/bin/sh
# Asks validators that are not ours: check-jsonschema (Python) about every schema and example, @asyncapi/parser (Node)
# about asyncapi.json. Both are installed into contracts/.outside, which git ignores.
set -eu
cd "$(dirname "$0")"
tools=.outside
for needed in python3 node npm; do
  command -v "$needed" >/dev/null || { echo "SKIPPED, nothing was checked: $needed is missing (apt-get install python3-venv nodejs npm)" >&2; exit 0; }
done
mkdir -p "$tools"
if [ ! -x "$tools/venv/bin/check-jsonschema" ]; then
  python3 -m venv "$tools/venv"
  "$tools/venv/bin/pip" install --quiet --disable-pip-version-check check-jsonschema
fi
if [ ! -d "$tools/node_modules/@asyncapi/parser" ]; then
  npm install --silent --no-audit --no-fund --prefix "$tools" @asyncapi/parser >/dev/null
fi
check="$tools/venv/bin/check-jsonschema"
"$check" --version

echo "schemas are schemas:"
"$check" --check-metaschema events/*.schema.json

echo "examples fit their schemas:"
fitting=0
for example in events/*.example.json; do
  "$check" --quiet --schemafile "${example%.example.json}.schema.json" "$example" || { echo "$example does not fit" >&2; exit 1; }
  fitting=$((fitting + 1))
done
echo "ok -- $fitting examples"

echo "asyncapi.json:"
cat > "$tools/check.mjs" <<'JS'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { Parser } = require('@asyncapi/parser');
const { version } = require('@asyncapi/parser/package.json');
const { document, diagnostics } = await new Parser().parse(readFileSync('asyncapi.json', 'utf8'));
const names = ['error', 'warning', 'information', 'hint'];
const counts = names.map((name, severity) => `${diagnostics.filter((found) => found.severity === severity).length} ${name}`);
console.log(`@asyncapi/parser ${version}: ${counts.join(', ')}`);
for (const found of diagnostics.filter((found) => found.severity <= 1).slice(0, 20)) {
  console.log(`  ${names[found.severity]} ${found.path.join('/')}: ${found.message}`);
}
if (!document || diagnostics.some((found) => found.severity === 0)) process.exit(1);
console.log(`ok -- AsyncAPI ${document.version()}, ${document.channels().length} channels, ${document.operations().length} operations, ${document.messages().length} messages`);
JS
node "$tools/check.mjs"
