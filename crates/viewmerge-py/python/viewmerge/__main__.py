"""``python -m viewmerge watch script.py [argument ...]``: runs a script and reports where it copied."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import runpy
import sys
from typing import Any, List, Optional

from ._found import Copies
from ._watch import copies, watch

EPILOG = """Tensors of PyTorch are watched, and arrays of NumPy that viewmerge.mark was called on. With script.py::function the
script is loaded, the function, which takes no arguments, is called, and changes that may copy less are run as well."""


def _number(text: str) -> int:
    """A number of rows or bytes; bytes may end in K, M or G."""
    scale = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}.get(text[-1:].lower(), 1)
    try:
        number = int(text[:-1] if scale > 1 else text) * scale
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number: 0 or more is one, with K, M or G behind if it counts bytes")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m viewmerge watch", epilog=EPILOG, allow_abbrev=False)
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--json", action="store_true", help="write the report as JSON; takes -o")
    style.add_argument("--html", action="store_true", help="write the report as HTML; takes -o")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the report: a file, or fd:3 for a descriptor that is open")
    parser.add_argument("--top", type=_number, metavar="N", help="only the N rows with most bytes")
    parser.add_argument("--min-bytes", type=_number, default=0, metavar="N", help="only rows of at least so many bytes")
    parser.add_argument("--why", action="store_true", help="add the two places that prove that a reshape must copy")
    parser.add_argument("-m", dest="module", metavar="MODULE", help="run a module, as python -m does")
    parser.add_argument("script", nargs=argparse.REMAINDER, metavar="SCRIPT[::FUNCTION] [ARGUMENT ...]", help="the script, and what it is given")
    return parser


def _load(name: str) -> None:
    """Imports a library if it is installed, so that it is watched from the start."""
    if importlib.util.find_spec(name) is not None:
        importlib.import_module(name)


def _run(asked: argparse.Namespace, found: List[Copies[Any]]) -> None:
    """Runs the script under watch; the report goes into the list even if the script raises."""
    if asked.module is not None:
        sys.argv = [asked.module, *asked.script]
        sys.path[0] = os.getcwd()
        watching = watch()
        found.append(watching.copies)
        with watching:
            runpy.run_module(asked.module, run_name="__main__", alter_sys=True)
        return
    path, _, function = asked.script[0].partition("::")
    # As in the interpreter, the script can import its neighbours.
    sys.argv = [path, *asked.script[1:]]
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    if not function:
        watching = watch()
        found.append(watching.copies)
        with watching:
            runpy.run_path(path, run_name="__main__")
        return
    names = runpy.run_path(path, run_name=os.path.splitext(os.path.basename(path))[0])
    if not callable(names.get(function)):
        raise SystemExit(f"{path}: there is no function {function}")
    found.append(copies(names[function]))


def _write(asked: argparse.Namespace, found: Copies[Any]) -> None:
    rows = {"top": asked.top, "min_bytes": asked.min_bytes}
    if asked.json:
        told = json.dumps(found.to_dict(**rows), indent=1)
    elif asked.html:
        told = found.to_html(**rows)
    elif asked.output is None and asked.top is None and not asked.min_bytes and not asked.why:
        found.show()
        return
    else:
        told = found.text(**rows, why=asked.why)
    if asked.output is None:
        print(told)
        return
    where = int(asked.output[3:]) if asked.output.startswith("fd:") else asked.output
    with open(where, "w", encoding="utf-8", closefd=not isinstance(where, int)) as file:
        file.write(told + "\n")


def main(arguments: Optional[List[str]] = None) -> int:
    """The exit status: the script's, or 2 for bad arguments; an exception of the script propagates."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser()
    named = given[:1] == ["watch"]
    asked = parser.parse_args(given[1:] if named else given)
    script = asked.script[0].partition("::")[0] if asked.script else ""
    if asked.module is None and (not script or not named and not script.endswith(".py")):
        parser.print_usage(sys.stderr)
        return 2
    if asked.module is None and not os.path.exists(script):
        print(f"{script}: there is no such script", file=sys.stderr)
        return 2
    if (asked.json or asked.html) and asked.output is None:
        kind = "--json" if asked.json else "--html"
        print(f"{kind} takes -o FILE, or -o fd:3: on the standard output it would mix with what the script prints", file=sys.stderr)
        return 2
    if asked.output is not None and asked.output.startswith("fd:") and not asked.output[3:].isdigit():
        print(f"-o {asked.output}: a descriptor is fd: and a number", file=sys.stderr)
        return 2
    for name in ("numpy", "torch"):
        _load(name)
    found: List[Copies[Any]] = []
    status = 0
    try:
        _run(asked, found)
    except SystemExit as stop:
        if isinstance(stop.code, int):
            status = stop.code
        elif stop.code is not None:
            print(stop.code, file=sys.stderr)
            status = 1
    finally:
        sys.stdout.flush()
    if found:
        _write(asked, found[0])
    return status


if __name__ == "__main__":
    sys.exit(main())
