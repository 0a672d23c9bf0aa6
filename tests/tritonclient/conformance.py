"""Runs the official Python clients against running servers: conformance.py WORLD.json REPORT.json [PATTERN]

WORLD names the servers ("main", "guarded", "python": {"http", "grpc", "metrics"}), a folder of images and a file of labels.
"""

import json
import sys

# Importing a module of checks registers its rows; the order here is the order of the rows.
import checks.config_schema  # noqa: F401
import checks.management  # noqa: F401
import checks.repository  # noqa: F401
import checks.datatypes  # noqa: F401
import checks.inference  # noqa: F401
import checks.encoding  # noqa: F401
import checks.errors  # noqa: F401
import checks.parameters  # noqa: F401
import checks.queueing  # noqa: F401
import checks.sequences  # noqa: F401
import checks.streams  # noqa: F401
import checks.shared_memory  # noqa: F401
import checks.settings  # noqa: F401
import checks.access  # noqa: F401
import checks.pipelines  # noqa: F401
import checks.tutorials  # noqa: F401
from registry import run_all, write_report


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        world = json.load(file)
    rows = run_all(world, sys.argv[3] if len(sys.argv) > 3 else "")
    write_report(sys.argv[2], rows)
    for row in rows:
        if row["outcome"] != "passed":
            print(f"{row['outcome']}: {row['name']}: {row.get('message', '')}")
    return 1 if any(row["outcome"] == "failed" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
