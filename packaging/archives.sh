#!/usr/bin/env bash
# Makes the archives for users, and SHA256SUMS beside them:
#
#   packaging/archives.sh [--out FOLDER] [--profile-guided | --profile FILE] [PLATFORM...]
#
# Platforms: linux-x86_64, linux-aarch64, windows-x86_64 and web (the page for browsers), which Linux builds all;
# macos-aarch64 and macos-x86_64, which macOS builds. The default is all that this system builds. The default FOLDER
# is target/dist.
#
# The same sources, compilers, wasm-opt and profile give the same bytes, in any folder and at any time.
# SOURCE_DATE_EPOCH is the time of all files, by default the time of the last commit.
#
# --profile-guided counts branches in a bench of the program for this machine's platform first (src/tools/pgo.sh),
# optimises that program by them, and leaves the counts in FOLDER as kawasemi-VERSION-PLATFORM.profdata. With
# --profile such a file is used again.
#
# macOS needs a newer bash and GNU tar (brew install bash gnu-tar). Missing tools are named with their Debian packages
# (tests/common/tools.sh). The exit status is 2 if something is missing or an argument is wrong, and another
# nonzero one if a build fails.
set -euo pipefail
# A build in $(...) that fails ends the script too.
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
source tests/common/tools.sh

# What the archive of a program contains besides it, as in the repository, so that the links in it work.
readonly CONTENTS=(README.md CHANGELOG.md CONTRIBUTING.md LICENSE-MIT LICENSE-APACHE NOTICE THIRD-PARTY.txt
    engine_define.xml engine_define.ja.xml translation.txt book/README.md eval/README.md eval/curves.svg
    packaging/README.md docs)

# triple PLATFORM: Rust's name of a platform.
triple() {
    case $1 in
    linux-x86_64) echo x86_64-unknown-linux-gnu ;;
    linux-aarch64) echo "$AARCH64" ;;
    windows-x86_64) echo "$WINDOWS" ;;
    macos-aarch64) echo aarch64-apple-darwin ;;
    macos-x86_64) echo x86_64-apple-darwin ;;
    web) echo "$WASM" ;;
    *) usage "no such platform: $1" ;;
    esac
}

# find_tools PLATFORM: sets `cargo` and `std_flags`.
find_tools() {
    case $1 in
    windows-x86_64)
        find_windows_tools
        need zip zip
        ;;
    linux-aarch64)
        if [[ $(uname -m) == aarch64 ]]; then find_cargo "$(triple "$1")" panic_unwind; else find_aarch64_tools; fi
        ;;
    web)
        find_wasm_tools
        need zip zip
        ;;
    *) find_cargo "$(triple "$1")" panic_unwind ;;
    esac
}

# build PLATFORM: builds the program and prints its path.
build() {
    local flags=("${REMAP_FLAGS[@]}" -Cstrip=symbols) program
    case $1 in
    # Else the linker writes the time into the program.
    windows-x86_64) flags+=("-Clink-arg=-Wl,--no-insert-timestamp") ;;
    web)
        packaging/wasm.sh "$target/kawasemi.wasm" >&2
        echo "$target/kawasemi.wasm"
        return
        ;;
    esac
    [[ $1 != "$host" || -z $profile ]] || flags+=("-Cprofile-use=$profile")
    CARGO_ENCODED_RUSTFLAGS=$(encoded_flags "${flags[@]}") CARGO_TARGET_DIR=$target "${cargo[@]}" build \
        --release --locked --bin kawasemi --target "$(triple "$1")" "${std_flags[@]}" >&2
    program=$target/$(triple "$1")/release/kawasemi
    [[ $1 != windows-* ]] || program+=.exe
    echo "$program"
}

# stage PLATFORM PROGRAM FOLDER: lays out the contents of an archive, with the same rights everywhere.
stage() {
    local counts=none optimised_by
    rm -rf "$3"
    case $1 in
    web)
        copy "$3" LICENSE-MIT LICENSE-APACHE NOTICE THIRD-PARTY.txt
        (cd web && copy "$3" ./*.* engine/engine.json engine/kawasemi.js)
        install -m 644 "$2" "$3/engine/"
        install -m 644 packaging/web.md "$3/README.md"
        optimised_by=$(wasm-opt --version)
        ;;
    *)
        copy "$3" "${CONTENTS[@]}"
        # Its program contains parts of this runtime.
        [[ $1 != windows-* ]] || copy "$3" packaging/COPYING.MinGW-w64-runtime.txt
        install -m 755 "$2" "$3/"
        [[ $1 != "$host" || -z $profile ]] || counts=$(sha256 "$profile")
        optimised_by="branch counts: ${counts%% *}"
        ;;
    esac
    printf '%s\n' "Kawasemi $version for $1, $(triple "$1")" "sources: $(commit)" \
        "compiler: $("$rustc" --version)" "$optimised_by" >"$3/BUILD.txt"
    chmod 644 "$3/BUILD.txt"
    find "$3" -type d -exec chmod 755 {} +
}

# copy FOLDER FILE...: copies files, and those in folders, to the same paths in FOLDER.
copy() {
    local file folder=$1
    shift
    find "$@" -type f | while read -r file; do
        mkdir -p "$folder/$(dirname "$file")"
        install -m 644 "$file" "$folder/$file"
    done
}

commit() {
    git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown
}

sha256() {
    if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# pack PLATFORM NAME: packs the folder NAME of the current folder, and prints the name of the archive. It gets
# its name when it is complete.
pack() {
    case $1 in
    windows-* | web)
        # Without owners and other extra fields; zip stores local times.
        find "$2" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
        rm -f "$2.new.zip"
        find "$2" | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$2.new.zip" -@
        mv "$2.new.zip" "$2.zip"
        echo "$2.zip"
        ;;
    *)
        "$tar" --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
            -cf - "$2" | gzip -9 -n >"$2.tar.gz.new"
        mv "$2.tar.gz.new" "$2.tar.gz"
        echo "$2.tar.gz"
        ;;
    esac
}

# remove_unfinished: removes what an archive in work leaves behind.
remove_unfinished() {
    rm -rf "${out:?}/$name" "$out/$name.new.zip" "$out/$name.tar.gz.new"
}

platforms=() out='' profile='' guided=no
while (($#)); do
    case $1 in
    --out)
        [[ ${2-} ]] || usage "--out needs a folder"
        out=$(absolute "$2")
        shift
        ;;
    --profile-guided) guided=yes ;;
    --profile)
        [[ ${2-} ]] || usage "--profile needs a file"
        profile=$(absolute "$2")
        [[ -f $profile ]] || usage "no such file: $2"
        shift
        ;;
    -h | --help) print_help packaging/archives.sh && exit ;;
    -*) usage "no such option: $1" ;;
    *) triple "$1" >/dev/null && platforms+=("$1") ;;
    esac
    shift
done

machine=$(uname -m)
case $(uname -s) in
Darwin) host=macos-${machine/arm64/aarch64} tar=gtar possible=(macos-aarch64 macos-x86_64) ;;
*) host=linux-$machine tar=tar possible=(linux-x86_64 linux-aarch64 windows-x86_64 web) ;;
esac
((${#platforms[@]})) || platforms=("${possible[@]}")
[[ $guided == no && -z $profile || " ${platforms[*]} " == *" $host "* ]] ||
    usage "only $host can be profile-guided here, and it is not among the platforms"
# Checked before the first build, which takes minutes.
need "$tar" tar
for platform in "${platforms[@]}"; do
    [[ " ${possible[*]} " == *" $platform "* ]] || usage "$platform is not built on $(uname -s)"
    find_tools "$platform"
done
need_all

target=${CARGO_TARGET_DIR:-target}
out=${out:-$target/dist}
mkdir -p "$out" "$target/packaging"
out=$(cd "$out" && pwd) target=$(cd "$target/packaging" && pwd)
version=$(program_version)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(commit_time)}
if [[ $guided == yes && -z $profile ]]; then
    profile=$out/kawasemi-$version-$host.profdata
    cp "$(CARGO_BUILD_TARGET=$(triple "$host") src/tools/pgo.sh --counts | tail -1)" "$profile"
fi
for platform in "${platforms[@]}"; do
    name=kawasemi-$version-$platform
    trap remove_unfinished EXIT
    find_tools "$platform"
    program=$(build "$platform")
    stage "$platform" "$program" "$out/$name"
    (cd "$out" && pack "$platform" "$name")
    remove_unfinished
done
cd "$out"
for file in kawasemi-"$version"-*; do sha256 "$file"; done | tee SHA256SUMS
