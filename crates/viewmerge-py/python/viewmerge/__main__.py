"""``python -m viewmerge watch script.py [argument ...]``: runs a script and tells where it copied."""

from __future__ import annotations

import importlib.util
import json
import os
import runpy
import sys
from typing import List, Optional

from ._watch import watch

USAGE = """usage: python -m viewmerge watch [--json | --html] script.py [argument ...]

Runs a script, and tells where it copied data for the sake of a layout, why, and what would avoid it.
Tensors of PyTorch are watched, and arrays of NumPy that viewmerge.mark was called on."""


def main(arguments: Optional[List[str]] = None) -> int:
    """The exit status: the script's, or 2 for bad arguments; an exception of the script goes on."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    named = given[:1] == ["watch"]
    if named:
        given = given[1:]
    style = given.pop(0) if given[:1] in (["--json"], ["--html"]) else ""
    if not given or given[0].startswith("-") or not (named or given[0].endswith(".py")):
        print(USAGE, file=sys.stderr)
        return 2
    if not os.path.exists(given[0]):
        print(f"{given[0]}: there is no such script", file=sys.stderr)
        return 2
    for name in ("numpy", "torch"):
        if importlib.util.find_spec(name) is not None:
            importlib.import_module(name)
    # As the interpreter does it: what the script imports lies beside it.
    sys.argv = given
    sys.path[0] = os.path.dirname(os.path.abspath(given[0]))
    watching = watch()
    found = watching.copies
    status = 0
    try:
        with watching:
            runpy.run_path(given[0], run_name="__main__")
    except SystemExit as stop:
        if isinstance(stop.code, int):
            status = stop.code
        elif stop.code is not None:
            print(stop.code, file=sys.stderr)
            status = 1
    finally:
        sys.stdout.flush()
    if style == "--json":
        print(json.dumps(found.to_dict(), indent=1))
    elif style == "--html":
        print(found.to_html())
    else:
        found.show()
    return status


if __name__ == "__main__":
    sys.exit(main())
