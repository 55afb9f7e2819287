"""MiniMol's published weights, as molgauge installs them: the folder ``FOLDER / "minimol"``."""

from pathlib import Path

FOLDER = Path(__file__).parent
