#!/usr/bin/env bash
# Plays games, labels their positions, and trains a net on the labels, within a given time.
#
# usage: tools/teacher/stream.sh OUT [NAME=VALUE ...]
#
# Writes games, labels and net.bin to the folder OUT; a second call continues. Call prepare.sh before.
# Settings with their defaults:
#   net=eval/kawasemi.bin        the net that plays the games, and the initial net of the training
#   shape="K-P 512x2-32-32"      its architecture
#   seed=1                       the seed of the games
#   games=180 labels=900         the time limits in seconds; training has none
#   nodes=200                    nodes for each move of the games
#   train="--epochs 1 ..."       settings of the training
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?stream.sh: name the folder of the results}
shift
net=$root/eval/kawasemi.bin shape="K-P 512x2-32-32" seed=1 games=180 labels=900 nodes=200
train="--epochs 1 --batch 1024 --lr 0.0004 --ranking-weight 0.05 --ranking-negatives 4 --sharpness 5 --ema-decay 0.999 --fv-scale 12"
for setting in "$@"; do
    case $setting in
        net=* | shape=* | seed=* | games=* | labels=* | nodes=* | train=*) declare "$setting" ;;
        *) echo "stream.sh: unknown setting $setting" >&2; exit 2 ;;
    esac
done
kit=$root/.teacher
for file in selfplay train eval.onnx; do
    [ -e "$kit/$file" ] || { echo "stream.sh: $kit/$file is missing; call prepare.sh" >&2; exit 1; }
done
python=python3
[ ! -x "$kit/venv/bin/python" ] || python=$kit/venv/bin/python
cores=$(nproc)
mkdir -p "$out"
say() { echo "$(date +%T) $*"; }
# Interrupts a command when its time is over; it then finishes its current work.
within() { timeout --signal=INT --kill-after=900 "$@" || [ $? -eq 124 ]; }

say "games for $games s"
within "$games" "$kit/selfplay" generate --out "$out/games.games" --games 100000000 --nodes "$nodes" --vary-nodes 25 \
    --seed "$seed" --threads "$cores" --eval "$net" --random-plies 0-4/10 --random-multi-pv 4 --random-multi-pv-margin 60 \
    --random-multi-pv-plies 36 --win-score 3000 --play-on 20
rm -f "$out/once.games" "$out/quiet.games"
"$kit/selfplay" dedup "$out/games.games" --out "$out/once.games"
"$kit/selfplay" filter "$out/once.games" --out "$out/quiet.games" --max-score 1800 --no-check --no-capture --per-game 60
rm -f "$out/once.games"

say "labels for $labels s"
within "$labels" "$kit/selfplay" label "$out/quiet.games" --out "$out/labels.games" --teachers "$cores" \
    --threads $((2 * cores)) -- "$python" "$root/tools/teacher/serve.py" --model "$kit/eval.onnx"

say "training"
# shellcheck disable=SC2086 # The settings are words.
"$kit/train" run "$out/labels.games" --out "$out/training" --net "$shape" --init "$net" --lambda 1 --scale 650 \
    --max-score 32000 $train
cp "$out/training/net.bin" "$out/net.bin"
say "done: $out/net.bin"
