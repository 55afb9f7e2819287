"""python -m memgauge explain snapshot.pickle"""

import argparse
import json
import os
import sys
from typing import Any, List, Optional

from .errors import Error, InputError, UsageError
from .explanations import Explanation, explain, explain_message, predict
from .run import run_script


def _explained(given: argparse.Namespace) -> Explanation:
    if (given.file is None) == (given.message is None):
        raise UsageError("give either the file of a snapshot or --message with the text of an error message")
    if given.message is None:
        return explain(
            given.file, device=given.device, capacity=given.capacity, setting=given.setting, page=given.page, begin=given.begin, end=given.end
        )
    if any(one is not None for one in (given.device, given.capacity, given.setting, given.page, given.begin, given.end)):
        raise UsageError("--device, --capacity, --setting, --from, --to and --page have no effect on an error message. Leave them out")
    if given.message == "-":
        return explain_message(sys.stdin.read())
    try:
        with open(given.message, encoding="utf-8", errors="replace") as file:
            return explain_message(file.read())
    except OSError as problem:
        raise InputError(f"{given.message}: cannot be read: {problem.strerror}") from problem


def _add_explain(verbs: Any) -> None:
    explaining = verbs.add_parser("explain", help="explain a snapshot of torch.cuda.memory")
    explaining.add_argument("file", nargs="?", help="snapshot that torch.cuda.memory._dump_snapshot() wrote, or a folder of them")
    explaining.add_argument(
        "--message", metavar="FILE", help="file with the text of an out-of-memory error, or - for standard input"
    )
    explaining.add_argument("--device", help="number of a device [the device that ran out of memory, or the largest by reserved memory]")
    explaining.add_argument("--capacity", help="memory of the GPU, for example 24GiB [as recorded, or unlimited]")
    explaining.add_argument("--setting", help="explain the run under this PYTORCH_CUDA_ALLOC_CONF [as recorded]")
    explaining.add_argument("--from", dest="begin", help="first event to explain: its number, or its time after the first event, as 1.5s")
    explaining.add_argument("--to", dest="end", help="event before which the explanation ends, as in --from")
    explaining.add_argument("--page", help="write this HTML page")
    explaining.add_argument("--json", action="store_true", help="print JSON instead of text")
    explaining.set_defaults(work=_explained)


def _add_predict(verbs: Any) -> None:
    predicting = verbs.add_parser(
        "predict",
        help="predict the GPU memory of a PyTorch script, without a GPU",
        epilog="Put the arguments of the script after --: predict train.py --capacity 24GiB -- --epochs 1",
    )
    predicting.add_argument("script", help="Python script that trains a model on the device cuda")
    predicting.add_argument("--capacity", help="memory of the GPU, for example 24GiB [memory of --gpu, or unlimited]")
    predicting.add_argument("--gpu", help="GPU that selects kernels and workspaces, for example h100, a100 or t4 [a100]")
    predicting.add_argument(
        "--torch", metavar="VERSION", help="version of PyTorch on the GPU machine, for example 2.6 [the installed version]"
    )
    predicting.add_argument("--find", metavar="NAME", help="find the largest value of this argument of the script that fits")
    predicting.add_argument(
        "--steps", type=int, default=3, help="stop after this many optimizer steps, at least 2, or 0 to run the whole script [3]"
    )
    predicting.add_argument(
        "--seconds", type=float, default=120, help="stop after this computing time. Training does not stop before two optimizer steps [120]"
    )
    predicting.add_argument(
        "--ranks", type=int, metavar="N", help="predict each of N processes with one GPU each, for DDP and FSDP [one process]"
    )
    predicting.add_argument("--page", help="also write this HTML page")
    predicting.add_argument("--snapshot", help="also write the predicted allocations as a memory snapshot of PyTorch")
    predicting.add_argument("--json", action="store_true", help="print JSON instead of text")
    predicting.set_defaults(
        work=lambda given: predict(
            given.script,
            capacity=given.capacity,
            gpu=given.gpu,
            torch_version=given.torch,
            find=given.find,
            steps=given.steps,
            seconds=given.seconds,
            page=given.page,
            snapshot=given.snapshot,
            ranks=given.ranks,
            script_arguments=given.script_arguments,
        )
    )


def _add_run(verbs: Any) -> None:
    running = verbs.add_parser(
        "run",
        help="run a script with its GPU memory recorded, and explain if memory runs out",
        epilog="All words after the script are its arguments.",
    )
    running.add_argument("--snapshot", help="snapshot to write if memory runs out [name of the script with .oom.pickle]")
    running.add_argument("--capacity", help="memory of the GPU, for example 24GiB [as recorded]")
    running.add_argument("--page", help="write this HTML page if memory runs out")
    running.add_argument("script", help="Python script to run")
    running.add_argument("script_arguments", nargs=argparse.REMAINDER, help="arguments of the script")


def main(words: Optional[List[str]] = None) -> int:
    """Runs the command line. Returns the exit code, as the program molgauge does (0 done, 1 failed, 2 wrong usage, 3
    input refused)."""
    parser = argparse.ArgumentParser(
        prog="memgauge",
        description="Explain why a PyTorch program ran out of GPU memory, and predict how much memory it needs",
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    _add_explain(verbs)
    _add_predict(verbs)
    _add_run(verbs)
    words = sys.argv[1:] if words is None else list(words)
    script_arguments: List[str] = []
    if words[:1] == ["predict"] and "--" in words:
        end = words.index("--")
        words, script_arguments = words[:end], words[end + 1 :]
    given = parser.parse_args(words)
    try:
        if given.verb == "run":
            return run_script(
                given.script, given.script_arguments, snapshot=given.snapshot, capacity=given.capacity, page=given.page
            )
        given.script_arguments = script_arguments
        found = given.work(given)
    except Error as problem:
        print(f"memgauge: {problem}", file=sys.stderr)
        return problem.code
    except ImportError as problem:  # the library
        print(f"memgauge: {problem}", file=sys.stderr)
        return 1
    try:
        print(json.dumps(found, indent=2) if given.json else found, flush=True)
    except BrokenPipeError:  # the reader, for example head, has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
