"""Compares the predicted GPU memory of small training programs with the memory that they use on a GPU.

    python bench/gpu_memory.py measure FOLDER               # on a machine with a GPU and PyTorch
    python bench/gpu_memory.py compare FOLDER --gpu h200    # on any machine with the same PyTorch and the package molgauge

`measure` runs each program in a separate process and writes measured.json and the memory snapshot of each run.
`compare` predicts the same runs and prints a Markdown table. The programs are in tests/python/programs.
"""

import argparse
import gzip
import json
import multiprocessing
import pathlib
import pickle
import runpy
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "python" / "programs"
RUNS = [
    "gpt",
    "gpt --batch_size 16 --context 1024 --width 768 --layers 12",
    "residual_network",
    "residual_network --batch_size 256",
    "residual_network --batch_size 256 --channels_last 1",
    "graph_network",
    "graph_network --batch_size 2000",
    "recurrent",
    "recurrent --batch_size 512",
    "accumulation --batch_size 4096",
    "checkpointing --batch_size 8192",
    "checkpointing --batch_size 8192 --checkpointing 0",
    "conv_adam --batch_size 256",
    "everyday_training",
    "large_embedding",
    "transformer_autocast",
    "two_optimizers",
    "variable_lengths",
]
MIB = 1 << 20


def run_one(line, snapshot):
    """Runs a program on the GPU. Returns its peaks, or the text of its error."""
    import torch

    name, *arguments = line.split()
    script = str(PROGRAMS / f"{name}.py")
    torch.cuda.init()
    torch.cuda.memory._record_memory_history(context=None, stacks="python", max_entries=1_000_000)
    sys.argv = [script, *arguments]
    try:
        runpy.run_path(script, run_name="__main__")
    except Exception as error:  # The other programs still run.
        return {"run": line, "error": f"{type(error).__name__}: {error}"}
    torch.cuda.synchronize()
    statistics = torch.cuda.memory_stats()
    recorded = torch.cuda.memory._snapshot()
    free, total = torch.cuda.mem_get_info()
    snapshot.write_bytes(gzip.compress(pickle.dumps(recorded, protocol=4), mtime=0))
    return {
        "run": line,
        "peak_allocated_bytes": statistics["allocated_bytes.all.peak"],
        "peak_reserved_bytes": statistics["reserved_bytes.all.peak"],
        "context_bytes": total - free - statistics["reserved_bytes.all.current"],
    }


def describe_gpu():
    import torch

    card = torch.cuda.get_device_properties(0)
    return {
        "gpu": card.name,
        "total_bytes": card.total_memory,
        "processors": card.multi_processor_count,
        "torch": torch.__version__,
        "cudnn": torch.backends.cudnn.version(),
    }


def measure(folder):
    import torch  # noqa: F401  The forked processes share the imported module.

    folder.mkdir(parents=True, exist_ok=True)
    runs = []
    # Each run has a separate process. Runs at the same time would disturb the measurement of the context.
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        measured = pool.apply(describe_gpu)
        for number, line in enumerate(RUNS):
            facts = pool.apply(run_one, (line, folder / f"{number}.pickle.gz"))
            print(json.dumps(facts), flush=True)
            runs.append(facts)
            (folder / "measured.json").write_text(json.dumps({**measured, "runs": runs}, indent=1) + "\n")


def shown(low, high, measured):
    """Returns the predicted range, and its distance from the measured value if the value is outside of it."""
    text = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    nearest = min(max(measured, low), high)
    return text if nearest == measured else f"{text} ({100 * (nearest - measured) / measured:+.2f} %)"


def compare(folder, gpu):
    from memgauge import predict
    from memgauge.prediction.search import in_own_process

    measured = json.loads((folder / "measured.json").read_text())
    print(f"{measured['gpu']}, torch {measured['torch']}, cuDNN {measured['cudnn']}\n")
    print("| program | peak allocated, measured | predicted | peak reserved, measured | predicted |")
    print("|---|---|---|---|---|")
    for facts in measured["runs"]:
        if "error" in facts:
            print(f"| {facts['run']} | {facts['error'].splitlines()[0]} | | | |")
            continue
        name, *arguments = facts["run"].split()
        script = str(PROGRAMS / f"{name}.py")
        predicted = in_own_process(lambda: dict(predict(script, script_arguments=arguments, gpu=gpu, steps=0)))
        allocated = predicted["peak_allocated_bytes"], predicted["peak_allocated_bytes_high"]
        reserved = predicted["peak_reserved_bytes_low"], predicted["peak_reserved_bytes_high"]
        cells = [
            facts["run"],
            f"{facts['peak_allocated_bytes']:,}",
            shown(*allocated, facts["peak_allocated_bytes"]),
            f"{facts['peak_reserved_bytes']:,}",
            shown(*reserved, facts["peak_reserved_bytes"]),
        ]
        print("| " + " | ".join(cells) + " |", flush=True)
    contexts = [round(facts["context_bytes"] / MIB) for facts in measured["runs"] if "context_bytes" in facts]
    print(f"\nMemory outside the allocator: {min(contexts)} to {max(contexts)} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["measure", "compare"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gpu", help="the GPU that `compare` predicts for, for example h200")
    options = parser.parse_args()
    if options.what == "compare" and options.gpu is None:
        parser.error("compare needs --gpu with the GPU of the measurement")
    if options.what == "measure":
        measure(options.folder)
    else:
        compare(options.folder, options.gpu)


if __name__ == "__main__":
    main()
