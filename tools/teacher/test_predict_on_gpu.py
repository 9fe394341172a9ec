"""Tests of predict_on_gpu.sh with a stand-in for selfplay: python3 -m unittest discover tools/teacher"""

import lzma
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("predict_on_gpu.sh")
# Writes its arguments to the file after --out.
SELFPLAY = """#!/bin/sh
arguments=$*
for word; do
    [ "$last" != --out ] || echo "$arguments" > "$word"
    last=$word
done
"""


@unittest.skipUnless(shutil.which("bash") and shutil.which("timeout") and shutil.which("nproc"), "needs GNU coreutils")
class PredictOnGpu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ["tools/teacher", ".teacher", "work"]:
            (self.root / name).mkdir(parents=True)
        self.script = shutil.copy(SCRIPT, self.root / "tools/teacher")
        selfplay = self.root / ".teacher/selfplay"
        selfplay.write_text(SELFPLAY)
        selfplay.chmod(0o755)
        (self.root / ".teacher/teacher.pt").touch()
        (self.root / "given.xz").write_bytes(lzma.compress(b"games"))

    def results(self, seconds):
        """The files that a call with this time limit writes."""
        out = self.root / f"results{seconds}"
        command = ["bash", self.script, out, self.root / "given.xz", f"seconds={seconds}", "games=60"]
        environment = {**os.environ, "TMPDIR": str(self.root / "work")}
        done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
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

    def test_the_new_games_get_the_rest_of_the_time(self):
        results = self.results(600)
        self.assertEqual(sorted(results), ["given.predictions.xz.00", "new.games.xz.00", "new.predictions.xz.00"])
        self.assertIn("--children 20 ", results["given.predictions.xz.00"])
        self.assertIn("--children 6 ", results["new.predictions.xz.00"])


if __name__ == "__main__":
    unittest.main()
