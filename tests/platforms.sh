#!/usr/bin/env bash
# Builds the engine for other platforms, runs it under emulation, and prints the results.
#
#   tests/platforms.sh [--tests] [PLATFORM...]
#
# Platforms, all by default:
#
#   native    this machine
#   core2     the native program on an x86-64 processor of 2006, without POPCNT (qemu)
#   nehalem   the native program on an x86-64 processor of 2008, without AVX and BMI (qemu)
#   aarch64   Linux on 64-bit Arm (qemu)
#   windows   Windows on x86-64 (Wine)
#
# On each platform it runs a USI session (every kind of search, pondering, invalid input, quitting
# during a search), counts a known perft, and compares the signature of the bench with that of the
# native program. With --tests it also runs the tests of the engine there, which takes long.
#
# Missing tools of a platform are named with their Debian packages (tests/common/tools.sh). The exit status
# is 0 if all requested platforms passed, 1 if one failed or lacks its tools, 2 if an argument is wrong.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
source tests/common/tools.sh

readonly PLATFORMS=(native core2 nehalem aarch64 windows)
readonly BENCH_DEPTH=8
# Maximum seconds for an answer on an emulated processor of a busy machine.
readonly PATIENCE=60
# The parts of a row of the table, in the order in which they run.
readonly PARTS=(build session perft bench tests)

target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/platforms"
target=$(cd "$target" && pwd)
readonly target
readonly scratch=$target/platforms

# ---- Tools -----------------------------------------------------------------------------------

# prepare PLATFORM: finds the tools. Sets `run` (the command that runs programs), `binary`, `cargo` and
# `cargo_flags`, and `missing` to the missing tools.
prepare() {
    missing=() run=() cargo=(cargo) cargo_flags=() binary=$target/release/kawasemi
    case $1 in
    core2 | nehalem)
        [[ $(uname -m) == x86_64 ]] || missing+=("an x86-64 machine")
        need qemu-x86_64 qemu-user
        run=(qemu-x86_64 -cpu Nehalem)
        [[ $1 == nehalem ]] || run=(qemu-x86_64 -cpu core2duo)
        ;;
    aarch64)
        need qemu-aarch64 qemu-user
        find_aarch64_tools
        cargo=(env CARGO_TARGET_DIR="$scratch" "${cargo[@]:1}") cargo_flags=(--target "$AARCH64" "${std_flags[@]}")
        run=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
        binary=$scratch/$AARCH64/release/kawasemi
        ;;
    windows)
        find_wine >/dev/null || missing+=("wine64 (package wine64)")
        find_windows_tools
        cargo=(env CARGO_TARGET_DIR="$scratch" "${cargo[@]:1}") cargo_flags=(--target "$WINDOWS" "${std_flags[@]}")
        run=(env WINEDEBUG=-all WINEPREFIX="$scratch/wine" "$(find_wine)")
        binary=$scratch/$WINDOWS/release/kawasemi.exe
        ;;
    esac
}

# ---- Building --------------------------------------------------------------------------------

part_build() {
    "${cargo[@]}" build --release "${cargo_flags[@]}" || return
    case $1 in
    windows) first_run_under_wine "$binary" "${run[@]}" ;;
    *) "${run[@]}" "$binary" --version ;;
    esac
}

# ---- A USI session ---------------------------------------------------------------------------
# Every session is a subshell, which ends at the first error.

# converse ARGUMENTS...: starts the engine as a coprocess with the descriptors `to` and `from`.
converse() {
    coproc ENGINE { exec timeout -k 5 600 "${run[@]}" "$binary" "$@"; }
    engine=$ENGINE_PID
    trap 'kill "$engine" 2>/dev/null' EXIT
    exec {to}>&"${ENGINE[1]}" {from}<&"${ENGINE[0]}"
    eval "exec ${ENGINE[0]}<&- ${ENGINE[1]}>&-"
}

fail() {
    echo "FAILED: $1"
    exit 1
}

say() {
    echo "> $1"
    printf '%s\n' "$1" >&"$to"
}

# hear SECONDS: reads the next line into `line`.
hear() {
    IFS= read -r -t "$1" -u "$from" line || return
    line=${line%$'\r'}
    echo "< $line"
}

# expect PATTERN: skips lines until one matches.
expect() {
    local end=$((SECONDS + PATIENCE)) line
    while ((SECONDS < end)) && hear $((end - SECONDS)); do
        # shellcheck disable=SC2053 # it is a pattern
        [[ $line == $1 ]] && return
    done
    fail "no answer like $1"
}

# silent SECONDS: checks that no answer to a `go` comes in that time.
silent() {
    local end=$((SECONDS + $1)) line
    while ((SECONDS < end)) && hear $((end - SECONDS)); do
        case $line in bestmove* | checkmate*) fail "an answer before its time" ;; esac
    done
}

# The engine ends by itself with status 0.
ends() {
    local status
    wait "$engine"
    status=$?
    trap - EXIT
    [[ $status == 0 ]] || fail "ended with the status $status"
}

readonly MOVE='bestmove [1-9PLNSGBR][a-i1-9*]*'

every_search_is_answered() {
    converse
    say usi
    expect 'id name Kawasemi*'
    expect 'option name USI_Hash type spin*'
    expect usiok
    say 'setoption name USI_Hash value 16'
    say 'setoption name Threads value 2'
    say isready
    expect readyok
    say usinewgame
    say 'position startpos moves 7g7f 3c3d'
    say 'go nodes 10000'
    expect 'info*score*pv*'
    expect "$MOVE"
    say 'go movetime 300'
    expect "$MOVE"
    say 'go btime 1000 wtime 1000 byoyomi 500'
    expect "$MOVE"
    say 'go infinite'
    silent 1
    say stop
    expect "$MOVE"
    say 'go ponder btime 1000 wtime 1000 byoyomi 100'
    silent 1
    say ponderhit
    expect "$MOVE"
    say 'position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1'
    say 'go mate 60000'
    expect 'checkmate G[*]5b'
    say quit
    ends
}

invalid_input_is_reported_or_ignored() {
    converse
    say $'\xef\xbb\xbfusi\r'
    expect usiok
    say $'\xff\xfe\x80 \x01 joho'
    say 'setoption name Joho value 1'
    expect 'info string*'
    say 'setoption name USI_Hash value much'
    expect 'info string*'
    say 'position sfen 9/9 b - 1'
    expect 'info string*'
    say 'position startpos moves 7g7f 7g7f'
    expect 'info string*'
    say 'stop'
    say 'ponderhit'
    say 'isready'
    expect readyok
    # No move is played if the position of the GUI is unknown.
    say 'go nodes 1000'
    expect 'bestmove resign'
    say 'position startpos'
    say $'go\tnodes  1000 \r'
    expect "$MOVE"
    say quit
    ends
}

quit_ends_a_search() {
    converse
    say isready
    expect readyok
    say 'go infinite'
    silent 1
    say quit
    ends
}

the_end_of_input_ends_a_search() {
    converse
    say isready
    expect readyok
    say 'go infinite'
    silent 1
    exec {to}>&-
    ends
}

a_log_may_have_any_name() {
    local name=$'a log of \xe5\xb0\x86\xe6\xa3\x8b.txt'
    rm -f "$name"
    converse --usi-option USI_Hash=1 -- "DebugLogFile=$name"
    say isready
    expect readyok
    say quit
    ends
    grep -q '> isready' "$name" || fail "nothing in the log"
    rm -f "$name"
}

part_session() {
    local conversation failed=0
    for conversation in every_search_is_answered invalid_input_is_reported_or_ignored \
        quit_ends_a_search the_end_of_input_ends_a_search a_log_may_have_any_name; do
        echo "== $conversation"
        # The log is written where the engine runs.
        (cd "$scratch" && "$conversation") || failed=1
    done
    return "$failed"
}

# ---- Numbers ---------------------------------------------------------------------------------

part_perft() {
    local text
    text=$("${run[@]}" "$binary" perft 4) || return
    echo "$text"
    [[ $text == "719731 leaves in "* ]]
}

part_bench() {
    local text signature
    text=$("${run[@]}" "$binary" bench --depth "$BENCH_DEPTH") || return
    echo "$text"
    signature=$(grep '^Bench: ' <<<"$text" | tr -d '\r')
    [[ -n $signature ]] || return
    if [[ $1 == native ]]; then
        echo "$signature" >"$scratch/signature"
    fi
    [[ $signature == "$(cat "$scratch/signature")" ]]
}

part_tests() {
    local runner="${run[*]}" runners=()
    if [[ -n $runner ]]; then
        runners=(CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER="$runner"
            CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="$runner"
            CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$runner")
    fi
    if [[ $1 == windows && -e $(dirname "$binary")/bcryptprimitives.dll ]]; then
        mkdir -p "$scratch/$WINDOWS/checked/deps"
        cp "$(dirname "$binary")/bcryptprimitives.dll" "$scratch/$WINDOWS/checked"
        cp "$(dirname "$binary")/bcryptprimitives.dll" "$scratch/$WINDOWS/checked/deps"
    fi
    local failed=0
    run_tests --lib || failed=1
    run_tests --test library -- perft:: sfen:: session:: || failed=1
    # A processor emulator does not emulate the programs that a test starts.
    case $1 in native | windows)
        run_tests --test program -- command_line:: usi:: || failed=1 ;;
    esac
    return "$failed"
}

# run_tests ARGUMENTS...: runs some of the tests on the platform, with its `runners`.
run_tests() {
    env "${runners[@]}" "${cargo[@]}" test --profile checked --no-fail-fast "${cargo_flags[@]}" "$@"
}

# ---- The table -------------------------------------------------------------------------------

# try PLATFORM: runs all parts, and sets `row` to a row of the table. All output goes to a log.
try() {
    local part log=$scratch/$1.log
    row=$1
    : >"$log"
    prepare "$1"
    if ((${#missing[@]})); then
        row+="|not run, missing:$(printf ' %s;' "${missing[@]}")"
        return 1
    fi
    for part in "${PARTS[@]}"; do
        [[ $part != tests || $with_tests == yes ]] || continue
        echo "$1: $part" >&2
        echo "#### $part" >>"$log"
        if ! "part_$part" "$1" >>"$log" 2>&1; then
            row+="|$part FAILED, see $log"
            return 1
        fi
        row+="|$part ok"
    done
}

main() {
    local platform rows=() failed=0 asked=()
    with_tests=no
    for platform in "$@"; do
        case $platform in
        --tests) with_tests=yes ;;
        -h | --help) print_help tests/platforms.sh; exit ;;
        *) [[ " ${PLATFORMS[*]} " == *" $platform "* ]] ||
                usage "no such platform: $platform (there are ${PLATFORMS[*]})"
            asked+=("$platform") ;;
        esac
    done
    ((${#asked[@]})) || asked=("${PLATFORMS[@]}")
    # Not that of an earlier run, if the native program cannot be built.
    rm -f "$scratch/signature"
    # The other platforms are compared with it, and some of them run its program.
    [[ " ${asked[*]} " == *" native "* ]] || asked=(native "${asked[@]}")
    for platform in "${asked[@]}"; do
        try "$platform" || failed=1
        rows+=("$row")
    done
    echo "$(cat "$scratch/signature" 2>/dev/null) at depth $BENCH_DEPTH"
    for row in "${rows[@]}"; do
        tr '|' '\t' <<<"$row"
    done | expand -t 12,24,36,48,60
    return "$failed"
}

main "$@"
