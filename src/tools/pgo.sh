#!/usr/bin/env bash
# Builds the engine with profile-guided optimisation: target/pgo/kawasemi.
#
# First builds a program that counts how often each branch is taken, and runs its bench; then builds the
# engine with these counts. Arguments are passed to the bench, so `--eval nn.bin` optimises for another
# network than the built-in one. With --counts as the first argument only the counts are made, and the last
# line of the output is their file. CARGO_BUILD_TARGET names the platform, as for Cargo.
#
# Needs llvm-profdata of a version that reads the files of the Rust compiler: from
# `rustup component add llvm-tools`, from a package of the system (llvm), or named by LLVM_PROFDATA.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/../.."

profdata() {
    local candidate
    for candidate in "${LLVM_PROFDATA:-}" \
        "$(rustc --print sysroot)"/lib/rustlib/*/bin/llvm-profdata \
        "$(compgen -c llvm-profdata | sort -rV | head -n 1)"; do
        if [[ -n "$candidate" ]] && command -v "$candidate" >/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "llvm-profdata is missing; try: rustup component add llvm-tools" >&2
    return 1
}

# build FLAG FOLDER: builds the engine with the caller's flags and this one. Cargo takes flags with blanks, as in
# the name of a folder, only in this variable, where a byte 1F is between them.
build() {
    local given=${CARGO_ENCODED_RUSTFLAGS-} words
    if [[ -z $given ]]; then
        read -ra words <<<"${RUSTFLAGS-}"
        given=$(IFS=$'\x1f' && echo "${words[*]-}")
    fi
    CARGO_ENCODED_RUSTFLAGS=${given:+$given$'\x1f'}$1 \
        cargo build --release --bin kawasemi --target-dir "$2"
}

only_counts=no
if [[ ${1-} == --counts ]]; then
    only_counts=yes
    shift
fi
merge=$(profdata)
programs=${CARGO_BUILD_TARGET:+$CARGO_BUILD_TARGET/}release
out=${CARGO_TARGET_DIR:-target}/pgo
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -rf "$out/counts"

build "-Cprofile-generate=$out/counts" "$out/counting"
# What ran while building (scripts of dependencies) has left counts too.
rm -rf "$out/counts"
(cd "$caller" && "$out/counting/$programs/kawasemi" bench --depth 13 "$@")
"$merge" merge -o "$out/kawasemi.profdata" "$out/counts"
if [[ $only_counts == yes ]]; then
    echo "$out/kawasemi.profdata"
    exit
fi

build "-Cprofile-use=$out/kawasemi.profdata" "$out/build"
cp "$out/build/$programs/kawasemi" "$out/"
echo "$out/kawasemi"
