"""The table of checks and its runner: each check is a named row that runs once per transport it is meant for.

A check passes by returning, fails by raising, and is skipped by raising Skip with a reason.
"""

import json
import time
import traceback

from clients import TRANSPORTS, open_transport

_checks = []


class Skip(Exception):
    """What the check needs is absent here."""


def check(title, on=TRANSPORTS, server="main"):
    """Registers a check for the given transports, against the server of that name."""

    def register(function):
        _checks.append((title, function, tuple(on), server))
        return function

    return register


def run_all(world, pattern=""):
    """Runs every check whose row name contains `pattern`; returns the rows in order."""
    rows = []
    for title, function, transports, server in _checks:
        for transport in transports:
            name = f"{transport}: {title}"
            if pattern in name:
                rows.append(_run_one(name, function, transport, world, server))
    return rows


def _run_one(name, function, transport, world, server):
    started = time.monotonic()
    row = {"name": name, "outcome": "passed"}
    try:
        with open_transport(transport, world[server], world) as opened:
            function(opened)
    except Skip as reason:
        row.update(outcome="skipped", message=str(reason))
    except Exception as error:  # a failing check must not end the others
        place = traceback.extract_tb(error.__traceback__)[-1]
        row.update(
            outcome="failed",
            message=f"{type(error).__name__}: {error} ({place.filename.rsplit('/', 1)[-1]}:{place.lineno})",
        )
    row["seconds"] = round(time.monotonic() - started, 3)
    return row


def write_report(file, rows):
    counts = {k: sum(r["outcome"] == k for r in rows) for k in ("passed", "failed", "skipped")}
    with open(file, "w", encoding="utf-8") as out:
        json.dump({**counts, "rows": rows}, out, indent=1)
