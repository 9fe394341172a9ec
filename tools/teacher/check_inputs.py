#!/usr/bin/env python3
"""Compares the inputs written by `selfplay inputs` with those of miniosl's extension.

usage: check_inputs.py POSITIONS PLANES [--limit N] [--model eval.onnx]

POSITIONS comes from `selfplay positions --moves`, PLANES from `selfplay inputs`. Prints for each plane how
many positions differ, and with a model how much its values change."""
import argparse
from collections import Counter

import numpy as np

try:
    import minioslcc as osl
except ImportError:
    from miniosl import minioslcc as osl

import planes

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("positions")
parser.add_argument("planes")
parser.add_argument("--limit", type=int, default=10_000)
parser.add_argument("--model")
arguments = parser.parse_args()

raw = np.fromfile(arguments.planes, np.uint8).reshape(-1, planes.INPUT_BYTES)[: arguments.limit]
lines = open(arguments.positions).read().splitlines()[: len(raw)]
ours, theirs = np.zeros((2, len(raw), 176, 9, 9), np.float32)
planes.unpack(raw, ours)
game, previous = None, None
for i, line in enumerate(lines):
    if previous is not None and line.startswith(previous + " "):
        game.make_move(game.state.to_move(line.rsplit(" ", 1)[1]))
    else:
        game = osl.GameManager.from_record(osl.usi_record(f"position {line}"))
    theirs[i] = game.export_heuristic_feature16().reshape(176, 9, 9)
    previous = line

different = np.abs(ours - theirs).max(axis=(2, 3)) > 1e-3
print(f"{len(raw)} positions, {different.any(axis=1).sum()} differ")
for plane, count in Counter(np.argwhere(different)[:, 1].tolist()).most_common(60):
    first = np.argwhere(different[:, plane])[0][0]
    print(f"plane {plane}: {count} positions, first {first}: {lines[first][-60:]}")

if arguments.model:
    import onnxruntime

    model = onnxruntime.InferenceSession(arguments.model)
    rows = np.flatnonzero(different.any(axis=1))[:512]
    if len(rows):
        value = lambda x: model.run(["value"], {model.get_inputs()[0].name: x[rows]})[0][:, 0]
        change = np.abs(value(ours) - value(theirs))
        print(f"value of {len(rows)} of them: mean change {change.mean():.4f}, largest {change.max():.4f}")
