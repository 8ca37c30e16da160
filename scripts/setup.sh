#!/usr/bin/env bash
# Installs what building and running need and the machine lacks. Says nothing when nothing is missing.
# With --tests also what the tests talk to (nats-server, redis-server): where it may not be installed, that is said, and those tests are skipped.
set -euo pipefail

for_tests=
[ "${1:-}" = --tests ] && for_tests=yes

oldest_postgresql=15

say() { printf '%s\n' "$*" >&2; }

# Whether this folder holds the server, new enough.
serves() {
    local version
    [ -x "$1/postgres" ] && [ -x "$(dirname "$(readlink -f "$1/postgres")")/initdb" ] || return 1
    version=$("$1/postgres" --version 2>/dev/null | grep -oE '[0-9]+' | head -n 1)
    [ "${version:-0}" -ge "$oldest_postgresql" ]
}

# The same places in which melmastoon looks.
has_postgresql() {
    local folder
    if [ -n "${MELMASTOON_PG_BIN:-}" ]; then
        serves "$MELMASTOON_PG_BIN" && return
        say "MELMASTOON_PG_BIN names $MELMASTOON_PG_BIN, where there is no PostgreSQL $oldest_postgresql or newer."
        exit 1
    fi
    if folder=$(command -v postgres) && serves "$(dirname "$folder")"; then
        return 0
    fi
    for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/local/pgsql/bin /usr/lib/postgresql*/bin \
        /usr/local/opt/postgresql@*/bin /opt/homebrew/opt/postgresql@*/bin \
        /Applications/Postgres.app/Contents/Versions/*/bin; do
        if serves "$folder"; then
            return 0
        fi
    done
    return 1
}

# Runs as root, if that can be had without asking for a password.
privileged() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

may_install() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

# The newest server the package lists know that is new enough.
postgresql_package() {
    apt-cache search --names-only '^postgresql-[0-9]+$' 2>/dev/null | cut -d ' ' -f 1 | sort -t - -k 2 -n -r |
        while IFS=- read -r _ version; do
            if [ "$version" -ge "$oldest_postgresql" ]; then
                echo "postgresql-$version"
                break
            fi
        done
}

if ! command -v cargo >/dev/null; then
    say "Missing: a Rust toolchain. Get it from https://rustup.rs and run this again."
    exit 1
fi

# Programs that only the tests need, by the name of their package.
has_program() {
    command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] || [ -x "/usr/local/bin/$1" ]
}
brokers=()
if [ -n "$for_tests" ]; then
    for program in nats-server redis-server; do
        has_program "$program" || brokers+=("$program")
    done
    if [ "${#brokers[@]}" -gt 0 ] && ! may_install; then
        say "Not here, and this user may not install it: ${brokers[*]}. The tests that need it are SKIPPED."
        say "  Debian, Ubuntu: sudo apt-get install ${brokers[*]}; macOS: brew install nats-server redis"
        brokers=()
    fi
fi

need_compiler= need_postgresql=
command -v cc >/dev/null || need_compiler=yes
has_postgresql || need_postgresql=yes
if [ -z "$need_compiler$need_postgresql" ] && [ "${#brokers[@]}" -eq 0 ]; then
    exit 0
fi

if ! may_install; then
    say "Missing, and this user may not install it:"
    if [ -n "$need_compiler" ]; then
        say "  a C compiler and linker (cc)     Debian, Ubuntu: sudo apt-get install gcc libc6-dev; Fedora: sudo dnf install gcc; macOS: xcode-select --install"
    fi
    if [ -n "$need_postgresql" ]; then
        say "  PostgreSQL $oldest_postgresql or newer, the server   Debian, Ubuntu: sudo apt-get install postgresql; Fedora: sudo dnf install postgresql-server; macOS: brew install postgresql@17"
        say "  or name the folder of one you have: MELMASTOON_PG_BIN=/folder/with/postgres"
    fi
    exit 1
fi

export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
no_cluster=/etc/postgresql-common/createcluster.d/melmastoon-setup.conf
# Debian starts what it installs; ours are private and start with the tests.
no_start=
trap 'rm -f "$log"; if [ -e "$no_cluster" ]; then privileged rm -f "$no_cluster"; fi; if [ -n "$no_start" ]; then privileged rm -f /usr/sbin/policy-rc.d; fi' EXIT

quietly() {
    if ! privileged env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null; then
        say "Failed: $*"
        tail -n 20 "$log" >&2
        exit 1
    fi
}

package=
if [ -n "$need_postgresql" ]; then
    package=$(postgresql_package)
fi
unknown_brokers() {
    local program
    for program in ${brokers[@]+"${brokers[@]}"}; do
        apt-cache show "$program" >/dev/null 2>&1 || return 0
    done
    return 1
}
if [ -n "$need_compiler" ] || { [ -n "$need_postgresql" ] && [ -z "$package" ]; } || unknown_brokers; then
    say "Reading the package lists ..."
    quietly apt-get -o DPkg::Lock::Timeout=120 update
    if [ -n "$need_postgresql" ]; then
        package=$(postgresql_package)
    fi
fi

packages=()
if [ -n "$need_compiler" ]; then
    packages+=(gcc libc6-dev)
fi
if [ -n "$need_postgresql" ]; then
    if [ -z "$package" ]; then
        say "Missing: PostgreSQL $oldest_postgresql or newer, which this distribution does not have."
        say "Add the project's own packages (https://www.postgresql.org/download/), or set MELMASTOON_PG_BIN."
        exit 1
    fi
    packages+=("$package")
    # We want the programs, not a server: ours is private and starts with us. Only this installation is told so.
    privileged mkdir -p "$(dirname "$no_cluster")"
    printf 'create_main_cluster = false\n' | privileged tee "$no_cluster" >/dev/null
fi
for program in ${brokers[@]+"${brokers[@]}"}; do
    if apt-cache show "$program" >/dev/null 2>&1; then
        packages+=("$program")
    else
        say "This distribution has no package $program: the tests that need it are SKIPPED."
    fi
done
if [ "${#packages[@]}" -eq 0 ]; then
    exit 0
fi
if [ ! -e /usr/sbin/policy-rc.d ]; then
    no_start=yes
    printf '#!/bin/sh\nexit 101\n' | privileged tee /usr/sbin/policy-rc.d >/dev/null
    privileged chmod 755 /usr/sbin/policy-rc.d
fi
say "Installing ${packages[*]} ..."
quietly apt-get -o DPkg::Lock::Timeout=120 install --yes --no-install-recommends "${packages[@]}"
