#!/usr/bin/env bash
# Refuses, in plain words, a command whose part of the workspace is not there.
if [ ! -d "$(dirname "$0")/../$1" ]; then
    echo "There is no folder $1 in this workspace, so there is nothing to run." >&2
    exit 1
fi
