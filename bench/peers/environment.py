"""What the comparisons share: an environment for the rivals, and what the figures were measured on."""

import os
import pathlib
import subprocess
import sys
import venv


def make_environment(folder, packages):
    """The python of an environment with these packages from PyPI, made once."""
    python = folder / "bin" / "python"
    ready = folder / ("ready-" + "-".join(packages))
    if not ready.exists():
        print(f"making {folder} with {', '.join(packages)} (downloads hundreds of MB)", file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        ready.touch()
    return python


def can_import(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def processor():
    """Model, number of processors, and the instruction sets that the kernels are written for."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = next(line.split(": ")[1] for line in text.splitlines() if line.startswith("model name"))
    flags = set(next(line for line in text.splitlines() if line.startswith("flags")).split())
    sets = [name for name in ("avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8") if name in flags]
    return f"{model}, {os.cpu_count()} processors, {' '.join(sets)}"
