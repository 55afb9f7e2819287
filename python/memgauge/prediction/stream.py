"""Records the stream of allocations of a script, and writes it in the format of PyTorch's memory snapshots."""

import os
import pickle
import sys
import threading
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

from .. import errors

if TYPE_CHECKING:
    from .catching import Failures

#: Allocations do not overlap. Each address is used only once.
_FIRST_ADDRESS = 0x7F0000000000
_GAP = 1 << 21

_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))
_ENTRY = os.path.join(_OWN_FOLDER, "running.py")  # frames of the script come after the frames of this file
_LONGEST_STACK = 40


class Event(NamedTuple):
    """``stack`` is the index of a stack of the stream. If ``upper_only`` is true, only the upper estimate contains
    the event."""

    action: str
    address: int
    size: int
    stream: int
    stack: int
    upper_only: bool


def _is_machinery(filename: str) -> bool:
    return filename.startswith((_OWN_FOLDER, "<frozen runpy")) or filename.endswith(("torch/_ops.py", "/runpy.py"))


def python_stack() -> Tuple[Tuple[str, int, str], ...]:
    """Returns the current frames of the script and of its libraries as (file, line, function), innermost first."""
    frames: List[Tuple[str, int, str]] = []
    frame = sys._getframe(1)
    while frame is not None and len(frames) < _LONGEST_STACK:
        code = frame.f_code
        if code.co_filename == _ENTRY:
            break
        if not _is_machinery(code.co_filename):
            frames.append((code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back  # type: ignore[assignment]
    return tuple(frames)


def _native(name: str) -> Dict[str, Any]:
    return {"name": name, "filename": "??", "line": 0}


def native_frames(operator: str, node: Optional[str], workspace: Optional[str]) -> List[Dict[str, Any]]:
    """Returns the C++ frames that PyTorch records for a request of an operator. The innermost frame comes first.

    ``node`` is the node of the backward pass, as torch._C._current_autograd_node() names it.
    """
    frames = []
    if workspace:
        frames.append(_native(workspace))
    if operator:
        frames.append(_native(f"at::_ops::{operator}::call()"))
    if node:
        place = node if node.startswith("torch::") else f"torch::autograd::generated::{node}"
        frames.append(_native(f"{place}::apply()"))
        frames.append(_native("torch::autograd::Engine::evaluate_function()"))
    return frames


def _time_of(event: int) -> int:
    """Returns a time in microseconds, which only shows the order of events."""
    return 1_000_000 + 10 * event


class Stream:
    """Records allocations and releases in their order."""

    def __init__(self) -> None:
        self.events: List[Event] = []
        self.allocated_bytes = 0  # rounded to blocks of 512 bytes, without events with upper_only
        self.peak_bytes = 0
        self._next_address = _FIRST_ADDRESS
        self._stacks: Dict[Any, int] = {}
        self._live: Dict[int, Tuple[int, int, int, bool]] = {}
        self._marks: List[Tuple[int, str, str]] = []  # for each mark: number of events before it, stage, name
        self._upper_events = 0
        self._failures: Optional["Failures"] = None
        self.empty_cache_calls = 0
        self.is_closed = False
        self._lock = threading.RLock()  # a weak reference may free a block in the middle of another call

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_lock", "_live", "_failures")}

    @staticmethod
    def _rounded(size: int) -> int:
        return max(512, (size + 511) // 512 * 512)

    def allocate(self, size: int, stream: int, stack: Any, upper_only: bool = False) -> int:
        """Records an allocation and returns the address of the new block. ``stack`` is a hashable (operator, node,
        workspace, frames)."""
        if size <= 0 or self.is_closed:
            return 0
        with self._lock:
            if self._failures is not None and not upper_only:
                self._failures.check(len(self.events) - self._upper_events, size, self.allocated_bytes)
            number = self._stacks.setdefault(stack, len(self._stacks))
            address = self._next_address
            self._next_address += (size + _GAP - 1) // _GAP * _GAP + _GAP
            self.events.append(Event("alloc", address, size, stream, number, upper_only))
            self._live[address] = (size, stream, number, upper_only)
            self._upper_events += upper_only
            if not upper_only:
                self.allocated_bytes += self._rounded(size)
                self.peak_bytes = max(self.peak_bytes, self.allocated_bytes)
        return address

    def free(self, address: int) -> None:
        """Records the release of a block. Does nothing for address 0, and after close()."""
        if not address or self.is_closed:
            return
        with self._lock:
            size, stream, number, upper_only = self._live.pop(address)
            self.events.append(Event("free", address, size, stream, number, upper_only))
            self._upper_events += upper_only
            if not upper_only:
                self.allocated_bytes -= self._rounded(size)

    def restart(self, failures: Optional["Failures"] = None) -> None:
        """Forgets all events. All blocks must be released already. ``failures``: the requests that raise an error from now on."""
        assert not self._live
        self.events.clear()
        self.peak_bytes = self._upper_events = 0
        self._failures = failures

    def empty_cache(self) -> None:
        """Counts a call of empty_cache(). Snapshots have no event for it."""
        if not self.is_closed:
            self.empty_cache_calls += 1

    def mark(self, stage: str, name: str) -> None:
        """Marks the start ("START") or the end ("END") of a period, such as an optimizer step."""
        if not self.is_closed:
            self._marks.append((len(self.events), stage, name))

    def close(self) -> None:
        """Ends the recording. Objects that are destroyed when the script ends are not recorded."""
        self.is_closed = True

    def largest_upper(self) -> Optional[Tuple[int, str, Tuple[Tuple[str, int, str], ...]]]:
        """Returns the size, the operator and the frames of the largest block that only the upper estimate contains, or None."""
        event = max((one for one in self.events if one.upper_only), key=lambda one: one.size, default=None)
        if event is None:
            return None
        operator, _, _, frames = list(self._stacks)[event.stack]
        return event.size, operator, frames

    def snapshot(self, upper: bool, setting: str = "", marks: bool = True) -> Dict[str, Any]:
        """Returns the stream in the form of torch.cuda.memory._snapshot(), for a recording that begins
        with empty memory.

        ``setting``: the PYTORCH_CUDA_ALLOC_CONF of the script. ``marks``: whether the snapshot contains the periods of mark().
        """
        frames = [self._frames(stack) for stack in self._stacks]
        trace: List[Dict[str, Any]] = []
        for time, event in enumerate(self.events):
            if event.upper_only and not upper:
                continue
            shared = {"addr": event.address, "size": event.size, "stream": event.stream, "time_us": _time_of(time)}
            if event.action == "alloc":
                trace.append({"action": "alloc", "frames": frames[event.stack], **shared})
            elif event.action == "free":
                for action in ("free_requested", "free_completed"):
                    trace.append({"action": action, "frames": frames[event.stack], **shared})
        return {
            "segments": [],
            "device_traces": [trace],
            "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": setting},
            "external_annotations": [
                {"stage": stage, "name": name, "device": 0, "time_us": _time_of(events) - 1}
                for events, stage, name in (self._marks if marks else [])
            ],
        }

    @staticmethod
    def _frames(stack: Any) -> List[Dict[str, Any]]:
        operator, node, workspace, frames = stack
        return native_frames(operator, node, workspace) + [
            {"name": name, "filename": filename, "line": line} for filename, line, name in frames
        ]

    def write(self, path: str, upper: bool, setting: str = "", marks: bool = True) -> None:
        """Writes the snapshot as a pickle. Raises an Error that names the file."""
        try:
            with open(path, "wb") as file:
                pickle.dump(self.snapshot(upper, setting, marks), file, protocol=4)
        except OSError as problem:
            raise errors.Error(f"{path}: cannot write: {problem.strerror}. Name another file") from problem
