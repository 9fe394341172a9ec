#!/usr/bin/env bash
# Makes .teacher/: the tools built for x86-64 processors with AVX-512, the model, and a Python environment.
#
# usage: tools/teacher/prepare.sh [--torch]
#
# With --torch it also writes the model as TorchScript (.teacher/teacher.pt), for a machine with a GPU: copy
# the repository with .teacher/selfplay and .teacher/teacher.pt to it and call predict_on_gpu.sh there. Needs cargo,
# python3 (3.11 for --torch) and unzip.
set -euo pipefail
cd "$(dirname "$0")/../.."

if (($#)) && [ "$*" != --torch ]; then
    echo "prepare.sh: the only argument is --torch, not $*" >&2
    exit 2
fi
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
requirements="requirements.txt"
[ "${1:-}" != --torch ] || requirements="requirements-dev.txt"
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
du -sh .teacher
