#!/usr/bin/env bash
# Makes the Debian package of the program that packaging/archives.sh has built for linux-x86_64:
#
#   packaging/deb.sh [--out FOLDER]
#
# Needs cargo-deb (cargo install cargo-deb). Cargo.toml lists the content of the package. The default FOLDER is
# target/dist. The exit status is 2 if something is missing or an argument is wrong.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/common/tools.sh

readonly TRIPLE=x86_64-unknown-linux-gnu

target=${CARGO_TARGET_DIR:-target}
out=$target/dist
while (($#)); do
    case $1 in
    --out)
        [[ ${2-} ]] || usage "--out needs a folder"
        out=$(absolute "$2")
        shift
        ;;
    -h | --help) print_help packaging/deb.sh && exit ;;
    *) usage "no such argument: $1" ;;
    esac
    shift
done
command -v cargo-deb >/dev/null || missing+=("cargo-deb (cargo install cargo-deb)")
need dpkg-shlibdeps dpkg-dev
[[ -x $target/packaging/$TRIPLE/release/kawasemi ]] ||
    missing+=("the program (packaging/archives.sh linux-x86_64 builds it)")
need_all
mkdir -p "$out"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(commit_time)}
CARGO_TARGET_DIR=$target/packaging cargo deb --no-build --no-strip --locked --target "$TRIPLE" --output "$out"
version=$(program_version)
cd "$out"
sha256sum kawasemi[-_]"$version"-* >SHA256SUMS
