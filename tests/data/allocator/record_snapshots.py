"""Records PyTorch snapshots of small programs that fragment a GPU's memory or run out of it.

    python record_snapshots.py FOLDER [--compress]    # on a machine with a GPU
    python record_snapshots.py --by-hand FOLDER       # by-hand.*, as the allocator is known to work; needs no GPU

Each program runs in a process of its own, within a fraction of the card, under each of SETTINGS. It leaves
PROGRAM-NUMBER.pickle (what torch.cuda.memory._dump_snapshot writes; .pickle.gz with --compress) and PROGRAM-NUMBER.json:
the settings, the bytes that could be reserved, the allocator's own statistics, and the bytes that were reserved after
each allocation, as [number of the first such allocation, bytes] where they changed. A test (recorded_snapshots_test.cpp)
holds the simulator against them.
"""

import argparse
import gzip
import json
import os
import pathlib
import pickle
import random
import subprocess
import sys

MIB = 1 << 20
CAPACITY = 513 * MIB  # no multiple of any segment: the fraction is rounded
SETTINGS = [
    "",
    "expandable_segments:True",
    "max_split_size_mb:32",
    "roundup_power2_divisions:4",
    "garbage_collection_threshold:0.6",
    "max_split_size_mb:64,expandable_segments:True",
]


def tensor(size):
    import torch

    return torch.empty(int(size), dtype=torch.uint8, device="cuda")


def growing(generator):
    """Every tensor a little larger than the last, two alive at a time: what is cached never fits."""
    last = None
    for step in range(1, 100):
        last = tensor(step * 5 * MIB)
    del last


def pockets(generator):
    """Batches of varying sizes between tensors that stay, as in training on graphs: splits strand memory."""
    kept = []
    for epoch in range(30):
        batch = [tensor(generator.randrange(1, 24) * MIB + generator.randrange(512)) for _ in range(8)]
        kept.append(tensor(generator.randrange(2, 5) * MIB))
        del batch


def churn(generator):
    """Tensors of all sizes that come and go."""
    living = []
    for _ in range(4000):
        if living and (len(living) > 40 or generator.random() < 0.4):
            living.pop(generator.randrange(len(living)))
        else:
            living.append(tensor(1 + (generator.randrange(128 * MIB) >> generator.randrange(18))))


def streams(generator):
    """Tensors that another stream still uses when they die."""
    import torch

    side = torch.cuda.Stream()
    for _ in range(200):
        used = tensor(generator.randrange(1, 30) * MIB)
        with torch.cuda.stream(side):
            own = tensor(generator.randrange(1, 8) * MIB)
            used.record_stream(side)
            own.fill_(1)
        del used, own
    torch.cuda.synchronize()


PROGRAMS = {"growing": growing, "pockets": pockets, "churn": churn, "streams": streams}


def reserved_after_allocations(trace):
    """[[number of an allocation, bytes reserved once it was served], ...] where that changed."""
    changes, reserved, allocations = [], 0, 0
    sign = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}
    for entry in trace:
        reserved += sign.get(entry["action"], 0) * entry["size"]
        if entry["action"] == "alloc":
            if not changes or changes[-1][1] != reserved:
                changes.append([allocations, reserved])
            allocations += 1
    return changes


def write(folder, name, snapshot, facts, compress):
    data = pickle.dumps(snapshot, protocol=4)
    if compress:
        (folder / f"{name}.pickle.gz").write_bytes(gzip.compress(data, mtime=0))
    else:
        (folder / f"{name}.pickle").write_bytes(data)
    facts["reserved_after_allocations"] = reserved_after_allocations(snapshot["device_traces"][0])
    (folder / f"{name}.json").write_text(json.dumps(facts) + "\n")


def record(program, name, folder, compress):
    """In a process whose PYTORCH_CUDA_ALLOC_CONF is set."""
    import torch

    torch.cuda.set_per_process_memory_fraction(CAPACITY / torch.cuda.get_device_properties(0).total_memory)
    torch.cuda.memory._record_memory_history(context=None, stacks="python", max_entries=1_000_000)
    ran_out = False
    try:
        PROGRAMS[program](random.Random(1))
    except torch.cuda.OutOfMemoryError:
        ran_out = True
    statistics = torch.cuda.memory_stats()
    snapshot = torch.cuda.memory._snapshot()
    facts = {
        "program": program,
        "settings": os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""),
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name(0),
        "capacity": CAPACITY,
        "ran_out": ran_out,
        "peak_reserved": statistics["reserved_bytes.all.peak"],
        "peak_allocated": statistics["allocated_bytes.all.peak"],
        "peak_active": statistics["active_bytes.all.peak"],
        "retries": statistics["num_alloc_retries"],
    }
    write(folder, name, snapshot, facts, compress)


def by_hand(folder):
    """Two tensors share a segment; a third, too large for what is left, takes one of its own, and is freed."""
    base, other = 0x7F0000000000, 0x7F0010000000

    def event(action, size, address):
        return {"action": action, "addr": address, "size": size, "stream": 0, "time_us": 1700000000000000}

    trace = [
        event("segment_alloc", 20 * MIB, base),
        event("alloc", 4 * MIB - 100, base),
        event("alloc", 9 * MIB, base + 4 * MIB),
        event("segment_alloc", 12 * MIB, other),
        event("alloc", 11 * MIB, other),
        event("free_requested", 11 * MIB, other),
        event("free_completed", 11 * MIB, other),
    ]

    def block(address, size, requested, state):
        return {"address": address, "size": size, "requested_size": requested, "state": state, "frames": []}

    def segment(address, blocks):
        total = sum(entry["size"] for entry in blocks)
        used = [entry for entry in blocks if entry["state"] != "inactive"]
        return {
            "device": 0, "address": address, "total_size": total, "stream": 0, "segment_type": "large",
            "allocated_size": sum(entry["size"] for entry in used), "segment_pool_id": (0, 0), "is_expandable": False,
            "active_size": sum(entry["size"] for entry in used), "frames": [],
            "requested_size": sum(entry["requested_size"] for entry in used), "blocks": blocks,
        }

    segments = [
        segment(base, [
            block(base, 4 * MIB, 4 * MIB - 100, "active_allocated"),
            block(base + 4 * MIB, 9 * MIB, 9 * MIB, "active_allocated"),
            block(base + 13 * MIB, 7 * MIB, 0, "inactive"),
        ]),
        segment(other, [block(other, 12 * MIB, 0, "inactive")]),
    ]
    facts = {
        "program": "by-hand", "settings": "", "torch": "none", "device": "none", "capacity": CAPACITY, "ran_out": False,
        "peak_reserved": 32 * MIB, "peak_allocated": 25 * MIB, "peak_active": 25 * MIB, "retries": 0,
    }
    write(folder, "by-hand", {"segments": segments, "device_traces": [trace]}, facts, compress=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--compress", action="store_true")
    parser.add_argument("--by-hand", action="store_true")
    parser.add_argument("--one", nargs=2, metavar=("PROGRAM", "NAME"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.by_hand:
        by_hand(options.folder)
        return
    if options.one:
        record(*options.one, options.folder, options.compress)
        return
    for program in PROGRAMS:
        for number, settings in enumerate(SETTINGS):
            environment = {key: value for key, value in os.environ.items() if "ALLOC_CONF" not in key}
            if settings:
                environment["PYTORCH_CUDA_ALLOC_CONF"] = settings
            command = [sys.executable, __file__, str(options.folder), "--one", program, f"{program}-{number}"]
            subprocess.run(command + ["--compress"] * options.compress, env=environment, check=True)
            print(f"{program}-{number}: {settings or 'defaults'}")


if __name__ == "__main__":
    main()
