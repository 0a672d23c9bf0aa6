"""Finds the pipeline of a version: a serialised file, or Python source that is serialised here."""

import importlib.util
import os
import re
import sys
import tempfile

from conch_python.errors import ModelFault, error_text
from conch_python.logger import Logger

from .dali_file import PipelineFile
from .faults import unknown

DEFAULT_FILE, FALLBACK_FILE = "model.dali", "dali.py"
_ALLOWED = "a-z, A-Z, 0-9, _, ., -"


def find_pipeline(config, version_dir):
    """The PipelineFile of the version. Raises UNKNOWN when there is none that can be read."""
    name = config.file_name or DEFAULT_FILE
    _check_characters(name, f"Model file name '{name}'", r"[^a-zA-Z0-9_.\-]", _ALLOWED)
    first = os.path.join(version_dir, name)
    fallback = os.path.join(version_dir, FALLBACK_FILE)
    for file, reads in ((first, _read), (first, _serialise), (fallback, _serialise)):
        try:
            found = reads(file)
        except Exception as error:  # noqa: BLE001 - the next form is tried
            Logger.log_verbose(f"Loading model failed: {error_text(error)}")
            if os.path.exists(file) and reads is _serialise and file.endswith(".py"):
                Logger.log_error(error_text(error))
            continue
        Logger.log_info(f"DALI pipeline from file {file} loaded successfully.")
        return found
    raise unknown(
        "DALI Backend error: Failed to load model file. The program looked in the following locations: "
        f"{first}, {fallback}. Please make sure that the model exists in any of the locations and is properly serialized "
        "or can be properly serialized."
    )


def _read(file):
    with open(file, "rb") as content:
        return PipelineFile(content.read())


def _serialise(file):
    """Imports the source, finds its one `@autoserialize` function and serialises what it makes."""
    if not file.endswith(".py"):
        raise ModelFault(f"{file} is no Python source")
    from nvidia.dali._utils import autoserialize

    spec = importlib.util.spec_from_file_location("autoserialize_mod", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["autoserialize_mod"] = module
    spec.loader.exec_module(module)
    try:
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, DEFAULT_FILE)
            autoserialize.invoke_autoserialize(module, target)
            return _read(target)
    except RuntimeError as error:
        # A source that names a GPU cannot even be serialised without one; what it makes may need none.
        if "CUDA" not in str(error):
            raise
        (function,) = autoserialize._discover_autoserialize(module, visited=[])
        return PipelineFile(function(device_id=None).serialize())


def _check_characters(text, subject, forbidden, allowed):
    match = re.search(forbidden, text)
    if match is not None:
        raise unknown(
            f"DALI Backend error: {subject} contains an invalid character: '{match.group(0)}'\nAllowed characters are: "
            f"{allowed}"
        )
