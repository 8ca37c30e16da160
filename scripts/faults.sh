#!/usr/bin/env bash
# Every fault of the table as a scenario, with a seed that is printed: SEED=7 MINUTES=10 scripts/faults.sh
set -euo pipefail
cd "$(dirname "$0")/.."
export MELMASTOON_FAULTS_SEED="${SEED:-$(date +%s)}"
export MELMASTOON_FAULTS_MINUTES="${MINUTES:-10}"
exec cargo test --package melmastoon --test process --release -- --ignored --nocapture --test-threads 1 the_long_run_of_faults
