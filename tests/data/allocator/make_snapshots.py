"""Writes protocol2.pickle ... protocol5.pickle: one snapshot as torch.cuda.memory._dump_snapshot pickles it."""

import pathlib
import pickle

MIB = 1 << 20
BASE = 0x7F0000000000
HIGH = 0xFFFF800000000000  # above 2^63: nine bytes in a pickle

library = {"filename": "/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", "line": 125, "name": "forward"}
model = {"filename": "/home/train.py", "line": 12, "name": "build_model"}
forward = {"filename": "/home/train.py", "line": 40, "name": "forward"}
model_frames, forward_frames = [library, model], [library, forward]


def event(action, size, frames=None, **more):
    entry = {"action": action, **more, "size": size, "stream": 0, "time_us": 1700000000000000}
    if frames is not None:
        entry["frames"] = frames
    return entry


snapshot = {
    "segments": [
        {
            "device": 0, "address": BASE, "total_size": 20 * MIB, "allocated_size": 4 * MIB, "active_size": 6 * MIB,
            "requested_size": 6 * MIB - 100, "stream": 0, "segment_type": "large", "segment_pool_id": (0, 0),
            "is_expandable": False, "frames": model_frames,
            "blocks": [
                {"address": BASE, "size": 4 * MIB, "requested_size": 4 * MIB - 100, "state": "active_allocated",
                 "frames": model_frames},
                {"address": BASE + 4 * MIB, "size": 2 * MIB, "requested_size": 2 * MIB,
                 "state": "active_pending_free", "frames": forward_frames},
                {"address": BASE + 6 * MIB, "size": 14 * MIB, "requested_size": 0, "state": "inactive", "frames": []},
            ],
        },
        {
            "device": 0, "address": HIGH, "total_size": 30 * MIB, "allocated_size": 30 * MIB, "active_size": 30 * MIB,
            "requested_size": 30 * MIB, "stream": 0, "segment_type": "large", "segment_pool_id": (0, 0),
            "is_expandable": False, "frames": [],
            "blocks": [{"address": HIGH, "size": 30 * MIB, "requested_size": 30 * MIB, "state": "active_allocated",
                        "frames": []}],
        },
    ],
    "device_traces": [
        [
            event("segment_alloc", 20 * MIB, model_frames, addr=BASE),
            event("alloc", 4 * MIB - 100, model_frames, addr=BASE),
            event("alloc", 2 * MIB, forward_frames, addr=BASE + 4 * MIB),
            event("segment_alloc", 40 * MIB, forward_frames, addr=BASE + 64 * MIB),
            event("alloc", 40 * MIB, forward_frames, addr=BASE + 64 * MIB),
            event("free_requested", 40 * MIB, [], addr=BASE + 64 * MIB),
            event("free_completed", 40 * MIB, [], addr=BASE + 64 * MIB),
            event("segment_free", 40 * MIB, [], addr=BASE + 64 * MIB),
            event("free_requested", 2 * MIB, [], addr=BASE + 4 * MIB),
            event("oom", 100 * MIB, forward_frames, device_free=40 * MIB),
            event("user_defined", 0, [], addr=0, user_metadata={"a": (1.5, None, True)}),
            event("snapshot", 36 * MIB, [], addr=0),
        ],
        [],
    ],
    "allocator_settings": {
        "PYTORCH_CUDA_ALLOC_CONF": "garbage_collection_threshold:0.6,per_process_memory_fraction:1.0",
        "max_split_size": -1, "garbage_collection_threshold": 0.6, "expandable_segments": False,
        "roundup_power2_divisions": {"1": 0, "2": 0},
    },
    "external_annotations": [{"name": "optimizer", "stage": "START", "device": 0, "time_us": 1}],
}

for protocol in range(2, 6):
    path = pathlib.Path(__file__).parent / f"protocol{protocol}.pickle"
    path.write_bytes(pickle.dumps(snapshot, protocol=protocol))
