"""The time that the package adds to the library."""

import statistics
import subprocess
import sys
import time
from unittest import mock

import headroom
from headroom import _session
from support import WithStore

RINGS = ("C1CCCCC1", "c1ccccc1", "c1ccncc1", "C1CCCC1", "c1ccsc1")
#: 1,000 molecules.
MOLECULES = [ring + "C" * (i % 40) + end for ring in RINGS for i in range(40) for end in ("O", "N", "C#N", "F", "C(=O)O")]


class Overhead(WithStore):
    def inside(self, name):
        """Measures a function of the library. Returns a list that gets the seconds of each call."""
        library, seconds = _session.session().library, []
        function = getattr(library, name)

        def measured(*arguments):
            start = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                seconds.append(time.perf_counter() - start)

        patch = mock.patch.object(library, name, measured)
        patch.start()
        self.addCleanup(patch.stop)
        return seconds

    def smallest_overhead(self, call, seconds, tries=5):
        """The seconds outside of the library and inside of it, in the try with the least outside."""
        found = []
        for _ in range(tries):
            del seconds[:]
            start = time.perf_counter()
            call()
            inside = sum(seconds)
            found.append((time.perf_counter() - start - inside, inside))
        return min(found)

    def test_of_1000_molecules_is_below_a_tenth(self):
        self.assertEqual(len(set(MOLECULES)), 1000)
        domain = headroom.Domain("ecfp", store=self.store).fit(MOLECULES)  # encodes: later calls read the store
        for call, name in ((lambda: domain.fit(MOLECULES), "headroom_fit_domain"), (lambda: domain.judge(MOLECULES), "headroom_judge")):
            with self.subTest(name):
                outside, inside = self.smallest_overhead(call, self.inside(name))
                print(f"{name}: {inside * 1000:.1f} ms in the library, {outside * 1000:.1f} ms outside ({outside / inside:.1%})")
                self.assertLess(outside, 0.1 * inside)

    def test_of_one_molecule_is_below_3_milliseconds(self):
        domain = headroom.Domain("ecfp", store=self.store).fit(MOLECULES)
        domain.judge(MOLECULES[:1])  # loads the domain
        outside, inside = self.smallest_overhead(lambda: domain.judge(MOLECULES[:1]), self.inside("headroom_judge"), tries=50)
        print(f"one molecule: {inside * 1000:.2f} ms in the library, {outside * 1000:.2f} ms outside")
        self.assertLess(outside + inside, 0.003)

    def test_of_the_import_is_below_a_tenth_of_a_second(self):
        code = "import time; start = time.perf_counter(); import headroom; print(time.perf_counter() - start)"
        found = [
            float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout) for _ in range(7)
        ]
        print(f"import headroom: {statistics.median(found) * 1000:.1f} ms (median of {len(found)})")
        self.assertLess(min(found), 0.1)


if __name__ == "__main__":
    import unittest

    unittest.main()
