#!/usr/bin/env bash
# The archive in a bucket: against a server that speaks S3 (moto, PyPI), started here and ended here. Not part of `make test`: it brings
# an HTTP client with TLS and forty Python packages.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/tools"
tools=$(realpath "$target/tools")/moto
if [ ! -x "$tools/bin/moto_server" ]; then
    if ! command -v python3 >/dev/null || ! { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check 'moto[server,s3]>=5,<6'; } >&2; then
        rm -rf "$tools"
        echo "NOT CHECKED: the archive in a bucket, since moto cannot be installed here (needs python3 with venv, and PyPI)." >&2
        exit 0
    fi
fi
log=$(mktemp)
port=${S3_PORT:-$("$tools/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')}
"$tools/bin/moto_server" -H 127.0.0.1 -p "$port" >"$log" 2>&1 &
server=$!
stop() { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -f "$log"; }
trap stop EXIT
export AWS_ENDPOINT=http://127.0.0.1:$port AWS_ALLOW_HTTP=true AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=melmastoon AWS_SECRET_ACCESS_KEY=melmastoon
for _ in $(seq 100); do
    "$tools/bin/python" - "$AWS_ENDPOINT" <<'PY' 2>/dev/null && break
import sys, boto3
boto3.client("s3", endpoint_url=sys.argv[1], region_name="us-east-1").create_bucket(Bucket="melmastoon")
PY
    kill -0 "$server" 2>/dev/null || { cat "$log" >&2; exit 1; }
    sleep 0.1
done
MELMASTOON_TEST_BUCKET=s3://melmastoon cargo test --quiet --package melmastoon-archive --features cloud --lib bucket -- --nocapture
