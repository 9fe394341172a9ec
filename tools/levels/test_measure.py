"""Tests of the judgement: python3 -m unittest discover tools/levels"""

import unittest

from measure import judge, length_of, steps


# As `kawasemi analyze --json` writes scores: what does not apply is null.
def cp(value):
    return {"centipawns": value, "winner": None, "by": None, "plies": None}


def mate(winner, plies):
    return {"centipawns": None, "winner": winner, "by": "mate", "plies": plies}


def move(before, after, side="black", is_best=False):
    return {"side": side, "analysis": {"before": {"lines": [{"score": before}]}, "score": after, "is_best": is_best}}


class Judgement(unittest.TestCase):
    def test_a_large_loss_is_a_blunder_only_where_the_game_turns(self):
        self.assertEqual(judge(move(cp(300), cp(-400))), ("swing", None))
        self.assertEqual(judge(move(cp(300), cp(-300))), (None, None))
        self.assertEqual(judge(move(cp(2000), cp(1000))), (None, None))
        self.assertEqual(judge(move(cp(-3000), cp(-5000))), (None, None))
        self.assertEqual(judge(move(cp(-300), cp(400), "white")), ("swing", None))

    def test_a_mate_is_missed_if_the_next_position_is_none(self):
        self.assertEqual(judge(move(mate("black", 5), cp(900))), ("missed_mate", 5))
        self.assertEqual(judge(move(mate("black", 5), mate("black", 8))), (None, 5))
        self.assertEqual(judge(move(mate("white", 3), mate("white", 2), "white", True)), (None, 3))
        self.assertEqual(judge(move(mate("white", 4), mate("white", 3))), (None, None))

    def test_whoever_walks_into_a_mate_blunders_unless_the_game_was_lost(self):
        self.assertEqual(judge(move(cp(0), mate("white", 3))), ("sudden_death", None))
        self.assertEqual(judge(move(cp(-3000), mate("white", 3))), (None, None))

    def test_the_best_move_is_no_blunder(self):
        self.assertEqual(judge(move(cp(300), cp(-900), is_best=True)), (None, None))

    def test_lengths_and_steps_are_counted_as_players_do(self):
        self.assertEqual([length_of(plies) for plies in (1, 3, 5, 7, 21)], ["1", "3", "5", "7+", "7+"])
        self.assertEqual([steps(-1, 1), steps(-15, -12), steps(-4, 3)], [1, 3, 6])


if __name__ == "__main__":
    unittest.main()
