"""Covers the threads that a script starts. The modes of a prediction belong to one thread, so every new thread enters them."""

import contextlib
import signal
import threading
import time
from typing import Any, Callable, ContextManager, Iterator, List, Optional

from torch.utils import _python_dispatch as dispatching

from .patches import Patches
from .replaced import Finished, Refusal

#: Time in seconds that a script has after its end until its threads must have ended.
_LONGEST_WAIT = 600.0


@contextlib.contextmanager
def pushed(mode: Any) -> Iterator[None]:
    """Switches a dispatch mode on in this thread. The mode may be on in other threads."""
    dispatching._push_mode(mode)
    try:
        yield
    finally:
        dispatching._pop_mode()


class Threads:
    """Makes the threads of a script enter the modes. ``modes`` returns the contexts that a thread enters."""

    def __init__(self, modes: Callable[[], List[ContextManager[Any]]]) -> None:
        self._modes = modes
        self._patches = Patches()
        self._started: List[threading.Thread] = []
        self._main = threading.get_ident()
        self._handler: Any = None  # the script's handler of SIGINT while end_with() may interrupt the main thread
        self.ending: Optional[BaseException] = None  # Finished or Refusal, raised in a thread

    def open(self) -> None:
        if self._main == threading.main_thread().ident and hasattr(signal, "pthread_kill"):
            # A process that a shell started in the background ignores SIGINT, and would not notice the interrupt.
            self._handler = signal.signal(signal.SIGINT, self._interrupt) or signal.SIG_DFL
        start = threading.Thread.start

        def start_covered(thread: threading.Thread) -> None:
            run = thread.run
            thread.run = lambda: self._run(run)  # type: ignore[method-assign]
            self._started.append(thread)
            start(thread)

        self._patches.set(threading.Thread, "start", start_covered)

    def close(self) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            self._handler = None
        self._patches.close()

    def _interrupt(self, number: int, frame: Any) -> None:
        if self.ending is not None or self._handler == signal.SIG_DFL:
            raise KeyboardInterrupt
        if callable(self._handler):
            self._handler(number, frame)

    def _run(self, run: Callable[[], None]) -> None:
        try:
            with contextlib.ExitStack() as stack:
                for mode in self._modes():
                    stack.enter_context(mode)
                run()
        except (Finished, Refusal) as problem:
            self.end_with(problem)

    def end_with(self, problem: BaseException) -> None:
        """Ends the run because of an exception in a thread. Wakes the main thread, which may wait for this thread."""
        self.ending = self.ending or problem
        if self._handler is not None:
            signal.pthread_kill(self._main, signal.SIGINT)

    def check(self) -> None:
        """Raises the exception that ended another thread."""
        if self.ending is not None:
            raise self.ending

    def wait(self) -> None:
        """Waits for the threads of a script that has ended, as Python does. Workers of thread pools are left alone, because they
        wait for work until Python ends."""
        end = time.monotonic() + _LONGEST_WAIT
        for thread in self._started:
            target = getattr(thread, "_target", None)
            if not thread.daemon and getattr(target, "__module__", "") != "concurrent.futures.thread":
                thread.join(max(0.0, end - time.monotonic()))
        self.check()
