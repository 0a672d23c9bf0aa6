"""Unpacks an archived Python environment: `python unpack.py <archive> <folder>`. Refuses, before anything is written,
an archive with an entry or a link that leads out of the folder. Needs no package."""

import os
import sys
import tarfile


def fault(member, links):
    """Why an entry may not be unpacked; None when it may. `links`: names of the symbolic links before it."""
    name = os.path.normpath(member.name)
    if os.path.isabs(member.name) or name.split(os.sep)[0] == os.pardir:
        return f"entry '{member.name}' leads out of the archive"
    parts = name.split(os.sep)
    for count in range(1, len(parts)):
        if os.sep.join(parts[:count]) in links:
            return f"entry '{member.name}' passes through a link"
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
    links = set()
    with tarfile.open(archive) as opened:
        members = opened.getmembers()
        for member in members:
            found = fault(member, links)
            if found is not None:
                raise SystemExit(found)
            if member.issym():
                links.add(os.path.normpath(member.name))
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
    except (OSError, EOFError, tarfile.TarError) as error:
        raise SystemExit(str(error)) from None
