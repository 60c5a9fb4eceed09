//! Instructions side by side: several warps, and each of them several times.
//!
//! Example: `SM80_16x8x16_F32F16F16F32_TN` over warps (2,2,1) is an instruction of 32 by 16 by 16 and 128
//! threads. Element (i,j) of a warp's C lies 16 rows further down for every warp along M, and 8 columns
//! further right for every warp along N; A is the same for all warps along N.

use viewmerge::Limit;

use super::{Atom, AtomOperand};
use crate::answer::{Answer, NoLayout};
use crate::compose::compose;
use crate::error::Error;
use crate::inverse::right_inverse;
use crate::layout::{Layout, Mode};
use crate::product::raked_product;

const MMA: &str = "tiled_mma";
const COPY: &str = "tiled_copy";

impl Atom {
    /// The instruction executed by several warps at once, which together cover more of the product.
    ///
    /// `warps` takes (m, n, k) to the number of a warp (a group with as many threads as the instruction
    /// has); `repeat` says how often each warp repeats its part along M, N and K, with further values.
    ///
    /// # Errors
    ///
    /// For an instruction that is not a product, for warps that are not numbered 0, 1, 2, … once each, and
    /// for a repetition below 1.
    ///
    /// ```
    /// use viewmerge_cute::{Atom, Limit};
    ///
    /// let atom = Atom::named("SM80_16x8x16_F32F16F16F32_TN")?;
    /// let tiled = atom.tiled(&"(2,2,1)".parse()?, [1, 1, 1], &Limit::none())?;
    /// assert_eq!((tiled.shape(), tiled.threads()), (Some([32, 16, 16]), 128));
    /// let c = tiled.operands()[2].layout.as_ref().map(ToString::to_string);
    /// assert_eq!(c.as_deref(), Some("(((4,8),(2,2)),(2,2)):(((64,1),(16,256)),(32,8))"));
    /// # Ok::<(), viewmerge_cute::Error>(())
    /// ```
    pub fn tiled(
        &self,
        warps: &Layout,
        repeat: [i64; 3],
        limit: &Limit<'_>,
    ) -> Result<Atom, Error> {
        let refuse = |why| Err(Error::Operand { op: MMA, why });
        let Some(shape) = self.shape else {
            return refuse("takes a matrix product, not a copy");
        };
        if repeat.iter().any(|&times| !(1..=1 << 20).contains(&times)) {
            return refuse("takes repetitions from 1 to 1048576");
        }
        let (modes, count) = (warps.modes(), warps.size());
        let numbered = right_inverse(warps, limit)?;
        if modes.len() > 3 || numbered.size() != count || warps.cosize() != count {
            return refuse(
                "takes warps of up to three modes, (m,n,k), that are numbered 0, 1, 2, … once each",
            );
        }
        let size = |mode: Option<&Mode>| {
            mode.map_or(1, |mode| mode.leaves().iter().map(|leaf| leaf.0).product::<i64>())
        };
        let along = [0, 1, 2].map(|number| size(modes.get(number)));
        let over = |number: usize| -> Result<i64, Error> {
            let all = along[number]
                .checked_mul(repeat[number])
                .and_then(|all| all.checked_mul(shape[number]));
            all.filter(|&all| all <= 1 << 30)
                .ok_or(Error::Operand { op: MMA, why: "takes a product of up to 2^30 each way" })
        };
        let whole = [over(0)?, over(1)?, over(2)?];
        let operand = |operand: &AtomOperand| {
            let dims = match operand.name {
                "A" => [0, 2],
                "B" => [1, 2],
                _ => [0, 1],
            };
            let [rows, columns] = operand.tile;
            // An instruction with several blocks has more rows than its M or N.
            let blocks = rows / shape[dims[0]].max(1);
            let tile = [whole[dims[0]] * blocks.max(1), whole[dims[1]]];
            let layout = match &operand.layout {
                None => None,
                Some(own) => {
                    let placed = Layout::flat(&[(rows, 1), (columns, tile[0])])?;
                    let own = composed(&placed, own, limit)?;
                    let mut steps = [0; 3];
                    (steps[dims[0]], steps[dims[1]]) = (rows, columns * tile[0]);
                    let moves: Vec<(i64, i64)> =
                        (0..3).map(|number| (along[number], steps[number])).collect();
                    let moves = composed(&Layout::flat(&moves)?, &numbered, limit)?;
                    let again = dims.iter().filter(|&&dim| repeat[dim] > 1).map(|&dim| {
                        Mode::Leaf { size: repeat[dim], stride: steps[dim] * along[dim] }
                    });
                    let [threads, values] = two(&own)?;
                    let threads = if count > 1 {
                        Mode::Node(vec![threads, moves.mode().clone()])
                    } else {
                        threads
                    };
                    let again: Vec<Mode> = again.collect();
                    let values = if again.is_empty() {
                        values
                    } else {
                        Mode::Node([values].into_iter().chain(again).collect())
                    };
                    Some(Layout::beside([threads, values])?)
                }
            };
            Ok(AtomOperand { name: operand.name, tile, layout })
        };
        Ok(Atom {
            name: self.name.clone(),
            shape: Some(whole),
            threads: self.threads * count,
            operands: self.operands.iter().map(operand).collect::<Result<_, Error>>()?,
            ..self.clone()
        })
    }
}

/// The threads of a copy over a tile, arranged like CuTe's `make_tiled_copy`: every thread has one copy of
/// `values`, interleaved. Returns the tile and the thread-value layout over it.
///
/// # Errors
///
/// As [`raked_product`], and if threads or values are not numbered 0, 1, 2, … once each.
///
/// ```
/// use viewmerge_cute::{Limit, tiled_copy};
///
/// let (tile, layout) = tiled_copy(&"(4,8):(8,1)".parse()?, &"(1,4)".parse()?, &Limit::none())?.unwrap();
/// assert_eq!((tile, layout.to_string()), ([4, 32], "((8,4),4):((16,1),4)".to_owned()));
/// # Ok::<(), viewmerge_cute::Error>(())
/// ```
pub fn tiled_copy(
    threads: &Layout,
    values: &Layout,
    limit: &Limit<'_>,
) -> Result<Result<([i64; 2], Layout), NoLayout>, Error> {
    let raked = match raked_product(threads, values, limit)? {
        Answer::Layout(raked) => raked,
        Answer::None(none) => return Ok(Err(none)),
    };
    let (count, each) = (threads.size(), values.size());
    let placed = right_inverse(&raked, limit)?;
    let sizes: Vec<i64> = raked
        .modes()
        .iter()
        .map(|mode| mode.leaves().iter().map(|leaf| leaf.0).product())
        .collect();
    if placed.size() != raked.size() || sizes.len() > 2 {
        let why = "takes threads and values of up to two modes, numbered 0, 1, 2, … once each";
        return Err(Error::Operand { op: COPY, why });
    }
    let shape = Layout::beside([
        Mode::Leaf { size: count, stride: 1 },
        Mode::Leaf { size: each, stride: count },
    ])?;
    Ok(match compose(&placed, &shape, false, limit)? {
        Answer::Layout(layout) => Ok(([sizes[0], sizes.get(1).copied().unwrap_or(1)], layout)),
        Answer::None(none) => Err(none),
    })
}

/// A ∘ B, for a composition that is known to exist.
fn composed(a: &Layout, b: &Layout, limit: &Limit<'_>) -> Result<Layout, Error> {
    match compose(a, b, false, limit)? {
        Answer::Layout(layout) => Ok(layout),
        Answer::None(_) => Err(Error::Operand {
            op: MMA,
            why: "takes warps whose numbers are a layout, mode by mode",
        }),
    }
}

fn two(layout: &Layout) -> Result<[Mode; 2], Error> {
    match layout.modes() {
        [threads, values] => Ok([threads.clone(), values.clone()]),
        _ => Err(Error::Operand { op: MMA, why: "takes operands of threads and values" }),
    }
}
