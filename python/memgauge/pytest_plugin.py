"""Adds the fixture ``assert_peak`` to pytest.

>>> def test_memory(assert_peak):
...     assert_peak(step, below="20GiB", capacity="24GiB", batch_size=32)
"""

from typing import Any, Callable

import pytest


@pytest.fixture
def assert_peak() -> Callable[..., Any]:
    """Returns memgauge.assert_peak."""
    from . import assert_peak as check

    return check
