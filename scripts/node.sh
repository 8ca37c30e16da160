# Sourced: puts a Node.js that is new enough for the web app's build first in PATH. `has_node` says whether there is one.
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.tools

# Vite 8 needs 20.19, 22.12 or newer.
new_enough() {
    local major minor
    IFS=. read -r major minor _ <<<"$("$1" --version 2>/dev/null | tr -d v)"
    case "${major:-0}" in
        20) [ "${minor:-0}" -ge 19 ] ;;
        22) [ "${minor:-0}" -ge 12 ] ;;
        *) [ "${major:-0}" -ge 23 ] ;;
    esac
}

has_node() {
    local own="$tools/node_modules/node/bin"
    if command -v node >/dev/null && new_enough node && command -v npm >/dev/null; then
        return 0
    fi
    if [ -x "$own/node" ] && new_enough "$own/node" && command -v npm >/dev/null; then
        PATH="$own:$PATH"
        return 0
    fi
    return 1
}
