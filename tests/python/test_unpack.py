import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import types

import pytest
from conftest import FOLDER


def archive(folder, *members):
    """A `.tar.gz` of (name, content) or of prepared TarInfo objects."""
    file = folder / "environment.tar.gz"
    with tarfile.open(file, "w:gz") as opened:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                opened.addfile(member)
                continue
            name, content = member
            info = tarfile.TarInfo(name)
            info.size = len(content)
            info.mode = 0o755
            opened.addfile(info, io.BytesIO(content))
    return file


def link(name, target, kind=tarfile.SYMTYPE):
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    info.mode = 0o755
    return info


def special(name, kind):
    info = tarfile.TarInfo(name)
    info.type = kind
    return info


def unpack(file, folder):
    target = folder / "there"
    target.mkdir()
    done = subprocess.run(
        [sys.executable, str(FOLDER / "unpack.py"), str(file), str(target)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr.strip(), target


def test_an_environment_is_unpacked_with_its_links(tmp_path):
    file = archive(
        tmp_path,
        ("bin/activate", b"# activate"),
        ("lib/python3/x.py", b"x = 1"),
        link("bin/python3", "/usr/bin/python3"),
        link("bin/python3.11", "/opt/python/bin/python3.11"),
        link("bin/python", "python3"),
        link("lib64", "lib"),
        link("bin/deep", "../lib/python3/x.py"),
        link("bin/same", "bin/activate", tarfile.LNKTYPE),
    )
    code, _, target = unpack(file, tmp_path)
    assert code == 0
    assert (target / "bin/deep").read_text() == "x = 1"
    assert (target / "bin/same").read_text() == "# activate"
    assert os.readlink(target / "bin/python") == "python3"
    # So begins an environment of `venv`.
    assert os.readlink(target / "bin/python3") == "/usr/bin/python3"
    assert os.access(target / "bin/activate", os.X_OK)


HOSTILE = {
    "above": [("../evil", b"x")],
    "above later": [("a/../../evil", b"x")],
    "absolute": [("/tmp/conch-evil", b"x")],
    "link above": [link("a", "../evil")],
    "link absolute": [link("a", "/etc")],
    "link above, deep": [link("a/b", "../../evil")],
    "hard link above": [link("a", "../evil", tarfile.LNKTYPE)],
    "hard link absolute": [link("a", "/etc/passwd", tarfile.LNKTYPE)],
    "through a link": [link("a", "b"), ("a/evil", b"x")],
    "through a link by a detour": [link("a", "b"), ("c/../a/evil", b"x")],
    "interpreter of another name": [link("bin/python3", "/etc/passwd")],
    "interpreter elsewhere": [link("lib/python3", "/usr/bin/python3")],
    "interpreter above": [link("bin/python3", "../../usr/bin/python3")],
    "interpreter, hard": [link("bin/python3", "/usr/bin/python3", tarfile.LNKTYPE)],
    "through an interpreter": [link("bin/python3", "/tmp/python3"), ("bin/python3", b"x")],
    "through an interpreter that comes later": [("bin/./python3", b"x"), link("bin/python3", "/tmp/python3")],
    "through an interpreter as a folder": [link("bin/python3", "/tmp/python3"), ("bin/python3/x", b"x")],
    "through a second name of an interpreter": [
        link("bin/python3", "/tmp/python3"),
        link("x", "bin/python3", tarfile.LNKTYPE),
        ("x", b"x"),
    ],
    "through a link to an interpreter": [
        link("bin/python3", "/tmp/python3"),
        link("bin/python", "python3"),
        ("bin/python", b"x"),
    ],
    "through a link that comes later": [("a/evil", b"x"), link("a", "b")],
    "device": [special("zero", tarfile.CHRTYPE)],
    "pipe": [special("pipe", tarfile.FIFOTYPE)],
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_leads_out_is_refused_before_anything_is_written(tmp_path, case):
    file = archive(tmp_path, ("first", b"x"), *HOSTILE[case])
    code, error, target = unpack(file, tmp_path)
    assert code == 1
    assert error.startswith(("entry '", "link '"))
    assert list(target.iterdir()) == []
    assert {each.name for each in tmp_path.iterdir()} == {"environment.tar.gz", "there"}


@pytest.mark.parametrize("content", [b"", b"no archive", b"x" * 5000])
def test_what_is_no_archive_is_one_sentence(tmp_path, content):
    file = tmp_path / "environment.tar.gz"
    file.write_bytes(content)
    code, error, _ = unpack(file, tmp_path)
    assert (code, error) == (1, "it is no tar archive, or is compressed in a way that this Python cannot read")


def test_an_archive_that_ends_early_is_one_sentence(tmp_path):
    file = archive(tmp_path, ("big", os.urandom(100_000)))
    file.write_bytes(file.read_bytes()[:50_000])
    code, error, _ = unpack(file, tmp_path)
    assert code == 1
    assert error != ""
    assert "Traceback" not in error


def test_an_archive_that_is_larger_than_the_disk_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    import unpack as unpacking

    file = archive(tmp_path, ("first", b"x"), ("big", bytes(3 << 20)))
    target = tmp_path / "there"
    target.mkdir()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: types.SimpleNamespace(free=2 << 20))
    with pytest.raises(SystemExit, match=r"^it needs 3 MB, and the disk of '.*there' has 2 MB left$"):
        unpacking.unpack(file, target)
    assert list(target.iterdir()) == []


def test_a_missing_file_is_one_sentence(tmp_path):
    code, error, _ = unpack(pathlib.Path("/nowhere.tar.gz"), tmp_path)
    assert (code, "Traceback" in error) == (1, False)
    assert "/nowhere.tar.gz" in error
