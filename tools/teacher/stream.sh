#!/usr/bin/env bash
# Plays games, labels their positions, and trains a network on the labels, within a given time.
#
# usage: tools/teacher/stream.sh OUT [NAME=VALUE ...]
#
# Writes openings, games, labels and net.bin to the folder OUT; a second call continues: it plays more games if there
# are no labels yet, and labels more positions if no training has begun. Call prepare.sh before.
# The targets are means of the labels and of the evaluation of a network that learned from searches and results: this
# keeps the trained network from learning what does not hold in other games, above all in later positions.
# net.bin is a mean of the given network and of the trained one, which is better than either on other games
# (docs/experiments/network_training.md).
# Settings with their defaults:
#   network=eval/kawasemi.bin    the network that plays the games, and the initial network of the training; its FV_SCALE
#                                must be that of train (--fv-scale)
#   shape="ZoneKA_hm1 1024x2-15-32"   its architecture
#   opponent=eval/kp1024.bin     the opponent in the games
#   partner=eval/generation20.bin   the network whose evaluation is part of the targets
#   partner_scale=425            the scale of its evaluation with FV_SCALE 20
#   castles=5000                 openings with castles from which the games start
#   seed=1                       the seed of openings and games
#   games=300 labels=900         the time limits in seconds; openings and training have none
#   nodes=200                    nodes for each move of the games
#   model=eval.onnx precision=bf16   the teacher and its precision; eval-int8.xml (prepare.sh --int8) with f32 is faster
#                                on processors with AVX-512 VNNI but without AMX (docs/selfplay.md)
#   train="--bucket-mode k3k3 ..."   settings of the training
#   mean=1:1                     the weights of the given network and of the trained one in the mean, from 1 to 9
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?stream.sh: name the folder of the results}
shift
network=$root/eval/kawasemi.bin shape="ZoneKA_hm1 1024x2-15-32" opponent=$root/eval/kp1024.bin
partner=$root/eval/generation20.bin partner_scale=425 castles=5000 seed=1 games=300 labels=900 nodes=200
model=eval.onnx precision=bf16 mean=1:1
train="--bucket-mode k3k3 --epochs 2 --batch 4096 --lr 0.0006 --ranking-weight 0 --ema-decay 0.999 --fv-scale 22"
train+=" --noisy true --repeats true"
for setting in "$@"; do
    case $setting in
        network=* | shape=* | opponent=* | partner=* | partner_scale=* | castles=* | seed=* | games=* | labels=* | \
            nodes=* | model=* | precision=* | train=* | mean=*) declare "$setting" ;;
        *) echo "stream.sh: unknown setting $setting" >&2; exit 2 ;;
    esac
done
case $mean in
    [1-9]:[1-9]) ;;
    *) echo "stream.sh: mean must be two weights like 1:3, not $mean" >&2; exit 2 ;;
esac
# The score of the network whose win rate has the logit 1, by the teacher: 650 with FV_SCALE 20.
scale=591
tools=$root/.teacher
for file in kawasemi selfplay train "$model"; do
    [ -e "$tools/$file" ] || { echo "stream.sh: $tools/$file is missing; call prepare.sh" >&2; exit 1; }
done
python=python3
[ ! -x "$tools/venv/bin/python" ] || python=$tools/venv/bin/python
cores=$(nproc)
mkdir -p "$out"
say() { echo "$(date +%T) $*"; }
# Interrupts a command when its time is over; it then finishes its current work.
within() { timeout --signal=INT --kill-after=900 "$@" || [ $? -eq 124 ]; }

if [ ! -e "$out/openings.txt" ]; then
    say "$castles openings with castles"
    "$python" "$root/tools/openings/castles.py" --engine "$tools/kawasemi" --lines "$castles" --seed "$seed" \
        --processes "$cores" --out "$out/openings.txt"
fi

# filter STAGE OPTION...: the quiet positions of a stage of the games. Openings vary less, so they need fewer labels.
filter() {
    "$tools/selfplay" filter "$out/once.games" --out "$out/stage-$1.games" --max-score 2000 --no-check --no-capture \
        "${@:2}"
}
if [ ! -e "$out/labels.games" ]; then
    say "games for $games s"
    within "$games" "$tools/selfplay" generate --out "$out/games.games" --games 100000000 --nodes "$nodes" \
        --vary-nodes 25 --seed "$seed" --threads "$cores" --eval "$network" --opponent "$opponent" \
        --openings "$out/openings.txt" --openings-share 65 --random-plies 0-4/10 --opening-random-plies 0-2/8 \
        --random-multi-pv 4 --random-multi-pv-margin 60 --random-multi-pv-plies 30 --win-score 3000 --play-on 20
    rm -f "$out/once.games" "$out"/stage-{1,2,3}.games "$out/quiet.games"
    "$tools/selfplay" dedup "$out/games.games" --out "$out/once.games"
    filter 1 --to-move 39 --per-game 5
    filter 2 --from-move 40 --to-move 69 --per-game 9
    filter 3 --from-move 70 --per-game 50
    "$tools/selfplay" shuffle "$out"/stage-{1,2,3}.games --out "$out/quiet.games"
    rm -f "$out/once.games" "$out"/stage-{1,2,3}.games
fi

# target STAGE WEIGHT OPTION...: the labels of a stage, mixed with this percentage of the partner's evaluation.
target() {
    "$tools/selfplay" filter "$out/labels.games" --out "$out/stage-$1.games" "${@:3}"
    "$tools/selfplay" blend "$out/stage-$1.games" --out "$out/target-$1.games" --eval "$partner" --option FV_SCALE=20 \
        --scale "$scale" --network-scale "$partner_scale" --weight "$2"
}
if [ ! -e "$out/trained" ]; then
    say "labels for $labels s"
    within "$labels" "$tools/selfplay" label "$out/quiet.games" --out "$out/labels.games" --scale "$scale" \
        --teachers "$cores" --threads $((2 * cores)) -- \
        "$python" "$root/tools/teacher/serve.py" --model "$tools/$model" --precision "$precision"
    rm -f "$out"/{stage,target}-{1,2,3}.games "$out/targets.games"
    target 1 12 --to-move 59
    target 2 25 --from-move 60 --to-move 89
    target 3 40 --from-move 90
    "$tools/selfplay" shuffle "$out"/target-{1,2,3}.games --out "$out/targets.games"
    rm -f "$out"/{stage,target}-{1,2,3}.games
fi

say "training"
# shellcheck disable=SC2086 # The settings are words.
"$tools/train" run "$out/targets.games" --out "$out/trained" --architecture "$shape" --init "$network" --lambda 1 \
    --scale "$scale" --max-score 32000 $train
networks=()
for ((i = 0; i < ${mean%:*}; i++)); do networks+=("$network"); done
for ((i = 0; i < ${mean#*:}; i++)); do networks+=("$out/trained/net.bin"); done
"$tools/train" average "${networks[@]}" --out "$out/net.bin" --bias-games "$out/games.games" --king-bucket-step 3
say "done: $out/net.bin"
