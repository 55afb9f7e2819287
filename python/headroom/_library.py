"""Declares the C API of libheadroom (include/headroom/headroom.h) for ctypes."""

import ctypes
import functools
import os
from pathlib import Path

from . import errors

API_VERSION = 1

#: The only functions that the library of headroom_memory has.
_OF_MEMORY = (
    "headroom_version",
    "headroom_api_version",
    "headroom_last_error",
    "headroom_open",
    "headroom_set_log_level",
    "headroom_close",
    "headroom_stop",
    "headroom_run",
    "headroom_explain",
    "headroom_free",
)

#: The library calls it as log(user, level, text).
LogFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)


class Progress(ctypes.Structure):
    """headroom_progress."""

    _fields_ = [
        ("title", ctypes.c_char_p),
        ("unit", ctypes.c_char_p),
        ("done", ctypes.c_uint64),
        ("total", ctypes.c_uint64),
        ("per_second", ctypes.c_double),
        ("finished", ctypes.c_int),
    ]


#: The library calls it as progress(user, pointer to Progress).
ProgressFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Progress))


class SessionOptions(ctypes.Structure):
    """headroom_session_options."""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("log_level", ctypes.c_int),
        ("log", LogFunction),
        ("progress", ProgressFunction),
        ("user", ctypes.c_void_p),
        ("quiet", ctypes.c_int),
    ]


class ArrowSchema(ctypes.Structure):
    """ArrowSchema of the Arrow C data interface."""


class ArrowArray(ctypes.Structure):
    """ArrowArray of the Arrow C data interface."""


class ArrowArrayStream(ctypes.Structure):
    """ArrowArrayStream of the Arrow C stream interface."""


ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))),
    ("private_data", ctypes.c_void_p),
]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))),
    ("private_data", ctypes.c_void_p),
]
_StreamPointer = ctypes.POINTER(ArrowArrayStream)
ArrowArrayStream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, _StreamPointer, ctypes.POINTER(ArrowSchema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, _StreamPointer, ctypes.POINTER(ArrowArray))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, _StreamPointer)),
    ("release", ctypes.CFUNCTYPE(None, _StreamPointer)),
    ("private_data", ctypes.c_void_p),
]


class Texts(ctypes.Structure):
    """headroom_texts."""

    _fields_ = [("name", ctypes.c_char_p), ("characters", ctypes.c_char_p), ("offsets", ctypes.POINTER(ctypes.c_int64))]


class Numbers(ctypes.Structure):
    """headroom_numbers."""

    _fields_ = [("name", ctypes.c_char_p), ("values", ctypes.POINTER(ctypes.c_double))]


def _candidates() -> "list[str]":
    """Returns the paths at which the library may be. They are the file that an environment variable names,
    else the file in the wheel or in the build of a checkout, else a name that the dynamic linker looks up.

    The package headroom_memory contains libheadroom_memory.so, which has only the verbs about memory.
    """
    name, variable = ("libheadroom.so", "HEADROOM_LIBRARY")
    if __package__ == "headroom_memory":
        name, variable = ("libheadroom_memory.so", "HEADROOM_MEMORY_LIBRARY")
    named = os.environ.get(variable)
    if named:
        return [named]
    built = Path(__file__).parents[2] / "build" / "release" / "lib" / name  # in a checkout
    return [next((str(one) for one in (Path(__file__).parent / "lib" / name, built) if one.exists()), name)]


def load() -> ctypes.CDLL:
    """Loads the library and declares its functions. Raises ImportError if the library is missing or too
    old."""
    problems = []
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
            break
        except OSError as problem:
            problems.append(str(problem))
    else:
        raise ImportError(
            "the library of Headroom cannot be loaded: "
            + "; ".join(problems)
            + ". Install it, or name its file in the environment variable "
            + ("HEADROOM_MEMORY_LIBRARY." if __package__ == "headroom_memory" else "HEADROOM_LIBRARY.")
        )
    session = ctypes.c_void_p
    text = ctypes.c_char_p
    owned_text = ctypes.POINTER(ctypes.c_void_p)
    signatures = {
        "headroom_version": (text, []),
        "headroom_api_version": (ctypes.c_int, []),
        "headroom_last_error": (text, []),
        "headroom_open": (ctypes.c_int, [ctypes.POINTER(SessionOptions), ctypes.POINTER(session)]),
        "headroom_set_log_level": (ctypes.c_int, [session, ctypes.c_int]),
        "headroom_close": (None, [session]),
        "headroom_stop": (None, [session]),
        "headroom_run": (ctypes.c_int, [session, text, text, owned_text]),
        "headroom_explain": (ctypes.c_int, [session, text, text, ctypes.c_size_t, owned_text]),
        "headroom_encoder_width": (ctypes.c_int, [session, text, ctypes.POINTER(ctypes.c_size_t)]),
        "headroom_encode": (
            ctypes.c_int,
            [session, text, ctypes.POINTER(text), ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, owned_text],
        ),
        "headroom_free": (None, [ctypes.c_void_p]),
        "headroom_plain_stream": (
            ctypes.c_int,
            [
                ctypes.c_size_t,
                ctypes.POINTER(Texts),
                ctypes.c_size_t,
                ctypes.POINTER(Numbers),
                ctypes.c_size_t,
                _StreamPointer,
            ],
        ),
        "headroom_array_stream": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, _StreamPointer]),
        "headroom_stream_again": (ctypes.c_int, [_StreamPointer, _StreamPointer]),
        "headroom_fit_domain": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "headroom_judge": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "headroom_domain": (ctypes.c_int, [session, text, _StreamPointer, owned_text]),
        "headroom_score": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "headroom_predict": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "headroom_features": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "headroom_atom_features": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "headroom_conformers": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer]),
        "headroom_depict": (
            ctypes.c_int,
            [session, ctypes.c_int, ctypes.c_int, _StreamPointer, _StreamPointer],
        ),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name, None)
        if function is None and __package__ == "headroom_memory" and name not in _OF_MEMORY:
            continue
        if function is None:
            raise ImportError(f"{library._name}: no function {name}. Install the package and the library from the same release")
        function.restype = result
        function.argtypes = arguments
    if library.headroom_api_version() != API_VERSION:
        raise ImportError(
            f"this package uses version {API_VERSION} of Headroom's C API, the library found "
            f"version {library.headroom_api_version()}. Install both from one release"
        )
    return library


@functools.lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """Returns the library. It is loaded only once."""
    return load()


def require_done(status: int) -> None:
    """Raises the error of the last call in this thread if the status is not 0."""
    if status != 0:
        raise errors.of_status(status, library().headroom_last_error().decode(errors="replace"))
