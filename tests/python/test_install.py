"""Whether pip may install into this Python."""

import os
import sys
import sysconfig

import pytest
from conch_python.install import is_managed


@pytest.fixture
def system_python(tmp_path, monkeypatch):
    """A Python of the system, whose standard library is the folder."""
    monkeypatch.setattr(sysconfig, "get_path", {"stdlib": os.fspath(tmp_path)}.__getitem__)
    monkeypatch.setattr(sys, "base_prefix", sys.prefix)
    return tmp_path


def test_a_python_without_the_mark_is_free(system_python):
    assert not is_managed()


def test_the_mark_keeps_pip_out_but_not_of_an_environment(system_python, monkeypatch):
    (system_python / "EXTERNALLY-MANAGED").write_text("[externally-managed]\n")
    assert is_managed()
    monkeypatch.setattr(sys, "prefix", "/an/environment")
    assert not is_managed()
