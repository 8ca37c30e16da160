#!/usr/bin/env bash
# Format, lints, licences, bans and advisories. With --install, cargo-deny is built if it is not there.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
export PATH="$PATH:$PWD/$target/tools/bin:$target/tools/bin"

say() { printf '%s\n' "$*" >&2; }

cargo fmt --all --check
cargo clippy --workspace --all-targets --quiet -- -D warnings

if ! command -v cargo-deny >/dev/null; then
    if [ "${1:-}" != --install ]; then
        say "NOT CHECKED: licences, bans and sources of dependencies, since cargo-deny is not installed (make lint installs it)."
        exit 0
    fi
    say "Building cargo-deny, once ..."
    cargo install cargo-deny --locked --quiet --version '^0.20' --root "$target/tools"
fi
cargo deny --log-level error check licenses bans sources
if cargo deny --log-level off fetch db >/dev/null 2>&1; then
    cargo deny --log-level error check --disable-fetch advisories
else
    say "NOT CHECKED: security advisories, since their database cannot be reached from here."
fi
