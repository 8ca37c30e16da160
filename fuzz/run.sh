#!/bin/sh
# Runs every fuzz target for SECONDS (default 60), beginning from the committed examples.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
  echo "SKIPPED, nothing was fuzzed: rustup toolchain install nightly && cargo install cargo-fuzz" >&2
  exit 0
fi
mkdir -p fuzz/corpus/envelope fuzz/corpus/payload
cargo run --quiet -p melmastoon-contracts --bin contracts-generate -- --envelopes fuzz/corpus/envelope
cp contracts/events/*.example.json fuzz/corpus/payload/
for target in envelope payload; do
  cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=16384 -timeout=5 -print_final_stats=1
done
