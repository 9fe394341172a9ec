#!/usr/bin/env bash
# Builds the engine for browsers into web/engine/ and tests it under Node.js.
#
#   tests/wasm.sh [--build]
#
# With --build it only builds. Missing tools are named with their Debian packages (tests/common/tools.sh). The
# exit status is 0 if all has passed, 1 if something has failed, 2 if something is missing or an argument is wrong.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
source tests/common/tools.sh

readonly TARGET=wasm32-unknown-unknown
# Above this size, and this compressed size, a page loads too slowly.
readonly MAX_BYTES=7000000 MAX_GZIP_BYTES=5500000
readonly STACK_BYTES=1048576

target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/wasm"
target=$(cd "$target/wasm" && pwd)
readonly target

# build ARGUMENTS...: runs cargo for the target, with 128-bit vectors.
build() {
    CARGO_TARGET_DIR=$target RUSTFLAGS="-C target-feature=+simd128,+bulk-memory \
-C link-arg=-zstack-size=$STACK_BYTES" "${cargo[@]}" "$@" --release --target "$TARGET" "${std_flags[@]}"
}

build_engine() {
    build rustc --lib --crate-type cdylib --config 'profile.release.panic="abort"' || return
    # Asyncify lets a search be suspended where it calls `pause` or `wait`. It reaches them without
    # indirect calls.
    wasm-opt "$target/$TARGET/release/kawasemi.wasm" -O3 \
        --enable-simd --enable-bulk-memory --enable-sign-ext --enable-mutable-globals \
        --enable-nontrapping-float-to-int --enable-multivalue --enable-reference-types \
        --asyncify --pass-arg=asyncify-imports@kawasemi.pause,kawasemi.wait \
        --pass-arg=asyncify-ignore-indirect --strip-debug --strip-producers \
        -o web/engine/kawasemi.wasm || return
    local bytes gzip
    bytes=$(cat web/engine/kawasemi.wasm web/engine/kawasemi.js | wc -c)
    gzip=$(cat web/engine/kawasemi.wasm web/engine/kawasemi.js | gzip -9 | wc -c)
    echo "web/engine: $bytes bytes, $gzip with gzip"
    ((bytes <= MAX_BYTES && gzip <= MAX_GZIP_BYTES)) || { echo "too large" >&2; return 1; }
}

# The tests of the kernels, as a module for Node.js.
build_kernel_tests() {
    local executable='s/.*"executable":"\([^"]*\)".*/\1/p'
    # Full optimisation of the whole takes minutes and changes nothing for them.
    build test --example kernels --no-run --message-format json \
        --config profile.release.lto=false --config profile.release.codegen-units=16 |
        sed -n "$executable" | tail -1 >"$target/kernels.path"
    [[ -s $target/kernels.path ]]
}

case ${1-} in
'' | --build) ;;
-h | --help)
    print_help tests/wasm.sh
    exit
    ;;
*) usage "no such argument: $1" ;;
esac
find_cargo "$TARGET" panic_abort
need wasm-opt binaryen
[[ ${1-} == --build ]] || need node nodejs
need_all
build_engine || exit 1
[[ ${1-} == --build ]] && exit
build_kernel_tests || exit 1
# As the other tests build it.
cargo build --profile checked --features tools --bin kawasemi || exit 1
KERNEL_TESTS=$(cat "$target/kernels.path") \
    KAWASEMI=${CARGO_TARGET_DIR:-target}/checked/kawasemi \
    node --test tests/wasm/
