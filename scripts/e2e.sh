#!/usr/bin/env bash
# The web app in a real browser against the real server. `SET=short` runs the stories that `make test` waits for.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/node.sh
. scripts/node.sh

chromium=$(command -v chromium || command -v chromium-browser || true)
if ! has_node || [ -z "$chromium" ] || [ ! -e web/dist/index.html ]; then
    echo "NOT CHECKED: the web app in a browser (needs Node.js 20.19, Chromium and a build of the web app)." >&2
    exit 0
fi
cargo build --quiet --package melmastoon
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 MELMASTOON_CHROMIUM=$chromium
MELMASTOON_BINARY=$(realpath "${CARGO_TARGET_DIR:-target}")/debug/melmastoon
export MELMASTOON_BINARY
cd web
if [ "${SET:-all}" = short ]; then
    npx playwright test --grep @short "$@"
else
    npx playwright test "$@"
fi
