"""Trains a pocket encoder for hundreds of epochs inside a small memory budget, twice: undisturbed, and killed
repeatedly with `kill -9`. Checks that memory stays within the budget and constant from epoch to epoch, and that the
kills lose nothing.

    python bench/pocket_long.py [--build build/release] [--out DIR] [--complexes 200] [--atoms 100 3000] [--epochs 300]
        [--kills 10] [--memory-budget 2GiB] [--one-after-the-other] [-- OPTIONS OF molgauge pocket train]

The second training is killed --kills times. The moments are within epochs, and are spread over all epochs.
Both trainings run in parallel unless --one-after-the-other is given. The exit code is 1 if a training ends
with an error, if resident memory exceeds the budget, or if the two results are not bit-identical. It is also
1 if memory rises over the second half of the epochs by more than its noise. `DIR/course.json` has the peak of
every epoch. Needs only Python.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import tempfile
import threading
import time

from pocket_learning import digest, processor, resident_bytes

SECONDS_BETWEEN_LOOKS = 0.02
LEAST_EPOCHS = 8
UNITS = {"MiB": 2**20, "GiB": 2**30}
FILES_OF_A_RUN = ("best_model.safetensors", "checkpoints/last.safetensors", "training_history.json")


class Training:
    """A training that is killed at given epochs and restarted after every kill."""

    def __init__(self, command, run, log, kills, epochs):
        self.command, self.run, self.log = command, run, log
        self.moments = [epochs * (i + 1) // (kills + 1) for i in range(kills)]
        self.killed, self.seconds, self.peaks = 0, 0.0, {}
        self.failure = None

    def epochs_done(self):
        """Returns the number of the last epoch in training.log."""
        try:
            with open(self.run / "training.log", "rb") as file:
                file.seek(max(0, os.path.getsize(file.name) - 4096))
                found = re.findall(rb"epoch (\d+)/", file.read())
        except FileNotFoundError:
            return 0
        return int(found[-1]) if found else 0

    def work(self):
        began = time.monotonic()
        while True:
            with open(self.log, "ab") as output:
                process = subprocess.Popen(self.command, stdout=output, stderr=output)
                was_killed = self.watch(process)
            if was_killed:
                continue
            if process.returncode != 0:
                self.failure = self.log.read_text(errors="replace")[-2000:]
            break
        self.seconds = time.monotonic() - began

    def watch(self, process):
        """Records the peak of every epoch. Returns True if it has killed the process."""
        late, looks = None, 0
        while process.poll() is None:
            looks += 1
            if looks % 10 == 1:
                epoch = self.epochs_done()
                if late is None and self.moments and epoch >= self.moments[0]:
                    late = time.monotonic() + 0.7 * self.killed  # later in the epoch with every kill
            self.peaks[epoch] = max(self.peaks.get(epoch, 0), resident_bytes(process.pid))
            if late is not None and time.monotonic() >= late:
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                self.killed += 1
                self.moments.pop(0)
                return True
            time.sleep(SECONDS_BETWEEN_LOOKS)
        return False


def slope(peaks):
    """Returns the growth of memory in bytes an epoch over the second half of the epochs, by least squares, and its
    standard error.
    """
    last = max(peaks)
    points = [(epoch, peak) for epoch, peak in sorted(peaks.items()) if last / 2 <= epoch < last]
    mean_x, mean_y = (statistics.fmean(values) for values in zip(*points))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    rise = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    rest = sum((y - mean_y - rise * (x - mean_x)) ** 2 for x, y in points) / max(1, len(points) - 2)
    return rise, (rest / spread) ** 0.5


def bytes_of(text):
    found = re.fullmatch(r"([\d.]+) ?(MiB|GiB)", text)
    if not found:
        raise SystemExit(f"--memory-budget {text}: write it as 2GiB or 512MiB")
    return float(found[1]) * UNITS[found[2]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--out", type=pathlib.Path, help="folder to keep [a temporary one]")
    parser.add_argument("--complexes", type=int, default=200)
    parser.add_argument("--models", type=int, default=1)
    parser.add_argument("--atoms", type=int, nargs=2, default=(100, 3000))
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--memory-budget", default="2GiB")
    parser.add_argument("--one-after-the-other", action="store_true")
    parser.add_argument("options", nargs="*", help="more options of molgauge pocket train")
    options = parser.parse_args()
    if options.epochs < LEAST_EPOCHS:
        parser.error(f"--epochs {options.epochs}: whether memory is flat takes {LEAST_EPOCHS} epochs at least")
    budget = bytes_of(options.memory_budget)
    temporary = tempfile.TemporaryDirectory()
    folder = options.out or pathlib.Path(temporary.name)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "ligands.h5").exists():
        subprocess.run([str(options.build / "bin" / "made_up_pockets"), str(folder), str(options.complexes),
                        str(options.models), str(options.atoms[0]), str(options.atoms[1]), str(options.width)], check=True)

    def training(name, kills):
        run = folder / name
        command = [str(options.build / "bin" / "molgauge"), "pocket", "train", str(folder / "graphs"), "--ligands",
                   str(folder / "ligands.h5"), "--run", str(run), "--epochs", str(options.epochs), "--patience",
                   str(options.epochs), "--memory-budget", options.memory_budget, "--quiet", *options.options]
        return Training(command, run, folder / f"{name}.log", kills, options.epochs)

    trainings = [training("whole", 0)] + ([training("killed", options.kills)] if options.kills else [])
    threads = [threading.Thread(target=one.work) for one in trainings]
    for thread in threads:
        thread.start()
        if options.one_after_the_other:
            thread.join()
    for thread in threads:
        thread.join()
    for one in trainings:
        if one.failure:
            raise SystemExit(f"{one.log}: {one.failure}")

    print(f"{processor()}; {options.complexes} complexes with {options.models} models each, {options.atoms[0]} to "
          f"{options.atoms[1]} atoms, {options.epochs} epochs")
    is_good = True
    for one in trainings:
        peak = max(one.peaks.values())
        is_good &= peak <= budget
        line = f"{one.run.name}: {one.seconds:.0f} s, resident memory at most {peak / 2**20:.1f} MiB of {options.memory_budget}"
        if not one.killed:
            rise, error = slope(one.peaks)
            is_flat = rise <= 2 * error
            is_good &= is_flat
            line += (f"; peak of an epoch over the second half: {rise / 1024:+.2f} +- {error / 1024:.2f} KiB an epoch "
                     f"({'flat' if is_flat else 'RISING'})")
        print(line)
    history = json.loads((folder / "whole" / "training_history.json").read_text())
    print(f"validation cosine: best {max(history['val_cosine_similarity']):.4f} in {len(history['val_loss'])} epochs")
    (folder / "course.json").write_text(json.dumps(
        {one.run.name: {"seconds": one.seconds, "killed": one.killed, "peaks": one.peaks} for one in trainings}))
    if options.kills:
        killed = trainings[1]
        differing = [name for name in FILES_OF_A_RUN if digest(folder / "whole" / name) != digest(folder / "killed" / name)]
        print(f"killed {killed.killed} times: {', '.join(differing) + ' DIFFER' if differing else 'the same bytes in '}"
              f"{'' if differing else ', '.join(FILES_OF_A_RUN)}")
        is_good &= not differing and killed.killed == options.kills
    raise SystemExit(0 if is_good else 1)


if __name__ == "__main__":
    main()
