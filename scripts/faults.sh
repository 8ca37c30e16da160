#!/usr/bin/env bash
# Every fault of the table as a scenario, with a seed that is printed.
#   SEED=7 MINUTES=10 scripts/faults.sh         everything by turns, then a broker that is away (OUTAGE=120 seconds), then two releases side by side
#   OUTAGE=120 MINUTES=0 scripts/faults.sh      the broker that is away alone
#   EVENTS=1000000 KILLS=20 scripts/faults.sh   so many events through so many deaths
# PROFILE=debug builds as the tests do; PROGRAM=/path/to/melmastoon tries a binary that is there already.
set -euo pipefail
cd "$(dirname "$0")/.."
export MELMASTOON_FAULTS_SEED="${SEED:-$(date +%s)}"
export MELMASTOON_FAULTS_MINUTES="${MINUTES:-10}"
export MELMASTOON_FAULTS_OUTAGE="${OUTAGE:-120}"
profile=(--release)
[ "${PROFILE:-release}" = debug ] && profile=()
[ -z "${PROGRAM:-}" ] || export MELMASTOON_FAULTS_PROGRAM="$(realpath "$PROGRAM")"

run() {
    cargo test --package melmastoon --test process "${profile[@]}" -- --ignored --nocapture --test-threads 1 "$@"
}

if [ -n "${EVENTS:-}" ]; then
    export MELMASTOON_FAULTS_EVENTS="$EVENTS" MELMASTOON_FAULTS_KILLS="${KILLS:-20}"
    run very_many_events
    exit
fi
if [ "$MELMASTOON_FAULTS_MINUTES" = 0 ]; then
    run the_broker_is_away_for_minutes
    exit
fi

# A commit that was green as a whole and lacks what came after it: fifteen migrations when this was written. Built once, where git has the history.
older=${OLDER:-b4a6e96}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
binary=$target/older/$older/debug/melmastoon
if [ ! -x "$binary" ] && git cat-file -e "$older^{commit}" 2>/dev/null; then
    tree=$(mktemp -d)
    trap 'git worktree remove --force "$tree" 2>/dev/null || rm -rf "$tree"' EXIT
    git worktree add --quiet --detach --force "$tree" "$older"
    (cd "$tree" && CARGO_PROFILE_DEV_DEBUG=false cargo build --quiet --package melmastoon --target-dir "$target/older/$older") ||
        echo "the release of $older could not be built; two releases side by side are left out" >&2
fi
[ -x "$binary" ] && export MELMASTOON_FAULTS_OLDER="$binary"
run the_long_run_of_faults the_broker_is_away_for_minutes months_end an_older_binary
