#!/usr/bin/env bash
# Stops the PostgreSQL that the tests share; with --remove, removes its folder too.
set -euo pipefail
cd "$(dirname "$0")/.."
stop=${CARGO_TARGET_DIR:-target}/debug/examples/stop_test_cluster
# It is built with the tests. No tests, no cluster.
if [ -x "$stop" ]; then
    "$stop" "$@"
fi
