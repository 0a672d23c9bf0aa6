"""Finds the class of a model: the folders on `sys.path`, the import of its file, and auto_complete_config."""

import importlib
import json
import os
import sys
import threading

from .errors import ModelFault
from .link import link
from .model_config import ModelConfig


_importing = threading.Lock()


def load_class(setup):
    """The class TritonPythonModel of the model's file. Raises ModelFault, or whatever the file throws."""
    file = setup["modelFile"]
    if not file.endswith(".py"):
        raise ModelFault(f"Model name must end with '.py'. Model name is \"{os.path.basename(file)}\".")
    if not os.path.exists(file):
        raise ModelFault(f"Python model file not found in '{file}'")
    for folder in (setup["versionDir"], setup["modelDir"], setup.get("ownBackendDir"), setup["backendDir"]):
        if folder:
            sys.path.append(folder)
    # The model's folder belongs to its author, and a new file in it looks like a new version of the model.
    sys.dont_write_bytecode = True
    folder, name = os.path.split(file)
    # A package that is named after its folder lies beside it: the version in the model's folder, usually on the path.
    parent, package = os.path.split(folder)
    if parent not in sys.path:
        sys.path.append(parent)
    # One at a time: packages that import each other in circles are not made for two threads that begin at once.
    with _importing:
        module = importlib.import_module(f"{package}.{name[: -len('.py')]}")
    link.version_dir = setup["versionDir"]
    link.arguments = setup["args"]
    try:
        return module.TritonPythonModel
    except AttributeError:
        raise ModelFault(f"AttributeError: module '{module.__name__}' has no attribute 'TritonPythonModel'") from None


def has(target, name):
    """Whether the model or its class has a function. What raises when it is asked for is not there, as in Triton."""
    try:
        return hasattr(target, name)
    except BaseException:  # noqa: BLE001 - a `__getattr__` of the model may raise anything
        return False


def load_model(setup):
    return load_class(setup)()


def complete(setup):
    """The configuration after auto_complete_config as JSON text; None where the model has no such function."""
    kind = load_class(setup)
    if not has(kind, "auto_complete_config"):
        return None
    name = setup["args"]["model_name"]
    completed = kind.auto_complete_config(ModelConfig(setup["args"]["model_config"]))
    if not isinstance(completed, ModelConfig):
        raise ModelFault(
            f"auto_complete_config function in model '{name}' must return a valid pb.ModelConfig object."
        )
    return _json_text(completed._model_config)


def _json_text(config):
    """Compact, for it may become an argument of initialize(). Raises what the encoder does, or ModelFault for what is
    no JSON or no text."""
    json.dumps(config)
    try:
        text = json.dumps(config, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ModelFault("Failed to parse auto-complete JSON.") from None
    except ValueError:
        raise ModelFault("Failed to accept document, invalid JSON.") from None
    return text
