"""Compares the GPU memory for training the encoder of the Python project with the GPU memory of a training in
Molgauge. Both run in the simulator of PyTorch's caching allocator (`molgauge memory simulate`), with the
rules of CUDA.

    python bench/pocket_card.py [--build build/release] [--capacity 44GiB] [--batch-sizes 2 4 8] [--epochs 5] [--svg FILE]

The program of the Python project is not run. Its allocations follow from the tensor shapes of e3nn for V2
with its default options: 4 layers, and 4,800 weights for each edge, kept from the forward pass to the
backward pass. Batches are a fixed number of random pockets, and the allocator has the default settings of
PyTorch. The first line compares these computed allocations with the measured memory of e3nn for a known batch
(bench/peers/pocket.py). Pockets have 100 to 3,000 atoms, and bonds, pairs and terms in the ratios of that
batch.

The Molgauge side is a real training of the same encoder. It runs one epoch on a few pockets, which include
the largest size, and is recorded by --memory-trace. Needs only Python.
"""

import argparse
import json
import pathlib
import pickle
import random
import re
import subprocess
import tempfile

FLOAT = 4
SCALARS, VECTORS, TENSORS = 32, 16, 8
HIDDEN = SCALARS + 3 * VECTORS + 5 * TENSORS
GATED = HIDDEN + VECTORS + TENSORS
# The paths of the tensor product. Each entry has the input channels, input components, components of the harmonics,
# output components and output channels.
PATHS = [(32, 1, 1, 1, 56), (32, 1, 3, 3, 16), (32, 1, 5, 5, 8), (16, 3, 1, 3, 16), (16, 3, 3, 1, 56), (16, 3, 3, 5, 8),
         (16, 3, 5, 3, 16), (8, 5, 1, 5, 8), (8, 5, 3, 3, 16), (8, 5, 5, 1, 56), (8, 5, 5, 5, 8)]
WEIGHTS = sum(path[0] * path[4] for path in PATHS)
# Terms per atom in the measured batch of 8 pockets with 100 atoms each.
BONDS, PAIRS, ANGLES, DIHEDRALS = 1584 / 800, 12822 / 800, 784 / 800, 2328 / 800
MEASURED = {"atoms": 800, "layers": 3, "mebibytes": 1649}
UNITS = {"MiB": 2**20, "GiB": 2**30}


class Recording:
    """Records allocations in the format of PyTorch's snapshots, which the simulator reads."""

    def __init__(self):
        self.events, self.address = [], 1 << 40
        self.held, self.highest = 0, 0

    def take(self, numbers):
        size = int(numbers) * FLOAT
        block = (self.address, size)
        self.address += (size + 511) // 512 * 512
        self.note("alloc", block)
        self.held += size
        self.highest = max(self.highest, self.held)
        return block

    def free(self, block):
        self.note("free_requested", block)
        self.note("free_completed", block)
        self.held -= block[1]

    def note(self, action, block):
        self.events.append({"action": action, "addr": block[0], "size": block[1], "stream": 0, "frames": [],
                            "time_us": len(self.events)})

    def write(self, file):
        file.write_bytes(pickle.dumps({"segments": [], "device_traces": [self.events], "allocator_settings": {}}))


def messages_forward(card, atoms, edges):
    """Allocates the tensors of a message layer. Returns the tensors that the backward pass needs, and
    immediately frees all other tensors.
    """
    kept = [card.take(edges * width) for width in (11, 64, 64, 64, 64, WEIGHTS, HIDDEN, 9)]
    for channels, components, harmonics, out, channels_out in PATHS:
        kept.append(card.take(edges * channels * components * harmonics))
        kept.append(card.take(edges * channels * out))
        card.free(card.take(edges * channels_out * out))
    message = card.take(edges * GATED)
    kept.append(card.take(atoms * GATED))
    card.free(message)
    kept.append(card.take(atoms * HIDDEN))
    return kept


def messages_backward(card, edges, kept):
    gradient = card.take(edges * GATED)
    for block in kept[-2:]:
        card.free(block)
    own, places = [], kept[8:-2]
    for i, (channels, components, harmonics, out, channels_out) in reversed(list(enumerate(PATHS))):
        of_inner = card.take(edges * channels * out)
        own.append(card.take(edges * channels * channels_out))
        of_outer = card.take(edges * channels * components * harmonics)
        for block in (of_inner, of_outer, places[2 * i + 1], places[2 * i]):
            card.free(block)
    weights = card.take(edges * WEIGHTS)
    for block in own:
        card.free(block)
    card.free(gradient)
    for block in (kept[6], kept[7], kept[5]):
        card.free(block)
    for i in (4, 3, 2, 1):
        step = card.take(edges * 64)
        card.free(weights)
        weights = step
        card.free(kept[i])
    card.free(weights)
    card.free(kept[0])


def terms_forward(card, terms, attributes):
    return [card.take(terms * width) for width in (2 * SCALARS + attributes, 64, 64, 64, 64, SCALARS)]


def step(card, atoms, layers):
    kinds = (atoms * BONDS, atoms * PAIRS)
    kept = [([messages_forward(card, atoms, edges) for edges in kinds],
             terms_forward(card, atoms * ANGLES, 2) + terms_forward(card, atoms * DIHEDRALS, 3)) for _ in range(layers)]
    for messages, terms in reversed(kept):
        for block in reversed(terms):
            card.free(block)
        for edges, own in reversed(list(zip(kinds, messages))):
            messages_backward(card, edges, own)


def original(sizes, batch_size, layers, epochs):
    card, order = Recording(), random.Random(42)
    for _ in range(epochs):
        pockets = sizes[:]
        order.shuffle(pockets)
        for first in range(0, len(pockets), batch_size):
            step(card, sum(pockets[first:first + batch_size]), layers)
    return card


def simulate(program, file, capacity, *settings):
    outcome = subprocess.run([program, "memory", "simulate", str(file), "--capacity", capacity, "--json", "--quiet",
                              *(word for one in settings for word in ("--setting", one))], capture_output=True, text=True)
    if outcome.returncode not in (0, 4):
        raise SystemExit(outcome.stderr)
    return json.loads(outcome.stdout)["runs"]


def gib(number):
    return number / 2**30


def line_of(run):
    end = "fits" if run["fits"] else f"runs out of memory at event {run['timeline'][-1]['event']}"
    return (f"{end}; reserved at most {gib(run['peak_reserved_bytes']):.2f} GiB, in use at most "
            f"{gib(run['peak_allocated_bytes']):.2f} GiB, retries after emptying the cache: {run['retries']}")


def panel(x, title, run, events, capacity):
    """Draws the reserved memory as an area and the used memory as a line over the events."""
    width, height, top = 250, 180, 40
    scale = height / (1.1 * capacity)

    def points(field):
        return " ".join(f"{x + width * p['event'] / max(1, events):.1f},{top + height - p[field] * scale:.1f}"
                        for p in run["timeline"])

    last = x + width * run["timeline"][-1]["event"] / max(1, events)
    limit, base = top + height - capacity * scale, top + height
    outcome = "" if run["fits"] else (f'<text x="{last:.1f}" y="{limit - 5:.1f}" font-size="11" fill="#b00020" '
                                      f'text-anchor="middle">out of memory</text>')
    return (f'<text x="{x}" y="16" font-size="12" font-weight="600">{title}</text>'
            f'<text x="{x}" y="31" font-size="11" fill="#555">reserved {gib(run["peak_reserved_bytes"]):.2f} GiB, in use '
            f'{gib(run["peak_allocated_bytes"]):.2f} GiB</text>'
            f'<polygon points="{x},{base} {points("reserved_bytes")} {last:.1f},{base}" fill="#f3c19d"/>'
            f'<polyline points="{points("allocated_bytes")}" fill="none" stroke="#1f4e79" stroke-width="0.6"/>'
            f'<line x1="{x}" y1="{limit:.1f}" x2="{x + width}" y2="{limit:.1f}" stroke="#b00020" stroke-dasharray="4 3"/>'
            f'<line x1="{x}" y1="{base}" x2="{x + width}" y2="{base}" stroke="#555"/>{outcome}')


def picture(panels, capacity, text):
    body = "".join(panel(10 + 270 * i, title, run, max(1, events), capacity) for i, (title, run, events) in enumerate(panels))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {20 + 270 * len(panels)} 265" '
            f'font-family="sans-serif"><title>Memory of a card over a training</title>'
            f'<rect width="100%" height="100%" fill="#fff"/>{body}'
            f'<text x="10" y="240" font-size="11" fill="#555">Area: reserved by the allocator; line: in use; dashed: the card, '
            f'{text}. From left to right: the events of the training.</text></svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--capacity", default="44GiB")
    parser.add_argument("--batch-sizes", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--complexes", type=int, default=160)
    parser.add_argument("--own-complexes", type=int, default=12)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--svg", type=pathlib.Path)
    options = parser.parse_args()
    found = re.fullmatch(r"([\d.]+)(MiB|GiB)", options.capacity)
    if not found:
        parser.error(f"--capacity {options.capacity}: write it as 44GiB")
    capacity = float(found[1]) * UNITS[found[2]]
    program = str(options.build / "bin" / "molgauge")

    known = Recording()
    step(known, MEASURED["atoms"], MEASURED["layers"])
    print(f"the model for the measured batch: {known.highest / 2**20:.0f} MiB; measured: {MEASURED['mebibytes']} MiB")

    draw = random.Random(7)
    sizes = [draw.randint(100, 3000) for _ in range(options.complexes)]
    panels = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for batch_size in options.batch_sizes:
            card = original(sizes, batch_size, 4, options.epochs)
            card.write(folder / "original.pickle")
            runs = simulate(program, folder / "original.pickle", options.capacity, "", "expandable_segments:True")
            print(f"Python project, batches of {batch_size}: {line_of(runs[0])}")
            print(f"  with expandable segments: {line_of(runs[1])}")
            # If the first run runs out of memory, it ends early. The run with expandable segments then has more
            # events.
            events = max(run["timeline"][-1]["event"] for run in runs)
            panels.append((f"Python project, batches of {batch_size}", runs[0], events))
            del card
        subprocess.run([str(options.build / "bin" / "made_up_pockets"), str(folder), str(options.own_complexes), "1", "100",
                        "3000", "1536"], check=True)
        subprocess.run([program, "pocket", "train", str(folder / "graphs"), "--ligands", str(folder / "ligands.h5"), "--run",
                        str(folder / "run"), "--epochs", "1", "--threads", "1", "--memory-trace", str(folder / "own.trace"),
                        "--quiet"], check=True, stdout=subprocess.DEVNULL)
        own = simulate(program, folder / "own.trace", options.capacity, "")[0]
        print(f"Molgauge, batches of 2: {line_of(own)}")
        panels.append(("Molgauge, batches of 2", own, own["timeline"][-1]["event"]))
    if options.svg:
        options.svg.write_text(picture(panels, capacity, options.capacity))


if __name__ == "__main__":
    main()
