"""Checks in tests that a training step stays within a memory budget."""

from typing import TYPE_CHECKING, Any, Union

from . import predict
from .sizes import parse_size, shown

if TYPE_CHECKING:
    from .answer import Prediction

_SHOWN_HOLDERS = 5


def assert_peak(step: Any, below: Union[int, str], **options: Any) -> "Prediction":
    """Predicts a step, and raises AssertionError if its peak reserved memory is not below a budget.

    Parameters
    ----------
    step:
        As in ``predict``.
    below:
        The budget for the peak reserved memory, as "20GiB" or in bytes. The upper end of the prediction must be below it.
    options:
        The arguments of ``predict``. With ``capacity``, the script must also fit on the card.

    Returns
    -------
    Prediction
        The prediction.

    Raises
    ------
    AssertionError
        If the step needs more. The message names the largest holders of memory.
    UsageError
        If a part of the script cannot be predicted.
    Error
        If the script fails.

    Examples
    --------
    >>> assert_peak("no-such-script.py", below="20GB")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    headroom...errors.UsageError: below 20GB: invalid size. Write a number with KiB, MiB, GiB or TiB, such as 24GiB
    """
    budget = parse_size(below, "below")
    prediction = predict(step, **options)
    peak = prediction["peak_reserved_bytes_high"]
    if peak < budget and prediction["verdict"] != "does not fit":
        return prediction
    reason = f"The peak reserved memory of {prediction['script']} is {shown(peak)}, and the budget is {shown(budget)}."
    if peak < budget:
        reason = f"{prediction['script']} does not fit in {shown(prediction['capacity_bytes'])}. {prediction['cause']}"
    held = [f"  {shown(one['bytes'])}  {one['origin']} [{one['role']}]" for one in prediction["holders"][:_SHOWN_HOLDERS]]
    raise AssertionError("\n".join([reason, "In use at the peak:", *held]))
