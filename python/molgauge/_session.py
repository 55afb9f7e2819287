"""Opens one session of the library in each process. The first call that needs the session opens it."""

import atexit
import ctypes
import json
import math
import logging
import os
import queue
import sys
import threading
from typing import Any, Callable, Dict, List, Optional

from . import errors
from ._library import ArrowArrayStream, LogFunction, ProgressFunction, SessionOptions, library, require_done

logger = logging.getLogger(__package__)

# The log level of Python for each molgauge_log_level, from trace to error.
_LEVELS = (5, logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR)


class _Bars:
    """Progress bars on a terminal and in notebooks. They need the package tqdm."""

    def __init__(self) -> None:
        self.enabled: Optional[bool] = None  # None shows bars only on a terminal and in a notebook
        self._bars: Dict[str, Any] = {}

    def _wanted(self) -> bool:
        if self.enabled is not None:
            return self.enabled
        return sys.stderr.isatty() or "ipykernel" in sys.modules

    def show(self, title: str, unit: str, done: int, total: int, finished: bool) -> None:
        if title not in self._bars:
            if not self._wanted():
                return
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bars[title] = tqdm(desc=title, unit=" " + unit, total=total or None, leave=False)
        bar = self._bars[title]
        bar.update(done - bar.n)
        if finished:
            del self._bars[title]
            bar.close()


bars = _Bars()


def show_progress(shown: Optional[bool]) -> None:
    """Shows or hides the progress bars of later calls. The bars need the package tqdm.

    Parameters
    ----------
    shown:
        True shows progress bars, and False hides them. None shows them on a terminal and in a notebook.

    Examples
    --------
    >>> molgauge.show_progress(False)
    """
    bars.enabled = shown


class _Helper:
    """A thread that runs one call at a time. It is reused for later calls, because the library keeps data for each
    thread."""

    def __init__(self) -> None:
        self._work: "queue.SimpleQueue[Callable[[], None]]" = queue.SimpleQueue()
        threading.Thread(target=self._run, name="molgauge", daemon=True).start()

    def _run(self) -> None:
        while True:
            self._work.get()()

    def start(self, work: Callable[[], None]) -> None:
        """Runs ``work`` in the thread, as soon as the thread is free. ``work`` must not raise an
        exception."""
        self._work.put(work)


def request_text(request: Dict[str, Any]) -> bytes:
    """Returns a request as JSON. Paths may be ``pathlib.Path`` or any other ``os.PathLike`` object."""

    def plain(value: Any) -> Any:
        if isinstance(value, os.PathLike):
            return os.fsdecode(os.fspath(value))
        if hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0:  # a scalar of NumPy
            return value.item()
        raise errors.UsageError(f"a {type(value).__name__} is not a value of an option: {value!r:.80}")

    request = {name: plain(value) if isinstance(value, os.PathLike) else value for name, value in request.items()}
    for name, value in request.items():
        for text in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(text, float) and not math.isfinite(text):
                raise errors.UsageError(f"{name}: {text} is not a finite number. Pass a number, or leave {name} out")
            if isinstance(text, str) and any("\ud800" <= letter <= "\udfff" for letter in text):
                raise errors.UsageError(f"{name}: {text!r:.80} is not UTF-8. Rename the file or the folder")
    return json.dumps(request, default=plain).encode()


def _without_nul(text: str) -> bytes:
    # In the C API, a text ends at its first NUL character.
    if "\0" in text:
        raise errors.UsageError(f"{text[:80]!r} has a NUL character. Remove it")
    return text.encode("utf-8", "replace")  # a lone surrogate becomes "?", as in tables


def _level_of_logger() -> int:
    """Returns the molgauge_log_level that corresponds to the current level of the logger ``molgauge``."""
    lowest = logger.getEffectiveLevel()
    return next((i for i, known in enumerate(_LEVELS) if known >= lowest), len(_LEVELS))


class Session:
    """Calls functions of the C API, and adds Python exceptions, Python logging and the handling of Ctrl-C.

    A process has one session. ``lender`` is a session of molgauge whose handle memgauge uses.
    """

    library: ctypes.CDLL
    _handle: ctypes.c_void_p
    _level: int

    def __init__(self, lender: "Optional[Session]" = None) -> None:
        self._process = os.getpid()
        self._widths: Dict[str, int] = {}
        self._idle: List[_Helper] = []  # free threads. There are at most as many as parallel calls
        self.is_lent = lender is not None
        self.library: ctypes.CDLL = lender.library if lender is not None else library()
        self._handle: ctypes.c_void_p = lender._handle if lender is not None else ctypes.c_void_p()
        self._level: int = _level_of_logger()
        if lender is not None:
            return
        # These objects must live as long as the session is open, because the library calls them.
        self._log = LogFunction(self._take_log)
        self._progress = ProgressFunction(self._take_progress)
        options = SessionOptions(ctypes.sizeof(SessionOptions), self._level, self._log, self._progress, None, 0)
        require_done(self.library.molgauge_open(ctypes.byref(options), ctypes.byref(self._handle)))

    def close(self) -> None:
        """Closes the session, if this process opened it."""
        if self._handle and self._process == os.getpid() and not self.is_lent:
            self.library.molgauge_close(self._handle)
        self._handle = ctypes.c_void_p()

    def run(self, verb: str, request: Dict[str, Any]) -> Any:
        """Runs a verb and returns its report."""
        return self._report(
            lambda report: self.library.molgauge_run(
                self._handle, verb.encode(), request_text(request), ctypes.byref(report)
            )
        )

    def explain(self, request: Dict[str, Any], content: bytes) -> Any:
        """Returns the report of ``molgauge memory explain`` for a snapshot, a trace or a message in
        memory."""
        words = request_text(request)
        return self._report(
            lambda report: self.library.molgauge_explain(
                self._handle, words, content, len(content), ctypes.byref(report)
            )
        )

    def encode(self, smiles: "list[str]", rows: Any, request: Dict[str, Any]) -> Any:
        """Fills ``rows``, a float32 array [len(smiles), width], and returns the report."""
        texts = (ctypes.c_char_p * len(smiles))(*[_without_nul(one) for one in smiles])
        words = request_text(request)
        return self._report(
            lambda report: self.library.molgauge_encode(
                self._handle, words, texts, len(smiles), rows.ctypes.data, rows.shape[1], ctypes.byref(report)
            )
        )

    def fit_domain(
        self, request: Dict[str, Any], training: ArrowArrayStream, calibration: Optional[ArrowArrayStream]
    ) -> Any:
        """Calibrates and saves a domain, and returns the report."""
        words = request_text(request)
        calibrated = None if calibration is None else ctypes.byref(calibration)
        return self._report(
            lambda report: self.library.molgauge_fit_domain(
                self._handle, words, ctypes.byref(training), calibrated, ctypes.byref(report)
            )
        )

    def write_domain(self, request: Dict[str, Any], molecules: ArrowArrayStream) -> Any:
        """Judges the candidates in a file, writes the files that the request names, and returns the report."""
        words = request_text(request)
        return self._report(
            lambda report: self.library.molgauge_domain(
                self._handle, words, ctypes.byref(molecules), ctypes.byref(report)
            )
        )

    def judge(self, request: Dict[str, Any], molecules: ArrowArrayStream) -> "tuple[ArrowArrayStream, Any]":
        """Judges molecules. Returns the verdicts and the report."""
        return self._table(self.library.molgauge_judge, request, molecules)

    def score(self, request: Dict[str, Any], molecules: ArrowArrayStream) -> "tuple[ArrowArrayStream, Any]":
        """Scores molecules. Returns the scores and the report."""
        return self._table(self.library.molgauge_score, request, molecules)

    def atom_features(self, request: Dict[str, Any], molecules: ArrowArrayStream) -> "tuple[ArrowArrayStream, Any]":
        """Encodes molecules. Returns a table with the columns features, atoms and reason, and the report."""
        return self._table(self.library.molgauge_atom_features, request, molecules)

    def predict(self, request: Dict[str, Any], molecules: ArrowArrayStream) -> "tuple[ArrowArrayStream, Any]":
        """Predicts properties of molecules. Returns the predictions and the report."""
        return self._table(self.library.molgauge_predict, request, molecules)

    def conformers(self, request: Dict[str, Any], molecules: ArrowArrayStream) -> ArrowArrayStream:
        """Generates conformers. Returns a table with the columns mol_block, atoms and reason."""
        words, result = request_text(request), ArrowArrayStream()
        self._report(
            lambda _: self.library.molgauge_conformers(
                self._handle, words, ctypes.byref(molecules), ctypes.byref(result)
            )
        )
        return result

    def depict(self, molecules: ArrowArrayStream, width: int, height: int) -> ArrowArrayStream:
        """Draws molecules. Returns a table with the columns drawing and reason."""
        result = ArrowArrayStream()
        self._report(
            lambda _: self.library.molgauge_depict(
                self._handle, width, height, ctypes.byref(molecules), ctypes.byref(result)
            )
        )
        return result

    def _table(
        self, function: Any, request: Dict[str, Any], molecules: ArrowArrayStream
    ) -> "tuple[ArrowArrayStream, Any]":
        words, result = request_text(request), ArrowArrayStream()
        report = self._report(
            lambda report: function(
                self._handle, words, ctypes.byref(molecules), ctypes.byref(result), ctypes.byref(report)
            )
        )
        return result, report

    def width(self, encoder: str) -> int:
        """Returns the number of features that the encoder gives a molecule."""
        self._require_own_process()
        if encoder not in self._widths:
            width = ctypes.c_size_t()
            require_done(self.library.molgauge_encoder_width(self._handle, _without_nul(encoder), ctypes.byref(width)))
            self._widths[encoder] = width.value
        return self._widths[encoder]

    def _report(self, call: Callable[[ctypes.c_void_p], int]) -> Any:
        """Runs the call in another thread, because Ctrl-C must reach this thread."""
        self._require_own_process()
        level = _level_of_logger()
        if level != self._level:
            require_done(self.library.molgauge_set_log_level(self._handle, level))
            self._level = level
        report = ctypes.c_void_p()
        outcome: Dict[str, Any] = {}
        done = threading.Lock()  # held until the call has ended. A lock is cheaper than an Event
        done.acquire()

        def work() -> None:
            try:
                outcome["status"] = call(report)
                # The library keeps the error text for each thread, so the thread that made the call must read it.
                outcome["text"] = self.library.molgauge_last_error().decode(errors="replace")
            except BaseException as problem:  # the waiting thread raises it
                outcome["problem"] = problem
            finally:
                done.release()

        try:
            helper = self._idle.pop()
        except IndexError:
            helper = _Helper()
        helper.start(work)
        try:
            done.acquire()
        except KeyboardInterrupt:
            self.library.molgauge_stop(self._handle)
            done.acquire()
            self.library.molgauge_free(report)
            raise
        finally:
            self._idle.append(helper)
        if "problem" in outcome:
            raise outcome["problem"]
        try:
            if outcome["status"] != 0:
                raise errors.of_status(outcome["status"], outcome["text"])
            return json.loads(ctypes.string_at(report.value)) if report.value else None
        finally:
            self.library.molgauge_free(report)

    def _require_own_process(self) -> None:
        if self._process != os.getpid():
            raise errors.UsageError(
                "this process was forked from one that uses Molgauge. Start it with the method 'spawn'"
            )

    @staticmethod
    def _take_log(_user: Any, level: int, text: bytes) -> None:
        logger.log(_LEVELS[min(level, len(_LEVELS) - 1)], "%s", text.decode(errors="replace"))

    @staticmethod
    def _take_progress(_user: Any, pointer: Any) -> None:
        report = pointer.contents
        bars.show(
            report.title.decode(errors="replace"),
            report.unit.decode(errors="replace"),
            report.done,
            report.total,
            bool(report.finished),
        )


_open: Optional[Session] = None
_opening = threading.Lock()


def session() -> Session:
    """Returns the session of this process. If molgauge has opened it, memgauge uses it too. molgauge replaces a session of
    memgauge, whose library lacks most functions."""
    global _open
    with _opening:
        other: Any = sys.modules.get("molgauge._session" if __package__ == "memgauge" else "memgauge._session")
        if __package__ == "memgauge" and other is not None and other._open is not None:
            if _open is None or not _open.is_lent:
                _open = Session(lender=other._open)
        elif _open is None:
            if other is not None and other._open is not None:
                other._open.close()
                other._open = None
            _open = Session()
            atexit.register(_open.close)
        return _open
