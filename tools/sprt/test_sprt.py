"""Tests of the queue of sequential tests: python3 -m unittest discover tools/sprt"""

import contextlib
import io
import pathlib
import signal
import sys
import tempfile
import unittest
from unittest import mock

import sprt

ROWS = """name base nodes bounds pairs elo llr verdict idea
passed 1 1 0,4 50,60,100,90,80 +9.9 2.95 passed x
played 1 1 0,4 1000,1000,2000,1000,1000 +0.0 0.50 - x
open 1 1 0,4 1,2,3,2,1 +0.0 0.01 - x
"""


class Queue(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def played(self, *arguments):
        """The name of the test that a call plays, and its output."""
        queue = self.folder / "queue.tsv"
        queue.write_text(ROWS.replace(" - ", "  ").replace(" ", "\t"))
        out = io.StringIO()
        with mock.patch.object(sprt, "QUEUE", queue), mock.patch.object(sprt, "play") as play, \
                mock.patch.object(sys, "argv", ["sprt.py", *arguments]), contextlib.redirect_stdout(out):
            sprt.main()
        return (play.call_args[0][0]["name"] if play.called else None), out.getvalue()

    def test_every_row_has_its_patch_and_every_patch_its_row(self):
        names = [row["name"] for row in sprt.read_queue()]
        self.assertEqual(sorted(names), sorted(path.stem for path in (sprt.HERE / "patches").glob("*.patch")))

    # Regression: a test that all its games left undecided was chosen again and again, and had nothing to play.
    def test_a_test_without_a_verdict_is_over_after_its_last_game(self):
        name, listing = self.played("--first")
        self.assertEqual(name, "open")
        states = [line.split()[-1] for line in listing.splitlines()]
        self.assertEqual(states, ["passed", "undecided", "open"])

    def test_a_test_that_is_over_is_not_played(self):
        for name in ["passed", "played"]:
            with self.assertRaisesRegex(SystemExit, f"the test of {name} is over"):
                self.played(name)
        self.assertEqual(self.played("open")[0], "open")

    # Regression: the program of the old patch was played.
    def test_a_changed_patch_is_another_program(self):
        patch = self.folder / "idea.patch"
        folders = []
        for text in ["one", "two", "one"]:
            patch.write_text(text)
            folders.append(sprt.program_folder(self.folder, "99cf752c", patch))
        self.assertNotEqual(folders[0], folders[1])
        self.assertEqual(folders[0], folders[2])

    # Regression: the part that was copied was played, or failed to start in every later run.
    def test_an_interrupted_copy_of_a_program_does_not_count_as_built(self):
        def interrupted(_, to):
            to.write_text("a part")
            raise KeyboardInterrupt

        (self.folder / "idea.patch").touch()
        with mock.patch.object(sprt, "run"), mock.patch.object(sprt.shutil, "copy2", interrupted):
            for _ in range(2):
                # Without a program, the second call copies again.
                with self.assertRaises(KeyboardInterrupt):
                    sprt.build(self.folder, "99cf752c", self.folder / "idea.patch")

    # Regression: games in progress were dropped, so the next run left out openings that had not been played.
    def test_an_interrupt_ends_the_match_by_its_stop_file(self):
        stop = self.folder / "a.match.stop"

        def communicate():
            if not stop.exists():
                raise KeyboardInterrupt
            return "the report", None

        with mock.patch.object(sprt.subprocess, "Popen") as match:
            match.return_value.communicate.side_effect = communicate
            match.return_value.returncode = 0
            self.assertEqual(sprt.report_of(["gauntlet"], stop), "the report")
        self.assertTrue(match.call_args[1]["start_new_session"])

    # Regression: it played on, and the next run could not continue its file.
    def test_other_signals_to_end_are_interrupts_too(self):
        for number in [signal.SIGTERM, signal.SIGHUP]:
            before = signal.signal(number, signal.SIG_DFL)
            self.addCleanup(signal.signal, number, before)
            sprt.interrupt_by_signals()
            with self.assertRaises(KeyboardInterrupt):
                signal.raise_signal(number)
            signal.signal(number, signal.SIG_IGN)
            sprt.interrupt_by_signals()
            signal.raise_signal(number)

    # Regression: its pairs were counted, and need not be those of the first openings either.
    def test_a_match_that_fails_has_no_report(self):
        with self.assertRaisesRegex(SystemExit, "the match has failed with status 3"):
            sprt.report_of(["sh", "-c", "echo pairs 0 to 2  0, 0, 1, 0, 0; exit 3"], self.folder / "a.match.stop")


if __name__ == "__main__":
    unittest.main()
