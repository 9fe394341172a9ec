#!/usr/bin/env python3
"""Measures how much win rate the moves of a network lose, by the teacher's values of the next positions.

usage: move_regret.py POSITIONS --engine kawasemi --selfplay selfplay --model eval.onnx [--nodes 40000]
                      [--store regret.json] NAME=NETWORK [NAME=NETWORK ...]

POSITIONS: a line for each, from `selfplay filter --per-game 1` and `selfplay positions --moves`, of games
on which no network was trained. NETWORK: a file for EvalFile, or nothing for the built-in network ("now="). Prints
for each network the mean regret (the teacher's value before the move minus that after it) and the paired
difference from the first network with its 95 % error. --store saves the moves of a network under its name, so that a
later call with the same positions, nodes and options need not search for them again."""
import argparse
import concurrent.futures
import pathlib
import subprocess
import tempfile

import numpy as np

import planes
import serve
from move_store import MoveStore

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("positions")
parser.add_argument("networks", nargs="+", metavar="NAME=NETWORK")
parser.add_argument("--engine", required=True)
parser.add_argument("--selfplay", required=True)
parser.add_argument("--model", required=True)
parser.add_argument("--precision", default="bf16")
parser.add_argument("--nodes", type=int, default=40_000)
parser.add_argument("--limit", type=int, default=5_000, help="positions to take")
parser.add_argument("--processes", type=int, default=2)
parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
parser.add_argument("--store")
arguments = parser.parse_args()
lines = pathlib.Path(arguments.positions).read_text().splitlines()[: arguments.limit]
store = MoveStore(arguments.store, lines, arguments.nodes, arguments.option)


def win_rates(positions):
    """The teacher's win rates for the side to move; NaN where the game is over."""
    with tempfile.TemporaryDirectory() as folder:
        text, packed = pathlib.Path(folder, "lines"), pathlib.Path(folder, "planes")
        text.write_text("\n".join(positions) + "\n")
        subprocess.run([arguments.selfplay, "inputs", text, "--out", packed], check=True)
        raw = np.fromfile(packed, np.uint8).reshape(-1, planes.INPUT_BYTES)
    run, kind = serve.openvino_model(arguments.model, arguments.precision, 64)
    x, values = np.zeros((64, 176, 9, 9), kind), []
    for i in range(0, len(raw), 64):
        part = raw[i:i + 64]
        planes.unpack(part, x)
        values.append(run(x)[0][: len(part)].copy())
    rates = (np.clip(np.concatenate(values), -0.996, 0.996) + 1) / 2
    rates[~raw.any(axis=1)] = np.nan
    return rates


def moves_of(net, part):
    """The engine's moves for some positions."""
    engine = subprocess.Popen([arguments.engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(line):
        engine.stdin.write(line + "\n")
        engine.stdin.flush()

    def until(word):
        while not (line := engine.stdout.readline()).startswith(word):
            if not line:
                raise RuntimeError("the engine has ended")
        return line

    say("usi")
    network = [f"EvalFile={net}"] if net else []
    options = ["Threads=1", "USI_Hash=64", "USI_OwnBook=false", *network, *arguments.option]
    for name, _, value in (option.partition("=") for option in options):
        say(f"setoption name {name} value {value}")
    say("isready")
    until("readyok")
    found = []
    for line in part:
        say("usinewgame")
        say(f"position {line}")
        say(f"go nodes {arguments.nodes}")
        found.append(until("bestmove").split()[1])
    say("quit")
    engine.wait()
    return found


def all_moves(net):
    step = -(-len(lines) // arguments.processes)
    with concurrent.futures.ThreadPoolExecutor(arguments.processes) as pool:
        parts = pool.map(lambda i: moves_of(net, lines[i:i + step]), range(0, len(lines), step))
        return [move for part in parts for move in part]


def line_after(line, move):
    return f"{line} {move}" if " moves" in line else f"{line} moves {move}"


root, first = win_rates(lines), None
for name, _, net in (word.partition("=") for word in arguments.networks):
    if name not in store.moves:
        store.add(name, all_moves(net))
    regret = root - (1 - win_rates([line_after(line, move) for line, move in zip(lines, store.moves[name])]))
    first = regret if first is None else first
    gain = (first - regret)[~np.isnan(first - regret)]
    error = 1.96 * gain.std() / len(gain) ** 0.5
    difference = f"less than the first by {gain.mean():+.4f} +- {error:.4f}"
    print(f"{name:>16}  regret {np.nanmean(regret):.4f}  {difference}", flush=True)
