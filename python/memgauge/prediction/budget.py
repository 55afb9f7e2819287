"""Checks in tests that a training step stays within a memory budget."""

from typing import TYPE_CHECKING, Any, Union

from . import predict
from .sizes import parse_size, shown

if TYPE_CHECKING:
    from .answer import Prediction

_SHOWN_HOLDERS = 5


def assert_peak(step: Any, below: Union[int, str], **options: Any) -> "Prediction":
    """The work of ``memgauge.assert_peak``, which describes the arguments and errors."""
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
