#!/usr/bin/env bash
# shellcheck disable=SC2034 # what is set is used where this is sourced
# What the scripts of tests/ and packaging/ share: help, errors of arguments, and the search for what they need. To be
# sourced; names of what is missing, each with its Debian package, collect in `missing`.

# print_help SCRIPT: prints the comment at the head of a script.
print_help() {
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$1"
}

# usage MESSAGE: reports a wrong argument, and ends the script with status 2.
usage() {
    echo "${0##*/}: $1" >&2
    exit 2
}

# absolute PATH: the absolute path of a PATH that a user has given. The scripts change to the folder of the repository
# before they source this.
readonly CALLED_IN=$OLDPWD
absolute() {
    case $1 in
    /*) echo "$1" ;;
    *) echo "$CALLED_IN/$1" ;;
    esac
}

# program_version: the version in Cargo.toml.
program_version() {
    sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml
}

# commit_time: the time of the last commit in seconds; a fixed one if the sources are no repository.
commit_time() {
    git log -1 --format=%ct 2>/dev/null || echo 946684800
}

missing=()

# need COMMAND PACKAGE: adds a command that does not exist to `missing`.
need() {
    command -v "$1" >/dev/null || missing+=("$1 (package $2)")
}

# need_all: names what is missing and ends the script with status 2.
need_all() {
    ((${#missing[@]})) || return 0
    printf 'missing: %s\n' "${missing[@]}" | sort -u >&2
    exit 2
}

# Wine by any of its names, on standard output.
find_wine() {
    local name
    for name in wine64 /usr/lib/wine/wine64 wine; do
        command -v "$name" && return
    done
    return 1
}

# is_new_enough RUSTC: whether this compiler exists and can build the program.
is_new_enough() {
    local wanted has
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    has=$("$1" --version 2>/dev/null | cut -d ' ' -f 2) && [[ $has ]] &&
        printf '%s\n' "$wanted" "$has" | sort --check=quiet --version-sort
}

# find_cargo TRIPLE PANIC: sets `rustc`, the compiler for a target, `cargo`, and `std_flags`, its flags. If
# rustup has no standard library for the target, one is built from the sources of a compiler that has them
# (rustup component rust-src, or Debian's rustc-web, cargo-web and rust-web-src); PANIC is its panic_unwind or
# panic_abort.
find_cargo() {
    local sysroot
    cargo=(env) std_flags=()
    for rustc in rustc /usr/bin/rustc; do
        is_new_enough "$rustc" || continue
        sysroot=$("$rustc" --print sysroot) || continue
        cargo=(env "RUSTC=$rustc" "${rustc%rustc}cargo")
        [[ -d $sysroot/lib/rustlib/$1/lib ]] && return
    done
    for rustc in rustc /usr/bin/rustc; do
        is_new_enough "$rustc" || continue
        sysroot=$("$rustc" --print sysroot) || continue
        if [[ -f $sysroot/lib/rustlib/src/rust/library/std/Cargo.toml ]]; then
            # The flag is for nightly compilers; the variable makes others accept it.
            cargo=(env "RUSTC=$rustc" RUSTC_BOOTSTRAP=1 "${rustc%rustc}cargo")
            std_flags=("-Zbuild-std=std,$2,test")
            return
        fi
    done
    missing+=("a standard library for $1 (rustup target add $1, or new enough packages rustc-web cargo-web \
rust-web-src)")
}

readonly WINDOWS=x86_64-pc-windows-gnu
readonly AARCH64=aarch64-unknown-linux-gnu
readonly WASM=wasm32-unknown-unknown

# Flags of the compiler with which the same sources give the same bytes in any folder.
readonly REMAP_FLAGS=("--remap-path-prefix=$PWD=/kawasemi"
    "--remap-path-prefix=${CARGO_HOME:-${HOME-}/.cargo}=/cargo")

# encoded_flags FLAG...: the value of CARGO_ENCODED_RUSTFLAGS. Flags may have spaces, as paths do.
encoded_flags() {
    local IFS=$'\x1f'
    echo "$*"
}

# find_windows_tools, find_aarch64_tools: set `cargo` and `std_flags` for these targets.
find_windows_tools() {
    need x86_64-w64-mingw32-gcc mingw-w64
    find_cargo "$WINDOWS" panic_unwind
}

find_aarch64_tools() {
    need aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    find_cargo "$AARCH64" panic_unwind
    cargo=(env CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc "${cargo[@]:1}")
}

# find_wasm_tools: sets `cargo` and `std_flags` for WebAssembly with 128-bit vectors and a stack of 1 MiB.
find_wasm_tools() {
    local flags=(-Ctarget-feature=+simd128,+bulk-memory -Clink-arg=-zstack-size=1048576)
    need wasm-opt binaryen
    find_cargo "$WASM" panic_abort
    cargo=(env "CARGO_ENCODED_RUSTFLAGS=$(encoded_flags "${REMAP_FLAGS[@]}" "${flags[@]}")" "${cargo[@]:1}")
}

# first_run_under_wine PROGRAM WINE...: prints the version of a Windows program. Wine before version 9 exits
# with 53, because it lacks the library from which Rust's standard library gets random numbers; then one is
# put beside the program.
first_run_under_wine() {
    local program=$1
    shift
    "$@" "$program" --version && return
    [[ $? == 53 ]] || return
    make_random_library "$(dirname "$program")" && "$@" "$program" --version
}

# make_random_library FOLDER: makes a bcryptprimitives.dll with the one function that is needed.
make_random_library() {
    x86_64-w64-mingw32-gcc -O2 -shared -o "$1/bcryptprimitives.dll" -x c - -x none -ladvapi32 <<'C'
#include <windows.h>

/* RtlGenRandom by its exported name. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    for (; length > 0; length--, data++) {
        if (!SystemFunction036(data, 1)) return FALSE;
    }
    return TRUE;
}
C
}
