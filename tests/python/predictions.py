"""Makes predictions for test_memory_predict.py. PyTorch is imported once, and each prediction then runs in a
separate process.

Reads a JSON list of calls (keyword arguments of memgauge.predict) and prints a JSON list of results. A call that
fails gives {"error": text, "code": exit code}.
"""

import importlib
import json
import resource
import sys
import time

from memgauge import errors
from memgauge import predict
from memgauge.prediction.search import in_own_process


def with_text(prediction):
    return {**prediction, "text": str(prediction)}


def result(call):
    call = dict(call)
    started = time.monotonic()
    try:
        content = in_own_process(lambda: with_text(predict(call.pop("script"), **call)))
    except errors.Error as problem:
        return {"error": str(problem), "code": problem.code}
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return {**content, "seconds": time.monotonic() - started, "host_bytes": peak}


for name in ("torch", "torch._dynamo"):
    importlib.import_module(name)
json.dump([result(call) for call in json.load(sys.stdin)], sys.stdout)
