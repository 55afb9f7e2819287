"""Code that the comparisons share. It makes environments for other programs, measures Molgauge, and describes the
machine.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import venv


def make_environment(folder, *installations):
    """Returns the Python of an environment. Makes the environment if needed, by calling pip once with each
    of these argument lists."""
    python = folder / "bin" / "python"
    if not is_ready(folder):
        print(f"making {folder} (downloads hundreds of MB)", file=sys.stderr)
        venv.create(folder, with_pip=True)
        for arguments in installations:
            subprocess.run([python, "-m", "pip", "install", "--quiet", *arguments], check=True)
        (folder / "ready").touch()
    return python


def is_ready(folder):
    return (folder / "ready").exists()


def can_import(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def processor():
    """Returns the model of the processor, the number of processors, and the instruction sets that the
    kernels can use."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = next(line.split(": ")[1] for line in text.splitlines() if line.startswith("model name"))
    flags = set(next(line for line in text.splitlines() if line.startswith("flags")).split())
    sets = [name for name in ("avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8") if name in flags]
    return f"{model}, {os.cpu_count()} processors, {' '.join(sets)}"


def measured_encode(command):
    """Returns the seconds, processor seconds and peak bytes of a complete `molgauge encode` into a new store."""
    with tempfile.TemporaryDirectory(prefix="molgauge-peers-") as store:
        clock = os.times()
        process = subprocess.Popen([*command, "--store", store, "--quiet"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = os.times().elapsed - clock.elapsed
    if status != 0:
        sys.exit(f"molgauge failed:\n{errors.decode()[-2000:]}")
    return {"seconds": seconds, "processor_seconds": usage.ru_utime + usage.ru_stime,
            "memory": usage.ru_maxrss * 1024}
