#!/usr/bin/env python3
"""Runs the comparisons with other programs, and adds the figures to the history.

    bench/record.py --molecules data/molecules/hiv.csv [--build build/release] [--only encoders,unimol,heads,pocket]

Writes docs/results/history/DATE-COMMIT.json with the date, the commit, the processor and the tables of every
comparison, and lists all files of that folder in docs/results/history.md. Each comparison makes its own
environment from PyPI once, and takes minutes to an hour. If a comparison fails, its error replaces its
tables. Run this script on an idle machine.
"""

import argparse
import datetime
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench" / "peers"))
NEEDS_MOLECULES = {"encoders", "unimol"}
COMPARISONS = ("encoders", "unimol", "heads", "pocket")


def tables_of(markdown):
    """Returns the tables of a Markdown text. Each table is a list of rows {column: cell}."""
    tables, header = [], None
    for line in markdown.splitlines():
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if header is None:
            header = cells
            tables.append([])
        elif not all(set(cell) <= set("-: ") for cell in cells):
            tables[-1].append(dict(zip(header, cells)))
    return tables


def run(name, arguments):
    words = [sys.executable, ROOT / "bench" / "peers" / f"{name}.py"]
    if name in NEEDS_MOLECULES:
        words.append(arguments.molecules)
    words += ["--build", arguments.build]
    ended = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if ended.returncode != 0:
        lines = ended.stderr.strip().splitlines()
        return {"error": lines[-1] if lines else f"exit code {ended.returncode}"}
    return {"tables": tables_of(ended.stdout)}


def page(folder):
    """Returns the text of docs/results/history.md. It has a section for each file, the newest first."""
    text = ("# History of the comparisons\n\n`bench/record.py` runs the comparisons with other programs and writes this page. "
            "Compare figures of one processor\nonly.\n")
    records = sorted(folder.glob("*.json"), reverse=True)
    if not records:
        text += "\nNothing has been recorded yet. [Measured results](README.md) has the figures of single measurements.\n"
    for file in records:
        record = json.loads(file.read_text())
        text += f"\n## {record['date']}, commit {record['commit']}\n\n{record['processor']}\n"
        for name, comparison in record["comparisons"].items():
            text += f"\n### {name}\n"
            if "error" in comparison:
                text += f"\nNot measured: {comparison['error']}\n"
            for rows in comparison.get("tables", []):
                if rows:
                    columns = list(rows[0])
                    text += "\n| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|\n"
                    text += "".join("| " + " | ".join(row.get(column, "") for column in columns) + " |\n" for row in rows)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--molecules", help="a table of SMILES, as bench/peers/encoders.py takes it")
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--only", default=",".join(COMPARISONS), help="comparisons, separated by commas")
    arguments = parser.parse_args()
    names = [name for name in arguments.only.split(",") if name]
    for name in names:
        if name not in COMPARISONS:
            parser.error(f"{name}: the comparisons are {', '.join(COMPARISONS)}")
        if name in NEEDS_MOLECULES and arguments.molecules is None:
            parser.error(f"{name} needs --molecules")
    folder = ROOT / "docs" / "results" / "history"
    folder.mkdir(exist_ok=True)
    if names:
        from environment import processor

        commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, check=True, capture_output=True,
                                text=True).stdout.strip()
        date = datetime.date.today().isoformat()
        record = {"date": date, "commit": commit, "processor": processor(),
                  "comparisons": {name: run(name, arguments) for name in names}}
        (folder / f"{date}-{commit}.json").write_text(json.dumps(record, indent=1) + "\n")
    (ROOT / "docs" / "results" / "history.md").write_text(page(folder))


if __name__ == "__main__":
    main()
