"""Every file that a model's process may read compiles in the Python at hand, also those that nothing imports here because
their framework is missing."""

from pathlib import Path

import pytest

_RESOURCES = Path(__file__).resolve().parents[2] / "resources" / "python"
_SOURCES = sorted(_RESOURCES.rglob("*.py"))


def test_they_are_found():
    assert len(_SOURCES) > 50


@pytest.mark.parametrize("source", _SOURCES, ids=lambda source: str(source.relative_to(_RESOURCES)))
def test_compiles(source):
    compile(source.read_text("utf-8"), str(source), "exec")
