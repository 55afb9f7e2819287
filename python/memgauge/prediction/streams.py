"""Replaces the streams and events of CUDA.

The classes torch.cuda.Stream and torch.cuda.Event stay the real ones, because scripts use them in annotations and in
isinstance(). Only their constructors return stand-ins, whose ``__class__`` is the real class.
"""

import threading
from typing import Any, Callable

import torch

from .devices import own_gpu
from .patches import Patches
from .replaced import Refusal

#: Methods that wait or record. All work is done immediately, so they have nothing to do.
_WITHOUT_EFFECT = ("wait", "record", "synchronize", "set_")


class _StandIn:
    """An object of CUDA without a GPU. Attributes that this module does not define are answered by rule: predicates are
    False, methods that wait do nothing, and everything else raises Refusal with the name of the attribute."""

    real: Any = None  # the class of PyTorch

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self.real or type(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or (not name.startswith("is_") and not hasattr(self.real, name)):
            raise AttributeError(f"'{self.real.__name__}' object has no attribute '{name}'")
        if name.startswith("is_"):
            return _predicate(getattr(self.real, name, None))
        if name.startswith(_WITHOUT_EFFECT):
            return lambda *_, **__: None
        raise Refusal(f"this script uses torch.cuda.{self.real.__name__}.{name}, which predict does not know. Leave it out")


def _predicate(real: Any) -> Any:
    return False if isinstance(real, property) or type(real).__name__ == "getset_descriptor" else lambda *_, **__: False


class Streams:
    """The current stream of each thread, and all streams that the script made."""

    def __init__(self) -> None:
        self._of_thread = threading.local()
        self._default = FakeStream(self, 0)
        self.made = 0

    def make(self, *_: Any, **named: Any) -> "FakeStream":
        self.made += 1
        return FakeStream(self, self.made, named.get("priority", 0))

    @property
    def current(self) -> "FakeStream":
        return getattr(self._of_thread, "stream", self._default)

    @property
    def default(self) -> "FakeStream":
        return self._default

    def set(self, stream: Any) -> None:
        """Makes a stream the current one of this thread. Does nothing for None."""
        if isinstance(stream, torch.cuda.Stream):
            self._of_thread.stream = stream


class FakeStream(_StandIn):
    """Stands for a stream of CUDA. All work is done immediately, so there is nothing to wait for."""

    def __init__(self, streams: Streams, number: int, priority: int = 0) -> None:
        self._streams = streams
        self.cuda_stream = self.stream_id = number
        self.device = own_gpu.device
        self.device_index = own_gpu.index
        self.device_type = 1  # CUDA, in c10/core/DeviceType.h
        self.priority = priority
        self._outer: list = []  # type: ignore[type-arg]

    def query(self) -> bool:
        return True

    def record_event(self, event: Any = None) -> Any:
        return event if event is not None else FakeEvent()

    def __enter__(self) -> "FakeStream":
        self._outer.append(self._streams.current)
        self._streams.set(self)
        return self

    def __exit__(self, *_: Any) -> None:
        self._streams.set(self._outer.pop())

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, torch.cuda.Stream) and self.cuda_stream == other.cuda_stream

    def __hash__(self) -> int:
        return hash(self.cuda_stream)


class FakeEvent(_StandIn):
    """Stands for an event of CUDA. Every event has already happened. The time between two events is a
    millisecond."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.device = own_gpu.device
        self.event_id = self.cuda_event = 1

    def query(self) -> bool:
        return True

    def elapsed_time(self, other: Any) -> float:
        return 1.0


def patch_streams(patches: Patches) -> Streams:
    """Makes the constructors of streams and events return stand-ins. Returns the streams of the run."""
    FakeStream.real, FakeEvent.real = torch.cuda.Stream, torch.cuda.Event
    streams = Streams()
    for real, make in ((torch.cuda.Stream, streams.make), (torch.cuda.ExternalStream, streams.make), (torch.cuda.Event, FakeEvent)):
        patches.set(real, "__new__", _constructor(real, make))
    for name, make, stand_in in (("Stream", streams.make, FakeStream), ("Event", FakeEvent, FakeEvent)):
        if hasattr(torch, name):
            patches.set(torch, name, _class_like(getattr(torch, name), make, stand_in))
    return streams


def _constructor(real: Any, make: Callable[..., Any]) -> Any:
    def new(cls: Any, *arguments: Any, **named: Any) -> Any:
        return make(*arguments, **named)

    return staticmethod(new)


def _class_like(real: Any, make: Callable[..., Any], stand_in: Any) -> Any:
    """Returns a class that replaces torch.Stream or torch.Event, which are compiled and cannot be changed."""

    class Kind(type):
        def __instancecheck__(cls, one: Any) -> bool:
            return isinstance(one, (real, stand_in.real))

        def __getattr__(cls, name: str) -> Any:
            return getattr(real, name)

    class Like(metaclass=Kind):
        def __new__(cls, *arguments: Any, **named: Any) -> Any:
            return make(*arguments, **named)

    Like.__name__ = Like.__qualname__ = real.__name__
    Like.__module__ = real.__module__
    return Like
