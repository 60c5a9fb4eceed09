"""Views of real arrays, and back."""

from __future__ import annotations

import array
import ctypes
from typing import Any

import numpy
import pytest
from support import Choices, cases

from viewmerge import Error, View, ViewChain, why_copy


def test_numpy_strides_are_bytes() -> None:
    for dtype in ("u1", "i2", "f4", "f8", "c16", "U3", "M8[ns]", [("a", "i4"), ("b", "f8")]):
        x = numpy.zeros((4, 6), dtype=dtype)
        assert View.of(x) == View((4, 6))
        assert View.of(x[:, ::-2]) == View((4, 3), (6, -2))
    assert View.of(numpy.float64(3)) == View(())
    assert View.of(numpy.zeros((2, 0, 3))) == View((2, 0, 3))


def test_bytes_are_counted_where_elements_do_not_divide() -> None:
    records = numpy.zeros(6, dtype=[("a", "i4"), ("b", "i8")])
    records["b"] = numpy.arange(6)
    assert View.of(records) == View((6,))
    assert View.of(records["b"]) == View((6,), (12,))
    assert View.of(records["b"], base=records) == View((6,), (12,), 4)
    assert View.of(memoryview(records["b"])) == View((6,), (12,))
    back = View.of(records["b"], base=records).numpy(records, dtype="i8")
    assert back.tolist() == list(range(6)) and numpy.shares_memory(back, records)
    back[1] = 100
    assert records["b"][1] == 100
    assert not View((2,), (4,)).numpy(records, dtype="i8").flags.writeable
    with pytest.raises(Error) as caught:
        View((6,), (12,), 5).numpy(records, dtype="i8")
    assert caught.value.kind == "outside_buffer" and caught.value.size == 72 - 7
    # An axis without steps has no meaningful stride.
    assert View.of(records["b"][:1]) == View((1,))
    assert View.of(numpy.zeros(3, dtype="V0")) == View((3,), (0,))
    report = why_copy(records["b"].reshape(2, 3).T, 6)
    assert not report and "which has stride 12 bytes and would need 72" in str(report)
    assert report.fix is not None and "(48 bytes)" in report.fix.text
    flat = why_copy(records["b"].reshape(2, 3), 6)
    assert flat.array().tolist() == records["b"].tolist()
    assert numpy.shares_memory(flat.array(), records)


def test_base() -> None:
    memory = numpy.arange(24)
    x = memory.reshape(4, 6)
    assert View.of(x[1:, 2:], base=memory) == View((3, 4), (6, 1), 8)
    assert View.of(x[::-1], base=x) == View((4, 6), (-6, 1), 18)
    assert View.of(x[::-1]) == View((4, 6), (-6, 1))
    assert View.of(memory[:2], base=memory[5:]).offset == -5
    assert View.of(memory.view("u1")[3:19].view("i8"), base=memory) == View((2,), (8,), 3)
    for unrelated in (numpy.arange(24), numpy.zeros(0), Interface(numpy.arange(3))):
        with pytest.raises(Error) as caught:
            View.of(x, base=unrelated)
        assert caught.value.kind == "unrelated_base"
    # An array without elements reads nothing.
    assert View.of(x[:0], base=numpy.arange(3)).is_empty
    with pytest.raises(TypeError):
        View.of(memoryview(b"abc"), base=memoryview(b"abc"))


class Interface:
    def __init__(self, x: Any, name: str = "__array_interface__") -> None:
        self.keep = x
        setattr(self, name, x.__array_interface__)


class DLPack:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __dlpack__(self) -> Any:
        return self.x.__dlpack__()


def test_other_arrays() -> None:
    x = numpy.arange(24, dtype="f4").reshape(4, 6)[:, ::2].T
    expected = View((3, 4), (2, 6))
    assert View.of(Interface(x)) == expected
    assert View.of(Interface(x, "__cuda_array_interface__")) == expected
    assert View.of(Interface(numpy.zeros((2, 3)))) == View((2, 3))
    assert View.of(Interface(numpy.zeros((2, 3), dtype="U5")[:, ::2])) == View((2, 2), (3, 2))
    assert View.of(DLPack(x)) == expected
    assert View.of(DLPack(x[1:]), base=DLPack(x)) == View((2, 4), (2, 6), 2)
    assert View.of(Interface(x[1:]), base=x) == View((2, 4), (2, 6), 2)
    assert View.of(memoryview(x)) == expected
    assert View.of(b"abc") == View((3,))
    assert View.of(array.array("d", [1, 2, 3])) == View((3,))
    assert View.of((ctypes.c_int * 3 * 2)()) == View((2, 3))
    assert View.of(View((2, 3), (1, 2))) == View((2, 3), (1, 2))
    assert ViewChain.of(x) == ViewChain(expected)


def test_dlpack_capsule_is_not_consumed() -> None:
    class Once:
        def __init__(self, x: Any) -> None:
            self.capsule = x.__dlpack__()

        def __dlpack__(self) -> Any:
            return self.capsule

    once = Once(numpy.zeros((2, 3)))
    assert View.of(once) == View.of(once) == View((2, 3))

    class NoCapsule:
        def __dlpack__(self) -> Any:
            return 3

    with pytest.raises(TypeError):
        View.of(NoCapsule())


def test_importing_imports_nothing() -> None:
    import subprocess
    import sys

    code = (
        "import sys, viewmerge; viewmerge.View.of(memoryview(b'abc'));"
        "viewmerge.trace((2, 3)).T.reshape(6).report();"
        "assert not {'numpy', 'torch', 'ctypes'} & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numpy_is_zero_copy() -> None:
    memory = numpy.arange(12)
    x = View((2, 2), (4, -1), 6).numpy(memory)
    assert x.tolist() == [[6, 5], [10, 9]]
    x[0, 0] = 100
    assert memory[6] == 100 and numpy.shares_memory(x, memory)
    assert View(()).numpy(memory).shape == () and View((0, 3)).numpy(memory).shape == (0, 3)
    assert View((2, 2)).numpy(bytearray(b"abcd")).tolist() == [[97, 98], [99, 100]]
    assert View((2, 3)).numpy(memory.reshape(3, 4)).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_numpy_cannot_write_twice_to_one_place() -> None:
    memory = numpy.arange(12)
    assert not View((4, 12), (0, 1)).numpy(memory).flags.writeable
    assert not View((4, 3), (2, 3)).numpy(numpy.arange(13)).flags.writeable
    assert View((3, 2), (2, 3)).numpy(memory).flags.writeable
    memory.flags.writeable = False
    assert not View((12,)).numpy(memory).flags.writeable


def test_numpy_never_leaves_the_buffer() -> None:
    memory = numpy.arange(12)
    for view in (View((13,)), View((3,), (-1,)), View((), offset=12), View((2,), (2**40,))):
        with pytest.raises(Error) as caught:
            view.numpy(memory)
        assert caught.value.kind == "outside_buffer" and caught.value.size == 12
        assert caught.value.shape == view.shape and caught.value.strides == view.strides
    with pytest.raises(Error) as caught:
        View((3,)).numpy(memory[::2])
    assert caught.value.kind == "buffer_not_contiguous"
    # Padding may be anywhere: it is never read.
    padded = View((2**20,), (1,), -5, [(5, 17)])
    assert padded.numpy(memory, fill=-1)[4:18].tolist() == [-1, *range(12), -1]


def test_numpy_padding_is_filled() -> None:
    padded = View((2,)).pad((1, 2))
    with pytest.raises(Error) as caught:
        padded.numpy(numpy.arange(2))
    assert caught.value.kind == "masked"
    assert padded.numpy(numpy.arange(2), fill=7).tolist() == [7, 0, 1, 7, 7]
    assert View((3,), mask="nothing").numpy(numpy.arange(0), fill=7).tolist() == [7, 7, 7]
    assert View((), mask="nothing").numpy(numpy.arange(1), 7).tolist() == 7


def test_numpy_of_a_chain() -> None:
    chain = ViewChain.parse("(2,3) | permute(1,0) | reshape(6)")
    with pytest.raises(Error) as caught:
        chain.numpy(numpy.arange(6))
    assert caught.value.kind == "not_mergeable"
    assert chain.numpy(numpy.arange(6), copy=True).tolist() == [0, 3, 1, 4, 2, 5]
    assert ViewChain.parse("(2,3) | (6)").numpy(numpy.arange(6)).base is not None


@cases(2500)
def test_round_trip(choose: Choices) -> None:
    """Any basic indexing and transposing of an array is recognised, and gives the array back."""
    memory = numpy.arange(2000)
    shape = choose.shape(smallest=0)
    x = memory[3 : 3 + View(shape).count].reshape(shape)
    for _ in range(choose.below(4)):
        key = [choose.slice(size) for size in x.shape]
        x = x[(*key, ...)].transpose(choose.order(x.ndim))
    view = View.of(x, base=memory)
    assert view.shape == x.shape
    back = view.numpy(memory)
    assert back.tolist() == x.tolist() and back.dtype == x.dtype
    assert list(view.positions()) == x.ravel().tolist()
    for other in (memoryview(x), Interface(x), DLPack(x)):
        assert View.of(other) == View.of(x)
