"""Translates commands and scripts of the Python project Energy-DPO (Mole-PAIR) into those of Headroom.

``python -m headroom.migrate SCRIPT`` prints the translated script (docs/how-to/migrate-from-python.md). From Python:

>>> from headroom.migrate import migrate
>>> migrate("python main.py --mode train --dataset lbap --output_dir out")[0].commands
['headroom train lbap --run out --data-path data --early-stopping reference']

The options of Headroom are read from the program `headroom`, which HEADROOM_PROGRAM names or which is on PATH.
"""

from .calls import MigratedCall, migrate, migrate_words, migrated_script

__all__ = ["MigratedCall", "migrate", "migrate_words", "migrated_script"]
