"""Translates commands and scripts of the Python project Energy-DPO (Mole-PAIR) into commands and scripts
of Molgauge.

``python -m molgauge.migrate SCRIPT`` prints the translated script (docs/how-to/migrate-from-python.md). From Python:

>>> from molgauge.migrate import migrate
>>> migrate("python main.py --mode train --dataset lbap --output_dir out")[0].commands
['molgauge train lbap --run out --data-path data --epochs 50 --patience 10 --early-stopping reference']

The options of Molgauge are read from the program `molgauge`. The variable MOLGAUGE_PROGRAM can name it.
Otherwise, it must be on PATH.
"""

from .calls import MigratedCall, migrate, migrate_words, migrated_script

__all__ = ["MigratedCall", "migrate", "migrate_words", "migrated_script"]
