"""Loading, unloading and asking for other models."""

import base64

from .errors import TritonModelException, require
from .link import link


def load_model(model_name, config="", files=None):
    require(model_name, str, "model_name")
    require(config, str, "config")
    if files is not None and not isinstance(files, dict):
        raise TritonModelException(
            f"failed to load model '{model_name}', files should be a dictionary of file paths and file contents"
        )
    encoded = {}
    for path, content in (files or {}).items():
        require(path, str, "each path of files")
        require(content, bytes, "each content of files")
        encoded[path] = base64.b64encode(content).decode("ascii")
    _ask("Failed to load model", "model.load", name=model_name, config=config, files=encoded)


def unload_model(model_name, unload_dependents=False):
    require(model_name, str, "model_name")
    require(unload_dependents, bool, "unload_dependents")
    _ask("Failed to unload model", "model.unload", name=model_name, dependents=unload_dependents)


def is_model_ready(model_name, model_version=""):
    require(model_name, str, "model_name")
    require(model_version, str, "model_version")
    return bool(_ask("Failed to check model readiness", "model.ready", name=model_name, version=model_version))


def _ask(failure, op, **arguments):
    try:
        return link.ask(op, **arguments)
    except TritonModelException as error:
        raise TritonModelException(f"{failure}: {error}") from None
