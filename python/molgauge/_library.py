"""Declares the C API of libmolgauge (include/molgauge/molgauge.h) for ctypes."""

import ctypes
import functools
import os
from pathlib import Path

from . import errors

API_VERSION = 1

#: The only functions that the library of memgauge has.
_OF_MEMORY = (
    "molgauge_version",
    "molgauge_api_version",
    "molgauge_last_error",
    "molgauge_open",
    "molgauge_set_log_level",
    "molgauge_close",
    "molgauge_stop",
    "molgauge_run",
    "molgauge_explain",
    "molgauge_free",
)

#: The library calls it as log(user, level, text).
LogFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)


class Progress(ctypes.Structure):
    """molgauge_progress."""

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
    """molgauge_session_options."""

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
    """molgauge_texts."""

    _fields_ = [("name", ctypes.c_char_p), ("characters", ctypes.c_char_p), ("offsets", ctypes.POINTER(ctypes.c_int64))]


class Numbers(ctypes.Structure):
    """molgauge_numbers."""

    _fields_ = [("name", ctypes.c_char_p), ("values", ctypes.POINTER(ctypes.c_double))]


def _candidates() -> "list[str]":
    """Returns the paths at which the library may be. They are the file that an environment variable names,
    else the file in the wheel or in the build of a checkout, else a name that the dynamic linker looks up.

    The package memgauge contains libmemgauge.so, which has only the verbs about memory.
    """
    name, variable = ("libmolgauge.so", "MOLGAUGE_LIBRARY")
    if __package__ == "memgauge":
        name, variable = ("libmemgauge.so", "MEMGAUGE_LIBRARY")
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
            "the library of Molgauge cannot be loaded: "
            + "; ".join(problems)
            + ". Install it, or name its file in the environment variable "
            + ("MEMGAUGE_LIBRARY." if __package__ == "memgauge" else "MOLGAUGE_LIBRARY.")
        )
    session = ctypes.c_void_p
    text = ctypes.c_char_p
    owned_text = ctypes.POINTER(ctypes.c_void_p)
    signatures = {
        "molgauge_version": (text, []),
        "molgauge_api_version": (ctypes.c_int, []),
        "molgauge_last_error": (text, []),
        "molgauge_open": (ctypes.c_int, [ctypes.POINTER(SessionOptions), ctypes.POINTER(session)]),
        "molgauge_set_log_level": (ctypes.c_int, [session, ctypes.c_int]),
        "molgauge_close": (None, [session]),
        "molgauge_stop": (None, [session]),
        "molgauge_run": (ctypes.c_int, [session, text, text, owned_text]),
        "molgauge_explain": (ctypes.c_int, [session, text, text, ctypes.c_size_t, owned_text]),
        "molgauge_encoder_width": (ctypes.c_int, [session, text, ctypes.POINTER(ctypes.c_size_t)]),
        "molgauge_encode": (
            ctypes.c_int,
            [session, text, ctypes.POINTER(text), ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, owned_text],
        ),
        "molgauge_free": (None, [ctypes.c_void_p]),
        "molgauge_plain_stream": (
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
        "molgauge_array_stream": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p, _StreamPointer]),
        "molgauge_stream_again": (ctypes.c_int, [_StreamPointer, _StreamPointer]),
        "molgauge_fit_domain": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "molgauge_judge": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "molgauge_domain": (ctypes.c_int, [session, text, _StreamPointer, owned_text]),
        "molgauge_score": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "molgauge_predict": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "molgauge_features": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "molgauge_atom_features": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer, owned_text]),
        "molgauge_conformers": (ctypes.c_int, [session, text, _StreamPointer, _StreamPointer]),
        "molgauge_depict": (
            ctypes.c_int,
            [session, ctypes.c_int, ctypes.c_int, _StreamPointer, _StreamPointer],
        ),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name, None)
        if function is None and __package__ == "memgauge" and name not in _OF_MEMORY:
            continue
        if function is None:
            raise ImportError(f"{library._name}: no function {name}. Install the package and the library from the same release")
        function.restype = result
        function.argtypes = arguments
    if library.molgauge_api_version() != API_VERSION:
        raise ImportError(
            f"this package uses version {API_VERSION} of Molgauge's C API, the library found "
            f"version {library.molgauge_api_version()}. Install both from one release"
        )
    return library


@functools.lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """Returns the library. It is loaded only once."""
    return load()


def require_done(status: int) -> None:
    """Raises the error of the last call in this thread if the status is not 0."""
    if status != 0:
        raise errors.of_status(status, library().molgauge_last_error().decode(errors="replace"))
