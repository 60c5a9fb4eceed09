//! Which op makes a copy: a Transpose, or one that moves blocks of an image.

use viewmerge_plan::plan::Permutation;

/// The copy on a tensor of this shape, without reshaping it first, if the tensor's axes refine those of the
/// copy.
pub(super) fn refined(shape: &[i64], copy: &Permutation) -> Option<Permutation> {
    let mut axes = Vec::new();
    let mut at = 0;
    for &size in &copy.shape {
        let (from, mut product) = (at, 1_i64);
        while product < size || at < shape.len() && shape[at] == 1 {
            product = product.checked_mul(*shape.get(at)?)?;
            at += 1;
        }
        if product != size {
            return None;
        }
        axes.push(from..at);
    }
    // Axes of one element come first; at the end they would make rows of one element.
    let (ones, others): (Vec<usize>, Vec<usize>) =
        copy.perm.iter().flat_map(|&axis| axes[axis].clone()).partition(|&axis| shape[axis] == 1);
    let perm: Vec<usize> = [ones, others].concat();
    (at == shape.len()).then(|| Permutation { shape: shape.to_vec(), perm })
}

/// A copy as DepthToSpace or SpaceToDepth, which runtimes do faster than a Transpose of five axes.
pub(super) struct Blocks {
    pub(super) op: &'static str,
    pub(super) size: i64,
    /// Whether blocks are taken apart, as SpaceToDepth does.
    pub(super) apart: bool,
    /// The shape of the image that is read.
    pub(super) from: Vec<i64>,
    /// The shape of the image that is made.
    pub(super) to: Vec<i64>,
}

/// The blocks that a copy moves, if it does nothing else: (a, b, b, h, w) to (a, h, b, w, b), or back.
pub(super) fn blocks(copy: &Permutation) -> Option<Blocks> {
    // Ignore the first axis if it has one element.
    let (shape, perm): (Vec<i64>, Vec<usize>) = match copy.shape.len() {
        4 => (
            [&[1], copy.shape.as_slice()].concat(),
            [0].into_iter().chain(copy.perm.iter().map(|axis| axis + 1)).collect(),
        ),
        5 => (copy.shape.clone(), copy.perm.clone()),
        _ => return None,
    };
    let apart = |a, b: i64, h, w| Some(vec![a, b.checked_mul(b)?, h, w]);
    let joined = |a, b: i64, h: i64, w: i64| Some(vec![a, 1, h.checked_mul(b)?, w.checked_mul(b)?]);
    match (perm.as_slice(), shape.as_slice()) {
        ([0, 3, 1, 4, 2], &[a, b, other, h, w]) if b == other => Some(Blocks {
            op: "DepthToSpace",
            size: b,
            apart: false,
            from: apart(a, b, h, w)?,
            to: joined(a, b, h, w)?,
        }),
        ([0, 2, 4, 1, 3], &[a, h, b, w, other]) if b == other => Some(Blocks {
            op: "SpaceToDepth",
            size: b,
            apart: true,
            from: joined(a, b, h, w)?,
            to: apart(a, b, h, w)?,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permutation(shape: &[i64], perm: &[usize]) -> Permutation {
        Permutation { shape: shape.to_vec(), perm: perm.to_vec() }
    }

    #[test]
    fn a_copy_is_made_on_finer_axes() {
        let copy = permutation(&[2, 32, 256], &[0, 2, 1]);
        assert_eq!(
            refined(&[2, 32, 16, 16], &copy),
            Some(permutation(&[2, 32, 16, 16], &[0, 2, 3, 1]))
        );
        assert_eq!(refined(&[64, 256], &copy), None);
        assert_eq!(refined(&[2, 16, 16, 32], &copy), None);
    }

    #[test]
    fn blocks_are_known() {
        let blocks = |shape: &[i64], perm: &[usize]| {
            blocks(&permutation(shape, perm)).map(|one| (one.op, one.size, one.from, one.to))
        };
        let expected = ("DepthToSpace", 2, vec![3, 4, 8, 6], vec![3, 1, 16, 12]);
        assert_eq!(blocks(&[3, 2, 2, 8, 6], &[0, 3, 1, 4, 2]), Some(expected));
        let expected = ("SpaceToDepth", 2, vec![1, 1, 16, 12], vec![1, 4, 8, 6]);
        assert_eq!(blocks(&[8, 2, 6, 2], &[1, 3, 0, 2]), Some(expected));
        assert_eq!(blocks(&[3, 2, 4, 8, 6], &[0, 3, 1, 4, 2]), None);
    }
}
