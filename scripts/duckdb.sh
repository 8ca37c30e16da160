#!/usr/bin/env bash
# DuckDB (PyPI) for the test that reads the archive's files with another program: into a folder of its own below the target folder.
# Where it cannot be installed, the test says so and checks nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/tools"
tools=$(realpath "$target/tools")/duckdb
[ -x "$tools/bin/python" ] && "$tools/bin/python" -c 'import duckdb' 2>/dev/null && exit 0
if ! command -v python3 >/dev/null || ! { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check 'duckdb>=1.3,<2'; } >&2; then
    rm -rf "$tools"
    printf '%s\n' "NOT CHECKED: whether DuckDB reads the archive, since it cannot be installed here (needs python3 with venv, and PyPI)." >&2
fi
