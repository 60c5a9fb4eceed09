"""tensor-layouts: compositions of CuTe layouts, or a refusal.

    tensor_layouts_compose.py FOLDER

Further questions are whether one layout is injective and whether two are equal, which it
answers by listing all elements.
"""

import json
import sys
from pathlib import Path

from tensor_layouts import Layout, LayoutError, compose
from tensor_layouts.analysis import functionally_equal, is_injective

import common
import compositions


def main(folder):
    refusals = (LayoutError, ValueError, AssertionError, ZeroDivisionError)
    compositions.answer(folder, "tensor_layouts", Layout, compose, refusals)
    large = Layout((1000, 1000), (1000, 1))
    same = Layout((1000, (10, 100)), (1000, (1, 10)))
    _, (injective, equal) = common.timed(
        [lambda: is_injective(large), lambda: functionally_equal(large, same)], 1
    )
    listed = {"elements": 1_000_000, "injective_ns": injective, "equal_ns": equal}
    Path(folder, "answers", "tensor_layouts", "listed.json").write_text(json.dumps(listed))


main(sys.argv[1])
