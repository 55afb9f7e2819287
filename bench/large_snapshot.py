"""Writes a memory snapshot of any size as PyTorch would pickle it: a training loop with stacks, times and annotations.

    python bench/large_snapshot.py OUT.pickle [--mebibytes 1024]
    /usr/bin/time -v molgauge memory explain OUT.pickle --page page.html

About 20 million events are 1 GiB. As in PyTorch's files, each event has its own list of frames, and the pickler memoizes
every dictionary, list and text. No package is needed, and the file is written in pieces.
"""

import argparse
import io
import struct

MIB = 1 << 20
LAYERS, PARAMETERS = 48, 24
BASE = 0x7F0000000000


class Memo:
    """Memoizes values, so that the stream writes each value once and then refers to it."""

    def __init__(self):
        self.places = {}
        self.begun = bytearray()

    def put(self, key, opcodes):
        """Adds the opcodes of a value to `begun`, and memoizes the value under `key`."""
        self.places[key] = len(self.places)
        self.begun += opcodes + b"r" + struct.pack("<I", self.places[key]) + b"0"

    def get(self, key):
        place = self.places[key]
        return b"h" + bytes([place]) if place < 256 else b"j" + struct.pack("<I", place)


def text(characters):
    raw = characters.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def number(value):
    if value < 256:
        return b"K" + bytes([value])
    if value < 1 << 31:
        return b"J" + struct.pack("<i", value)
    return b"\x8a\x08" + struct.pack("<q", value)


def frame(name, filename, line):
    return b"}(" + text("name") + text(name) + text("filename") + text(filename) + text("line") + number(line) + b"u"


def stacks():
    """Returns the stacks, each a list of frames."""
    machinery = [("torch::unwind::unwind()", "??", 0), ("c10::cuda::CUDACachingAllocator::malloc", "??", 0)]
    top = [("train_step", "/home/user/train.py", 60), ("<module>", "/home/user/train.py", 300)]
    for layer in range(LAYERS):
        yield ("forward", layer), [
            *machinery, ("at::_ops::linear::call(at::Tensor const&)", "??", 0),
            ("forward", "/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", 125),
            ("forward", "/home/user/model.py", 100 + layer), *top]
        yield ("backward", layer), [
            *machinery, ("torch::autograd::generated::MmBackward0::apply(std::vector)", "??", 0),
            ("torch::autograd::Engine::thread_main(std::shared_ptr)", "??", 0)]
    yield "step", [("_foreach", "/env/lib/python3.11/site-packages/torch/optim/adamw.py", 400), *top]


class Writer:
    def __init__(self, file):
        self.file, self.memo, self.written, self.time = file, Memo(), 0, 1_700_000_000_000_000
        self.stacks = dict(stacks())

    def start(self):
        for word in ("action", "addr", "size", "stream", "time_us", "frames", "alloc", "free_requested",
                     "free_completed", "segment_alloc"):
            self.memo.put(word, text(word))
        for one in {one for stack in self.stacks.values() for one in stack}:
            self.memo.put(one, frame(*one))
        for name, stack in self.stacks.items():
            self.stacks[name] = b"]\x94(" + b"".join(self.memo.get(one) for one in stack) + b"e"
        self.put(b"\x80\x04" + bytes(self.memo.begun) + b"}(" + text("segments") + b"](")

    def put(self, raw):
        self.written += self.file.write(raw)

    def event(self, action, address, size, stack=None):
        get = self.memo.get
        raw = b"}\x94(" + get("action") + get(action) + get("addr") + number(address) + get("size") + number(size)
        raw += get("stream") + b"K\x00" + get("time_us") + number(self.time)
        if stack is not None:
            raw += get("frames") + self.stacks[stack]
        self.put(raw + b"u")

    def iteration(self, places, size):
        for layer in range(LAYERS):
            self.event("alloc", places[layer], size, ("forward", layer))
        for layer in reversed(range(LAYERS)):
            self.event("alloc", places[LAYERS], size, ("backward", layer))
            for place in (places[layer], places[LAYERS]):
                for action in ("free_requested", "free_completed"):
                    self.event(action, place, size)
        self.event("alloc", places[LAYERS], 62 * MIB, "step")
        for action in ("free_requested", "free_completed"):
            self.event(action, places[LAYERS], 62 * MIB)

    def recorded(self, work):
        """Returns the bytes that a function writes."""
        file, self.file = self.file, io.BytesIO()
        work()
        raw, self.file = self.file.getvalue(), file
        file.write(raw)
        return raw


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--mebibytes", type=int, default=1024)
    arguments = parser.parse_args()
    with open(arguments.out, "wb", buffering=1 << 20) as file:
        writer = Writer(file)
        writer.start()
        places = [BASE + layer * 64 * MIB for layer in range(LAYERS + 1)]
        for address in places:  # one segment each, and all of them are cached at the end
            writer.put(b"}(" + text("device") + b"K\x00" + text("address") + number(address) + text("total_size") +
                       number(64 * MIB) + text("stream") + b"K\x00" + text("segment_type") + text("large") + text("blocks") +
                       b"](}(" + text("address") + number(address) + text("size") + number(64 * MIB) +
                       text("requested_size") + b"K\x00" + text("state") + text("inactive") + b"ueu")
        writer.put(b"e" + text("device_traces") + b"](](")
        for address in places:
            writer.event("segment_alloc", address, 64 * MIB)
        writer.iteration(places, 64 * MIB)
        # Seven iterations with different sizes. They are written again and again, with other times.
        repeated = writer.recorded(lambda: [writer.iteration(places, 60 * MIB + i * 512 * 1024) for i in range(7)])
        before = number(writer.time)
        while writer.written < arguments.mebibytes * MIB:
            writer.time += 20_000
            writer.put(repeated.replace(before, number(writer.time)))
        writer.put(b"eeu.")


if __name__ == "__main__":
    main()
