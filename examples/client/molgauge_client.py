#!/usr/bin/env python3
"""Sends molecules to a server of `molgauge serve`, which judges them. Needs only Python's standard
library.

    molgauge_client.py [--server http://127.0.0.1:8080] [--model NAME] [--token TOKEN] MOLECULES.smi
"""

import argparse
import json
import time
import urllib.error
import urllib.parse
import urllib.request


class Molgauge:
    def __init__(self, server, token=""):
        self.base, self.token = server.rstrip("/") + "/api/v1/", token

    def ask(self, path, body=None, kind="text/plain", method=None):
        request = urllib.request.Request(self.base + path, data=body, method=method)
        request.add_header("Content-Type", kind)
        if self.token:
            request.add_header("Authorization", "Bearer " + self.token)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            if refusal.code == 503:
                time.sleep(float(refusal.headers.get("Retry-After", 5)))
                return self.ask(path, body, kind, method)
            raise RuntimeError(json.load(refusal)["error"]["message"]) from None

    def judge(self, molecules, model=""):
        """Returns the rows of a list of SMILES lines. Waits for its turn, and for the end of a long list."""
        job = self.ask("domain?" + urllib.parse.urlencode({"model": model, "job": "1"}), "\n".join(molecules).encode())["job"]
        while (state := self.ask("jobs/" + job))["state"] in ("waiting", "running"):
            time.sleep(0.1)
        if state["state"] != "done":
            raise RuntimeError(state["error"]["message"])
        return self.ask(f"jobs/{job}/result")["rows"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("molecules")
    parser.add_argument("--server", default="http://127.0.0.1:8080")
    parser.add_argument("--model", default="")
    parser.add_argument("--token", default="")
    given = parser.parse_args()
    with open(given.molecules) as file:
        for row in Molgauge(given.server, given.token).judge(file.read().splitlines(), given.model):
            print(row["verdict"], row["p_value"], row["smiles"], row["name"], row["foreign"] or row["reason"], sep="\t")
