"""python -m headroom_memory explain snapshot.pickle"""

import argparse
import json
import sys
from typing import List, Optional

from .errors import Error
from .memory import explain


def main(words: Optional[List[str]] = None) -> int:
    """The exit codes are those of headroom: 0 done, 1 failed, 2 wrong usage, 3 input refused."""
    parser = argparse.ArgumentParser(
        prog="headroom_memory", description="Say why a PyTorch program ran out of GPU memory, and what would have cured it."
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    explaining = verbs.add_parser("explain", help="explain a snapshot of torch.cuda.memory")
    explaining.add_argument("file", help="what torch.cuda.memory._dump_snapshot() wrote")
    explaining.add_argument("--device", help="number of a device [where memory ran out, else the one that reserved the most]")
    explaining.add_argument("--capacity", help="memory of the card, as 24GiB [as recorded, else without limit]")
    explaining.add_argument("--setting", help="explain the run under this PYTORCH_CUDA_ALLOC_CONF [as recorded]")
    explaining.add_argument("--html", help="write this page, too")
    explaining.add_argument("--json", action="store_true", help="print JSON instead of text")
    given = parser.parse_args(words)
    try:
        found = explain(
            given.file, device=given.device, capacity=given.capacity, setting=given.setting, page=given.html
        )
    except Error as problem:
        print(f"headroom_memory: {problem}", file=sys.stderr)
        return problem.code
    print(json.dumps(found, indent=2) if given.json else found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
