#!/usr/bin/env python3
"""Measures the levels: the tables of docs/levels.md by one command.

    cargo build --release --features tools
    python3 tools/levels/measure.py --out levels

Neighbouring levels play matches (`gauntlet`), and some of these games are judged move by move
(`kawasemi analyze`): mates missed by length, and blunders per 1,000 moves. With `--handicaps` the matches
are repeated in handicap games. The same command continues an interrupted run. Only the standard
library is needed.
"""

import argparse
import itertools
import json
import pathlib
import random
import re
import subprocess
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

LEVELS = [-20, -18, -15, -12, -8, -4, -1, 1, 3, 6, 9]
# Independent pawn moves and similar ones: legal in any order.
BLACK = ["7g7f", "2g2f", "5g5f", "6g6f", "1g1f", "9g9f", "3i4h", "4i5h", "5i6h"]
WHITE = ["3c3d", "8c8d", "5c5d", "4c4d", "1c1d", "9c9d", "7a6b", "6a5b", "5a4b"]
HANDICAPS = {
    2: "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    4: "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    6: "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    8: "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
}
LENGTHS = ["1", "3", "5", "7+"]

# The definition of a blunder by shogi-supplement (version 1.1). Its 600 centipawns are one unit of log-odds, like
# our 800 (docs/analyze.md), so scores are scaled.
SCALE = 600 / 800
BLUNDER_LOSS = 500
MIN_SCORE_BEFORE_SUDDEN_DEATH = -500
MAX_UNDECIDED = 1767  # win rates from 5 to 95 %
MATE = 30000


def name(level):
    return f"{-level}kyu" if level < 0 else f"{level}dan"


def match_name(weaker, stronger):
    return f"{name(stronger)}-{name(weaker)}"


def steps(weaker, stronger):
    """The grades between two levels; there is no level 0."""
    return stronger - weaker - (1 if weaker < 0 < stronger else 0)


def score_for(score, side):
    """A score of the analysis for one side: scaled centipawns, and the plies of a mate (negative: mated)."""
    if score["winner"] is not None:
        wins = score["winner"] == side
        plies = score["plies"] if score["by"] == "mate" else None
        return (MATE if wins else -MATE), (plies if wins else None if plies is None else -plies)
    sign = 1 if side == "black" else -1
    return sign * score["centipawns"] * SCALE, None


def judge(move):
    """What was wrong with a move: `missed_mate`, `sudden_death`, `swing` or None; and the length of the mate
    that the player had, or None."""
    analysis, side = move["analysis"], move["side"]
    before, mate = score_for(analysis["before"]["lines"][0]["score"], side)
    after, _ = score_for(analysis["score"], side)
    own_mate = mate if mate is not None and mate > 0 else None
    if analysis["is_best"]:
        return None, own_mate
    if before == MATE:
        return ("missed_mate" if after < MATE else None), own_mate
    if after == -MATE:
        return ("sudden_death" if before > MIN_SCORE_BEFORE_SUDDEN_DEATH else None), own_mate
    is_swing = before - after >= BLUNDER_LOSS and abs(before) <= MAX_UNDECIDED and after < 0
    return ("swing" if is_swing else None), own_mate


def length_of(plies):
    return LENGTHS[min(plies // 2, 3)]


class Errors:
    """The errors of one level."""

    def __init__(self):
        self.moves = 0
        self.kinds = Counter()
        self.mates = defaultdict(lambda: [0, 0])  # by length: chances, missed

    def add(self, move):
        self.moves += 1
        kind, mate = judge(move)
        self.kinds[kind] += 1
        if mate is not None:
            row = self.mates[length_of(mate)]
            row[0] += 1
            row[1] += kind == "missed_mate"

    def per_thousand(self, *kinds):
        return 1000 * sum(self.kinds[kind] for kind in kinds) / max(self.moves, 1)


def openings(path, count):
    lines = []
    for b, w in itertools.product(itertools.permutations(BLACK, 2), itertools.permutations(WHITE, 2)):
        lines.append(f"startpos moves {b[0]} {w[0]} {b[1]} {w[1]}")
    random.Random(1).shuffle(lines)
    path.write_text("\n".join(lines[:count]) + "\n")


def play(args, weaker, stronger, positions, games, label):
    """Plays a match and returns the path of its file."""
    out = args.out / f"{label}.match"
    engine = lambda level: f"name={name(level)} cmd={args.program} option.USI_Strength={level}"
    command = [args.gauntlet, "-e", engine(stronger), "-e", engine(weaker),
               "-o", "USI_LimitStrength=true", "-o", "Threads=1", "-o", "USI_Hash=16",
               "-o", "USI_OwnBook=false", "--nodes", "10000000", "--openings", positions,
               "--games", str(games), "--max-moves", "400", "--concurrency", str(args.concurrency),
               "--out", out, "--csa", args.out / label]
    with open(args.out / f"{label}.log", "w", encoding="utf-8") as log:
        subprocess.run([str(word) for word in command], stdout=log, stderr=log, check=True)
    return out


def report(args, match):
    text = subprocess.run([args.gauntlet, "--report", match], capture_output=True, text=True, check=True).stdout
    found = lambda pattern: (re.search(pattern, text) or [None, "?"])[1]
    return {
        "result": found(r"(\+\d+ -\d+ =\d+), score"), "elo": found(r"Elo by pairs\s+(.*?),? LOS"),
        "as_black": found(r"as Black (\+\d+ -\d+ =\d+)"), "as_white": found(r"as White (\+\d+ -\d+ =\d+)"),
    }


def analyse(args, label):
    """The judged games of a match."""
    target = args.out / f"{label}.{args.nodes}.{args.judged}.json"
    if not target.exists():
        files = sorted((args.out / label).glob("*.csa"))[: args.judged]
        if not files:
            return []
        command = [args.program, "analyze", *files, "--nodes", str(args.nodes), "--threads", "1", "--json"]
        done = subprocess.run([str(word) for word in command], capture_output=True, check=True).stdout
        target.write_bytes(done)
    return json.loads(target.read_text(encoding="utf-8"))["games"]


def per_grade(elo, grades):
    number = re.match(r"[+-]?\d+(\.\d+)?", elo)
    return f"{float(number[0]) / grades:.0f}" if number else "?"


def print_steps(args, pairs):
    print(f"\n## Elo steps ({args.games} games each)\n")
    print("| level | against | result | Elo | Elo per grade |\n|---|---|---|---|---|")
    for weaker, stronger in pairs:
        row = report(args, args.out / f"{match_name(weaker, stronger)}.match")
        each = per_grade(row["elo"], steps(weaker, stronger))
        print(f"| {name(stronger)} | {name(weaker)} | {row['result']} | {row['elo']} | {each} |")


def print_errors(args, errors):
    print(f"\n## Errors (judged with {args.nodes} nodes)\n")
    print("| level | moves | blunders per 1,000 | missed mates | allowed mates | losses | "
          + " | ".join(f"missed in {length}" for length in LENGTHS) + " |")
    print("|---" * 10 + "|")
    for level in args.levels:
        row = errors[name(level)]
        kinds = ["missed_mate", "sudden_death", "swing"]
        rates = [f"{row.per_thousand(kind):.1f}" for kind in kinds]
        mates = [row.mates[length] for length in LENGTHS]
        shares = [f"{100 * missed / chances:.0f} % of {chances}" if chances else "-" for chances, missed in mates]
        print(f"| {name(level)} | {row.moves} | {row.per_thousand(*kinds):.0f} | {' | '.join(rates + shares)} |")


def print_handicaps(args, pairs):
    print(f"\n## Handicaps ({args.handicap_games} games each)\n")
    print("| handicap | level | against | result | giving | taking |\n|---|---|---|---|---|---|")
    for pieces, (weaker, stronger) in itertools.product(args.handicaps, pairs):
        row = report(args, args.out / f"{match_name(weaker, stronger)}-{pieces}.match")
        print(f"| {pieces} pieces | {name(stronger)} | {name(weaker)} | {row['result']} | {row['as_white']} "
              f"| {row['as_black']} |")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("target/release/kawasemi"))
    parser.add_argument("--gauntlet", type=pathlib.Path, default=pathlib.Path("target/release/gauntlet"))
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for matches, games and analyses")
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS, help="as USI_Strength counts them")
    parser.add_argument("--games", type=int, default=200, help="games of each match (default 200)")
    parser.add_argument("--judged", type=int, default=20, help="games of each match that are judged (default 20)")
    parser.add_argument("--nodes", type=int, default=400_000, help="nodes of each judgement (default 400000)")
    parser.add_argument("--handicaps", type=int, nargs="*", default=[], choices=sorted(HANDICAPS))
    parser.add_argument("--handicap-games", type=int, default=40)
    parser.add_argument("--concurrency", type=int, default=2)
    return parser.parse_args()


def main():
    args = arguments()
    args.levels.sort()
    args.program, args.gauntlet = args.program.resolve(), args.gauntlet.resolve()
    for program in [args.program, args.gauntlet]:
        if not program.exists():
            raise SystemExit(f"{program} is missing; build it with cargo build --release --features tools")
    args.out.mkdir(parents=True, exist_ok=True)
    even = args.out / "openings.txt"
    openings(even, max(args.games // 2, 1))
    pairs = list(itertools.pairwise(args.levels))
    for weaker, stronger in pairs:
        label = match_name(weaker, stronger)
        play(args, weaker, stronger, even, args.games, label)
        for pieces in args.handicaps:
            start = args.out / f"handicap-{pieces}.txt"
            start.write_text(HANDICAPS[pieces] + "\n")
            play(args, weaker, stronger, start, args.handicap_games, f"{label}-{pieces}")
    # An analysis has one thread, so that it does not depend on the timing of others.
    with ThreadPoolExecutor(args.concurrency) as pool:
        analyses = pool.map(lambda pair: analyse(args, match_name(*pair)), pairs)
    errors = defaultdict(Errors)
    for game in itertools.chain.from_iterable(analyses):
        for move in game["moves"]:
            if move["analysis"] is not None:
                errors[game[move["side"]]].add(move)
    print_steps(args, pairs)
    print_errors(args, errors)
    if args.handicaps:
        print_handicaps(args, pairs)


if __name__ == "__main__":
    main()
