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
# Begin from what real events look like.
mkdir -p fuzz/corpus/envelope fuzz/corpus/payload
cargo run --quiet --package melmastoon-contracts --bin contracts-generate -- --envelopes fuzz/corpus/envelope
cp contracts/events/*.example.json fuzz/corpus/payload/
for name in $(cargo +nightly fuzz list); do
    echo "$name"
    cargo +nightly fuzz run "$name" -- -max_total_time="${FUZZ_SECONDS:-60}" -max_len=16384 -timeout=5 -verbosity=0 -print_funcs=0 -print_final_stats=1
done
