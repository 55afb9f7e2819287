#!/usr/bin/env python3
"""Measures `molgauge serve` under load, for docs/results/server.md.

    bench/serve_load.py --molgauge build/release/bin/molgauge --molecules FOLDER --weights FOLDER [--seconds 600]
        [--clients 64] [--budget 2GiB] [--encoder minimol] [--large 20000]

FOLDER holds the public sets of bench/domain_table.py. The script saves a domain of bace and serves it under the
budget. It first sends one new molecule at a time to the idle server. Then `molgauge encode` and the server encode a
large list, both from an empty store. Then the clients send mixed requests for the given number of seconds. The
requests are drawings, lists of one and of twenty molecules, jobs with 300 molecules, and queries of the state. Prints
the response times and the resident memory of the server. No package is needed.
"""

import argparse
import collections
import csv
import http.client
import json
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import threading
import time


def smiles_of(path):
    with open(path, newline="") as file:
        return [row["smiles"] for row in csv.DictReader(file)]


class Server:
    def __init__(self, arguments, work, name):
        self.process = subprocess.Popen(
            [str(arguments.molgauge), "serve", "--model", str(work / "saved"), "--port", "0", "--work", str(work / name),
             "--store", str(work / (name + "-store")), "--weights", str(arguments.weights), "--memory-budget",
             arguments.budget, "--log-level", "warn"], stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline())[1])

    def ask(self, method, path, body=None, kind="text/plain"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request(method, path, body=body, headers={"Content-Type": kind} if body else {})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def resident(self):
        return float(re.search(rb"molgauge_resident_bytes ([0-9.e+]+)", self.ask("GET", "/metrics")[1])[1]) / 2**20

    def end(self):
        self.process.terminate()
        return self.process.wait()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def one_at_a_time(server, molecules, path):
    times = []
    for smiles in molecules:
        begun = time.perf_counter()
        status, _ = server.ask("POST", path, smiles.encode())
        assert status == 200, status
        times.append(1000 * (time.perf_counter() - begun))
    return times[5:]


def large_list(arguments, server, work, molecules):
    (work / "large.smi").write_text("\n".join(molecules) + "\n")
    begun = time.perf_counter()
    subprocess.run([str(arguments.molgauge), "encode", str(work / "large.smi"), "--encoder", arguments.encoder, "--store",
                    str(work / "cli-store"), "--weights", str(arguments.weights), "--out", str(work / "large.npy"),
                    "--memory-budget", arguments.budget, "--quiet"], check=True)
    alone = time.perf_counter() - begun
    begun = time.perf_counter()
    status, rows = server.ask("POST", f"/api/v1/encode?encoder={arguments.encoder}&as=ndjson", (work / "large.smi").read_bytes())
    served = time.perf_counter() - begun
    assert status == 200 and rows.count(b"\n") == len(molecules), (status, rows[:200])
    return alone, served


class Load:
    def __init__(self, server, molecules, seconds):
        self.server, self.molecules, self.until = server, molecules, time.time() + seconds
        self.times, self.statuses = collections.defaultdict(list), collections.Counter()
        self.lock = threading.Lock()

    def client(self, seed):
        drawn = random.Random(seed)
        while time.time() < self.until:
            kind = drawn.choices(["depict", "one", "twenty", "health", "job"], [40, 30, 15, 13, 2])[0]
            some = [drawn.choice(self.molecules) for _ in range({"twenty": 20, "job": 300}.get(kind, 1))]
            begun = time.perf_counter()
            try:
                if kind == "depict":
                    status, _ = self.server.ask("POST", "/api/v1/depict", json.dumps({"smiles": some[0]}).encode(), "application/json")
                elif kind == "health":
                    status, _ = self.server.ask("GET", "/api/v1/health")
                else:
                    status, _ = self.server.ask("POST", "/api/v1/domain" + ("?job=1" if kind == "job" else ""), "\n".join(some).encode())
            except OSError as problem:
                status = type(problem).__name__
            with self.lock:
                self.statuses[(kind, status)] += 1
                if status in (200, 202):
                    self.times[kind].append(1000 * (time.perf_counter() - begun))
            if status == 503:
                time.sleep(drawn.uniform(0.5, 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--molgauge", required=True, type=pathlib.Path)
    parser.add_argument("--molecules", required=True, type=pathlib.Path)
    parser.add_argument("--weights", required=True, type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--budget", default="2GiB")
    parser.add_argument("--encoder", default="minimol")
    parser.add_argument("--large", type=int, default=20000)
    arguments = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp())
    subprocess.run([str(arguments.molgauge), "domain", str(arguments.molecules / "bace.csv"), str(arguments.molecules / "esol.csv"),
                    "--save", str(work / "saved"), "--encoder", arguments.encoder, "--out", str(work / "esol.csv"), "--store",
                    str(work / "store"), "--weights", str(arguments.weights), "--page-rows", "1", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    molecules = smiles_of(arguments.molecules / "hiv.csv")
    server = Server(arguments, work, "serve")
    for title, path in (("judged", "/api/v1/domain"), ("encoded", f"/api/v1/encode?encoder={arguments.encoder}")):
        times = one_at_a_time(server, molecules[-205:], path)
        print(f"one molecule {title}, idle server: median {statistics.median(times):.1f} ms, 95th percentile {percentile(times, 0.95):.1f} ms", flush=True)
    alone, served = large_list(arguments, server, work, molecules[:arguments.large])
    print(f"{arguments.large:,} molecules: molgauge encode {alone:.1f} s, the server {served:.1f} s with rows as JSON: "
          f"{100 * alone / served:.0f} % of its rate", flush=True)
    load = Load(server, molecules, arguments.seconds)
    threads = [threading.Thread(target=load.client, args=(seed,)) for seed in range(arguments.clients)]
    for thread in threads:
        thread.start()
    resident = []
    while time.time() < load.until:
        time.sleep(min(10, arguments.seconds / 10))
        resident.append(server.resident())
    for thread in threads:
        thread.join()
    print(f"\n{arguments.clients} clients for {arguments.seconds:.0f} s: {sum(load.statuses.values())} requests\n\n"
          "| request | answers | median | 95th percentile |\n|---|---|---|---|")
    for kind, times in sorted(load.times.items()):
        print(f"| {kind} | {len(times)} | {statistics.median(times):.0f} ms | {percentile(times, 0.95):.0f} ms |")
    others = {f"{kind} {status}": count for (kind, status), count in load.statuses.items() if status not in (200, 202)}
    print(f"\nother answers: {others or 'none'}")
    half = len(resident) // 2
    print(f"resident memory: at most {max(resident):.0f} MiB; mean of the first half {statistics.mean(resident[:half]):.0f}, "
          f"of the second {statistics.mean(resident[half:]):.0f} MiB; budget {arguments.budget}")
    print(f"exit code {server.end()}")
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
