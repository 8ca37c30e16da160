#!/usr/bin/env bash
# Everything a change must pass. The PostgreSQL of the tests is stopped at the end, however it ends.
set -euo pipefail
cd "$(dirname "$0")/.."
trap scripts/stop-test-cluster.sh EXIT

scripts/lint.sh
scripts/web.sh check
scripts/duckdb.sh

if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace --no-fail-fast
    cargo test --workspace --doc --quiet
else
    cargo test --workspace --no-fail-fast --quiet
fi

scripts/api.sh
SET=short scripts/e2e.sh
