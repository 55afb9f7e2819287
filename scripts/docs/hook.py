"""Adds generated pages to the site of mkdocs.yml: a page for each verb, for each public header, and the list of decisions.

Mkdocs loads this file as a hook. MOLGAUGE_PROGRAM names the program whose options are listed [build/release/bin/molgauge].
"""

import json
import os
import pathlib
import subprocess
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import header_pages  # noqa: E402
import verb_pages  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
_generated = {}


def options():
    """Returns the options of every verb, as `molgauge --options-json` prints them."""
    program = os.environ.get("MOLGAUGE_PROGRAM") or str(ROOT / "build" / "release" / "bin" / "molgauge")
    if not os.path.exists(program):
        raise SystemExit(f"{program}: there is no program whose options can be listed. Build it with make program, "
                         "or name it in MOLGAUGE_PROGRAM.")
    return json.loads(subprocess.run([program, "--options-json"], check=True, capture_output=True, text=True).stdout)


def section(nav, *names):
    """Returns the list of entries of a section in the navigation. `names`: the path of the section."""
    for name in names:
        nav = next(entry[name] for entry in nav if isinstance(entry, dict) and name in entry)
    return nav


def on_config(config):
    _generated.clear()
    verbs = verb_pages.pages(options())
    headers = header_pages.pages(ROOT / "include" / "molgauge")
    for pages, place in ((verbs, "Verbs"), (headers, "C++ headers")):
        listed = section(config.nav, "Reference", place)
        for path, (title, text) in pages.items():
            _generated[path] = text
            listed.append({title: path})
    listed = section(config.nav, "Decisions")
    for file in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md")):
        listed.append(f"decisions/{file.name}")
    return config


def on_files(files, config):
    for path, text in _generated.items():
        files.append(File.generated(config, path, content=text))
    return files
