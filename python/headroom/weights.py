"""The weights of pretrained encoders."""

from typing import Any, Dict, List, Optional

from ._session import session


def _request(**options: Optional[str]) -> Dict[str, str]:
    return {key: value for key, value in options.items() if value is not None}


def install(encoder: str = "minimol", source: Optional[str] = None, *, weights: Optional[str] = None) -> Dict[str, Any]:
    """Fetches, checks and converts an encoder's published weights; says what is installed then.

    ``source`` is a wheel, .pth, .pt, .safetensors or folder to take them from; None: the published wheel, by pip.
    ``weights`` is the folder to install into; None: $HEADROOM_HOME/weights.
    """
    request = _request(encoder=encoder, weights=weights)
    if source is not None:
        request["from"] = source
    return session().run("weights_install", request)


def installed(weights: Optional[str] = None) -> List[Dict[str, Any]]:
    """What is installed, with what is wrong with it; a problem is empty where the files are whole."""
    return session().run("weights_list", _request(weights=weights))
