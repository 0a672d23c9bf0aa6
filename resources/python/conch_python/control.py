"""Loading, unloading and asking for other models."""

import base64

from .arguments import flag, require, text
from .errors import TritonModelException
from .link import link


def load_model(model_name, config="", files=None):
    model_name = text(model_name, "model_name")
    config = text(config, "config")
    if files is not None and not isinstance(files, dict):
        raise TritonModelException(
            f"failed to load model '{model_name}', files should be a dictionary of file paths and file contents"
        )
    encoded = {}
    for path, content in (files or {}).items():
        require(content, bytes, "each content of files")
        encoded[text(path, "each path of files")] = base64.b64encode(content).decode("ascii")
    _ask("Failed to load model", "model.load", name=model_name, config=config, files=encoded)


def unload_model(model_name, unload_dependents=False):
    model_name = text(model_name, "model_name")
    unload_dependents = flag(unload_dependents, "unload_dependents")
    _ask("Failed to unload model", "model.unload", name=model_name, dependents=unload_dependents)


def is_model_ready(model_name, model_version=""):
    model_name = text(model_name, "model_name")
    model_version = text(model_version, "model_version")
    return bool(_ask("Failed to check model readiness", "model.ready", name=model_name, version=model_version))


def _ask(failure, op, **arguments):
    try:
        return link.ask(op, **arguments)
    except TritonModelException as error:
        raise TritonModelException(f"{failure}: {error}") from None
