#!/usr/bin/env bash
# Runs the teacher on as many positions as possible within a given time, on a machine with a GPU.
#
# usage: tools/teacher/predict_on_gpu.sh OUT GAMES.xz [NAME=VALUE ...]
#
# GAMES.xz is a game file that `selfplay filter` has written, compressed by xz. While the teacher evaluates its
# positions, the processors play new games, whose positions the teacher evaluates in the rest of the time.
# Writes to OUT, all compressed and in parts of less than 16 MiB: the predictions for GAMES (given.predictions),
# the new games (new.games) and the predictions for them (new.predictions); docs/selfplay.md says how to make
# labels from them. After an error, such as many values that are not numbers, it still writes what there is, and exits
# with status 1. Call prepare.sh --torch before, on a machine with an internet connection.
# Settings with their defaults:
#   seconds=540       the time limit, without compression
#   children=6        positions after other moves for each position of new games
#   given_children=20 the same for given games
#   nodes=400 seed=1  of the new games
#   games=330         the seconds for the new games, and meanwhile for predictions for GAMES
#   opponents="eval/kp1024.bin"  networks that play against the built-in one in the new games
#   openings=         the openings of 65 % of the new games [default: none]
#   teachers=5        processes that use the GPU
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?predict_on_gpu.sh: name the folder of the results} given=${2:?predict_on_gpu.sh: name a game file}
shift 2
seconds=540 children=6 given_children=20 nodes=400 seed=1 games=330 teachers=5
opponents=$root/eval/kp1024.bin openings=
for setting in "$@"; do
    case $setting in
        seconds=* | children=* | given_children=* | nodes=* | seed=* | games=* | opponents=* | openings=* | teachers=*)
            declare "$setting" ;;
        *) echo "predict_on_gpu.sh: unknown setting $setting" >&2; exit 2 ;;
    esac
done
tools=$root/.teacher
for file in selfplay teacher.pt; do
    [ -e "$tools/$file" ] || { echo "predict_on_gpu.sh: $tools/$file is missing; call prepare.sh --torch" >&2; exit 1; }
done
work=$(mktemp -d)
start=$SECONDS
cores=$(nproc)
say() { echo "$(date +%T) $*"; }
# Interrupts a command when its time is over; it then finishes its current work.
within() { timeout --signal=INT --kill-after=60 "$@" || [ $? -eq 124 ]; }
# predict GAMES NAME CHILDREN SECONDS
predict() {
    within "$4" "$tools/selfplay" predict "$1" --out "$work/$2.predictions" --children "$3" --teachers "$teachers" \
        --threads $((2 * cores)) -- \
        python3 "$root/tools/teacher/serve.py" --model "$tools/teacher.pt" --backend torch --batch 2048
}
play() {
    local players=() opponent
    for opponent in $opponents; do players+=(--opponent "$opponent"); done
    [ -z "$openings" ] || players+=(--openings "$openings" --openings-share 65 --opening-random-plies 0-1/8)
    within "$games" "$tools/selfplay" generate --out "$work/all.games" --games 100000000 --nodes "$nodes" \
        --vary-nodes 30 --seed "$seed" --threads "$cores" --random-plies 0-3/10 --random-multi-pv 4 \
        --random-multi-pv-margin 60 --random-multi-pv-plies 30 --win-score 3000 --play-on 10 "${players[@]}"
    "$tools/selfplay" dedup "$work/all.games" --out "$work/once.games"
    "$tools/selfplay" filter "$work/once.games" --out "$work/new.games" --max-score 2500 --no-check --no-capture
}

xz -dc "$given" > "$work/given.games" ||
    python3 -c 'import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())' "$given" > "$work/given.games"
failed=
say "games, and predictions for given ones"
(renice -n 10 $BASHPID >/dev/null; play) > "$work/play.log" 2>&1 &
predict "$work/given.games" given "$given_children" "$games" || failed+=" given.predictions"
wait $! || failed+=" new.games"
tail -n 3 "$work/play.log"
left=$((seconds - SECONDS + start))
if [ ! -e "$work/new.games" ]; then
    say "no predictions without new games"
# For timeout, 0 is no limit, and a negative number is an error.
elif ((left > 0)); then
    say "predictions for new games"
    predict "$work/new.games" new "$children" "$left" || failed+=" new.predictions"
else
    say "no time is left for predictions for new games"
fi
say "compression"
python3 - "$out" "$work/given.predictions" "$work/new.games" "$work/new.predictions" <<'PYTHON'
import lzma, multiprocessing, pathlib, sys

PART = 15_900_000


def main(out, files):
    out.mkdir(parents=True, exist_ok=True)
    for file in filter(pathlib.Path.exists, files):  # A run that was too short has no predictions.
        data = file.read_bytes()
        chunks = [data[at:at + (4 << 20)] for at in range(0, len(data), 4 << 20)]
        with multiprocessing.Pool() as pool:
            packed = b"".join(pool.map(lzma.compress, chunks))
        for number, at in enumerate(range(0, len(packed), PART)):
            (out / f"{file.name}.xz.{number:02}").write_bytes(packed[at:at + PART])
        print(file.name, len(data), "bytes, packed", len(packed))


main(pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]])
PYTHON
rm -rf "$work"
[ -z "$failed" ] || { echo "predict_on_gpu.sh: incomplete after errors:$failed" >&2; exit 1; }
say "done"
