#!/usr/bin/env python3
"""Encodes shards of a long list, several at a time, kills them at random and restarts them, and compares the result
with one undisturbed run.

    bench/shards_killed.py --molgauge build/release/bin/molgauge --molecules FOLDER [--lines 1000000] [--shards 8]
        [--at-once 4] [--kills-per-minute 2] [--encoder ecfp] [--part-type float32] [--undisturbed store]
        [--longest-root CHARACTERS] [--seed 1] [--work FOLDER]

FOLDER holds the public sets of bench/domain_table.py. The lines are made from these sets as in
bench/domain_large.py. Every line is different, so no row is found in a store. First, one undisturbed process
encodes the complete list. By default, it uses a store, which needs 4 KiB or more of disk space for each ecfp
row. With `--undisturbed shard`, it encodes the list as a single shard, which stores only the rows. Use this
option if the disk is too small for a store. Then each shard is encoded by a process with one thread. SIGKILL
hits one of the running processes at random times, at the given rate, and its shard goes to the end of the
queue. At the end the shards are verified and joined, and the files are compared by SHA-256. Files are removed
as soon as they are not needed. The script samples the resident memory of the shard processes every second and
reports it for each fifth of the time. No package is needed.
"""

import argparse
import hashlib
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

from domain_large import grown, write


class Process:
    """A running command, with its exit code and its resources."""

    def __init__(self, command, environment):
        self.log = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen([str(part) for part in command], stdout=self.log, stderr=self.log,
                                        env={**os.environ, **environment})
        self.killed = False

    def ended(self, wait=False):
        found, status, used = os.wait4(self.process.pid, 0 if wait else os.WNOHANG)
        if found == 0:
            return False
        self.code = self.process.returncode = os.waitstatus_to_exitcode(status)
        self.processor, self.peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        return True

    def kill(self):
        self.killed = True
        self.process.send_signal(signal.SIGKILL)

    def text(self):
        self.log.seek(0)
        return self.log.read()


def call(command, environment):
    begun = time.time()
    process = Process(command, environment)
    process.ended(wait=True)
    if process.code != 0:
        raise SystemExit(process.text())
    process.clock = time.time() - begun
    return process


def told(process):
    return f"{process.clock:.0f} s, processor {process.processor:.0f} s, peak {process.peak:.0f} MiB"


def encode_command(arguments, molecules, out, *more):
    return [arguments.molgauge, "encode", molecules, "--encoder", arguments.encoder, "--quiet", "--out", out, *more]


def shard_command(arguments, molecules, folder, shard, shards, threads):
    return encode_command(arguments, molecules, folder, "--shard", f"{shard}/{shards}", "--part-type", arguments.part_type,
                          "--threads", threads)


def resident(pid):
    """Returns the resident memory of a process, and the anonymous part of this memory (without file pages),
    in MiB."""
    try:
        with open(f"/proc/{pid}/status") as status:
            found = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in status if line.startswith(("VmRSS", "RssAnon"))}
        return found.get("VmRSS", 0), found.get("RssAnon", 0)
    except OSError:
        return 0, 0


def digests(path):
    """Returns the SHA-256 of the rows and of the list of failures (None if there is no list). Removes the files."""
    found = []
    for file in (path.with_suffix(".npy"), path.with_suffix(".failed.csv")):
        if not file.exists():
            found.append(None)
            continue
        digest = hashlib.sha256()
        with open(file, "rb") as content:
            while block := content.read(1 << 22):
                digest.update(block)
        found.append(digest.hexdigest())
        file.unlink()
    return found


def encode_undisturbed(arguments, molecules, work, environment):
    """Encodes the whole list in one process that is not killed. Returns digests() of its files."""
    out = work / "whole.npy"
    if arguments.undisturbed == "store":
        whole = call(encode_command(arguments, molecules, out, "--store", work / "store"), environment)
        shutil.rmtree(work / "store")
    else:
        whole = call(shard_command(arguments, molecules, work / "whole", 1, 1, 2), environment)
        call([arguments.molgauge, "shards", "join", work / "whole", "--out", out], environment)
        shutil.rmtree(work / "whole")
    print(f"{arguments.lines} lines in one process: {told(whole)}", flush=True)
    return digests(out)


def encode_shards(arguments, molecules, folder, environment):
    """Encodes all shards and kills some of the processes. Returns the processes in the order in which they ended, and
    the memory over time.
    """
    chance = random.Random(arguments.seed)
    waiting, running, done, memory = list(range(1, arguments.shards + 1)), {}, [], []
    wait = lambda: chance.expovariate(arguments.kills_per_minute / 60) if arguments.kills_per_minute else float("inf")
    next_kill, next_look = time.time() + wait(), time.time()
    while waiting or running:
        while waiting and len(running) < arguments.at_once:
            shard = waiting.pop(0)
            running[shard] = Process(shard_command(arguments, molecules, folder, shard, arguments.shards, 1), environment)
        time.sleep(0.02)
        if time.time() >= next_look:
            memory.append([resident(process.process.pid) for process in running.values()])
            next_look = time.time() + 1
        if time.time() >= next_kill:
            running[chance.choice(sorted(running))].kill()
            next_kill = time.time() + wait()
        for shard, process in list(running.items()):
            if not process.ended():
                continue
            del running[shard]
            done.append(process)
            if process.code == -signal.SIGKILL and process.killed:
                waiting.append(shard)
            elif process.code != 0:
                raise SystemExit(f"shard {shard}: exit code {process.code}\n{process.text()}")
    return done, memory


def over_time(memory, parts=5):
    """Returns the largest resident and anonymous memory of a process in each of `parts` parts of the time."""
    told = []
    for part in range(parts):
        looks = [one for look in memory[part * len(memory) // parts:(part + 1) * len(memory) // parts] for one in look]
        told.append(f"{max((one[0] for one in looks), default=0):.0f} ({max((one[1] for one in looks), default=0):.0f})")
    return ", ".join(told)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--molgauge", type=pathlib.Path, required=True)
    parser.add_argument("--molecules", type=pathlib.Path, required=True)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--kills-per-minute", type=float, default=2)
    parser.add_argument("--encoder", default="ecfp")
    parser.add_argument("--part-type", choices=("float32", "float16"), default="float32")
    parser.add_argument("--undisturbed", choices=("store", "shard"), default="store")
    parser.add_argument("--longest-root", type=int, help="of the public sets, SMILES of so many characters at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.undisturbed == "store" and arguments.part_type != "float32":
        parser.error("an undisturbed run by way of a store writes float32; give --undisturbed shard")
    arguments.molgauge = arguments.molgauge.resolve()
    with tempfile.TemporaryDirectory(dir=arguments.work) as name:
        work = pathlib.Path(name)
        (work / "tmp").mkdir()
        environment = {"TMPDIR": str(work / "tmp"), "MOLGAUGE_HOME": str(work / "home")}
        molecules, folder = work / "molecules.csv", work / "shards"
        # A separate process makes the list, because Linux counts the memory of a process in the peaks of its later
        # children.
        maker = multiprocessing.get_context("fork").Process(
            target=lambda: write(molecules, grown(arguments.molecules, arguments.lines, arguments.longest_root)))
        maker.start()
        maker.join()
        print(f"{molecules.stat().st_size / arguments.lines - 1:.1f} characters a SMILES", flush=True)
        expected = encode_undisturbed(arguments, molecules, work, environment)
        begun = time.time()
        done, memory = encode_shards(arguments, molecules, folder, environment)
        killed = [process for process in done if process.killed and process.code != 0]
        finished = [process.peak for process in done if process.code == 0]
        print(f"{arguments.shards} shards, {arguments.at_once} at a time: {time.time() - begun:.0f} s, {len(killed)} killed, "
              f"processor {sum(process.processor for process in done):.0f} s, "
              f"peak of each {min(finished):.0f} to {max(finished):.0f} MiB", flush=True)
        print(f"resident (anonymous) MiB of a process at most, in each fifth of the time: {over_time(memory)}", flush=True)
        verified = call([arguments.molgauge, "shards", "verify", folder], environment)
        print(f"verify: {told(verified)}: {verified.text().strip()}", flush=True)
        joined = call([arguments.molgauge, "shards", "join", folder, "--out", work / "joined.npy"], environment)
        print(f"join: {told(joined)}", flush=True)
        manifests = [json.loads(path.read_text()) for path in sorted(folder.glob("*/manifest.json"))]
        left = sum(path.is_file() for path in (work / "tmp").rglob("*"))
        print(f"{sum(len(one['parts']) for one in manifests)} parts; files left in $TMPDIR: {left}")
        found = digests(work / "joined.npy")
        for name, one, other in zip(("joined.npy", "joined.failed.csv"), expected, found):
            if one != other:
                raise SystemExit(f"{name} differs from the undisturbed run's")
        print(f"the joined files are those of the undisturbed run, byte for byte (SHA-256 of the rows: {found[0][:16]}...)")


if __name__ == "__main__":
    main()
