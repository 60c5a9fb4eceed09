"""From real arrays to views and back.

Nothing here is imported unless it is needed: arrays are known by what they
say of themselves, and NumPy and PyTorch are imported only to make one.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence

from ._core import View, ViewChain
from ._error import Error


class Told(NamedTuple):
    """What an array says of itself."""

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
        return told.shape, told.strides, told.unit, told.offset
    under = tell(base)
    if told.address is None or under.address is None:
        raise TypeError("base= needs two arrays that tell their address")
    distance = told.address - under.address
    if told.itemsize <= 0 or distance % told.itemsize:
        raise Error(
            f"the array begins {distance} bytes behind base, it must be a whole number of "
            f"elements of {told.itemsize} bytes",
            "byte_offset",
            {"offset": distance, "itemsize": told.itemsize, "shape": tuple(told.shape)},
        )
    return told.shape, told.strides, told.unit, distance // told.itemsize


def tell(array: Any) -> Told:
    """What an array says of itself, asked in every way there is."""
    if isinstance(array, View):
        if array.mask is not None:
            raise TypeError("a view with padding is not an array")
        return Told(array.shape, array.strides, 1, array.offset, 1, None)
    if callable(getattr(array, "stride", None)) and hasattr(array, "storage_offset"):
        size = array.element_size()
        return Told(
            tuple(array.shape), array.stride(), 1, array.storage_offset(), size, array.data_ptr()
        )
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

        shape, element_strides, size, address = read(array.__dlpack__())
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


def _interface(array: Any) -> Any:
    for name in ("__array_interface__", "__cuda_array_interface__"):
        # A tensor on another device has the attribute, but refuses it.
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
    """The bytes of an element, as ``<f8`` says; a unit as in ``<M8[ns]`` follows the number."""
    size = int(typestr[2:].split("[")[0])
    return 4 * size if typestr[1] == "U" else size


def check_bounds(view: View, size: int) -> None:
    """Refuses a view that touches anything outside of a buffer."""
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
    """What picks the valid indices in an array of the whole shape."""
    return tuple(slice(lo, hi) for lo, hi in view.valid_box or ())


def view_to_numpy(view: View, buffer: Any, fill: Any) -> Any:
    """See ``View.numpy``."""
    import numpy
    from numpy.lib.stride_tricks import as_strided

    array = numpy.asarray(buffer)
    if not array.flags.c_contiguous:
        raise _not_contiguous("array")
    flat = array.reshape(-1)
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


def chain_to_numpy(chain: ViewChain, buffer: Any, fill: Any, copy: bool) -> Any:
    """See ``ViewChain.numpy``."""
    view = _one_view(chain, copy)
    if view is not None:
        return view_to_numpy(view, buffer, fill)
    import numpy

    array = buffer
    for view in chain.views:
        array = view_to_numpy(view, numpy.ascontiguousarray(array), fill)
    # With one element an array of no axes became one of one axis.
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
