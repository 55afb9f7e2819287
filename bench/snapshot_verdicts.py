"""Prints the verdict, the best cure and the baseline of each PyTorch snapshot in a folder, side by side.

    python bench/snapshot_verdicts.py FOLDER [--molgauge build/release/bin/molgauge] [--text]

The baseline is the recorded program simulated under its own settings. A setting without effect
(max_split_size_mb:1000000) is also simulated, and must reserve the same memory as the baseline. The last
lines count the snapshots for which this is true, and the cures that the baseline does not confirm. There must
be no such cures. --text also prints the whole explanation.
"""

import argparse
import json
import pathlib
import subprocess
import sys

GIB = 1 << 30
NO_OP = "max_split_size_mb:1000000"
WORTHWHILE = 0.95  # a cure for waste must not reserve more than this share of the baseline


def run(program, *words):
    done = subprocess.run([program, "memory", *map(str, words)], capture_output=True, text=True)
    return (done.stdout, "") if done.returncode == 0 else (None, done.stderr.strip())


def gib(count):
    return "-" if count is None else f"{count / GIB:.3f}"


def is_confirmed(cure, explanation):
    """Returns whether a cure is confirmed. With the cure, the program must fit in memory. If memory ran out
    without the cure (verdicts fragmented and too_much), this is enough. Otherwise, the cure must also reserve
    at least 5 % less than the baseline. If there were retries, it is enough that the cure does not reserve
    more than the baseline.
    """
    base = explanation["baseline"]
    if cure["run_out_event"] is not None or (base and not base["reproduces"]):
        return False
    if explanation["verdict"] in ("fragmented", "too_much"):
        return True
    reserved = base["peak_reserved_bytes"] if base else explanation["peak_reserved_bytes"]
    return cure["peak_reserved_bytes"] <= WORTHWHILE * reserved or (
        explanation["retries"] > 0 and cure["peak_reserved_bytes"] <= reserved
    )


def no_op_peak(program, snapshot, explanation):
    """Returns the peak of the reserved memory with the settings of the program and one more setting that has no
    effect.
    """
    settings = ",".join(part for part in (explanation["settings"], NO_OP) if part)
    if "max_split_size_mb" in explanation["settings"]:
        settings = explanation["settings"]
    out, _ = run(program, "simulate", snapshot, "--json", "--device", explanation["device"], "--setting", settings)
    return json.loads(out)["runs"][0]["peak_reserved_bytes"] if out else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--molgauge", default="build/release/bin/molgauge")
    parser.add_argument("--text", action="store_true")
    arguments = parser.parse_args()
    print(f"{'file':<44} {'GPU':>3} {'verdict':<10} {'cause':<20} {'recorded':>9} {'baseline':>9} {'no-op':>9}  cure")
    compared = same = unconfirmed = refused = 0
    for snapshot in sorted(path for path in arguments.folder.rglob("*") if path.suffix in (".pickle", ".pkl", ".gz")):
        out, reason = run(arguments.molgauge, "explain", snapshot, "--device", "all", "--json")
        if out is None:
            refused += 1
            print(f"{snapshot.name[:44]:<44} refused: {reason.splitlines()[-1] if reason else ''}")
            continue
        for explanation in json.loads(out):
            base = explanation["baseline"]
            peak = no_op_peak(arguments.molgauge, snapshot, explanation) if base else None
            if base:
                compared += 1
                same += peak == base["peak_reserved_bytes"] and base["reproduces"]
            cures = [cure for cure in explanation["cures"] if cure["is_cure"]]
            unconfirmed += sum(not is_confirmed(cure, explanation) for cure in cures)
            text = f"{cures[0]['change']}: {gib(cures[0]['peak_reserved_bytes'])}" if cures else "none"
            if base and not base["reproduces"]:
                text = f"withheld: {base['reason']}"
            print(
                f"{snapshot.name[:44]:<44} {explanation['device']:>3} {explanation['verdict']:<10} {explanation['cause']:<20} "
                f"{gib(explanation['recorded_peak_reserved_bytes']):>9} {gib(base and base['peak_reserved_bytes']):>9} "
                f"{gib(peak):>9}  {text}"
            )
        if arguments.text:
            print(run(arguments.molgauge, "explain", snapshot, "--device", "all")[0])
    print(f"\nThe no-op setting and the baseline reproduce {same} of {compared} recordings with a history.")
    print(f"Cures that the baseline does not confirm: {unconfirmed}. Refused files: {refused}.")
    return 1 if unconfirmed else 0


if __name__ == "__main__":
    sys.exit(main())
