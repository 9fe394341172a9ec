#!/usr/bin/env bash
# Drives the pages in a browser without a screen, and prints what holds.
#
#   tests/web.sh [play|components|analysis|practice|ADDRESS]...
#
# Parts, all by default:
#
#   play        the page in the folder web, which needs the engine that packaging/wasm.sh builds
#   components  the board and what else the pages share, on a page of their own
#   analysis    the page that `kawasemi analyze --html` makes
#   practice    the page that `kawasemi puzzles` and `kawasemi mate --check` make
#
# An ADDRESS is that of the play page where it is served elsewhere; it begins with http:// or https://.
# Screenshots and the log go to target/web. The exit status is 0 if everything passed, 1 if something failed,
# 2 if an argument is wrong or something is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/common/tools.sh

# The only package, in a folder of its own, at a version that this script knows.
readonly PLAYWRIGHT=playwright-core@1.65.1

target=${CARGO_TARGET_DIR:-target}/web
mkdir -p "$target"
target=$(cd "$target" && pwd)
readonly target

find_chromium() {
    local name
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" && return
    done
    return 1
}

if [[ ${1-} == -h || ${1-} == --help ]]; then
    print_help tests/web.sh
    exit
fi
(($#)) || set -- play components analysis practice
for part in "$@"; do
    case $part in
    play | components | analysis | practice | http://* | https://*) ;;
    *) usage "$part is neither a part (play, components, analysis, practice) nor an address" ;;
    esac
done
parts=" $* "

need node nodejs
need npm npm
chromium=$(find_chromium) || missing+=("chromium (package chromium)")
if [[ $parts == *" play "* && ! -f web/engine/kawasemi.wasm ]]; then
    missing+=("web/engine/kawasemi.wasm (built by packaging/wasm.sh)")
fi
need_all

if [[ ! -d $target/node_modules/playwright-core ]]; then
    npm install --silent --no-audit --no-fund --prefix "$target" "$PLAYWRIGHT"
fi
if [[ $parts == *" analysis "* ]]; then
    cargo run --quiet --profile checked -- analyze tests/web/game.kif --nodes 300 --threads 1 --hash 4 \
        --branches --html "$target/analysis.html" >"$target/analysis.txt"
fi
if [[ $parts == *" practice "* ]]; then
    cargo run --quiet --profile checked -- puzzles tests/web/missed.usi --nodes 400 --hash 4 \
        -o "$target/practice.html" >"$target/practice.txt"
    printf 'k8/9/K8/9/9/9/9/9/9 b BN 1\n' |
        cargo run --quiet --profile checked -- mate --check - --hash 4 -o "$target/tsume.html" >"$target/tsume.txt"
fi
CHROMIUM=$chromium TOOLS=$target exec node tests/web/run.mjs "$@"
