"""Trains pocket encoders on synthetic pockets. The rows of their ligands are a known function of shape and charge.
Checks that the encoder learns the function, that memory stays constant and within the budget, and that kills lose
nothing.

    python bench/pocket_learning.py [--build build/release] [--out DIR] [--complexes 100] [--models 2] [--atoms 20 60]
        [--epochs 60] [--kills 0] [--memory-budget 2GiB] [-- OPTIONS OF molgauge pocket train]

With --kills N, a second training with the same options is ended by `kill -9` N times, at moments that are
spread over the duration of the first training. The training continues after each kill, and its weights must
be bit-identical. Needs only Python.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time


def processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    return re.search(r"model name\s*:\s*(.*)", text)[1]


def resident_bytes(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    found = re.search(r"VmRSS:\s*(\d+) kB", text)
    return int(found[1]) * 1024 if found else 0


def watch(command, log, kill_after=None):
    """Runs a command. Returns its exit code, its seconds, and a list of (seconds, resident bytes) during the run. The
    code is None if the process was killed.
    """
    began, course = time.monotonic(), []
    with open(log, "ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
        while process.poll() is None:
            elapsed = time.monotonic() - began
            course.append((elapsed, resident_bytes(process.pid)))
            if kill_after is not None and elapsed >= kill_after:
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                return None, elapsed, course
            time.sleep(0.05)
    return process.returncode, time.monotonic() - began, course


def slope(course):
    """Returns the growth of memory in bytes a second over the second half of the run, by least squares."""
    points = [point for point in course[len(course) // 2:] if point[1] > 0]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread > 0 else 0


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--out", type=pathlib.Path, help="folder to keep [a temporary one]")
    parser.add_argument("--complexes", type=int, default=100)
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--atoms", type=int, nargs=2, default=(20, 60))
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--memory-budget", default="2GiB")
    parser.add_argument("options", nargs="*", help="more options of molgauge pocket train")
    options = parser.parse_args()
    temporary = tempfile.TemporaryDirectory()
    folder = options.out or pathlib.Path(temporary.name)
    folder.mkdir(parents=True, exist_ok=True)
    program = str(options.build / "bin" / "molgauge")
    subprocess.run([str(options.build / "bin" / "made_up_pockets"), str(folder), str(options.complexes), str(options.models),
                    str(options.atoms[0]), str(options.atoms[1]), str(options.width)], check=True)
    graphs, ligands = str(folder / "graphs"), str(folder / "ligands.h5")

    def train(run):
        return [program, "pocket", "train", graphs, "--ligands", ligands, "--run", str(folder / run), "--epochs",
                str(options.epochs), "--memory-budget", options.memory_budget, *options.options]

    code, seconds, course = watch(train("whole"), folder / "whole.log")
    if code != 0:
        raise SystemExit((folder / "whole.log").read_text()[-2000:])
    history = json.loads((folder / "whole" / "training_history.json").read_text())
    peak = max(resident for _, resident in course)
    print(f"{processor()}; {options.complexes} complexes with {options.models} models each, {options.atoms[0]} to "
          f"{options.atoms[1]} atoms, {len(history['val_loss'])} epochs in {seconds:.0f} s")
    print(f"validation cosine: best {max(history['val_cosine_similarity']):.4f}, "
          f"last {history['val_cosine_similarity'][-1]:.4f}")
    print(f"resident memory: peak {peak / 2**20:.0f} MiB of {options.memory_budget}, slope of the second half "
          f"{slope(course) * seconds / 2**20:+.1f} MiB over the training")

    subprocess.run([program, "pocket", "evaluate", str(folder / "whole"), graphs, "--ligands", ligands, "--out",
                    str(folder / "ranks.json"), "--page", str(folder / "ranks.html"), "--quiet"], check=True)

    if options.kills:
        left, killed = options.kills, 0
        while True:
            code, elapsed, _ = watch(train("killed"), folder / "killed.log", seconds / options.kills if left else None)
            if code is None:
                killed, left = killed + 1, left - 1
                continue
            if code != 0:
                raise SystemExit((folder / "killed.log").read_text()[-2000:])
            break
        same = [digest(folder / "whole" / name) == digest(folder / "killed" / name)
                for name in ("best_model.safetensors", "checkpoints/last.safetensors", "training_history.json")]
        print(f"killed {killed} times: best model, last state and history are "
              f"{'the same bytes' if all(same) else 'DIFFERENT: ' + str(same)}")
        if not all(same):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
