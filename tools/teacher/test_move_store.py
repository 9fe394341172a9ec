"""Tests of the stored moves: python3 -m unittest discover tools/teacher"""

import pathlib
import tempfile
import unittest

from move_store import MoveStore

POSITIONS = ["startpos", "startpos moves 7g7f"]


class Store(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "regret.json")

    def test_moves_are_kept_for_the_same_positions_nodes_and_options(self):
        MoveStore(self.path, POSITIONS, 100, ["b=1", "a=2"]).add("now", ["2g2f", "3c3d"])
        again = MoveStore(self.path, POSITIONS, 100, ["a=2", "b=1"])
        self.assertEqual(again.moves, {"now": ["2g2f", "3c3d"]})
        again.add("old", ["7g7f", "8c8d"])
        self.assertEqual(sorted(MoveStore(self.path, POSITIONS, 100, ["a=2", "b=1"]).moves), ["now", "old"])
        for positions, nodes, options in [(POSITIONS[:1], 100, []), (POSITIONS, 200, []), (POSITIONS, 100, ["a=3"])]:
            with self.assertRaisesRegex(SystemExit, "regret.json was made with other "):
                MoveStore(self.path, positions, nodes, options)

    # Regression: any file was accepted, and replaced.
    def test_another_file_is_refused_and_stays_as_it_was(self):
        for content in [b"startpos moves 7g7f\n", b"", b"[]", b"{}", b'{"now": ["7g7f"]}', b"\xff\x00"]:
            self.path.write_bytes(content)
            with self.assertRaisesRegex(SystemExit, "regret.json was not written by --store"):
                MoveStore(self.path, POSITIONS, 100, [])
            self.assertEqual(self.path.read_bytes(), content)

    def test_without_a_file_nothing_is_written(self):
        store = MoveStore(None, POSITIONS, 100, [])
        store.add("now", ["2g2f", "3c3d"])
        self.assertEqual(store.moves["now"], ["2g2f", "3c3d"])


if __name__ == "__main__":
    unittest.main()
