//! The classes that other modules use: `View`, `ViewChain` and `GuardedView`.
//!
//! Their data is here, below every module that reads or makes them; their methods are in
//! `view`, `chain` and `guarded`.

use pyo3::prelude::*;
use viewmerge::{View, ViewChain};
use viewmerge_index::GuardedView;

/// A shape, strides, an offset and a validity over flat memory.
///
/// View(shape, strides=None, offset=0, mask=None): without strides the view is
/// contiguous. `mask` is None (every index is valid), a pair `(lo, hi)` for
/// every axis, or "nothing". An index that is not valid is padding and touches
/// no memory.
///
/// Views are immutable, hashable and in canonical form: they are equal exactly
/// if they are the same function.
///
/// >>> view = View((10, 3, 3), (8, 1, 2), offset=5)
/// >>> print(view)
/// (10,3,3):(8,1,2)+5
/// >>> view.index(1, 2, 0)
/// 15
/// >>> View((2, 3)) == View.parse("(2,3):(3,1)")
/// True
/// >>> eval(repr(view)) == view
/// True
#[pyclass(frozen, subclass, module = "viewmerge", name = "View")]
pub(crate) struct PyView(pub(crate) View);

/// Views that compose, memory side first: an index is one of the last view.
///
/// ViewChain(views): `views` is a sequence of views, or one view, or the text
/// of either. Every op succeeds on good arguments: if one view cannot hold the result,
/// another goes on top. `merge` tells whether it is still one view.
///
/// >>> chain = ViewChain.contiguous(2, 3).permute(1, 0).reshape(6)
/// >>> print(chain)
/// (3,2):(1,3) | (6):(1)
/// >>> chain.index(1)
/// 3
/// >>> bool(chain.merge())
/// False
/// >>> eval(repr(chain)) == chain
/// True
#[pyclass(frozen, module = "viewmerge", name = "ViewChain")]
pub(crate) struct PyChain(pub(crate) ViewChain);

/// A view with padding where affine conditions fail.
///
/// GuardedView(view, guards): a guard is (coefficients, lower, upper); an index
/// is valid where the view is and `lower <= sum of coefficient * index < upper`
/// for every guard. A bound may be None.
///
/// >>> upper = GuardedView(View((3, 3)), [((-1, 1), 0, None)])
/// >>> print(upper)
/// (3,3):(3,1) if 0 <= -i0 + i1
/// >>> upper.index(1, 2), upper.index(2, 1)
/// (5, None)
/// >>> eval(repr(upper)) == upper
/// True
#[pyclass(frozen, module = "viewmerge", name = "GuardedView")]
pub(crate) struct PyGuarded(pub(crate) GuardedView);
