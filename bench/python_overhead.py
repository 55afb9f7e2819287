#!/usr/bin/env python3
"""Measures the time that the Python package adds to the time of the library, for fit and judge with stored features,
for a call with one molecule, and for the import.

    PYTHONPATH=python MOLGAUGE_LIBRARY=build/release/lib/libmolgauge.so bench/python_overhead.py

Measures the functions of the library inside the calls of the package. Prints the smallest times of several calls, which
other programs on the machine disturb little. Ends with exit code 1 if a goal is missed. Needs NumPy.
"""

import statistics
import subprocess
import sys
import tempfile
import time

import molgauge
from molgauge import _session

RINGS = ("C1CCCCC1", "c1ccccc1", "c1ccncc1", "C1CCCC1", "c1ccsc1")
#: 1,000 distinct molecules.
MOLECULES = [ring + "C" * (i % 40) + end for ring in RINGS for i in range(40) for end in ("O", "N", "C#N", "F", "C(=O)O")]


def smallest_times(call, name, tries):
    """Returns the seconds outside and inside of the library function `name`, in the shortest of several calls."""
    library, seconds, found = _session.session().library, [], []
    function = getattr(library, name)

    def measured(*arguments):
        start = time.perf_counter()
        try:
            return function(*arguments)
        finally:
            seconds.append(time.perf_counter() - start)

    setattr(library, name, measured)
    try:
        for _ in range(tries):
            del seconds[:]
            start = time.perf_counter()
            call()
            found.append((time.perf_counter() - start, sum(seconds)))
    finally:
        setattr(library, name, function)
    total, inside = min(found)
    return total - inside, inside


def report(text, is_met):
    print(text, "" if is_met else "(goal missed)")
    return is_met


def main():
    goals = []
    with tempfile.TemporaryDirectory(prefix="molgauge-overhead-") as store:
        domain = molgauge.Domain("ecfp", store=store).fit(MOLECULES)  # encodes, so that later calls read the store
        domain.judge(MOLECULES[:1])  # loads the domain
        for name, function, call in (("fit", "molgauge_fit_domain", lambda: domain.fit(MOLECULES)),
                                     ("judge", "molgauge_judge", lambda: domain.judge(MOLECULES))):
            outside, inside = smallest_times(call, function, 5)
            goals.append(report(f"{name}, 1,000 molecules: {inside * 1000:.1f} ms in the library, {outside * 1000:.2f} ms outside "
                                f"({outside / inside:.1%}, goal 10 %)", outside < 0.1 * inside))
        outside, inside = smallest_times(lambda: domain.judge(MOLECULES[:1]), "molgauge_judge", 50)
        goals.append(report(f"judge, one molecule: {inside * 1000:.2f} ms in the library, {outside * 1000:.2f} ms outside "
                            "(goal 3 ms together)", outside + inside < 0.003))
    code = "import time; start = time.perf_counter(); import molgauge; print(time.perf_counter() - start)"
    imports = [float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
               for _ in range(7)]
    goals.append(report(f"import molgauge: {statistics.median(imports) * 1000:.1f} ms (median of 7, goal 100 ms)",
                        statistics.median(imports) < 0.1))
    return 0 if all(goals) else 1


if __name__ == "__main__":
    sys.exit(main())
