"""From real arrays to views and back.

No library is imported unless it is needed: arrays are read by their attributes, and NumPy
and PyTorch are imported only to make one.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence

from ._core import View, ViewChain
from ._error import Error


class Told(NamedTuple):
    """The description of an array."""

    shape: Sequence[int]
    strides: Optional[Sequence[int]]
    """None for row-major."""
    unit: int
    """The size of an element in what the strides count."""
    offset: int
    """Where it begins in its memory, in elements, if it says so."""
    itemsize: int
    """The size of an element in bytes."""
    address: Optional[int]
    """Where its first element is, if it says so."""


def describe(array: Any, base: Any) -> tuple[Sequence[int], Optional[Sequence[int]], int, int]:
    """(shape, strides, unit, offset) of an array: see ``View.of``."""
    told = tell(array)
    if base is None:
        if told.unit == 1 or counts_elements(told, 0):
            return told.shape, told.strides, told.unit, told.offset
        return told.shape, byte_strides(told), 1, told.offset * told.itemsize
    under = tell(base)
    if told.address is None or under.address is None:
        raise TypeError("base= needs two arrays that tell their address")
    distance = told.address - under.address
    if 0 not in told.shape:
        check_related(array, told, base, under)
    if counts_elements(told, distance):
        return told.shape, told.strides, told.unit, distance // (told.itemsize or 1)
    return told.shape, byte_strides(told), 1, distance


def counts_elements(told: Told, distance: int) -> bool:
    """Whether strides, and a distance in bytes, are whole numbers of elements."""
    if told.itemsize <= 0:
        return False
    if distance % told.itemsize:
        return False
    if told.unit == 1 or told.strides is None or 0 in told.shape:
        return True
    steps = zip(told.shape, told.strides)
    return all(size == 1 or stride % told.unit == 0 for size, stride in steps)


def byte_strides(told: Told) -> Sequence[int]:
    """The strides in bytes."""
    if told.strides is None:
        strides, step = [], told.itemsize
        for size in reversed(told.shape):
            strides.append(step)
            step *= size
        return strides[::-1]
    scale = told.itemsize if told.unit == 1 else 1
    return [stride * scale for stride in told.strides]


def extent(told: Told) -> tuple[int, int]:
    """The first byte of an array, and the one after its last."""
    low = high = told.address or 0
    for size, stride in zip(told.shape, byte_strides(told)):
        reach = (size - 1) * stride
        low, high = (low + reach, high) if reach < 0 else (low, high + reach)
    return (low, high + told.itemsize) if 0 not in told.shape else (low, low)


def root(array: Any) -> Optional[tuple[int, int]]:
    """The bytes of the memory that an array is part of, if known."""
    if callable(getattr(array, "storage_offset", None)):
        size = array.element_size()
        begin = array.data_ptr() - array.storage_offset() * size
        if hasattr(array, "untyped_storage"):
            return begin, begin + int(array.untyped_storage().nbytes())
        storage = array.storage()
        count = storage.size() if hasattr(storage, "size") else len(storage)
        return begin, begin + count * size
    owner = array
    while getattr(owner, "base", None) is not None and hasattr(owner.base, "strides"):
        owner = owner.base
    return extent(tell(owner)) if hasattr(owner, "strides") else None


def check_related(array: Any, told: Told, base: Any, under: Told) -> None:
    """Refuses a base over other memory than the array's."""
    low, high = extent(told)
    for within in (extent(under), root(base), root(array)):
        begin, end = within if within is not None else (0, 0)
        both = begin <= (under.address or 0) <= end
        if begin <= low and high <= end and both:
            return
    first, last = extent(under)
    raise Error(
        f"base is other memory: the array has the bytes {low:#x} to {high:#x}, base {first:#x} to "
        f"{last:#x}; base must be an array over the same memory",
        "unrelated_base",
        {"offset": low - first, "shape": tuple(told.shape)},
    )


def tell(array: Any) -> Told:
    """The description of an array, by the first protocol that works."""
    if isinstance(array, View):
        if array.mask is not None:
            raise TypeError("a view with padding is not an array")
        return Told(array.shape, array.strides, 1, array.offset, 1, None)
    if callable(getattr(array, "stride", None)) and hasattr(array, "storage_offset"):
        layout = str(getattr(array, "layout", "torch.strided"))
        if layout != "torch.strided":
            raise Error(
                f"a tensor of layout {layout} has no strides: it is no view of flat memory "
                "(to_dense() is one)",
                "no_strides",
                {"layout": layout, "shape": tuple(array.shape)},
            )
        shape, strides, offset = tuple(array.shape), array.stride(), array.storage_offset()
        for number in (*shape, *strides, offset):
            if unknown(number):
                raise TypeError(f"{number} is not known: unknown sizes go into SymbolicChain")
        # Tensors of PyTorch's tracing have no memory.
        address = None if hasattr(array, "fake_mode") else array.data_ptr()
        return Told(shape, strides, 1, offset, array.element_size(), address)
    interface = _interface(array)
    strides = getattr(array, "strides", None)
    itemsize = getattr(array, "itemsize", None)
    if strides is not None and isinstance(itemsize, int):
        return Told(array.shape, strides, itemsize, 0, itemsize, _address(interface))
    if interface is not None:
        size = _itemsize(interface["typestr"])
        return Told(
            interface["shape"], interface.get("strides"), size, 0, size, _address(interface)
        )
    if hasattr(array, "__dlpack__"):
        from ._dlpack import read

        try:
            shape, element_strides, size, address = read(array.__dlpack__())
        except Exception as error:
            kind = f"{type(array).__module__}.{type(array).__name__}"
            raise TypeError(
                f"{kind} gives no DLPack capsule that can be read here ({error}); its shape and strides make a View, and "
                "an array on the processor is read as it is"
            ) from None
        return Told(shape, element_strides, 1, 0, size, address)
    try:
        memory = memoryview(array)
    except TypeError:
        raise TypeError(
            f"{type(array).__name__} is no array: it has neither shape, strides and itemsize, nor "
            "stride() and storage_offset(), nor __array_interface__, __dlpack__ or a buffer"
        ) from None
    shape = memory.shape if memory.shape is not None else (len(memory),)
    return Told(shape, memory.strides, memory.itemsize, 0, memory.itemsize, None)


def unknown(number: Any) -> bool:
    """Whether this is a ``SymInt`` with symbols: reading it as a number would bind PyTorch's tracing to the example."""
    if type(number) is int:
        return False
    return bool(getattr(getattr(getattr(number, "node", None), "expr", None), "free_symbols", None))


def _interface(array: Any) -> Any:
    for name in ("__array_interface__", "__cuda_array_interface__"):
        # A tensor on another device has the attribute, but raises.
        try:
            interface = getattr(array, name, None)
        except Exception:
            continue
        if interface is not None:
            return interface
    return None


def _address(interface: Any) -> Optional[int]:
    data = None if interface is None else interface.get("data")
    if not isinstance(data, tuple):
        return None
    return int(data[0]) + int(interface.get("offset", 0))


def _itemsize(typestr: str) -> int:
    """The bytes of an element, from a type such as ``<f8``; in ``<M8[ns]`` a unit follows the number."""
    size = int(typestr[2:].split("[")[0])
    return 4 * size if typestr[1] == "U" else size


def check_bounds(view: View, size: int) -> None:
    """Refuses a view that leaves a buffer."""
    touched = view.position_range
    if touched is not None and (touched[0] < 0 or touched[1] >= size):
        raise Error(
            f"the view touches the positions {touched[0]} to {touched[1]}, the buffer has 0..{size}",
            "outside_buffer",
            {
                "min": touched[0],
                "max": touched[1],
                "size": size,
                "shape": view.shape,
                "strides": view.strides,
            },
        )


def _needs_fill(view: View) -> Error:
    return Error(
        "the view has padding, which is in no memory: give fill= for a copy",
        "masked",
        {"shape": view.shape, "strides": view.strides},
    )


def _not_contiguous(what: str) -> Error:
    return Error(
        f"the buffer is no C-contiguous {what}: its positions would not be those of the view",
        "buffer_not_contiguous",
        {},
    )


def _valid_part(view: View) -> Optional[View]:
    """The valid indices of a view, as a view without padding."""
    box = view.valid_box
    return None if box is None else view.shrink(box)


def _inside(view: View) -> Any:
    """The subscript that picks the valid indices in an array of the whole shape."""
    return tuple(slice(lo, hi) for lo, hi in view.valid_box or ())


def view_to_numpy(view: View, buffer: Any, fill: Any, dtype: Any = None) -> Any:
    """See ``View.numpy``."""
    import numpy
    from numpy.lib.stride_tricks import as_strided

    array = numpy.asarray(buffer)
    if not array.flags.c_contiguous:
        raise _not_contiguous("array")
    flat = array.reshape(-1)
    if dtype is not None:
        return _bytes_to_numpy(view, flat, fill, numpy.dtype(dtype))
    check_bounds(view, flat.size)
    if view.mask is not None:
        if fill is None:
            raise _needs_fill(view)
        copy = numpy.full(view.shape, fill, dtype=flat.dtype)
        valid = _valid_part(view)
        if valid is not None:
            copy[_inside(view)] = view_to_numpy(valid, flat, None)
        return copy
    if view.is_empty:
        return flat[:0].reshape(view.shape)
    strides = tuple(stride * flat.itemsize for stride in view.strides)
    writeable = bool(flat.flags.writeable) and view.is_injective()
    return as_strided(flat[view.offset :], view.shape, strides, writeable=writeable)


def _bytes_to_numpy(view: View, flat: Any, fill: Any, dtype: Any) -> Any:
    """The same if positions count bytes, with an element of this type at each."""
    import numpy

    if flat.dtype.hasobject or dtype.hasobject:
        raise TypeError("objects are not made of bytes: dtype= is for numbers")
    # An element at every byte, overlapping; the view picks some of them.
    memory = flat.view(numpy.uint8)
    count = max(memory.size - dtype.itemsize + 1, 0)
    starts = numpy.lib.stride_tricks.as_strided(
        memory[: dtype.itemsize].view(dtype) if count else numpy.zeros(1, dtype), (count,), (1,)
    )
    check_bounds(view, count)
    if view.mask is not None:
        if fill is None:
            raise _needs_fill(view)
        copy = numpy.full(view.shape, fill, dtype=dtype)
        valid = _valid_part(view)
        if valid is not None:
            copy[_inside(view)] = _bytes_to_numpy(valid, flat, None, dtype)
        return copy
    if view.is_empty:
        return numpy.zeros(view.shape, dtype)
    writeable = bool(flat.flags.writeable) and _elements_apart(view, dtype.itemsize)
    return numpy.lib.stride_tricks.as_strided(
        starts[view.offset :], view.shape, view.strides, writeable=writeable
    )


def _elements_apart(view: View, itemsize: int) -> bool:
    """Whether no two elements of a view in bytes share a byte."""
    every_byte = View((*view.shape, itemsize), (*view.strides, 1), view.offset)
    return bool(every_byte.is_injective())


def chain_to_numpy(chain: ViewChain, buffer: Any, fill: Any, copy: bool) -> Any:
    """See ``ViewChain.numpy``."""
    view = _one_view(chain, copy)
    if view is not None:
        return view_to_numpy(view, buffer, fill)
    import numpy

    array = buffer
    for view in chain.views:
        array = view_to_numpy(view, numpy.ascontiguousarray(array), fill)
    # An array without axes has become one with one axis.
    return array.reshape(chain.shape)


def _one_view(chain: ViewChain, copy: bool) -> Optional[View]:
    verdict = chain.merge()
    if verdict.view is None and not copy:
        raise Error(
            f"the chain is not one view, it takes copy=True: {verdict.witness}",
            "not_mergeable",
            {"shape": chain.shape, "strides": chain.last.strides},
        )
    return verdict.view


def view_to_torch(view: View, buffer: Any, fill: Any) -> Any:
    """See ``View.torch``."""
    import torch

    if not buffer.is_contiguous():
        raise _not_contiguous("tensor")
    check_bounds(view, buffer.numel())
    if view.mask is not None:
        if fill is None:
            raise _needs_fill(view)
        copy = torch.full(view.shape, fill, dtype=buffer.dtype, device=buffer.device)
        valid = _valid_part(view)
        if valid is not None:
            copy[_inside(view)] = view_to_torch(valid, buffer, None)
        return copy
    for axis, stride in enumerate(view.strides):
        if stride < 0:
            raise Error(
                f"axis {axis} has stride {stride}, PyTorch has no negative strides",
                "negative_stride",
                {"axis": axis, "stride": stride, "shape": view.shape, "strides": view.strides},
            )
    offset = buffer.storage_offset() + view.offset
    return torch.as_strided(buffer, view.shape, view.strides, offset)


def chain_to_torch(chain: ViewChain, buffer: Any, fill: Any, copy: bool) -> Any:
    """See ``ViewChain.torch``."""
    view = _one_view(chain, copy)
    if view is not None:
        return view_to_torch(view, buffer, fill)
    tensor = buffer
    for view in chain.views:
        tensor = view_to_torch(view, tensor.contiguous(), fill)
    return tensor
