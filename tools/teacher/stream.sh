#!/usr/bin/env bash
# Plays games, labels their positions, and trains nets on the labels, within a given time.
#
# usage: tools/teacher/stream.sh OUT [NAME=VALUE ...]
#
# Writes openings, games, labels and net.bin to the folder OUT; a second call continues: it plays more games if there are
# no labels yet, and labels more positions if no training has begun. Call prepare.sh before.
# net.bin is the mean of the given net and of two trained further from it: one on the labels, one on their means
# with the evaluation of another net. Such a mean is stronger than its parts.
# Settings with their defaults:
#   net=eval/kawasemi.bin        the net that plays the games, and the initial net of the training
#   shape="ZoneKA_hm1 1024x2-15-32"   its architecture
#   other=eval/kp1024.bin        the other net, which is also the opponent in the games
#   castles=1000                 openings with castles from which the games start
#   seed=1                       the seed of openings and games
#   games=300 labels=900         the time limits in seconds; openings and training have none
#   nodes=200                    nodes for each move of the games
#   train="--buckets k3k3 ..."   settings of the training
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?stream.sh: name the folder of the results}
shift
net=$root/eval/kawasemi.bin shape="ZoneKA_hm1 1024x2-15-32" other=$root/eval/kp1024.bin castles=1000 seed=1 games=300 labels=900 nodes=200
train="--buckets k3k3 --epochs 2 --batch 4096 --lr 0.0005 --ranking-weight 0 --ema-decay 0.999 --fv-scale 20 --noisy true --repeats true"
for setting in "$@"; do
    case $setting in
        net=* | shape=* | other=* | castles=* | seed=* | games=* | labels=* | nodes=* | train=*) declare "$setting" ;;
        *) echo "stream.sh: unknown setting $setting" >&2; exit 2 ;;
    esac
done
kit=$root/.teacher
for file in kawasemi selfplay train eval.onnx; do
    [ -e "$kit/$file" ] || { echo "stream.sh: $kit/$file is missing; call prepare.sh" >&2; exit 1; }
done
python=python3
[ ! -x "$kit/venv/bin/python" ] || python=$kit/venv/bin/python
cores=$(nproc)
mkdir -p "$out"
say() { echo "$(date +%T) $*"; }
# Interrupts a command when its time is over; it then finishes its current work.
within() { timeout --signal=INT --kill-after=900 "$@" || [ $? -eq 124 ]; }

if [ ! -e "$out/openings.txt" ]; then
    say "$castles openings with castles"
    "$python" "$root/tools/openings/castles.py" --engine "$kit/kawasemi" --lines "$castles" --seed "$seed" \
        --processes "$cores" --out "$out/openings.txt"
fi

# filter STAGE OPTION...: the quiet positions of a stage of the games. Openings vary less, so they need fewer labels.
filter() {
    "$kit/selfplay" filter "$out/once.games" --out "$out/stage-$1.games" --max-score 2000 --no-check --no-capture "${@:2}"
}
if [ ! -e "$out/labels.games" ]; then
    say "games for $games s"
    within "$games" "$kit/selfplay" generate --out "$out/games.games" --games 100000000 --nodes "$nodes" --vary-nodes 25 \
        --seed "$seed" --threads "$cores" --eval "$net" --opponent "$other" --openings "$out/openings.txt" \
        --openings-share 65 --random-plies 0-4/10 --opening-random-plies 0-2/8 --random-multi-pv 4 \
        --random-multi-pv-margin 60 --random-multi-pv-plies 30 --win-score 3000 --play-on 20
    rm -f "$out/once.games" "$out"/stage-{1,2,3}.games "$out/quiet.games"
    "$kit/selfplay" dedup "$out/games.games" --out "$out/once.games"
    filter 1 --to-move 39 --per-game 5
    filter 2 --from-move 40 --to-move 69 --per-game 9
    filter 3 --from-move 70 --per-game 50
    "$kit/selfplay" shuffle "$out"/stage-{1,2,3}.games --out "$out/quiet.games"
    rm -f "$out/once.games" "$out"/stage-{1,2,3}.games
fi

if [ ! -e "$out/balanced" ]; then
    say "labels for $labels s"
    within "$labels" "$kit/selfplay" label "$out/quiet.games" --out "$out/labels.games" --teachers "$cores" \
        --threads $((2 * cores)) -- "$python" "$root/tools/teacher/serve.py" --model "$kit/eval.onnx"
    rm -f "$out/balanced.games" "$out/blended.games"
    "$kit/selfplay" balance "$out/labels.games" --out "$out/balanced.games" --scale 650
    "$kit/selfplay" blend "$out/balanced.games" --out "$out/blended.games" --eval "$other" --scale 650 \
        --network-scale 650
fi

say "training"
for target in balanced blended; do
    # shellcheck disable=SC2086 # The settings are words.
    "$kit/train" run "$out/$target.games" --out "$out/$target" --net "$shape" --init "$net" --lambda 1 --scale 650 \
        --max-score 32000 $train
done
"$kit/train" average "$net" "$out/balanced/net.bin" "$out/blended/net.bin" --out "$out/net.bin" \
    --bias-games "$out/games.games"
say "done: $out/net.bin"
