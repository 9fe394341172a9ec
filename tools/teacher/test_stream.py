"""Tests of stream.sh with stand-ins for the tools: python3 -m unittest discover tools/teacher"""

import subprocess
import unittest

from script_test import ScriptTest

# Writes its arguments to the file after --out, or for train run to net.bin in that folder.
TOOL = """#!/bin/sh
arguments=$*
for word; do
    [ "$last" != --out ] || out=$word
    last=$word
done
[ "$1" != run ] || { mkdir -p "$out"; out=$out/net.bin; }
echo "$arguments" > "$out"
"""
CASTLES = "import sys; open(sys.argv[sys.argv.index('--out') + 1], 'w').close()"


class Stream(ScriptTest):
    def setUp(self):
        self.copy_script("stream.sh")
        (self.root / "tools/openings").mkdir()
        (self.root / "tools/openings/castles.py").write_text(CASTLES)
        for name in ["kawasemi", "selfplay", "train", "eval.onnx"]:
            self.add_tool(name, TOOL)

    def stream(self, *settings):
        command = ["bash", self.script, self.root / "work", *settings]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True)

    def average(self, *settings):
        """The networks of the mean: 0 is the given one, 1 the trained one."""
        done = self.stream(*settings)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        words = (self.root / "work/net.bin").read_text().split()
        networks = words[1:words.index("--out")]
        numbers = {str(self.root / "eval/kawasemi.bin"): 0, str(self.root / "work/trained/net.bin"): 1}
        return [numbers[network] for network in networks]

    # Regression: the weights were 1 and 3, which is worse on other games than 1 and 1.
    def test_the_mean_has_the_weights_that_are_set_and_equal_ones_by_default(self):
        self.assertEqual(self.average(), [0, 1])
        self.assertEqual(self.average("mean=2:3"), [0, 0, 1, 1, 1])

    def test_other_weights_are_refused_before_the_work(self):
        for mean in ["3", "0:1", "1:0", "1:10", "1:1:1", "1.5:1", ""]:
            done = self.stream(f"mean={mean}")
            self.assertEqual(done.returncode, 2, mean)
            self.assertIn(f"mean must be two weights like 1:3, not {mean}\n", done.stderr)
        self.assertFalse((self.root / "work").exists())


if __name__ == "__main__":
    unittest.main()
