#!/usr/bin/env python3
"""Shards of a long list, several at a time, killed at random and begun again, against one undisturbed run.

    bench/shards_killed.py --headroom build/release/bin/headroom --molecules FOLDER [--lines 1000000] [--shards 8]
        [--at-once 4] [--kills-per-minute 2] [--encoder ecfp] [--seed 1] [--work FOLDER]

FOLDER holds the public sets of bench/domain_table.py; lines are made of them as bench/domain_large.py does, each once. One
process encodes the whole list first. Then the shards are encoded, each by a process with one thread; SIGKILL hits one of the
running processes at a time drawn at random, so many times a minute, and its shard goes to the end of the queue. At the end the
shards are verified and joined, and the files compared byte for byte. No package is needed.
"""

import argparse
import filecmp
import json
import multiprocessing
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

from domain_large import grown, write


class Process:
    """A running command; `ended` is whether it has, with its exit code, and what it took."""

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


def encode_shards(arguments, molecules, folder, environment):
    """Encodes all shards while some are killed; returns the processes in the order of their ends."""
    chance = random.Random(arguments.seed)
    waiting, running, done = list(range(1, arguments.shards + 1)), {}, []
    wait = lambda: chance.expovariate(arguments.kills_per_minute / 60) if arguments.kills_per_minute else float("inf")
    next_kill = time.time() + wait()
    while waiting or running:
        while waiting and len(running) < arguments.at_once:
            shard = waiting.pop(0)
            running[shard] = Process([arguments.headroom, "encode", molecules, "--encoder", arguments.encoder, "--threads", 1,
                                      "--quiet", "--out", folder, "--shard", f"{shard}/{arguments.shards}"], environment)
        time.sleep(0.02)
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
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", type=pathlib.Path, required=True)
    parser.add_argument("--molecules", type=pathlib.Path, required=True)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--kills-per-minute", type=float, default=2)
    parser.add_argument("--encoder", default="ecfp")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.headroom = arguments.headroom.resolve()
    with tempfile.TemporaryDirectory(dir=arguments.work) as name:
        work = pathlib.Path(name)
        (work / "tmp").mkdir()
        environment = {"TMPDIR": str(work / "tmp")}
        molecules, folder = work / "molecules.csv", work / "shards"
        # In a process of its own: Linux counts the memory of this one in the peaks of those that it starts.
        maker = multiprocessing.get_context("fork").Process(target=lambda: write(molecules, grown(arguments.molecules, arguments.lines)))
        maker.start()
        maker.join()
        whole = call([arguments.headroom, "encode", molecules, "--encoder", arguments.encoder, "--quiet", "--store",
                      work / "store", "--out", work / "whole.npy"], environment)
        print(f"{arguments.lines} lines in one process: {told(whole)}", flush=True)
        begun = time.time()
        environment["HEADROOM_HOME"] = str(work / "home")
        done = encode_shards(arguments, molecules, folder, environment)
        killed = [process for process in done if process.killed and process.code != 0]
        finished = [process.peak for process in done if process.code == 0]
        print(f"{arguments.shards} shards, {arguments.at_once} at a time: {time.time() - begun:.0f} s, {len(killed)} killed, "
              f"processor {sum(process.processor for process in done):.0f} s, "
              f"peak of each {min(finished):.0f} to {max(finished):.0f} MiB", flush=True)
        verified = call([arguments.headroom, "shards", "verify", folder], environment)
        print(f"verify: {told(verified)}: {verified.text().strip()}", flush=True)
        joined = call([arguments.headroom, "shards", "join", folder, "--out", work / "joined.npy"], environment)
        print(f"join: {told(joined)}", flush=True)
        manifests = [json.loads(path.read_text()) for path in sorted(folder.glob("*/manifest.json"))]
        left = sum(path.is_file() for path in (work / "tmp").rglob("*"))
        print(f"{sum(len(one['parts']) for one in manifests)} parts; files left in $TMPDIR: {left}")
        for suffix in (".npy", ".failed.csv"):
            one, other = work / f"whole{suffix}", work / f"joined{suffix}"
            if one.exists() != other.exists() or (one.exists() and not filecmp.cmp(one, other, shallow=False)):
                raise SystemExit(f"{other.name} differs from the undisturbed run's")
        print("the joined files are those of the undisturbed run, byte for byte")


if __name__ == "__main__":
    main()
