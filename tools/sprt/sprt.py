#!/usr/bin/env python3
"""Plays the sequential tests of ideas for the search, one after the other, and keeps their counts.

    python3 tools/sprt/sprt.py                          # the queue and the state of each test
    python3 tools/sprt/sprt.py NAME [--games 1000]      # plays up to this many more games of a test
    python3 tools/sprt/sprt.py --first [--games 1000]   # of the first test that is not over

An idea is a row of queue.tsv and a patch, `patches/NAME.patch`. The patch applies to the revision in the column `base`,
often not to later ones. Both programs are built from that revision, so a test does not depend on later changes and can
continue on any machine: the row holds the pairs of games so far by the points of the patched program (0, 1/2, 1, 1 1/2,
2). Set them to zero after a change of the patch. The openings follow from the revision too, and pairs that were played
elsewhere are not played again (`gauntlet --earlier-pairs`). A test is over when the SPRT has a verdict or after 12,000
games. Ctrl-C (or SIGTERM) ends a run after the games in progress. Commit queue.tsv after each run. Only git, cargo and
the standard library are needed.
"""

import argparse
import csv
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tools/sprt"
QUEUE = HERE / "queue.tsv"
MAX_GAMES = 12_000
OPENINGS = 12_000


def read_queue():
    with QUEUE.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def write_queue(rows):
    """Replaces the file in one step, so that an interrupt loses nothing."""
    new = QUEUE.with_suffix(".new")
    with new.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    new.replace(QUEUE)


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def games_of(row):
    """The number of games of a test so far."""
    return 2 * sum(map(int, row["pairs"].split(",")))


def is_over(row):
    return bool(row["verdict"]) or games_of(row) >= MAX_GAMES


def program_folder(work, base, patch):
    """The folder of a program: another one after a change of the patch."""
    if patch is None:
        return work / base
    return work / f"{base}-{patch.stem}-{hashlib.sha256(patch.read_bytes()).hexdigest()[:12]}"


def build(work, base, patch):
    """The program of a revision, with a patch or without; built once."""
    folder = program_folder(work, base, patch)
    program = folder / "kawasemi"
    if program.exists():
        return program
    tree = work / "tree"
    if tree.exists():
        run("git", "-C", tree, "checkout", "-q", "--detach", "--force", base)
        # New files of another patch.
        run("git", "-C", tree, "clean", "-fdq")
    else:
        run("git", "-C", ROOT, "worktree", "prune")
        run("git", "-C", ROOT, "worktree", "add", "-q", "--detach", tree, base)
    if patch:
        run("git", "-C", tree, "apply", patch)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(work / "target")}
    # The unpatched tools play the match.
    names = ["kawasemi"] if patch else ["gauntlet", "selfplay", "kawasemi"]
    bins = [word for name in names for word in ("--bin", name)]
    run("cargo", "build", "--release", "--features", "tools", *bins, cwd=tree, env=environment)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        # Renamed when it is complete: an interrupted copy would count as built.
        new = shutil.copy2(work / "target/release" / name, folder / f"{name}.new")
        new.replace(folder / name)
    return program


def openings(program):
    """Balanced openings that the unpatched program makes; the same wherever they are made."""
    path = program.parent / "openings.txt"
    if not path.exists():
        games, quiet = path.with_name("openings.games"), path.with_name("quiet.games")
        selfplay = program.with_name("selfplay")
        run(selfplay, "generate", "--out", games, "--games", OPENINGS, "--nodes", 500, "--random-plies", "0-2/6",
            "--max-start-score", 300, "--random-multi-pv", 5, "--random-multi-pv-margin", 70,
            "--random-multi-pv-plies", 40, "--max-moves", 26)
        quiet.unlink(missing_ok=True)
        run(selfplay, "filter", games, "--out", quiet, "--from-move", 24, "--max-score", 200, "--no-check",
            "--per-game", 1)
        run(selfplay, "positions", quiet, "--out", path)
    return path


def play(row, games, concurrency, work):
    """Plays more games of a test and updates its row."""
    old = build(work, row["base"], None)
    new = build(work, row["base"], HERE / "patches" / f"{row['name']}.patch")
    pairs = row["pairs"]
    total = min(MAX_GAMES, games + games_of(row))
    record = new.parent / f"{pairs}.match"
    command = [old.with_name("gauntlet"), "-e", f"name=new cmd={new}", "-e", f"name=old cmd={old}", "-o", "Threads=1",
               "-o", "USI_Hash=64", "-o", "USI_OwnBook=false", "--nodes", row["nodes"], "--openings", openings(old),
               "--shuffle", 1, "--games", total, "--concurrency", concurrency, "--resign-score", 2500,
               "--sprt", *row["bounds"].split(), "--earlier-pairs", pairs, "--out", record]
    report = report_of(command, stop_file=record.with_name(record.name + ".stop"))
    print(report)
    update(row, report)


def report_of(command, stop_file):
    """The report of a match. Ctrl-C ends it by its stop file: if games in progress were dropped, the pairs played would
    not be those of the first openings, which the next run leaves out. The same holds for a match that fails, so it has
    no report: the next run continues its file."""
    # In a session of its own the match does not receive the interrupt.
    match = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        report = match.communicate()[0]
    except KeyboardInterrupt:
        stop_file.touch()
        report = match.communicate()[0]
        # If the match had just ended, it has not removed it.
        stop_file.unlink(missing_ok=True)
    if match.returncode:
        raise SystemExit(f"the match has failed with status {match.returncode}")
    return report


def interrupt_by_signals():
    """Lets SIGTERM and a closed terminal interrupt, as Ctrl-C does: a match would play on alone."""
    def interrupt(*_):
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        # `nohup` ignores the closed terminal.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)


def update(row, report):
    """Takes the counts, the Elo difference and the verdict from a report of `gauntlet`."""
    pairs = re.search(r"pairs 0 to 2 +([\d, ]+)", report)
    elo = re.search(r"Elo by pairs +([^,\n]+)", report)
    test = re.search(r"LLR (\S+) .*, (H1 accepted|H0 accepted|undecided)", report)
    if not (pairs and elo and test):
        raise SystemExit("the match has no result")
    row["pairs"] = pairs[1].replace(" ", "")
    row["elo"], row["llr"] = elo[1], test[1]
    row["verdict"] = {"H1 accepted": "passed", "H0 accepted": "failed", "undecided": ""}[test[2]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--first", action="store_true", help="the first test that is not over")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=os.cpu_count())
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target/sprt", help="builds and matches")
    arguments = parser.parse_args()
    interrupt_by_signals()
    rows = read_queue()
    if arguments.first:
        chosen = next((row for row in rows if not is_over(row)), None)
    else:
        chosen = next((row for row in rows if row["name"] == arguments.name), None)
    if chosen and is_over(chosen):
        raise SystemExit(f"the test of {chosen['name']} is over")
    if chosen:
        play(chosen, arguments.games, arguments.concurrency, arguments.work)
        write_queue(rows)
    elif arguments.name:
        raise SystemExit(f"queue.tsv has no test {arguments.name}")
    for row in rows:
        elo, llr = row["elo"] or "-", row["llr"] or "0"
        state = row["verdict"] or ("undecided" if is_over(row) else "open")
        print(f"{row['name']:30} {games_of(row):6} games  {elo:16} LLR {llr:6} {state}")


if __name__ == "__main__":
    main()
