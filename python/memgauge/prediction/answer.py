"""Makes a Prediction from a recorded stream. Replays the lower and the upper estimate through the simulated
allocator."""

import os
import tempfile
from html import escape
from typing import Any, Dict, List, Optional, Tuple

from .. import errors
from .._html import frame
from .._session import session
from . import serving
from .cards import Card
from .catching import Failure
from .replaced import is_of_script
from .running import Recorded
from .sizes import shown

FORMAT_VERSION = 1

#: A script is "tight" if less than this share of the card stays free. The memory of drivers and kernels
#: varies by about this share.
TIGHT_SHARE = 0.03

_SHOWN_HOLDERS = 8
_SHOWN_CHANGES = 5
_SHOWN_REPLACEMENTS = 12
_SHOWN_PLACES = 3


class Prediction(Dict[str, Any]):
    """The predicted memory of a script, a dict with the content of the JSON of ``predict --json``
    (docs/how-to/predict-gpu-memory.md).

    Attributes
    ----------
    page:
        The file of the page, or None.

    Examples
    --------
    >>> Prediction({"verdict": "fits", "peak_allocated_bytes": 1024}).verdict
    'fits'
    """

    def __init__(self, content: Dict[str, Any], page: Optional[str] = None) -> None:
        super().__init__(content)
        self.page = page

    @property
    def verdict(self) -> Optional[str]:
        """"fits", "tight" or "does not fit". None without a capacity."""
        return self["verdict"]

    @property
    def peak_allocated_bytes(self) -> int:
        """The peak of the allocated memory in bytes."""
        return self["peak_allocated_bytes"]

    def __str__(self) -> str:
        return _text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        if self.page is None:
            return f"<pre>{escape(str(self))}</pre>"
        with open(self.page, encoding="utf-8") as file:
            return frame(file.read(), height="40em")


def _simulated(path: str, limit: Optional[int]) -> Dict[str, Any]:
    request: Dict[str, Any] = {"trace": path}
    if limit is not None:
        request["capacity"] = limit
    return session().run("simulate", request)["runs"][0]


def _explained(path: str, limit: Optional[int], page: Optional[str]) -> Dict[str, Any]:
    from ..explanations import explain

    return explain(path, capacity=limit, page=page)


def _limit(recorded: Recorded, card: Card, capacity: int) -> int:
    """Returns the memory that the allocator may take from the card."""
    limit = capacity - card.context_bytes
    if limit <= 0:
        raise errors.UsageError(
            f"the capacity of {shown(capacity)} is less than the CUDA context, which takes about {shown(card.context_bytes)}. "
            "Give the memory of the whole card"
        )
    return limit if recorded.memory_fraction is None else min(limit, int(recorded.memory_fraction * capacity))


def first_failure(recorded: Recorded, card: Card, capacity: int) -> Optional[Failure]:
    """Returns the first request that fails on the card, or None."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "prediction.pickle")
        recorded.stream.write(path, upper=False, setting=recorded.setting, marks=False)
        failed = _simulated(path, _limit(recorded, card, capacity))["run_out"]
    if failed is None:
        return None
    number = int(failed["event"])
    return Failure(number, [one.size for one in recorded.stream.events if not one.upper_only][number])


def _verdict(low: Dict[str, Any], high: Dict[str, Any], needed: int, capacity: int) -> str:
    if not low["fits"]:
        return "does not fit"
    if not high["fits"] or needed > capacity * (1 - TIGHT_SHARE):
        return "tight"
    return "fits"


def answer(
    recorded: Recorded,
    name: str,
    card: Card,
    capacity: Optional[int],
    torch_version: Optional[str] = None,
    page: Optional[str] = None,
    snapshot: Optional[str] = None,
    find: Optional[Dict[str, Any]] = None,
    upper: Optional[Recorded] = None,
) -> Prediction:
    """Replays the stream and returns the prediction. ``capacity`` is the memory of the card, or None for no limit.
    ``find`` is the result of a search. ``upper`` is the run in which all sizes that depend on values are as large as possible, or
    None if there are none.

    Raises InputError if the script put nothing on the GPU.
    """
    import torch

    if not recorded.stream.events and recorded.ended_by.startswith("stopped"):
        raise errors.InputError(
            f"{name}: {recorded.ended_by}, and before the script put a tensor on the device cuda. Give the script more time with --seconds"
        )
    if not recorded.stream.events:
        raise errors.InputError(
            f"{name}: the script put no tensor on the device cuda, so there is no GPU memory to predict. Select the GPU in the "
            "script, or pass the option that does so after --"
        )
    limit = None if capacity is None else _limit(recorded, card, capacity)
    with tempfile.TemporaryDirectory() as folder:
        low_path = snapshot or os.path.join(folder, "prediction.pickle")
        recorded.stream.write(low_path, upper=False, setting=recorded.setting)
        high_path = os.path.join(folder, "upper.pickle")
        (upper or recorded).stream.write(high_path, upper=True, setting=recorded.setting)
        low, high = _simulated(low_path, None), _simulated(high_path, None)
        verdict = None
        failing_limit = None
        if capacity is not None and limit is not None:
            low_limited, high_limited = _simulated(low_path, limit), _simulated(high_path, limit)
            needed = max(low["peak_reserved_bytes"], high["peak_reserved_bytes"]) + card.context_bytes
            verdict = _verdict(low_limited, high_limited, needed, capacity)
            failing_limit = limit if verdict == "does not fit" else None
        explanation = _explained(low_path, failing_limit, page)
    # A snapshot does not contain the types of tensors.
    followed = [one["change"] for one in explanation["savings"] if recorded.has_half_precision and "bf16" in one["change"]]
    reserved = sorted((low["peak_reserved_bytes"], high["peak_reserved_bytes"]))
    prediction = Prediction(
        {
            "format_version": FORMAT_VERSION,
            "kind": "prediction",
            "script": name,
            "torch_version": torch_version or torch.__version__,
            "gpu": card.name,
            "capacity_bytes": capacity,
            "peak_allocated_bytes": low["peak_allocated_bytes"],
            "peak_allocated_bytes_high": max(low["peak_allocated_bytes"], high["peak_allocated_bytes"]),
            "peak_reserved_bytes_low": reserved[0],
            "peak_reserved_bytes_high": reserved[1],
            "context_bytes": card.context_bytes,
            "verdict": verdict,
            "fits": None if verdict is None else verdict == "fits",
            "serving": recorded.serving,
            "optimizer_steps": recorded.optimizer_steps,
            "ended_by": recorded.ended_by,
            "caught": recorded.caught,
            "cause": _cause(explanation, low["peak_allocated_bytes"], limit) if verdict == "does not fit" else "",
            "holders": explanation["holders"],
            "cures": explanation["cures"],
            "savings": [one for one in explanation["savings"] if one["change"] not in followed],
            "leaks": explanation["leaks"],
            "replacements": recorded.replacements.listed(),
            "notes": _notes(recorded, capacity),
            "find": find,
            "ranks": None,
        },
        page,
    )
    if page is not None:
        add_to_page(page, prediction, low_path, followed)
    return prediction


def of_ranks(found: Dict[int, Prediction], largest: int, count: int) -> Prediction:
    """Returns the prediction of the rank that needs most memory, with the peaks of all ranks that ran."""
    names = ("verdict", "peak_allocated_bytes", "peak_allocated_bytes_high", "peak_reserved_bytes_low", "peak_reserved_bytes_high")
    prediction = found[largest]
    prediction["ranks"] = {
        "count": count,
        "largest": largest,
        "peaks": [{"rank": rank, **{name: one[name] for name in names}} for rank, one in found.items()],
    }
    prediction["notes"].append(
        "Each rank ran alone. Collective operations return the data of the same rank. Buffers of NCCL, which are outside the allocator, "
        "are not included"
    )
    return prediction


def _rank_lines(ranks: Dict[str, Any]) -> List[str]:
    peaks = ranks["peaks"]
    texts = [
        f"{shown(one['peak_allocated_bytes_high'])} allocated, {shown(one['peak_reserved_bytes_high'])} reserved" for one in peaks
    ]
    if len(set(texts)) == 1:
        which = f"all {ranks['count']} ranks" if len(peaks) == ranks["count"] else f"{len(peaks)} of {ranks['count']} ranks that ran"
        return [f"The peaks are equal for {which}."]
    return [f"rank {one['rank']}: {text}" for one, text in zip(peaks, texts)]


def _cause(explanation: Dict[str, Any], peak: int, limit: Optional[int]) -> str:
    """Returns the cause of a script that does not fit. At the first failed request, gaps may be the cause, although the script needs
    more than the card later."""
    if explanation["cause"] != "fragmentation" or limit is None or peak <= limit:
        return str(explanation["cause_text"])
    return (
        f"The tensors of the script need {shown(peak)} at the peak, and {shown(limit)} are available next to the CUDA context. No change "
        "of the allocator helps."
    )


def _origin(holder: Dict[str, Any], times: int) -> str:
    """Returns the origin of a holder. If the same line of the script is the origin of several holders, adds the innermost frame of
    the library that allocated."""
    if times < 2:
        return str(holder["origin"])
    files = [one.rpartition("(")[2].partition(":")[0] for one in holder["frames"]]
    inner = next((one for one, file in zip(holder["frames"], files) if file != files[0] and not file.startswith("torch/")), None)
    return str(holder["origin"]) + (f", in {inner}" if inner else "")


def _notes(recorded: Recorded, capacity: Optional[int]) -> List[str]:
    notes = list(recorded.notes)
    if capacity is None and recorded.catches_out_of_memory:
        notes.append(
            "The script catches OutOfMemoryError. Without a capacity, memory never runs out in this prediction. Set --capacity or --gpu"
        )
    if recorded.optimizer_steps < 2 and (recorded.serving is None or recorded.optimizer_steps > 0):
        notes.append(
            f"The script made {recorded.optimizer_steps} optimizer steps. With fewer than two, the memory of training is not "
            "complete: optimizers allocate their state in the first step"
        )
    largest = recorded.stream.largest_upper()
    if largest is not None:
        size, operator, frames = largest
        place = next((f" at {os.path.basename(file)}:{line}" for file, line, _ in frames if is_of_script(file)), "")
        notes.append(
            "cuDNN chooses the algorithms of convolutions and recurrent layers at run time. Only the upper figures contain large workspaces "
            f"for them. The largest workspace is {shown(size)} ({operator}{place})"
        )
    places = recorded.replacements.decide_sizes()
    if places:
        notes.append(
            f"Sizes depend on values that are not computed ({', '.join(places[:4])}). Lower figures: as few elements as possible, or "
            "an equal share for each class. Upper figures: as many as possible. Holders and savings belong to the lower figures"
        )
    if recorded.stream.empty_cache_calls:
        notes.append(
            f"The reserved memory is estimated without the calls of torch.cuda.empty_cache() ({recorded.stream.empty_cache_calls}) and may "
            "be too high"
        )
    if recorded.attention:
        backends = ", ".join(f"{name} ({times} calls)" for name, times in sorted(recorded.attention.items()))
        notes.append(f"Backends of scaled_dot_product_attention on this card: {backends}")
    return notes


def _serves(prediction: Dict[str, Any]) -> bool:
    """Whether the script runs a model with a cache, and does not train."""
    return prediction["serving"] is not None and prediction["optimizer_steps"] == 0


def _summary(prediction: Dict[str, Any]) -> List[str]:
    low, high = prediction["peak_reserved_bytes_low"], prediction["peak_reserved_bytes_high"]
    peak, peak_high = prediction["peak_allocated_bytes"], prediction["peak_allocated_bytes_high"]
    capacity, verdict = prediction["capacity_bytes"], prediction["verdict"]
    lines = [
        f"{prediction['script']} on {prediction['gpu']}, PyTorch {prediction['torch_version']}, "
        + (f"{prediction['serving']['calls']} forward passes" if _serves(prediction) else f"{prediction['optimizer_steps']} optimizer steps")
        + f" ({prediction['ended_by']})",
        f"peak allocated: {shown(peak)}" + (f" to {shown(peak_high)}" if peak_high != peak else ""),
        f"peak reserved:  {shown(low)}" + (f" to {shown(high)}" if high != low else ""),
        f"CUDA context:   about {shown(prediction['context_bytes'])}, outside the allocator",
    ]
    if prediction["ranks"] is not None:
        lines[0] = f"rank {prediction['ranks']['largest']} of {prediction['ranks']['count']}: " + lines[0]
        lines[3:3] = _rank_lines(prediction["ranks"]) if prediction["ranks"]["count"] > 1 else []
    if _serves(prediction):
        room = None if capacity is None else capacity - prediction["context_bytes"] - peak_high
        lines += serving.described(prediction["serving"], room)
    caught = prediction["caught"]
    if caught:
        times = f"{len(caught)} times, first" if len(caught) > 1 else "once,"
        lines.append(
            f"Memory runs out {times} at {caught[0]['place']} ({shown(caught[0]['requested_bytes'])} requested, "
            f"{shown(caught[0]['in_use_bytes'])} in use). The script catches the error and continues."
        )
    if verdict is not None:
        most = shown(high + prediction["context_bytes"])
        least = shown(low + prediction["context_bytes"])
        needed = most if least == most else f"{least} to {most}"
        lines.append(f"It {verdict if verdict != 'tight' else 'is tight'}: {needed} of {shown(capacity)} are needed.")
    if prediction["cause"]:
        lines.append(prediction["cause"])
    found = prediction["find"]
    if found is not None:
        lines.append(_found_line(found))
    return lines


def _found_line(found: Dict[str, Any]) -> str:
    if found["value"] is None:
        return f"The smallest {found['name']}, {found['tried'][0]['value']}, does not fit."
    if found["too_large"] is not None:
        return f"The largest {found['name']} that fits is {found['value']}. {found['too_large']} does not fit."
    if len(found["tried"]) > 1 and len({one["peak_reserved_bytes_high"] for one in found["tried"]}) == 1:
        return f"The memory is the same for each {found['name']}. Check that the script reads this argument."
    return f"The largest {found['name']} that was tried is {found['value']}. It fits."


def _text(prediction: Dict[str, Any]) -> str:
    lines = _summary(prediction)
    lines += ["", "In use at the peak:" if prediction["verdict"] != "does not fit" else "In use when memory runs out:"]
    held = prediction["holders"][:_SHOWN_HOLDERS]
    lines_of = [holder["frames"][0] if holder["frames"] else "" for holder in held]
    for holder, line in zip(held, lines_of):
        origin = _origin(holder, lines_of.count(line))
        lines.append(f"  {shown(holder['bytes']):>10}  {holder['blocks']:>5} blocks  {origin} [{holder['role']}]")
    cures = [one for one in prediction["cures"] if one["is_cure"]][:_SHOWN_CHANGES]
    if cures:
        lines += ["", "Changes that help, simulated:"]
        lines += [f"  {one['change']}: {shown(one['peak_reserved_bytes'])} reserved" for one in cures]
    savings = prediction["savings"][:_SHOWN_CHANGES]
    if savings:
        lines += ["", "Changes that lower the peak:"]
        for one in savings:
            how = "simulated" if one["is_simulated"] else "estimated"
            lines.append(f"  {shown(one['saved_bytes']):>10}  {one['change']} ({one['price']}, {how})")
    for leak in prediction["leaks"]:
        lines.append(f"Every iteration keeps {shown(leak['bytes_per_iteration'])} from {leak['origin']}.")
    lines += _replacement_lines(prediction["replacements"])
    if prediction["notes"]:
        lines += ["", "Limits of this prediction:"]
        lines += [f"  {note}." for note in prediction["notes"]]
    return "\n".join(lines)


def _replacement_lines(replacements: List[Dict[str, Any]]) -> List[str]:
    if not replacements:
        return []
    lines = ["", "Replaced values, because nothing was computed:"]
    places: Dict[Tuple[str, str], List[str]] = {}
    for one in replacements:
        times = f" ({one['times']} times)" if one["times"] > 1 else ""
        places.setdefault((one["value"], one["replaced_by"]), []).append(one["place"] + times)
    for (value, by), at in list(places.items())[:_SHOWN_REPLACEMENTS]:
        more = f" and {len(at) - _SHOWN_PLACES} more places" if len(at) > _SHOWN_PLACES else ""
        lines.append(f"  {value} -> {by}: {', '.join(at[:_SHOWN_PLACES])}{more}")
    if len(places) > _SHOWN_REPLACEMENTS or any(len(at) > _SHOWN_PLACES for at in places.values()):
        lines.append("  --json lists all replaced values.")
    return lines


def add_to_page(page: str, prediction: Dict[str, Any], snapshot: str, followed: List[str]) -> None:
    """Adds the prediction to a page that ``explain`` has written, before its first section. Replaces the name of the
    snapshot by the name of the script. Removes the rows of the changes that the script follows already."""
    with open(page, encoding="utf-8") as file:
        lines_of_page = file.readlines()
    content = "".join(
        one for one in lines_of_page if not (one.startswith("<tr>") and any(escape(change) in one for change in followed))
    )
    lines = _summary(prediction)
    rows = "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    listed = "".join(f"<li>{escape(line.strip())}</li>\n" for line in _replacement_lines(prediction["replacements"])[2:])
    listed += "".join(f"<li>{escape(note)}.</li>\n" for note in prediction["notes"])
    section = f'<section id="prediction"><h2>Prediction</h2>\n{rows}'
    if listed:
        section += f"<h3>Replaced values and limits</h3>\n<ul>{listed}</ul>\n"
    section += "</section>\n"
    content = content.replace("<h1>Memory explained</h1>", "<h1>Memory predicted</h1>", 1)
    content = content.replace(escape(snapshot), escape(prediction["script"]))
    start = content.find("<main>")
    start = start + len("<main>") if start >= 0 else len(content)
    with open(page, "w", encoding="utf-8") as file:
        file.write(content[:start] + "\n" + section + content[start:])
