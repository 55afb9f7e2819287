"""Measures every lane of a GPU next to its peer, and the ceilings of the card. Writes the figures to lanes.json in
the build folder, from which bench/device_report.py fills docs/results/gpu.md. scripts/gpu-figures runs it.

    python bench/gpu_lanes.py --build build/gpu [--minutes 9]

Needs bench_device and bench_pocket in the build folder, and PyTorch with CUDA in the Python that runs it. The peers
are e3nn with torch_geometric, and unimol_tools. A peer that is not installed is left out, with the reason. Our lanes
come first, then the ceilings, then the peers. When the time is over, the remaining measurements are left out. The
file is written after each measurement.
"""

import argparse
import importlib.util
import json
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "peers"))
from pocket import RIVAL as E3NN  # noqa: E402

PAIRS_OF_A_POCKET = 12822 / 8
ROUNDS = 13  # the first three warm up
STEPS_OF_AN_EPOCH = 4  # 2,000 molecules of each kind in batches of 512

# Prints the ceilings of the card, and the time of the host for an operator on small tensors.
CEILINGS = '''
import json, time
import torch
def seconds(work, rounds):
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(rounds):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / rounds
found = {}
source = torch.empty(1 << 28, device="cuda")
target = torch.empty_like(source)
found["copy, TB/s"] = 2 * source.nbytes / seconds(lambda: target.copy_(source), 10) / 1e12
del source, target
for name, kind in (("fp32", torch.float32), ("tf32", torch.float32), ("bf16", torch.bfloat16)):
    torch.backends.cuda.matmul.allow_tf32 = name == "tf32"
    x = torch.randn(8192, 8192, device="cuda", dtype=kind)
    found[f"products of 8192 x 8192 in {name}, TFLOP/s"] = 2 * 8192 ** 3 / seconds(lambda: x @ x, 10) / 1e12
torch.backends.cuda.matmul.allow_tf32 = False
x, w, b = (torch.randn(*shape, device="cuda") for shape in ((28, 336), (336, 336), (336,)))
with torch.inference_mode():
    for name, work in (("add", lambda: x + x), ("linear", lambda: torch.nn.functional.linear(x, w, b)),
                       ("mm", lambda: x @ w)):
        found[f"launch of {name}, us"] = seconds(work, 2000) * 1e6
print(json.dumps(found))
'''

# Prints molecules/s of the network of unimol_tools with random weights.
UNIMOL_TOOLS = '''
import json, pathlib, tempfile, time
import torch
import unimol_tools.models.unimol as unimol
unimol.UniMolModel.load_pretrained_weights = lambda self, path=None, strict=False: None
folder = pathlib.Path(tempfile.mkdtemp())
words = "[PAD] [CLS] [SEP] [UNK] C N O S H Cl F Br I Si P B Na K Al Ca Sn As Hg Fe Zn Cr Se Gd Au Li"
(folder / "dict.txt").write_text("\\n".join(words.split()) + "\\n")
(folder / "weights.pt").write_text("")
model = unimol.UniMolModel(output_dim=1, data_type="molecule", remove_hs=True,
                           pretrained_model_path=str(folder / "weights.pt"),
                           pretrained_dict_path=str(folder / "dict.txt")).cuda().eval()
found = {}
for precision, count in (("fp32", 2048), ("tf32", 2048), ("bf16", 2048), ("fp32", 32)):
    torch.backends.cuda.matmul.allow_tf32 = precision != "fp32"
    tokens = torch.randint(4, 8, (count, 28), device="cuda")
    tokens[:, 0], tokens[:, -1] = 1, 2
    distances = torch.rand(count, 28, 28, device="cuda") * 10
    inputs = dict(src_tokens=tokens, src_distance=(distances + distances.transpose(1, 2)) / 2,
                  src_coord=torch.zeros(count, 28, 3, device="cuda"),
                  src_edge_type=tokens[:, :, None] * len(model.dictionary) + tokens[:, None, :])
    with torch.inference_mode(), torch.autocast("cuda", torch.bfloat16, enabled=precision == "bf16"):
        for _ in range(3):
            model(**inputs, return_repr=True)
        torch.cuda.synchronize()
        rounds = max(3, min(30, 3000 // count))
        start = time.perf_counter()
        for _ in range(rounds):
            model(**inputs, return_repr=True).float().cpu()
    found[f"unimol/{precision}/{count}"] = count * rounds / (time.perf_counter() - start)
print(json.dumps(found))
'''


def last_json(text):
    return json.loads(text.splitlines()[-1])


def median_ms(text):
    return 1000 * statistics.median(last_json(text)["seconds"][3:])


def rates(text):
    """Returns the rates of a Google Benchmark, and the milliseconds of a step of a head."""
    found = {}
    for result in json.loads(text)["benchmarks"]:
        if result.get("error_occurred"):
            continue
        kind, _, precision, size = result["name"].split("/")[:4]
        if kind == "epoch":
            found[f"head/{precision}/{size}"] = 1000 * result["seconds_per_epoch"] / STEPS_OF_AN_EPOCH
        else:
            found[f"{'minimol' if kind == 'encode' else kind}/{precision}/{size}"] = result["items_per_second"]
    return found


def pocket_cases():
    return [("train", 8), ("infer", 1), ("infer", 8), ("infer", 32)]


def measurements(build, python):
    """Yields the side (ours, card or peer), the module that is needed, the command and the reader of its output."""
    yield "ours", None, [
        str(build / "bin/bench_device"), "--benchmark_format=json", "--benchmark_min_time=0.5",
        "--benchmark_filter=^(encode/cuda/.*/(72|2800)/|unimol/cuda/.*|epoch/cuda/fp32/512/)"], rates
    for mode, pockets in pocket_cases():
        command = [str(build / "bin/bench_pocket"), mode, str(ROUNDS), str(int(PAIRS_OF_A_POCKET * pockets)),
                   str(pockets), "cuda"]
        yield "ours", None, command, lambda text, key=f"pocket/{mode}/{pockets}": {key: median_ms(text)}
    yield "card", "torch", [python, "-c", CEILINGS], last_json
    yield "peer", "unimol_tools", [python, "-c", UNIMOL_TOOLS], last_json
    for mode, pockets in pocket_cases():
        command = [python, "-c", E3NN, mode, str(ROUNDS), str(pockets), "cuda"]
        yield "peer", "e3nn", command, lambda text, key=f"pocket/{mode}/{pockets}": {key: median_ms(text)}


def name_of(command):
    return " ".join(word if len(word) < 80 else "..." for word in command)


def measure(build, python, seconds, write):
    """Runs all measurements within this time. Calls write(figures) after each of them."""
    end = time.monotonic() + seconds
    figures = {"ours": {}, "card": {}, "peer": {}, "left_out": []}
    for side, module, command, read in measurements(build, python):
        left = end - time.monotonic()
        if module is not None and importlib.util.find_spec(module) is None:
            figures["left_out"].append(f"{module} is not installed")
        elif left <= 0:
            figures["left_out"].append(f"no time was left for `{name_of(command)}`")
        else:
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=left)
                if done.returncode != 0:
                    raise ValueError((done.stderr.strip().splitlines() or ["no message"])[-1])
                figures[side].update(read(done.stdout))
            except (OSError, ValueError, LookupError, subprocess.TimeoutExpired) as error:
                figures["left_out"].append(f"`{name_of(command)}` failed: {str(error)[-300:]}")
        figures["left_out"] = list(dict.fromkeys(figures["left_out"]))
        write(figures)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=9)
    options = parser.parse_args()
    figures = measure(options.build, sys.executable, 60 * options.minutes,
                      lambda found: (options.build / "lanes.json").write_text(json.dumps(found, indent=1)))
    for reason in figures["left_out"]:
        print(f"gpu_lanes: {reason}", file=sys.stderr)
    return 0 if figures["ours"] else 1


if __name__ == "__main__":
    sys.exit(main())
