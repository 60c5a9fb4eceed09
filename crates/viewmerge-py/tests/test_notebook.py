"""The committed notebook runs, and shows what it says.

VIEWMERGE_WRITE=1 rewrites its outputs.
"""

from __future__ import annotations

import os
from typing import Any

import nbformat
from nbclient import NotebookClient
from support import PACKAGE

NOTEBOOK = PACKAGE / "notebooks" / "tour.ipynb"


def shown(notebook: Any) -> list[Any]:
    """The output of every cell; for a picture, only that one exists."""

    def told(output: Any) -> Any:
        data = dict(output.get("data", {}))
        if "image/svg+xml" in data:
            data["image/svg+xml"] = data["image/svg+xml"].startswith("<svg")
        return output.get("text"), data

    return [[told(output) for output in cell.get("outputs", [])] for cell in notebook.cells]


def test_notebook() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    before = shown(notebook)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata.clear()
    if os.environ.get("VIEWMERGE_WRITE"):
        nbformat.write(notebook, NOTEBOOK)
        before = shown(notebook)
    assert shown(notebook) == before
    pictures = str(before).count("image/svg+xml")
    assert pictures >= 4 and "not one view" in str(before)
