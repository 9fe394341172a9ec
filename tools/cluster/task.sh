#!/usr/bin/env bash
# One of N tasks of a big job. Slurm, GNU parallel and Kubernetes call it with the same arguments (slurm.sh,
# parallel.sh, kubernetes.yml):
#
#   task.sh I/N FOLDER generate GAMES [ARGUMENT...]     task I of N plays its share of GAMES games
#   task.sh I/N FOLDER COMMAND GAMEFILE... [ARGUMENT...] rescore, label or predict of selfplay
#   task.sh I/N FOLDER analyze [ARGUMENT...] -- RECORD...
#   task.sh I/N FOLDER puzzles [ARGUMENT...] -- RECORD...
#
# The first two write FOLDER/part-I-of-N.games (.predictions with predict), and `selfplay join` joins them. The others
# write a file for each record, numbered by its place, which join_records.sh joins. The same command continues a killed
# task. The programs must be in PATH.
#
# The exit status is 0 if this share of the work is done, 1 if a record failed, 2 for wrong arguments or missing tools,
# 128 plus the number of the signal if it was interrupted: 143 after SIGTERM.
set -euo pipefail

complain() {
    echo "task.sh: $1" >&2
    exit 2
}

(($# >= 3)) || complain "needs I/N, a folder and a command, see tools/cluster/task.sh"
part=$1 folder=$2 command=$3
shift 3
[[ $part =~ ^([1-9][0-9]*)/([1-9][0-9]*)$ ]] || complain "$part is not I/N"
number=${BASH_REMATCH[1]} count=${BASH_REMATCH[2]}
((number <= count)) || complain "$part is not I/N"

# need PROGRAM: stops if it cannot be run.
need() {
    command -v "$1" >/dev/null || complain "$1 is missing on $(hostname); put it into a folder of PATH"
    "$1" --version >/dev/null || complain "$1 does not run on $(hostname)"
}

# Checked now, so that it does not fail after hours.
mkdir -p "$folder" || complain "$folder cannot be made"
probe=$folder/.probe-$number.$$
{ head -c 1048576 /dev/zero >"$probe"; } 2>/dev/null || {
    rm -f "$probe"
    complain "$folder has no room for a mebibyte, or cannot be written"
}
rm -f "$probe"

# run_to_end COMMAND...: passes SIGTERM on to the command, and then exits too, because the share is incomplete.
run_to_end() {
    local child='' stopped=0 status=0 name
    for name in TERM INT HUP; do
        trap "stopped=$((128 + $(kill -l "$name")))"'
            [[ -z $child ]] || kill -TERM "$child" 2>/dev/null || true' "$name"
    done
    "$@" &
    child=$!
    wait "$child" || status=$?
    # A signal ends a wait.
    while kill -0 "$child" 2>/dev/null; do wait "$child" || status=$?; done
    trap - TERM INT HUP
    ((stopped == 0)) || exit "$stopped"
    return "$status"
}

# each_record PROGRAM_ARGUMENTS... -- RECORD...: handles every record of this share that is not done. A record that
# fails does not stop the others.
each_record() {
    local words=() record place=0 out failed=no
    while (($#)) && [[ $1 != -- ]]; do
        words+=("$1")
        shift
    done
    (($# > 1)) || complain "the records must follow --"
    shift
    for record; do
        place=$((place + 1))
        ((place % count == number % count)) || continue
        out=$folder/$(printf %06d "$place")-of-$#.$suffix
        [[ ! -e $out ]] || continue
        if run_to_end kawasemi "${words[@]}" "$record" >"$out.new"; then
            mv "$out.new" "$out"
        else
            rm -f "$out.new"
            echo "task.sh: $record failed" >&2
            failed=yes
        fi
    done
    [[ $failed == no ]] || exit 1
}

case $command in
generate)
    [[ ${1-} =~ ^[0-9]+$ ]] || complain "generate needs the number of games of all tasks"
    need selfplay
    games=$1
    shift
    first=$((games * (number - 1) / count)) end=$((games * number / count))
    run_to_end selfplay generate --out "$folder/part-$number-of-$count.games" --first-game "$first" \
        --games $((end - first)) "$@"
    ;;
rescore | label)
    need selfplay
    run_to_end selfplay "$command" --out "$folder/part-$number-of-$count.games" --part "$part" "$@"
    ;;
predict)
    need selfplay
    run_to_end selfplay predict --out "$folder/part-$number-of-$count.predictions" --part "$part" "$@"
    ;;
analyze)
    need kawasemi
    suffix=json
    each_record analyze --json "$@"
    ;;
puzzles)
    need kawasemi
    suffix=tsv
    each_record puzzles "$@"
    ;;
*) complain "no such command: $command" ;;
esac
