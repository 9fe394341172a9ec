#!/usr/bin/env bash
# Builds the engine for browsers (packaging/wasm.sh) and tests it under Node.js:
#
#   tests/wasm.sh
#
# Missing tools are named with their Debian packages (tests/common/tools.sh). The exit status is 0 if all has
# passed, 1 if something has failed, 2 if something is missing or an argument is wrong.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
source tests/common/tools.sh

# Above this size, and this compressed size, a page loads too slowly.
readonly MAX_BYTES=7000000 MAX_GZIP_BYTES=5500000

engine_is_small_enough() {
    local bytes gzip
    bytes=$(cat web/engine/kawasemi.wasm web/engine/kawasemi.js | wc -c)
    gzip=$(cat web/engine/kawasemi.wasm web/engine/kawasemi.js | gzip -9 | wc -c)
    echo "web/engine: $bytes bytes, $gzip with gzip"
    ((bytes <= MAX_BYTES && gzip <= MAX_GZIP_BYTES)) || { echo "too large" >&2; return 1; }
}

# Builds the tests of the kernels as a module for Node.js, and prints its path.
build_kernel_tests() {
    "${cargo[@]}" test --profile checked --example kernels --no-run --message-format json \
        --target "$WASM" "${std_flags[@]}" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1
}

case ${1-} in
'') ;;
-h | --help)
    print_help tests/wasm.sh
    exit
    ;;
*) usage "no such argument: $1" ;;
esac
find_wasm_tools
need node nodejs
need_all
packaging/wasm.sh || exit 1
engine_is_small_enough || exit 1
kernels=$(build_kernel_tests) && [[ -s $kernels ]] || exit 1
# The program that `cargo test` has built: `cargo build` would build it and its dependencies again, with fewer features.
cargo test --profile checked --features tools --test program --no-run || exit 1
KERNEL_TESTS=$kernels KAWASEMI=${CARGO_TARGET_DIR:-target}/checked/kawasemi node --test tests/wasm/
