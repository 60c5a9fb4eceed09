"""pycute, CuTe's own layouts in Python: compositions, or a refusal.

    pycute_compose.py FOLDER
"""

import sys

from pycute import Layout, composition

import compositions

compositions.answer(sys.argv[1], "pycute", Layout, composition, (AssertionError, ZeroDivisionError))
