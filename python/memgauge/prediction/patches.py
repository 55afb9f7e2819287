"""Replaces attributes of modules and classes, and restores them."""

from typing import Any, List, Tuple

_MISSING = object()


class Patches:
    """Replaces attributes of objects. close() restores them."""

    def __init__(self) -> None:
        self._old: List[Tuple[Any, str, Any]] = []

    def set(self, owner: Any, name: str, value: Any) -> None:
        self._old.append((owner, name, owner.__dict__.get(name, _MISSING)))
        setattr(owner, name, value)

    def set_if_there(self, owner: Any, name: str, value: Any) -> None:
        if hasattr(owner, name):
            self.set(owner, name, value)

    def close(self) -> None:
        for owner, name, value in reversed(self._old):
            if value is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, value)
        self._old.clear()
