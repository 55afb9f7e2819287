"""Writes docs/results/gpu.md from the results of scripts/gpu-figures in its build folder. Needs only Python."""

import argparse
import datetime
import json
import os
import pathlib
import re
import xml.etree.ElementTree


NOT_RUN = "Not run yet."
BEGIN, END = "<!-- figures of scripts/gpu-figures -->", "<!-- end of the figures -->"

MILLISECONDS, RATE = "ms", "molecules/s"
# The rows of the table of lanes in docs/results/gpu.md: the first cell, the figures of lanes.json, and their unit.
LANES = (
    ("pocket training, a step of 8 joined pockets of 100 atoms", ["pocket/train/8"], MILLISECONDS),
    ("pocket inference, 1 / 8 / 32 pockets", ["pocket/infer/1", "pocket/infer/8", "pocket/infer/32"], MILLISECONDS),
    ("Uni-Mol, 28 tokens, 2,048 molecules a batch, fp32", ["unimol/fp32/2048"], RATE),
    ("the same in TF32", ["unimol/tf32/2048"], RATE),
    ("the same in bf16", ["unimol/bf16/2048"], RATE),
    ("the same in fp32, 32 molecules a batch", ["unimol/fp32/32"], RATE),
    ("MiniMol, 72 molecules a batch, fp32", ["minimol/fp32/72"], RATE),
    ("MiniMol, 2,800 molecules a batch, fp32 / TF32 / bf16",
     ["minimol/fp32/2800", "minimol/tf32/2800", "minimol/bf16/2800"], RATE),
    ("a step of the energy head, 512 + 512 molecules (H200)", ["head/fp32/512"], MILLISECONDS),
)


def test_counts(path):
    """Returns a row for each test program: its name, the numbers of passed and skipped tests, and whether it
    failed.
    """
    rows = []
    if not path.exists():
        return rows
    for suite in xml.etree.ElementTree.parse(path).getroot().iter("testsuite"):
        for case in suite.iter("testcase"):
            output = case.findtext("system-out") or ""
            passed = sum(int(found) for found in re.findall(r"\[  PASSED  \] (\d+) test", output))
            skipped = sum(int(found) for found in re.findall(r"\[  SKIPPED \] (\d+) test", output))
            failed = case.get("status") == "fail" or case.find("failure") is not None
            rows.append((case.get("name"), passed, skipped, failed))
    return rows


def benchmarks(path):
    if not path.exists():
        return {}, []
    figures = json.loads(path.read_text())
    return figures["context"], figures["benchmarks"]


def name_of(benchmark):
    kind, device, precision, argument = benchmark["name"].split("/")[:4]
    return kind, device, precision, int(argument)


def table(header, rows):
    if not rows:
        return NOT_RUN
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def encoding_table(results):
    rows = []
    for result in results:
        kind, device, precision, batch = name_of(result)
        if kind == "encode":
            reserved = result.get("reserved_MiB")
            rows.append((device, precision, f"{batch:,}", f"{result['items_per_second']:,.0f}",
                         f"{reserved:,.0f} MiB" if reserved is not None else ""))
    return table(("device", "precision", "molecules per batch", "molecules/s", "reserved on the GPU"), rows)


def epoch_table(results):
    rows = []
    for result in results:
        kind, device, precision, batch = name_of(result)
        if kind == "epoch":
            rows.append((device, precision, f"{batch:,}", f"{1000 * result['seconds_per_epoch']:,.1f} ms"))
    return table(("device", "precision", "batch", "an epoch"), rows)


def budget_table(results):
    rows = []
    for result in results:
        kind, _, _, budget = name_of(result)
        if kind == "budget":
            rows.append((f"{budget:,} MiB", f"{result['reserved_MiB']:,.0f} MiB", f"{result['batch']:,.0f}",
                         f"{result['recoveries']:.0f}", f"{result['items_per_second']:,.0f}"))
    return table(("budget", "reserved, weights included", "molecules per batch", "recoveries", "molecules/s"), rows)


def snapshot_lines(build):
    if not (build / "snapshots.xml").exists():
        return NOT_RUN
    recorded = sorted((build / "snapshots").glob("*.json"))
    root = xml.etree.ElementTree.parse(build / "snapshots.xml").getroot()
    failures = int(root.get("failures"))
    names = ", ".join(path.stem for path in recorded)
    verdict = "equal the simulator event by event" if failures == 0 else f"{failures} tests failed: see below"
    text = f"{len(recorded)} recordings ({names}): {verdict}."
    if failures:
        messages = [failure.get("message") for failure in root.iter("failure")]
        text += "\n\n```\n" + "\n".join(messages)[:4000] + "\n```"
    return text


def attention_table(results):
    rows = [(result["name"], f"{result['real_time']:,.0f} {result['time_unit']}", f"{result['items_per_second']:,.0f}")
            for result in results if not result.get("error_occurred")]
    return table(("benchmark", "time", "molecules/s"), rows)


def lane_text(ours, peer, keys, unit):
    """Returns our figures and, if the peer was measured, the figures of the peer and the ratios. Returns None if
    one of our figures is missing.
    """
    if not all(key in ours for key in keys):
        return None
    digits = ",.1f" if unit == MILLISECONDS else ",.0f"
    text = " / ".join(format(ours[key], digits) for key in keys) + f" {unit}"
    if all(key in peer for key in keys):
        ratios = [peer[key] / ours[key] if unit == MILLISECONDS else ours[key] / peer[key] for key in keys]
        text += ", peer " + " / ".join(format(peer[key], digits) for key in keys)
        text += ": " + " / ".join(f"{ratio:.2f}" for ratio in ratios) + " times as fast"
    return text


def fill_lanes(page, figures):
    """Replaces the last cell of each lane that was measured."""
    lines = page.split("\n")
    for label, keys, unit in LANES:
        text = lane_text(figures["ours"], figures["peer"], keys, unit)
        for i, line in enumerate(lines):
            if text is not None and line.startswith(f"| {label} |"):
                lines[i] = line.rsplit("|", 2)[0] + f"| {text} |"
    return "\n".join(lines)


def ceilings_lines(figures):
    text = table(("ceiling", ""), [(name, f"{value:,.2f}") for name, value in figures["card"].items()])
    if figures["left_out"]:
        text += "\n\nNot measured:\n\n" + "\n".join(f"- {reason}" for reason in figures["left_out"])
    return text


def put(text, output, figures):
    """Writes the text. If the page has the marks BEGIN and END, replaces only the part between them, and fills the
    table of lanes.
    """
    page = fill_lanes(output.read_text(), figures) if output.exists() else ""
    if BEGIN in page and END in page:
        before, rest = page.split(BEGIN, 1)
        text = before + BEGIN + "\n\n" + text + "\n" + END + rest.split(END, 1)[1]
    output.write_text(text)


def libtorch_version(torch):
    found = re.search(r"__version__ = '([^']+)'", (torch / "version.py").read_text())
    return found.group(1) if found else "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--torch", type=pathlib.Path, required=True)
    parser.add_argument("--gpu", default="", help="name, driver and memory; empty: none")
    parser.add_argument("--commit", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    context, results = benchmarks(options.build / "figures.json")
    errors = [result for result in results if result.get("error_occurred")]
    results = [result for result in results if not result.get("error_occurred")]
    gpu, driver, memory = (options.gpu.split(", ") + ["", "", ""])[:3]
    tests = test_counts(options.build / "tests-gpu.xml") + test_counts(options.build / "tests.xml")
    _, attention = benchmarks(options.build / "packed-attention.json")
    lanes = options.build / "lanes.json"
    figures = json.loads(lanes.read_text()) if lanes.exists() else {"ours": {}, "card": {}, "peer": {}, "left_out": []}
    parts = [
        "## Figures",
        "`scripts/gpu-figures` wrote this section" + ("." if gpu else " without a GPU, as a trial of the script."),
        table(("what", ""), [
            ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")),
            ("commit", options.commit),
            ("GPU", f"{gpu}, {memory}" if gpu else "none"),
            ("driver", driver or "none"),
            ("LibTorch", libtorch_version(options.torch)),
            ("processors", f"{context.get('num_cpus', os.cpu_count())}"),
        ]),
        "### Tests",
        table(("program", "passed", "skipped", ""), [
            (name, str(passed), str(skipped), "failed" if failed else "") for name, passed, skipped, failed in tests]),
        "### Ceilings of the card",
        "PyTorch measured them in the same run as the [lanes](#lanes-beside-their-peers).",
        ceilings_lines(figures),
        "### MiniMol",
        "The batches consist of equal molecules with 28 atoms. They are featurised before the measurement. The weights are "
        "made up. The time includes the copy of the rows to the host.",
        encoding_table(results),
        "### Training a head",
        "2,000 molecules of each kind with 512 features. An epoch includes the validation on 600 molecules.",
        epoch_table(results),
        "### Encoding within a budget of GPU memory",
        "4,000 molecules. The budget does not include the weights.",
        budget_table(results),
        "### Attention of Uni-Mol",
        "28 tokens for each molecule, 64 heads of 8 numbers (`bench_packed_attention`).",
        attention_table(attention),
        "### PyTorch snapshots compared with the simulator",
        snapshot_lines(options.build),
    ]
    if errors:
        parts += ["### Benchmarks that failed", "\n".join(f"- {e['name']}: {e['error_message']}" for e in errors)]
    put("\n\n".join(parts) + "\n", options.output, figures)


if __name__ == "__main__":
    main()
