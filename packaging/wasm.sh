#!/usr/bin/env bash
# Builds the engine for browsers:
#
#   packaging/wasm.sh [FILE]
#
# The default FILE is web/engine/kawasemi.wasm, where the page in web and the npm package in web/engine load it. The
# same sources, compiler and wasm-opt give the same bytes. Missing tools are named with their Debian packages
# (tests/common/tools.sh). The exit status is 2 if something is missing or an argument is wrong, and another
# nonzero one if the build fails.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/common/tools.sh

case $#:${1-} in
0:) out=web/engine/kawasemi.wasm ;;
1:-h | 1:--help) print_help packaging/wasm.sh && exit ;;
1:[!-]*) out=$(absolute "$1") ;;
*) usage "one FILE at most, and no options: $*" ;;
esac
find_wasm_tools
need_all

target=${CARGO_TARGET_DIR:-target}/wasm
CARGO_TARGET_DIR=$target "${cargo[@]}" rustc --lib --crate-type cdylib --config 'profile.release.panic="abort"' \
    --release --locked --target "$WASM" "${std_flags[@]}"
# Asyncify lets a search be suspended where it calls `pause` or `wait`. It reaches them without indirect calls.
wasm-opt "$target/$WASM/release/kawasemi.wasm" -O3 \
    --enable-simd --enable-bulk-memory --enable-sign-ext --enable-mutable-globals \
    --enable-nontrapping-float-to-int --enable-multivalue --enable-reference-types \
    --asyncify --pass-arg=asyncify-imports@kawasemi.pause,kawasemi.wait \
    --pass-arg=asyncify-ignore-indirect --strip-debug --strip-producers \
    -o "$out"
