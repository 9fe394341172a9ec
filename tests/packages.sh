#!/usr/bin/env bash
# Tries what users get, as users do:
#
#   tests/packages.sh [--dist FOLDER] [PART...]
#
# Parts, all by default but docker:
#
#   reproducible  packaging/archives.sh in two folders gives the same bytes (built without optimisation)
#   archives      the archives in FOLDER: each has what it should have, and its program plays; that for Arm under
#                 qemu, that for Windows under Wine, from a folder with Japanese letters and blanks, where a closed
#                 console also keeps what an analysis has found; that of the page for browsers under Node.js
#   deb           the .deb in FOLDER, installed, run and removed in a new Debian (debootstrap; as root)
#   crate         `cargo package` builds from its archive, and `cargo install` gives a program with its book
#   docker        the images are built by Docker or Podman; the engine plays, and ends when it is stopped
#
# FOLDER is that of packaging/archives.sh and deb.sh, by default target/dist. Missing tools are named with their
# Debian packages. The exit status is 0 if everything passed, 1 if something failed, 2 if something is missing
# or an argument is wrong.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/common/tools.sh

# Maximum seconds for an answer on an emulated processor of a busy machine.
readonly PATIENCE=180
readonly PARTS=(reproducible archives deb crate)

target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/packages" "$target/platforms"
target=$(cd "$target" && pwd)
scratch=$target/packages
version=$(program_version)
readonly target scratch version

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# plays COMMAND...: the engine answers a position of its book by the book, and another one by a search.
plays() {
    coproc ENGINE { exec timeout -k 5 600 "$@"; }
    local engine=$ENGINE_PID to from
    exec {to}>&"${ENGINE[1]}" {from}<&"${ENGINE[0]}"
    printf '%s\n' usi 'setoption name Threads value 1' 'setoption name USI_Hash value 16' isready \
        'position startpos' 'go btime 60000 wtime 60000' >&"$to"
    answered "$from"
    [[ $lines == *usiok* && $lines == *readyok* ]] || fail "$1 is no USI engine"
    # Only a search counts nodes.
    [[ $lines == *"info string book: "*", of "* && $lines != *" nodes "* ]] || fail "$1 does not know its book"
    printf '%s\n' 'position startpos moves 9g9f 9c9d 9i9g' 'go nodes 2000' >&"$to"
    answered "$from"
    [[ $lines == *"nodes"* ]] || fail "$1 has not searched"
    printf 'quit\n' >&"$to"
    exec {to}>&-
    wait "$engine" || fail "$1 ended with the status $?"
}

# answered DESCRIPTOR: sets `lines` to all lines up to the next bestmove.
answered() {
    local line end=$((SECONDS + PATIENCE))
    lines=
    while ((SECONDS < end)) && IFS= read -r -t $((end - SECONDS)) -u "$1" line; do
        lines+=$line$'\n'
        [[ $line != bestmove\ [1-9PLNSGBR][a-i1-9*]* ]] || return 0
    done
    fail "no move: $lines"
}

# ---- reproducible ----------------------------------------------------------------------------

part_reproducible() {
    local folder
    # The same for both, whatever is committed.
    export SOURCE_DATE_EPOCH=1700000000
    for folder in "$scratch/here" "$scratch/some where else"; do
        rm -rf "$folder"
        mkdir -p "$folder"
        git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$folder"
        # Optimisation takes minutes and has no part in this.
        CARGO_TARGET_DIR=$folder/target CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=0 \
            CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 "$folder/packaging/archives.sh" --out "$folder/dist" "$@"
    done
    diff "$scratch/here/dist/SHA256SUMS" "$scratch/some where else/dist/SHA256SUMS" ||
        fail "two builds of the same sources differ"
    rm -rf "$scratch/here" "$scratch/some where else"
}

# ---- archives --------------------------------------------------------------------------------

part_archives() {
    local archive found=no
    (cd "$dist" && sha256_check <SHA256SUMS) || fail "SHA256SUMS"
    for archive in "$dist"/kawasemi-"$version"-*.{tar.gz,zip}; do
        [[ -e $archive ]] || continue
        found=yes
        echo "$archive"
        try_archive "$archive"
    done
    [[ $found == yes ]] || fail "no archive in $dist; packaging/archives.sh makes them"
}

sha256_check() {
    if command -v sha256sum >/dev/null; then sha256sum -c --quiet -; else shasum -a 256 -c -; fi
}

# try_archive FILE
try_archive() {
    local name=${1##*/} folder="$scratch/将棋 ソフト/かわせみ 1"
    name=${name%.tar.gz} name=${name%.zip}
    rm -rf "$folder"
    mkdir -p "$folder"
    case $1 in
    *.zip) (cd "$folder" && unzip -q "$1") ;;
    *) tar -xzf "$1" -C "$folder" ;;
    esac
    folder+=/$name
    has_files "$folder" README.md LICENSE-MIT LICENSE-APACHE NOTICE THIRD-PARTY.txt BUILD.txt
    links_lead_somewhere "$folder"
    case $name in
    *-web) try_page "$folder" ;;
    *) try_program "$folder" "$name" ;;
    esac
    rm -rf "$scratch/将棋 ソフト"
}

# has_files FOLDER FILE...
has_files() {
    local file
    for file in "${@:2}"; do
        [[ -s $1/$file ]] || fail "no $file in $1"
    done
}

# try_page FOLDER: what the page loads is there, and its engine plays.
try_page() {
    local files
    mapfile -t files < <(sed -n '/^const FILES = /,/^]/p' "$1/service_worker.js" | grep -o '"[^"]*"' | tr -d '"')
    has_files "$1" index.html service_worker.js engine/kawasemi.wasm "${files[@]}"
    plays node tests/packages/usi.mjs "$1"
}

# try_program FOLDER NAME: the unpacked archive of this name has its files, and its program plays.
try_program() {
    local folder=$1 name=$2 run=() file
    has_files "$folder" CHANGELOG.md docs/ja.md engine_define.xml engine_define.ja.xml translation.txt
    [[ $name != *-windows-* ]] || has_files "$folder" packaging/COPYING.MinGW-w64-runtime.txt
    # From its folder, with the files around it, as a GUI starts it.
    case $name in
    *-linux-aarch64) [[ $(uname -m) == aarch64 ]] || run=(qemu-aarch64 -L /usr/aarch64-linux-gnu) ;;
    *-windows-x86_64)
        run=(env LC_ALL=C.UTF-8 WINEDEBUG=-all "WINEPREFIX=$target/platforms/wine" "$(find_wine)")
        first_run_under_wine "$folder/kawasemi.exe" "${run[@]}" >/dev/null
        ;;
    esac
    file=$folder/kawasemi
    [[ $name != *-windows-* ]] || file+=.exe
    (cd "$folder" && plays "${run[@]}" "$file")
    [[ $name != *-windows-* ]] || try_closed_console "$folder"
}

# links_lead_somewhere FOLDER: every file that a document links to is there, but for sources.
links_lead_somewhere() {
    local document link
    while read -r document; do
        for link in $(grep -o ']([^)# ]*' "$document" | sed 's/^](//; /^https\{0,1\}:/d'); do
            [[ $link == */src/* || $link == */tools/* || -e $(dirname "$document")/$link ]] ||
                fail "${document#"$1"/} links to $link"
        done
    done < <(find "$1" -name '*.md')
}

# try_closed_console FOLDER: an analysis in a console that is closed writes what it has found.
try_closed_console() {
    x86_64-w64-mingw32-gcc -O1 -municode -o "$1/close_console.exe" tests/packages/close_console.c
    cp tests/web/game.kif "$1/棋譜 1.kif"
    # Of nine positions, with two seconds each at first, three.
    local status=0
    (cd "$1" && "${run[@]}" ./close_console.exe 7000 kawasemi.exe analyze "棋譜 1.kif" --movetime 6000 \
        --threads 1 --hash 16 --output "解析 1.kif") || status=$?
    # That of an interrupted analysis.
    [[ $status == 130 ]] || fail "the analysis did not end by itself: status $status"
    grep -q '\*' "$1/解析 1.kif" || fail "nothing of the analysis in a closed console was kept"
}

# ---- deb -------------------------------------------------------------------------------------

part_deb() {
    local package=$dist/kawasemi_$version-1_amd64.deb root=$scratch/debian
    [[ -e $package ]] || fail "no $package; packaging/deb.sh makes it"
    # A root that was made before serves again.
    if [[ ! -e $root/etc/debian_version ]]; then
        rm -rf "$root.new"
        debootstrap --variant=minbase bookworm "$root.new" >"$scratch/debootstrap.log" 2>&1 ||
            fail "debootstrap, see $scratch/debootstrap.log"
        mv "$root.new" "$root"
    fi
    cp "$package" "$root/tmp/kawasemi.deb"
    chroot "$root" dpkg -i /tmp/kawasemi.deb
    plays chroot "$root" kawasemi
    chroot "$root" test -s /usr/share/doc/kawasemi/copyright
    links_lead_somewhere "$root/usr/share/doc/kawasemi"
    chroot "$root" dpkg --purge kawasemi
    local left
    left=$(chroot "$root" sh -c 'ls -d /usr/bin/kawasemi /usr/share/kawasemi /usr/share/doc/kawasemi' 2>/dev/null || true)
    [[ -z $left ]] || fail "the package has left $left"
}

# ---- crate -----------------------------------------------------------------------------------

part_crate() {
    # Builds what is in the archive, in a folder of its own.
    cargo package --locked --allow-dirty
    cargo install --locked --debug --path . --root "$scratch/installed" --force
    (cd "$scratch" && plays "$scratch/installed/bin/kawasemi")
}

# ---- docker ----------------------------------------------------------------------------------

part_docker() {
    "$docker" build -f packaging/Dockerfile -t kawasemi .
    plays "$docker" run --rm -i kawasemi
    ends_when_stopped
    "$docker" build -f packaging/Dockerfile --target tools -t kawasemi-tools .
    "$docker" run --rm kawasemi-tools task.sh 1/2 /tmp/games generate 2 --nodes 40 --max-moves 20 --threads 1
}

# ends_when_stopped: a container ends by SIGTERM. One that ignores it is killed ten seconds later.
ends_when_stopped() {
    local id status end=$((SECONDS + PATIENCE))
    id=$("$docker" run -d kawasemi bench --depth 60)
    until [[ -n $("$docker" logs "$id" 2>&1) ]]; do
        ((SECONDS < end)) || { "$docker" rm -f "$id" >/dev/null; fail "no bench in a container"; }
        sleep 0.2
    done
    "$docker" stop "$id" >/dev/null
    status=$("$docker" wait "$id")
    "$docker" rm -f "$id" >/dev/null
    [[ $status == 143 ]] || fail "a stopped container ended with the status $status"
}

find_tools() {
    case $1 in
    archives)
        [[ ! -e $dist/kawasemi-$version-linux-aarch64.tar.gz ]] || need qemu-aarch64 qemu-user
        if [[ -e $dist/kawasemi-$version-windows-x86_64.zip ]]; then
            need unzip unzip
            need x86_64-w64-mingw32-gcc mingw-w64
            find_wine >/dev/null || missing+=("wine64 (package wine64)")
        fi
        if [[ -e $dist/kawasemi-$version-web.zip ]]; then
            need unzip unzip
            need node nodejs
        fi
        ;;
    deb)
        need debootstrap debootstrap
        ((EUID == 0)) || missing+=("the rights of root, for chroot")
        ;;
    docker)
        if docker version >/dev/null 2>&1; then
            docker=docker
        elif command -v podman >/dev/null; then
            docker=podman
        else
            missing+=("a Docker daemon (package docker.io) or podman (package podman)")
        fi
        ;;
    esac
}

dist=$target/dist
if [[ ${1-} == -h || ${1-} == --help ]]; then
    print_help tests/packages.sh
    exit
elif [[ ${1-} == --dist ]]; then
    dist=$(absolute "${2-}")
    [[ ${2-} && -d $dist ]] || usage "--dist needs a folder"
    shift 2
fi
(($#)) || set -- "${PARTS[@]}"
# macOS lacks it.
need timeout coreutils
for part in "$@"; do
    declare -F "part_$part" >/dev/null || usage "no such part: $part"
    find_tools "$part"
done
need_all
for part in "$@"; do
    echo "== $part" >&2
    "part_$part"
done
echo "passed: $*"
