"""Tests of `resources/python` on any Python with numpy: no engine, no other package."""

import pathlib
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "resources" / "python"
sys.path.insert(0, str(FOLDER))
sys.dont_write_bytecode = True


@pytest.fixture
def link():
    """The link of this process as it was before the test, whatever the test does with it."""
    from conch_python.link import Link, link

    kept = dict(link.__dict__)
    link.__dict__.update(Link().__dict__)
    yield link
    link.__dict__.clear()
    link.__dict__.update(kept)


@pytest.fixture
def tensorrt(tmp_path, link, monkeypatch):
    from tensorrt_world import World

    return World(tmp_path, link, monkeypatch)
