#!/usr/bin/env bash
# Holds the demo hotel against its own OpenAPI document: no 5xx, no answer outside the document. Same seed, same questions.
# schemathesis (PyPI) goes into a folder of its own below the target folder.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/tools"
tools=$(realpath "$target/tools")/schemathesis
seed=${SEED:-1405}
examples=${EXAMPLES:-15}

say() { printf '%s\n' "$*" >&2; }

if [ ! -x "$tools/bin/schemathesis" ]; then
    if ! command -v python3 >/dev/null || ! { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check 'schemathesis>=4.32,<5'; } >&2; then
        rm -rf "$tools"
        say "NOT CHECKED: the REST interface against its document, since schemathesis cannot be installed here (needs python3 with venv, and PyPI)."
        exit 0
    fi
fi

cargo build --quiet --package melmastoon
melmastoon=$target/debug/melmastoon
data=$(mktemp -d)
chmod 755 "$data"
"$melmastoon" up --demo --listen 127.0.0.1:0 --data-dir "$data" >"$data/up.log" 2>&1 &
hotel=$!
stop() { kill "$hotel" 2>/dev/null || true; wait "$hotel" 2>/dev/null || true; rm -rf "$data"; }
trap stop EXIT
for _ in $(seq 240); do
    grep -q '^melmastoon ready at ' "$data/up.log" && break
    kill -0 "$hotel" 2>/dev/null || { cat "$data/up.log" >&2; exit 1; }
    sleep 0.25
done
address=$(sed -n 's/^melmastoon ready at //p' "$data/up.log")
[ -n "$address" ] || { say "the demo hotel did not get ready"; cat "$data/up.log" >&2; exit 1; }
tenant=$(grep -o 'tnt_[0-9A-Z]*' "$data/up.log" | head -n 1)
staff=$(grep -o 'stf_[0-9A-Z]*' "$data/up.log" | head -n 1)
# Everybody at once: what each role may is another test's business.
token=$("$melmastoon" token --data-dir "$data" --tenant "$tenant" --staff "$staff" \
    --role housekeeper,supervisor,property_manager,front_desk,maintenance,admin)

cd "$data"
"$tools/bin/schemathesis" run "$address/openapi.json" \
    --seed "$seed" --max-examples "$examples" --phases examples,coverage,fuzzing,stateful --no-shrink --warnings off \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance \
    --header "Authorization: Bearer $token" --rate-limit 180/s --request-timeout 20 \
    --exclude-path-regex '/stream$'
