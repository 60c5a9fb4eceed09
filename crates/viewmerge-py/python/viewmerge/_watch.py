"""Where a program copies, and which changes make it copy less.

While it is on, ``watch`` sees every op of PyTorch, and marked NumPy arrays. Given a function to run again, it tries
changes of the program, one by one and then together, and reports their effects.
"""

from __future__ import annotations

import importlib.util
import sys
from typing import Any, Callable, List, Optional, TypeVar

from ._found import Copies

T = TypeVar("T")
_active: List[Any] = []


class watch:
    """Records every copy that PyTorch makes for the sake of a layout.

    Put ``with watch() as copies:`` around any code, such as a model's forward and backward; ``copies`` is the report. With
    ``rerun``, a function without arguments that repeats the code, changes of the program are run at the end, and those that
    lower the sum are reported. Only marked NumPy arrays are watched: see ``mark``.

    >>> import numpy
    >>> with watch() as copies:
    ...     x = mark(numpy.zeros((4, 6)))
    ...     y = x.T.reshape(24)
    >>> len(copies), copies.bytes, copies[0].op
    (1, 192, 'reshape(24)')
    >>> copies[0].why
    'reshape(24) copies because axis 0 has stride 1, contiguous would be 24.'
    """

    def __init__(self, rerun: Optional[Callable[[], Any]] = None) -> None:
        self.copies: Copies[Any] = Copies()
        self._rerun = rerun
        self._mode: Any = None
        self._import: Any = None
        self._undo: Optional[Callable[[], None]] = None

    def _start(self) -> None:
        """Begins to watch PyTorch, which is imported."""
        from ._mode import mode_class

        self._mode = mode_class()(self.copies)
        self._mode.__enter__()

    def __enter__(self) -> Copies[Any]:
        if "torch" in sys.modules:
            self._start()
        else:
            self._import = _Import(self._start)
            sys.meta_path.insert(0, self._import)
        if "numpy" in sys.modules:
            from ._marked import replace_functions

            self._undo = replace_functions()
        _active.append(self.copies)
        return self.copies

    def __exit__(self, kind: Any, *exception: Any) -> None:
        _active.remove(self.copies)
        if self._undo is not None:
            self._undo()
        if self._import in sys.meta_path:
            sys.meta_path.remove(self._import)
        if self._mode is not None:
            self._mode.__exit__(kind, *exception)
        if self._rerun is not None and kind is None:
            from ._trials import try_changes

            try_changes(self.copies, self._rerun, (), {})


class _Import:
    """Begins to watch when PyTorch is imported."""

    def __init__(self, start: Callable[[], None]) -> None:
        self.start = start

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Finds PyTorch as without this finder, with a call after the import."""
        if name != "torch" or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            load = loader.exec_module

            def exec_module(module: Any) -> None:
                load(module)
                self.start()

            loader.exec_module = exec_module
        return spec


def copies(function: Callable[..., T], *args: Any, **kwargs: Any) -> Copies[T]:
    """Calls a function, reports where it copied, and runs it again with changes that may copy less.

    Its return value is ``result``. A change is reported if outputs and gradients stay the same and fewer bytes are
    copied in all; ``best`` is the set that copies least. The function is run once for each change; its random state,
    arguments, parameters and buffers are restored every time.

    >>> import numpy
    >>> copies(lambda: mark(numpy.zeros((4, 6))).T.ravel()).times
    1
    """
    from ._state import State
    from ._trials import try_changes

    state = State(function, args, kwargs) if "torch" in sys.modules else None
    with watch() as found:
        result = function(*args, **kwargs)
    told: Copies[T] = found
    told._result.append(result)
    try_changes(told, function, args, kwargs, state)
    return told


def mark(x: Any) -> Any:
    """A NumPy array whose copies ``watch`` sees; the array itself if nothing is watching.

    The memory is the same. Results of NumPy's views and ops on it are marked too; the report says where that
    ends.

    >>> import numpy
    >>> x = numpy.zeros(3)
    >>> mark(x) is x
    True
    """
    if not _active:
        return x
    from ._marked import marked

    return marked(x)


def current() -> Optional[Copies[Any]]:
    """The report of the innermost watch."""
    return _active[-1] if _active else None


for _public in (watch, copies, mark):
    _public.__module__ = "viewmerge"
