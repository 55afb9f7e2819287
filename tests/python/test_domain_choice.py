"""Tests the leave-one-set-out choice of bench/domain_choice.py."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
import domain_choice  # noqa: E402

SETS = ["a", "b", "c"]


def pairs(value):
    """Returns `value(training set, foreign set)` for all pairs and two seeds."""
    return {(train, foreign): [value(train, foreign)] * 2 for train in SETS for foreign in SETS if train != foreign}


class LeaveOneSetOut(unittest.TestCase):
    def test_pairs_of_the_left_out_set_do_not_count_in_the_choice(self):
        # `lucky` is perfect for all pairs with `a`, and bad for the others. If all pairs were used for the
        # choice, it would be chosen (0.8 against 0.7).
        aurocs = {"lucky": pairs(lambda train, foreign: 1.0 if "a" in (train, foreign) else 0.4),
                  "plain": pairs(lambda train, foreign: 0.7)}
        found = domain_choice.leave_one_set_out(aurocs)
        self.assertEqual(found["a"], [("plain", 0.7)] * 2)
        # Without b, only the pairs of a and c remain, on which `lucky` is perfect. Its AUROC on b is low.
        self.assertEqual([method for method, _ in found["b"]], ["lucky"] * 2)
        self.assertAlmostEqual(found["b"][0][1], 0.7)  # mean of (b, a): 1.0 and (b, c): 0.4

    def test_each_seed_chooses_for_itself(self):
        aurocs = {"one": pairs(lambda *_: 0.5), "two": pairs(lambda *_: 0.6)}
        for values in aurocs["one"].values():
            values[1] = 0.9
        self.assertEqual(domain_choice.leave_one_set_out(aurocs)["c"], [("two", 0.6), ("one", 0.9)])

    def test_interval_over_seeds(self):
        centre, half = domain_choice.interval([0.1, 0.2, 0.3])
        self.assertAlmostEqual(centre, 0.2)
        self.assertAlmostEqual(half, 4.303 * 0.1 / 3**0.5)
        self.assertEqual(domain_choice.interval([0.4]), (0.4, None))
        self.assertEqual(domain_choice.text([0.4]), "0.400")

    def test_table_names_the_choice_and_the_number_of_seeds(self):
        lines = domain_choice.table({"combined": pairs(lambda *_: 0.8), "knn": pairs(lambda *_: 0.7)}).splitlines()
        self.assertIn("| a | `combined` (2) | 0.800 ± 0.000 | 0.800 ± 0.000 |", lines)
        self.assertIn("| `knn` | 0.700 ± 0.000 | 0.700 |", lines)


if __name__ == "__main__":
    unittest.main()
