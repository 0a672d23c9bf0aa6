"""Unpacks an archived Python environment: `python unpack.py <archive> <folder>`. Refuses, before anything is written,
an archive with an entry or a link that leads out of the folder; only `bin/python3` may be a link to the interpreter that
an environment of `venv` was made with. Needs no package."""

import os
import re
import shutil
import sys
import tarfile

PYTHON = re.compile(r"python[0-9.]*")


def is_interpreter(member):
    """Whether an entry is what `venv` puts there: a link to the Python of the system."""
    folder, name = os.path.split(os.path.normpath(member.name))
    target = os.path.basename(member.linkname)
    is_link = member.issym() and os.path.isabs(member.linkname) and folder == "bin"
    return is_link and PYTHON.fullmatch(name) is not None and PYTHON.fullmatch(target) is not None


def place(name):
    """Where an entry comes to lie, also on disks to which upper and lower case are the same."""
    return os.path.normpath(name).casefold() if sys.platform == "darwin" else os.path.normpath(name)


def link_places(members):
    """Places of all symbolic links, other names of the same link included."""
    places = {place(member.name) for member in members if member.issym()}
    count = -1
    while count != len(places):
        count = len(places)
        places |= {place(member.name) for member in members if member.islnk() and place(member.linkname) in places}
    return places


def fault(member, links):
    """Why an entry may not be unpacked; None when it may. `links`: places of all links, through which nothing is written."""
    name = os.path.normpath(member.name)
    if os.path.isabs(member.name) or name.split(os.sep)[0] == os.pardir:
        return f"entry '{member.name}' leads out of the archive"
    parts = place(member.name).split(os.sep)
    is_link = member.issym() or member.islnk()
    for count in range(1, len(parts) + (0 if is_link else 1)):
        if os.sep.join(parts[:count]) in links:
            return f"entry '{member.name}' passes through a link"
    if is_interpreter(member):
        return None
    if member.issym():
        target = os.path.normpath(os.path.join(os.path.dirname(name), member.linkname))
        if os.path.isabs(member.linkname) or target.split(os.sep)[0] == os.pardir:
            return f"link '{member.name}' leads out of the archive, to '{member.linkname}'"
    elif member.islnk():
        target = os.path.normpath(member.linkname)
        if os.path.isabs(member.linkname) or target.split(os.sep)[0] == os.pardir:
            return f"link '{member.name}' leads out of the archive, to '{member.linkname}'"
    elif not member.isfile() and not member.isdir():
        return f"entry '{member.name}' is neither a file nor a folder nor a link"
    return None


def unpack(archive, folder):
    with tarfile.open(archive) as opened:
        members = opened.getmembers()
        links = link_places(members)
        for member in members:
            found = fault(member, links)
            if found is not None:
                raise SystemExit(found)
        needed, free = sum(member.size for member in members), shutil.disk_usage(folder).free
        if needed > free:
            raise SystemExit(f"it needs {needed >> 20} MB, and the disk of '{folder}' has {free >> 20} MB left")
        for member in members:
            # The owner of the files is whoever unpacks them, and nothing is run with other rights.
            member.mode = (member.mode & 0o777) | 0o200
            member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
        # What this filter would refuse was refused above; later versions of Python ask for the choice.
        more = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}
        opened.extractall(folder, members, **more)


if __name__ == "__main__":
    try:
        unpack(sys.argv[1], sys.argv[2])
    except tarfile.ReadError as error:
        # What it tells of several kinds of compression is no sentence.
        whole = "it is no tar archive, or is compressed in a way that this Python cannot read"
        raise SystemExit(whole if str(error).startswith("file could not be opened") else str(error)) from None
    except (OSError, EOFError, tarfile.TarError) as error:
        raise SystemExit(str(error)) from None
