"""What mends a failed start, as a sentence behind the text of its error: a package to install, a GPU that the code of the
model asks for, or something that it fetches over a network that cannot be reached."""

import importlib.util
import sys

from .install import install_words

# Where the package of a module has another name than the module.
_PACKAGES = {
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "google": "protobuf",
    "nvidia": "nvidia-dali-cuda120",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "tritonclient": "tritonclient[all]",
    "yaml": "pyyaml",
}

_GPU_WORDS = (
    "Torch not compiled with CUDA enabled",
    "No CUDA GPUs are available",
    "Found no NVIDIA driver",
    "CUDA driver version is insufficient",
    "Attempting to deserialize object on a CUDA device",
)

# Errors of the standard library, of requests and urllib3, and of Hugging Face's hub: the address is not known, or nobody
# answers there.
_NETWORK_ERRORS = frozenset(("gaierror", "URLError", "MaxRetryError", "NameResolutionError", "LocalEntryNotFoundError"))


def hint_of(error):
    """Empty when there is nothing to say."""
    missing = _missing_module(error)
    if missing is not None:
        package = _PACKAGES.get(missing, missing)
        return (
            f"The Python of this model, '{sys.executable}', has no module '{missing}': {install_words(package)}, or "
            "name another Python with EXECUTION_ENV_PATH or --backend-config=python,python-executable=PATH"
        )
    if any(words in _text(error) for words in _GPU_WORDS):
        return (
            "The code of this model asks for a GPU by itself, and its Python can use none on this machine: it "
            "needs a GPU, or code that chooses its device by args['model_instance_kind']"
        )
    if any(type(each).__name__ in _NETWORK_ERRORS for each in _causes(error)):
        return (
            "The code of this model fetches something over the network while it is loaded, and could not reach it: put "
            "what it fetches where the code looks first, its cache for example, or load it where the network is"
        )
    return ""


def _missing_module(error):
    """Of a chain of causes too: libraries like to wrap what they could not import. A module of a package that is
    there, or one that has no name of a package, is a fault of the code."""
    for each in _causes(error):
        if isinstance(each, ModuleNotFoundError) and each.name:
            top = each.name.split(".")[0]
            return top if top.isidentifier() and not _is_there(top) else None
    return None


def _causes(error):
    """It, and what it came of, each once."""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _is_there(module):
    try:
        return module in sys.modules or importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return True


def _text(error):
    try:
        return str(error)
    except BaseException:  # noqa: BLE001
        return ""
