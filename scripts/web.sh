#!/usr/bin/env bash
# Builds the web app into web/dist, where the server takes it from; `check` looks it over and runs its own tests instead.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/node.sh
. scripts/node.sh

if ! has_node; then
    echo "NOT BUILT: the web app, since there is no Node.js 20.19 or newer here. The server runs without its pages." >&2
    exit 0
fi
cd web
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    echo "… fetching the web app's packages" >&2
    if ! npm ci --no-audit --no-fund --loglevel=error >/dev/null; then
        echo "NOT BUILT: the web app, since its packages cannot be fetched from npm. The server runs without its pages." >&2
        exit 0
    fi
fi
case "${1:-build}" in
    build)
        echo "… building the web app" >&2
        npm run --silent build
        ;;
    check)
        npm run --silent check
        npm test --silent
        ;;
esac
