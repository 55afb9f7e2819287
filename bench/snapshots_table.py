"""Explains every PyTorch snapshot of a folder and prints how close the simulation is to the recording.

    python bench/snapshots_table.py FOLDER [--molgauge build/release/bin/molgauge]

Prints a line for each device. It has the number of compared events, the number of events at which the simulated
reserved memory differs from the recorded one, the recorded and the simulated peak of reserved memory, and whether all
blocks at the end are equal. If a recording begins in the middle of a run, the line also tells whether the state at
the beginning was found. At the end, the script prints the number of identical recordings and the number of peaks
within 1 %.
"""

import argparse
import json
import pathlib
import subprocess

GIB = 1 << 30


def simulated(program, snapshot, device=None):
    """Returns (report of `memory simulate`, ""), or (None, the reason why the command failed)."""
    command = [program, "memory", "simulate", str(snapshot), "--json"]
    if device is not None:
        command += ["--device", str(device)]
    done = subprocess.run(command, capture_output=True, text=True)
    return (json.loads(done.stdout), "") if done.returncode == 0 else (None, done.stderr.strip())


def devices_of(program, snapshot):
    done = subprocess.run([program, "memory", "explain", str(snapshot), "--json"], capture_output=True, text=True)
    return [device["device"] for device in json.loads(done.stdout)["devices"]] if done.returncode == 0 else [None]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--molgauge", default="build/release/bin/molgauge")
    arguments = parser.parse_args()

    snapshots = [path for path in sorted(arguments.folder.rglob("*")) if path.suffix in (".pickle", ".pkl", ".gz")]
    middle, start = [], []
    print(f"{'file':<44} {'device':>6} {'begins':>8} {'compared':>9} {'different':>9} {'simulated':>10} "
          f"{'recorded':>10}  blocks")
    for snapshot in snapshots:
        for device in devices_of(arguments.molgauge, snapshot):
            report, reason = simulated(arguments.molgauge, snapshot, device)
            name = snapshot.name[:44]
            if report is None:
                print(f"{name:<44} {device if device is not None else '-':>6}  refused: {reason}")
                continue
            agreement = report["agreement"]
            if agreement is None or agreement["compared_events"] == 0:
                print(f"{name:<44} {report['device']:>6}  no history")
                continue
            begins = "middle" if report["begins_in_the_middle"] else "start"
            peak, recorded = agreement["simulated_peak_bytes"], agreement["recorded_peak_bytes"]
            print(f"{name:<44} {report['device']:>6} {begins:>8} {agreement['compared_events']:>9} "
                  f"{agreement['different_events']:>9} {peak / GIB:>10.4f} {recorded / GIB:>10.4f}  "
                  f"{'same' if agreement['same_blocks_at_end'] else 'other'}")
            for note in report["notes"]:
                if "cannot be reconstructed" in note:
                    print(f"{'':<44} {note}")
            (middle if begins == "middle" else start).append(
                (agreement["different_events"] == 0, abs(peak - recorded) <= 0.01 * recorded))
    for name, rows in (("the start", start), ("the middle", middle)):
        if rows:
            print(f"beginning at {name}: {sum(same for same, _ in rows)} of {len(rows)} identical after every event, "
                  f"{sum(near for _, near in rows)} peaks within 1 %")


if __name__ == "__main__":
    main()
