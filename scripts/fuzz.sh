#!/usr/bin/env bash
# Runs every fuzz target for a while. Needs a nightly compiler, which instruments the code.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
export PATH="$PATH:$PWD/$target/tools/bin:$target/tools/bin"

if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "Missing: a nightly Rust toolchain. Get it with: rustup toolchain install nightly --profile minimal" >&2
    exit 1
fi
if ! command -v cargo-fuzz >/dev/null; then
    echo "Building cargo-fuzz, once ..." >&2
    cargo install cargo-fuzz --locked --quiet --root "$target/tools"
fi
for name in $(cargo +nightly fuzz list); do
    echo "$name"
    cargo +nightly fuzz run "$name" -- -max_total_time="${FUZZ_SECONDS:-60}" -verbosity=0
done
