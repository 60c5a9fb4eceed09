"""Runs every example in a docstring and in README, and checks that everything public has one."""

from __future__ import annotations

import doctest
import inspect
from typing import Any, Iterator, Tuple

import pytest
from support import PACKAGE

import viewmerge

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def members(owner: Any, name: str) -> Iterator[Tuple[str, Any]]:
    """An object and, for a class, its public members."""
    yield name, owner
    if inspect.isclass(owner):
        for key, member in vars(owner).items():
            if not key.startswith("_"):
                static = isinstance(member, staticmethod)
                yield f"{name}.{key}", getattr(owner, key) if static else member


def public() -> Iterator[Tuple[str, Any]]:
    yield "viewmerge", viewmerge
    for name in viewmerge.__all__:
        if not name.startswith("_"):
            yield from members(getattr(viewmerge, name), name)
    for name in viewmerge.records.__all__:
        yield from members(getattr(viewmerge.records, name), name)
    for name in viewmerge.reference.__all__:
        yield f"reference.{name}", getattr(viewmerge.reference, name)


EXAMPLES = [(name, member.__doc__) for name, member in public() if ">>>" in (member.__doc__ or "")]


@pytest.mark.parametrize("name, text", EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example(name: str, text: str) -> None:
    globs = {key: getattr(viewmerge, key) for key in viewmerge.__all__}
    parsed = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), globs, name, None, 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(parsed, out=report.append)
    assert result.failed == 0, "".join(report)


def test_readme() -> None:
    result = doctest.testfile(str(PACKAGE / "README.md"), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 10


@pytest.mark.parametrize("page", ["copies.md", "watch.md"])
def test_book(page: str) -> None:
    result = doctest.testfile(str(PACKAGE.parents[1] / "docs" / page), module_relative=False, optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 2


def test_everything_public_is_documented() -> None:
    bare = [
        name
        for name, member in public()
        if member is not None
        and not isinstance(member, (int, str, tuple))
        and name not in ("Blame", "reference")
        and not (getattr(member, "__doc__", None) or "").strip()
    ]
    assert bare == []


def test_the_core_has_examples() -> None:
    """Every method and attribute of View, ViewChain and the like has an example."""
    named = {name for name, _ in EXAMPLES}
    shown_with_torch = {"View.torch", "ViewChain.torch"}
    core = ("View", "ViewChain", "Verdict", "Verdicts", "IndexForm", "GuardedView", "Conditions")
    bare = [
        name
        for owner in core
        for name, member in members(getattr(viewmerge, owner), owner)
        if name not in named and name not in shown_with_torch
    ]
    assert bare == []
