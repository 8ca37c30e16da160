#!/usr/bin/env bash
# The tests of the feature `pubsub`, against Google's emulator: the one that PUBSUB_EMULATOR_HOST names, or one that is started here for all of them.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
emulator=
finish() {
    [ -z "$emulator" ] || kill "$emulator" 2>/dev/null || true
    scripts/stop-test-cluster.sh
}
trap finish EXIT

# Built first: the emulator is not kept waiting.
cargo clippy --package melmastoon-platform --package melmastoon --features pubsub --all-targets --quiet -- -D warnings
cargo test --package melmastoon-platform --package melmastoon --features pubsub --test hotel --lib --no-run --quiet

if [ -z "${PUBSUB_EMULATOR_HOST:-}" ]; then
    jar=$(find /usr/lib/google-cloud-sdk/platform/pubsub-emulator /opt/google-cloud-sdk/platform/pubsub-emulator -name '*.jar' 2>/dev/null | head -1 || true)
    if [ -z "$jar" ] || ! command -v java >/dev/null; then
        say "NOT RUN: the tests against Google's emulator. Install google-cloud-cli-pubsub-emulator (Google's packages) and Java, or set PUBSUB_EMULATOR_HOST."
    else
        port=${PUBSUB_PORT:-8538}
        java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m -jar "$jar" --host=127.0.0.1 "--port=$port" >/dev/null 2>&1 &
        emulator=$!
        export PUBSUB_EMULATOR_HOST=127.0.0.1:$port
        for _ in $(seq 600); do
            (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
            kill -0 "$emulator" 2>/dev/null || { say "the emulator did not start; is port $port taken? (PUBSUB_PORT=…)"; exit 1; }
            sleep 0.1
        done
    fi
fi

cargo test --package melmastoon-platform --features pubsub --lib --quiet pubsub
cargo test --package melmastoon --features pubsub --test hotel --quiet -- pubsub pushes --test-threads 4
