#!/usr/bin/env bash
# Everything a change must pass. The PostgreSQL of the tests is stopped at the end, however it ends.
set -euo pipefail
cd "$(dirname "$0")/.."
trap scripts/stop-test-cluster.sh EXIT

scripts/lint.sh
scripts/web.sh check
scripts/duckdb.sh

# Every test has a database of its own, which is nine hundred small files: in memory, where there is room, they are made in a twentieth of the
# time.
room=$(df --output=avail --block-size=1G /dev/shm 2>/dev/null | tail -1 | tr -d ' ')
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "${room:-0}" -ge 8 ]; then
    export TMPDIR=/dev/shm
fi

if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace --no-fail-fast
    cargo test --workspace --doc --quiet
else
    cargo test --workspace --no-fail-fast --quiet
fi

scripts/api.sh
SET=short scripts/e2e.sh
