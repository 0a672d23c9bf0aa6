"""The sentence behind the text of a failed start."""

import importlib
import sys

import pytest
from conch_python import install
from conch_python.errors import ModelFault, failure_of


@pytest.fixture(autouse=True)
def _free(monkeypatch):
    monkeypatch.setattr(install, "is_managed", lambda: False)


def _failure(code):
    try:
        exec(compile(code, "<model>", "exec"), {})
    except Exception as failure:
        return failure_of(failure)["text"]
    raise AssertionError("nothing failed")


@pytest.mark.parametrize(
    ("module", "package"),
    [("no_such_module_here", "no_such_module_here"), ("no_such_top.inner", "no_such_top")],
)
def test_a_module_that_is_not_there_is_named_with_the_command(module, package):
    text = _failure(f"import {module}")
    assert text.startswith("ModuleNotFoundError: No module named ")
    assert text.endswith("--backend-config=python,python-executable=PATH")
    assert f"run `{sys.executable} -m pip install {package}`" in text.splitlines()[-1]


def test_a_package_goes_into_an_environment_where_the_system_keeps_pip_out(monkeypatch):
    monkeypatch.setattr(install, "is_managed", lambda: True)
    command = f"{sys.executable} -m venv --system-site-packages .venv && .venv/bin/python3 -m pip install no_such_here"
    assert f"run `{command}` in the folder that holds the model repository" in _failure("import no_such_here")


def test_the_package_of_a_module_with_another_name_is_told():
    raised = "raise ModuleNotFoundError(\"No module named 'cv2'\", name='cv2')"
    assert "-m pip install opencv-python-headless`" in _failure(raised)


def test_a_module_wrapped_in_another_error_is_found():
    code = "try:\n    import no_such_module_here\nexcept ImportError as e:\n    raise RuntimeError('needs it') from e"
    assert "has no module 'no_such_module_here'" in _failure(code)


def test_a_missing_part_of_a_package_that_is_there_is_the_models_own_fault():
    assert "pip install" not in _failure("import json.no_such_part")


def test_code_that_wants_a_gpu_is_told_what_it_needs():
    text = _failure("raise AssertionError('Torch not compiled with CUDA enabled')")
    assert "asks for a GPU by itself" in text.splitlines()[-1]


@pytest.mark.parametrize(
    "code",
    [
        "import urllib.request\nurllib.request.urlopen('http://nowhere.invalid/weights')",
        "import socket\ntry:\n    socket.getaddrinfo('nowhere.invalid', 80)\nexcept OSError as e:\n    raise ValueError('no weights') from e",
    ],
)
def test_what_cannot_be_fetched_over_the_network_is_told(code):
    text = _failure(code)
    assert "fetches something over the network" in text.splitlines()[-1]


def test_other_errors_stay_as_they_are():
    lines = _failure("raise ValueError('x')").splitlines()
    assert lines[:4] == ["ValueError: x", "", "At:", "  <model>(1): <module>"]
    assert all(line.startswith("  ") for line in lines[3:])
    assert failure_of(ModelFault("a sentence"))["text"] == "a sentence"


def test_a_file_that_cannot_be_read_is_told_with_its_line_and_who_imported_it(tmp_path, monkeypatch):
    (tmp_path / "broken_part.py").write_text("x = 1\ny = = 2\n")
    (tmp_path / "whole_model.py").write_text("import broken_part\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        importlib.import_module("whole_model")
    except SyntaxError as failure:
        lines = failure_of(failure)["text"].splitlines()
    assert lines[0] == "SyntaxError: invalid syntax (broken_part.py, line 2)"
    assert lines[2:4] == ["At:", f"  {tmp_path}/broken_part.py(2)"]
    assert f"  {tmp_path}/whole_model.py(1): <module>" in lines
    assert "    y = = 2" in lines
