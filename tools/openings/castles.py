#!/usr/bin/env python3
"""Makes opening lines with the castles and rook files that people play, for self-play and matches.

usage: castles.py --engine kawasemi --lines 2000 --out castles.txt

An engine that chooses its own openings rarely plays a ranging rook or a slow castle, so its games lack the positions
that follow from them. Here each side draws a strategy: a rook file and the squares of a castle. A side plays
the move that brings its pieces nearest to these squares, if a short search (MultiPV) finds it at most --margin worse
than the best move, or than an even position. If no move brings them nearer, it plays one of the best moves among those
that leave them as near as possible. No position occurs twice. A line ends after --min-plies to --max-plies, and is kept
if its last score is at most --max-score. The same arguments give the same lines."""
import argparse
import concurrent.futures
import functools
import itertools
import pathlib
import random
import shutil
import subprocess

# The castles have their names from src/analysis/formations/castles.rs, which recognises a castle by its decisive
# pieces. Here more pieces have squares, from Black's side, as in USI; the rook is given by its file.
RANGING_ROOK = {
    "Mino": "K2h S3h G4i G5h",
    "High Mino": "K2h S3h G4g G4i",
    "Silver Crown": "K2h S2g G3h G4g",
    "Ranging Rook Anaguma": "K1i L1h S2h G3i G3h",
    "Twin Golds": "K3h G4h G5h S2h",
    "King on 3i": "K3i S3h G4i",
}
STATIC_ROOK = {
    "Gold Yagura": "K8h S7g G7h G6g",
    "Left Mino": "K8h S7h G6i G5h",
    "Boat Castle": "K7h S7i G6i G5h",
    "Static Rook Anaguma": "K9i L9h S8h G7i G7h",
    "Millennium Castle": "K8i S7h G7i G6h",
    "Elmo Castle": "K7h S6h G7i G5i",
    "Snow Roof Castle": "K6i S6g S5g G7h G5h",
    "Central House": "K5h G7h G3h S4h S6h",
    "Right King": "K4h G3h G5h S4g S6g",
    "Strawberry Castle": "K6h G7h G5h S7g",
}
RANGING_FILES, STATIC_FILES = [5, 6, 7, 8], [2, 2, 2, 3, 4]
# With a ranging rook its pawn stays, and another one closes the bishop's diagonal.
RANGING_PAWNS = "P2g P6f"
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"


def square(name):
    return int(name[0]), ord(name[1]) - ord("a") + 1


def rotated(at):
    return 10 - at[0], 10 - at[1]


def start():
    """The pieces of the initial position by square: (is_black, letter)."""
    pieces = {}
    for rank, row in enumerate(START.split("/"), 1):
        file = 9
        for letter in row:
            if letter.isdigit():
                file -= int(letter)
                continue
            pieces[file, rank] = letter.isupper(), letter.upper()
            file -= 1
    return pieces


def after(pieces, move, is_black):
    """The pieces after a move in USI notation."""
    pieces = dict(pieces)
    if move[1] == "*":
        pieces[square(move[2:4])] = is_black, move[0]
        return pieces
    _, letter = pieces.pop(square(move[:2]))
    pieces[square(move[2:4])] = is_black, letter + move[4:]
    return pieces


def steps(letter, start, end):
    """Roughly the moves of a piece between two squares; pawns and lances stay on their files."""
    files, ranks = abs(start[0] - end[0]), abs(start[1] - end[1])
    return 9 if letter in "PL" and files else max(files, ranks)


@functools.cache
def steps_to(letter, squares, targets):
    """How many steps some of the pieces on `squares` are away from all `targets`."""
    return min(sum(steps(letter, *pair) for pair in zip(chosen, targets))
               for chosen in itertools.permutations(squares, len(targets)))


class Strategy:
    def __init__(self, rnd, is_black):
        self.is_black = is_black
        ranging = rnd.random() < 0.5
        castle = rnd.choice(list((RANGING_ROOK if ranging else STATIC_ROOK).values()))
        castle += " " + RANGING_PAWNS if ranging else ""
        self.file = rnd.choice(RANGING_FILES if ranging else STATIC_FILES)
        self.targets = {}
        for target in castle.split():
            self.targets[target[0]] = *self.targets.get(target[0], ()), square(target[1:])

    def distance(self, pieces):
        """How many steps the pieces are away from their squares."""
        own = {letter: [] for letter in "R" + "".join(self.targets)}
        for at, (is_black, letter) in pieces.items():
            if is_black == self.is_black and letter in own:
                own[letter].append(at if is_black else rotated(at))
        total = sum(2 * (file != self.file) for file, _ in own["R"])
        for letter, targets in self.targets.items():
            if len(own[letter]) >= len(targets):
                total += steps_to(letter, tuple(sorted(own[letter])), targets)
        return total


class Engine:
    def __init__(self, path, lines):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        options = {"Threads": 1, "USI_Hash": 16, "USI_OwnBook": "false", "MultiPV": lines}
        self.send("usi", *(f"setoption name {name} value {value}" for name, value in options.items()), "isready")
        self.read("readyok")

    def send(self, *lines):
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def read(self, end):
        """The lines before the next one that begins with `end`."""
        lines = []
        while not (line := self.process.stdout.readline()).startswith(end):
            if not line:
                raise RuntimeError("the engine has ended")
            lines.append(line)
        return lines

    def candidates(self, moves, nodes):
        """The best moves with their scores, best first; none after a mate."""
        self.send("position startpos moves " + " ".join(moves), f"go nodes {nodes}")
        found = {}
        for words in map(str.split, self.read("bestmove")):
            if "score" in words and "pv" in words and "cp" in words:
                number = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
                found[number] = words[words.index("pv") + 1], int(words[words.index("cp") + 1])
        return [found[number] for number in sorted(found)]


def line(engine, seed, arguments):
    """An opening as a line of text; `None` if no move can be chosen, or one side is too far ahead at its end."""
    # What earlier lines left in the engine's tables must not change this one.
    engine.send("usinewgame")
    rnd = random.Random(seed)
    pieces, moves = start(), []
    seen = {frozenset(pieces.items())}
    strategies = [Strategy(rnd, is_black) for is_black in (True, False)]
    for ply in range(rnd.randint(arguments.min_plies, arguments.max_plies)):
        strategy = strategies[ply % 2]
        candidates = engine.candidates(moves, arguments.nodes)
        if not candidates:
            return None
        best, now = candidates[0][1], strategy.distance(pieces)
        # A side that is ahead may give up its advantage.
        floor = min(best, 0) - arguments.margin
        scored = []
        for move, score in candidates:
            reached = after(pieces, move, strategy.is_black)
            # Two finished castles would otherwise repeat the position.
            if score >= floor and frozenset(reached.items()) not in seen:
                scored.append((strategy.distance(reached), best - score, move))
        if not scored:
            return None
        nearest = min(distance for distance, _, _ in scored)
        if nearest < now:
            move = min(scored)[2]
        else:
            near = [move for distance, loss, move in scored if distance == nearest and loss <= arguments.margin // 4]
            move = rnd.choice(near[:3] or [min(scored, key=lambda choice: choice[1])[2]])
        pieces = after(pieces, move, strategy.is_black)
        seen.add(frozenset(pieces.items()))
        moves.append(move)
    candidates = engine.candidates(moves, 10 * arguments.nodes)
    is_even = bool(candidates) and abs(candidates[0][1]) <= arguments.max_score
    return "startpos moves " + " ".join(moves) if is_even else None


def part(first, arguments):
    """The lines of every `processes`-th seed."""
    engine, lines = Engine(arguments.engine, arguments.candidates), []
    for seed in itertools.count(first, arguments.processes):
        if len(lines) * arguments.processes >= arguments.lines:
            engine.send("quit")
            return lines
        made = line(engine, f"{arguments.seed}.{seed}", arguments)
        if made:
            lines.append(made)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="a USI engine")
    parser.add_argument("--out", required=True)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=300, help="for each move")
    parser.add_argument("--candidates", type=int, default=16, help="MultiPV")
    parser.add_argument("--margin", type=int, default=150, help="centipawns that a move of the strategy may cost")
    parser.add_argument("--max-score", type=int, default=250, help="centipawns")
    parser.add_argument("--min-plies", type=int, default=24)
    parser.add_argument("--max-plies", type=int, default=48)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if shutil.which(arguments.engine) is None:
        parser.error(f"there is no program {arguments.engine}")
    with concurrent.futures.ProcessPoolExecutor(arguments.processes) as pool:
        parts = [pool.submit(part, first, arguments) for first in range(arguments.processes)]
        lines = dict.fromkeys(line for part in parts for line in part.result())
    pathlib.Path(arguments.out).write_text("".join(line + "\n" for line in lines))


if __name__ == "__main__":
    main()
