#!/usr/bin/env bash
# Installs what the web app's build needs and the machine lacks; with --browser, what its tests in a browser need as well. Where it may
# not, it says what is missing and goes on: the server is built without pages, and everything else works.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/node.sh
. scripts/node.sh

say() { printf '%s\n' "$*" >&2; }

privileged() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT

apt() {
    say "Installing $* ..."
    local options=(-o DPkg::Lock::Timeout=120)
    if ! privileged env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install --yes --no-install-recommends "$@" >"$log" 2>&1 </dev/null; then
        # The package lists may be old, or not there yet.
        privileged apt-get "${options[@]}" update >"$log" 2>&1 </dev/null || true
        privileged env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install --yes --no-install-recommends "$@" >"$log" 2>&1 </dev/null || {
            tail -n 5 "$log" >&2
            return 1
        }
    fi
}

node_22=22.23.3
if ! has_node; then
    if ! command -v npm >/dev/null && may_install; then
        apt nodejs npm || true
    fi
    if ! has_node && command -v npm >/dev/null; then
        say "Getting Node.js $node_22 (npm's package \`node\`) into .tools: the one that is installed is too old for the web app ..."
        mkdir -p .tools
        npm install --prefix .tools --no-save --no-audit --no-fund --loglevel=error "node@$node_22" >"$log" 2>&1 || tail -n 5 "$log" >&2
    fi
fi
if ! has_node; then
    say "WITHOUT THE WEB APP: it needs Node.js 20.19 or newer with npm, which is not here and cannot be installed by this user."
    say "  Debian, Ubuntu: sudo apt-get install nodejs npm; Fedora: sudo dnf install nodejs; macOS: brew install node; then run this again."
fi

if [ "${1:-}" = --browser ] && ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
    if may_install; then
        apt chromium || true
    fi
    if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
        say "Missing: Chromium, for the tests in a browser. Debian: sudo apt-get install chromium"
    fi
fi
