//! The table of movement ops.
//!
//! Each row holds an op's name, its variant of [`Movement`](super::Movement) with its fields, the
//! arguments in the order they are written, their default if all may be left out, and the method
//! of `View` and `ViewChain` that applies it. To go through the ops, pass a macro to this one:
//! the names, applying ops, the notation and JSON are all generated from these rows.
//!
//! A list stands for itself, `permute(1,0)` and `["permute",[1,0]]`; several arguments are a
//! tuple, `unflatten(0,(2,3))` and `["unflatten",[0,[2,3]]]`.

macro_rules! for_each_op {
    ($make:ident) => {
        $make! {
            "reshape" Reshape { 0: shape } = shape => reshape(shape);
            "flatten" Flatten { 0: first, 1: last } = (first, last) or (0, -1) => flatten(*first, *last);
            "unflatten" Unflatten { 0: axis, 1: sizes } = (axis, sizes) => unflatten(*axis, sizes);
            "permute" Permute { 0: axes } = axes => permute(axes);
            "transpose" Transpose { 0: first, 1: second } = (first, second) => transpose(*first, *second);
            "expand" Expand { 0: shape } = shape => expand(shape);
            "pad" Pad { 0: amounts } = amounts => pad(amounts);
            "shrink" Shrink { 0: bounds } = bounds => shrink(bounds);
            "slice" Slice { 0: slices } = slices => slice(slices);
            "flip" Flip { 0: axes } = axes => flip(axes);
            "step" Step { 0: steps } = steps => step(steps);
            "squeeze" Squeeze { 0: axis } = (axis,) => squeeze(*axis);
            "unsqueeze" Unsqueeze { 0: axis } = (axis,) => unsqueeze(*axis);
            "as_strided" AsStrided { shape, strides, offset } = (shape, strides, offset)
                => as_strided(shape, strides, *offset);
        }
    };
}
pub(crate) use for_each_op;
