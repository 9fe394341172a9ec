"""Tests of predict_on_gpu.sh with a stand-in for selfplay: python3 -m unittest discover tools/teacher"""

import lzma
import os
import subprocess
import unittest

from script_test import ScriptTest

# Writes its arguments to the file after --out, and fails if that is FAILING.
SELFPLAY = """#!/bin/sh
arguments=$*
for word; do
    [ "$last" != --out ] || { echo "$arguments" > "$word"; out=${word##*/}; }
    last=$word
done
[ "$out" != "$FAILING" ]
"""


class PredictOnGpu(ScriptTest):
    def setUp(self):
        self.copy_script("predict_on_gpu.sh")
        (self.root / "work").mkdir()
        self.add_tool("selfplay", SELFPLAY)
        (self.root / ".teacher/teacher.pt").touch()
        (self.root / "given.xz").write_bytes(lzma.compress(b"games"))

    def results(self, seconds, failing="", error=""):
        """The files that a call with this time limit writes if the making of this file fails with this error."""
        out = self.root / f"results{seconds}{failing}"
        command = ["bash", self.script, out, self.root / "given.xz", f"seconds={seconds}", "games=60"]
        environment = {**os.environ, "TMPDIR": str(self.root / "work"), "FAILING": failing}
        done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1 if failing else 0, done.stdout + done.stderr)
        self.assertTrue(done.stderr.endswith(error), done.stderr)
        return {path.name: lzma.decompress(path.read_bytes()).decode() for path in out.iterdir()}

    def test_a_missing_model_is_named_before_the_work(self):
        (self.root / ".teacher/teacher.pt").unlink()
        command = ["bash", self.script, self.root / "results", self.root / "given.xz"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("teacher.pt is missing; call prepare.sh --torch", done.stderr)

    # Regression: the script failed, and the predictions for the given games were lost.
    def test_without_time_for_the_new_games_the_other_results_are_written(self):
        results = self.results(-1)
        self.assertEqual(sorted(results), ["given.predictions.xz.00", "new.games.xz.00"])

    # Regression: the script ended, and all results were lost.
    def test_after_an_error_the_other_results_are_written(self):
        for failing, written in [
            ("given.predictions", ["given.predictions.xz.00", "new.games.xz.00", "new.predictions.xz.00"]),
            ("once.games", ["given.predictions.xz.00"]),
        ]:
            name = {"once.games": "new.games"}.get(failing, failing)
            error = f"predict_on_gpu.sh: incomplete after errors: {name}\n"
            self.assertEqual(sorted(self.results(600, failing, error)), written)

    def test_the_new_games_get_the_rest_of_the_time(self):
        results = self.results(600)
        self.assertEqual(sorted(results), ["given.predictions.xz.00", "new.games.xz.00", "new.predictions.xz.00"])
        self.assertIn("--children 20 ", results["given.predictions.xz.00"])
        self.assertIn("--children 6 ", results["new.predictions.xz.00"])


if __name__ == "__main__":
    unittest.main()
