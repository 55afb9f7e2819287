#!/usr/bin/env python3
"""Tests a server with a hostile client, while a normal client sends short requests.

    tests/server/soak.py --molgauge build/release/bin/molgauge [--seconds 600] [--median-ms 100] [--normal 4]

The hostile client does many things at the same time. It sends uploads that declare 1 GiB and then send
nothing, or one byte at a time. It opens connections and sends nothing. It sends gzip that unpacks to millions
of lines, molecules of 1,999 atoms, requests of other sites and other ports, and malformed requests. It does
not read some answers. It sends long lists as jobs, and cancels half of them. The normal client judges one
molecule and asks for the models, five times a second. Between its requests the work folder is checked: every
result with status 200 must have all rows.

The exit code is 0 if all of these are true: every short request was answered with 200, every list of 3,000
molecules was accepted as a job, the median time of short requests is below the limit, the server still runs,
and it ends with 0 after SIGTERM. No package is needed. The domain uses small molecules and ecfp, so no
weights are needed.
"""

import argparse
import gzip
import http.client
import json
import pathlib
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

RINGS = ["c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1", ""]
ENDS = ["O", "N", "C(=O)O", "C#N", "Cl"]


def training():
    rows = [ring + "C" * (chain + 1) + end for chain in range(1, 13) for end in ENDS for ring in RINGS]
    return "smiles,name\n" + "".join(f"{smiles},m{i}\n" for i, smiles in enumerate(rows))


def long_list(count):
    return "".join(f"{'C' * (i % 50 + 1)}N{'C' * (i // 50 % 50 + 1)}O molecule-{i}\n" for i in range(count))


class Soak:
    def __init__(self, options, work):
        self.options, self.work = options, work
        (work / "train.csv").write_text(training())
        (work / "one.smi").write_text("CCO\n")
        subprocess.run([options.molgauge, "domain", work / "train.csv", work / "one.smi", "--encoder", "ecfp", "--store",
                        work / "store", "--save", work / "small", "--out", work / "one.csv", "--quiet"], check=True)
        self.log = open(work / "log", "w")
        self.process = subprocess.Popen(
            [options.molgauge, "serve", "--model", work / "small", "--port", "0", "--work", work / "work", "--store",
             work / "store", "--threads", "1", "--log-level", "warn"], stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline())[1])
        self.end = time.monotonic() + options.seconds
        self.lock = threading.Lock()
        self.times, self.problems, self.done = [], [], {}

    def goes_on(self):
        return time.monotonic() < self.end

    def count(self, what):
        with self.lock:
            self.done[what] = self.done.get(what, 0) + 1

    def problem(self, text):
        with self.lock:
            self.problems.append(text)

    def ask(self, method, path, body=None, headers=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def raw(self, head):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection.sendall(head.replace("\n", "\r\n").encode())
        return connection

    # The normal client.

    def normal(self):
        while self.goes_on():
            chosen = random.random()
            begun = time.monotonic()
            try:
                if chosen < 0.7:
                    smiles = "C" * random.randint(1, 20) + random.choice(ENDS)
                    status, body = self.ask("POST", "/api/v1/domain", smiles + "\n", {"Content-Type": "text/plain"})
                    if status == 200 and len(json.loads(body)["rows"]) != 1:
                        self.problem("a short request has not one row")
                else:
                    status, body = self.ask("GET", "/api/v1/models")
                if status != 200:
                    self.problem(f"a short request: {status} {body[:200]}")
            except OSError as failure:
                self.problem(f"a short request: {failure!r}")
            with self.lock:
                self.times.append(time.monotonic() - begun)
            time.sleep(0.2)

    # The hostile client. Each method is one of its threads.

    def empty_uploads(self):
        opened = []
        while self.goes_on():
            try:
                opened.append(self.raw(f"POST /api/v1/explain HTTP/1.1\nHost: 127.0.0.1:{self.port}\n"
                                       "Content-Length: 1073741824\n\n"))
                self.count("uploads that send nothing")
            except OSError:
                pass
            if len(opened) > 700:
                for one in opened[:350]:
                    one.close()
                del opened[:350]
            time.sleep(0.01)
        for one in opened:
            one.close()

    def trickles(self):
        while self.goes_on():
            try:
                with self.raw(f"POST /api/v1/domain HTTP/1.1\nHost: 127.0.0.1:{self.port}\nContent-Length: 60000000\n\n") as one:
                    for _ in range(200):
                        one.sendall(b"C")
                        time.sleep(0.1)
            except OSError:
                self.count("trickling uploads that were cut off")

    def silent_connections(self):
        while self.goes_on():
            opened = []
            try:
                for _ in range(200):
                    opened.append(socket.create_connection(("127.0.0.1", self.port), timeout=5))
                self.count("bursts of 200 silent connections")
            except OSError:
                pass
            time.sleep(2)
            for one in opened:
                one.close()

    def expect(self, what, allowed, *request, **more):
        try:
            status, body = self.ask(*request, **more)
            self.count(f"{what}: {status}")
            if status not in allowed:
                self.problem(f"{what}: {status} {body[:200]}")
        except OSError:
            self.count(f"{what}: connection lost")

    def gzip_bombs(self):
        lines = gzip.compress(b"C\n" * 3_000_000)
        blanks = gzip.compress(b"\n" * 60_000_000)
        while self.goes_on():
            kind = random.choice(["text/plain", "text/csv", "chemical/x-mdl-sdfile"])
            body = gzip.compress(lines) if random.random() < 0.2 else random.choice([lines, blanks])
            self.expect("gzip bomb", {413, 422, 503}, "POST", "/api/v1/domain", body, {"Content-Type": kind})
            time.sleep(0.3)

    def huge_molecules(self):
        while self.goes_on():
            atoms = random.choice(["C" * 1999, "c1ccccc1" + "C" * 1993])
            self.expect("molecule of 1,999 atoms", {200, 503}, "POST", "/api/v1/domain", atoms + "\n",
                        {"Content-Type": "text/plain"}, timeout=300)
            time.sleep(1)

    def other_sites(self):
        own = f"http://127.0.0.1:{self.port}"
        while self.goes_on():
            for headers in ({"Origin": "http://127.0.0.1:3000"}, {"Origin": own.replace("http", "https")},
                            {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "null"}):
                self.expect("request of another site", {403}, "POST", "/api/v1/domain", "CCO\n",
                            {"Content-Type": "text/plain", **headers})
                self.expect("request of another site", {403}, "GET", "/api/v1/depict?smiles=CCO", None, headers)
            time.sleep(0.2)

    def jobs(self):
        whole = long_list(3000)
        while self.goes_on():
            try:
                status, body = self.ask("POST", "/api/v1/domain?job=1", whole, {"Content-Type": "text/plain"})
                self.count(f"job of 3,000: {status}")
                if status != 202:
                    self.problem(f"an upload of 3,000 molecules: {status} {body[:200]}")
                    time.sleep(1)
                    continue
                job = json.loads(body)["job"]
                if random.random() < 0.5:
                    time.sleep(random.random())
                    self.ask("DELETE", f"/api/v1/jobs/{job}")
                    continue
                while self.goes_on() and json.loads(self.ask("GET", f"/api/v1/jobs/{job}")[1])["state"] in ("waiting", "running"):
                    time.sleep(0.3)
                if not self.goes_on():
                    break
                form = random.choice(["json", "ndjson", "csv"])
                status, body = self.ask("GET", f"/api/v1/jobs/{job}/result?as={form}")
                if status == 200 and body.count(b"molecule-") < 3000:
                    self.problem(f"a result of {form} lacks rows")
                self.count(f"result as {form}: {status}")
                with self.raw(f"GET /api/v1/jobs/{job}/result?as=ndjson HTTP/1.1\nHost: 127.0.0.1:{self.port}\n\n"):
                    time.sleep(1)  # the answer is not read
            except (OSError, KeyError, ValueError):
                self.count("job: connection lost")

    def nonsense(self):
        while self.goes_on():
            try:
                with self.raw(random.choice(["GET /\0 HTTP/1.1\n\n", "BREW / HTTP/1.1\nHost: x\n\n", "\x16\x03\x01\n\n",
                                             "GET / HTTP/1.1\nHost: a\nHost: b\n\n", "POST /form HTTP/1.1\nContent-Length: -1\n\n"])) as one:
                    one.recv(1000)
                self.count("malformed requests")
            except OSError:
                pass
            time.sleep(0.1)

    def run(self):
        threads = [threading.Thread(target=self.normal) for _ in range(self.options.normal)]
        threads += [threading.Thread(target=method) for method in (
            self.empty_uploads, self.empty_uploads, self.trickles, self.silent_connections, self.gzip_bombs, self.huge_molecules,
            self.other_sites, self.jobs, self.jobs, self.nonsense)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        alive = self.process.poll() is None
        self.process.terminate()
        code = self.process.wait(timeout=120)
        self.report(alive, code)
        return not self.problems and alive and code == 0 and statistics.median(self.times) * 1000 < self.options.median_ms

    def report(self, alive, code):
        times = sorted(self.times)
        print(f"{len(times)} short requests: median {statistics.median(times) * 1000:.1f} ms, 95 of 100 within "
              f"{times[int(0.95 * len(times))] * 1000:.0f} ms, longest {times[-1] * 1000:.0f} ms")
        for what in sorted(self.done):
            print(f"  {self.done[what]:7} {what}")
        print(f"server alive: {alive}, exit code after SIGTERM: {code}, problems: {len(self.problems)}")
        for text in self.problems[:20]:
            print("  problem:", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--molgauge", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--seconds", type=float, default=600, help="duration")
    parser.add_argument("--median-ms", type=float, default=100, help="limit of the median time of a short request")
    parser.add_argument("--normal", type=int, default=4, help="threads of the normal client")
    options = parser.parse_args()
    options.molgauge = options.molgauge.resolve()
    with tempfile.TemporaryDirectory() as folder:
        return 0 if Soak(options, pathlib.Path(folder)).run() else 1


if __name__ == "__main__":
    sys.exit(main())
