//! How a tensor library reshapes: it shares memory where one view is enough, copies where it is
//! not, and can say why.
//!
//! ```text
//! cargo run -p viewmerge --example tensor_reshape
//! ```

use std::rc::Rc;

use viewmerge::{Error, Verdict, View, Witness};

struct Tensor {
    memory: Rc<[f32]>,
    view: View,
}

impl Tensor {
    /// The numbers 0, 1, 2 … in this shape.
    fn counting(shape: &[i64]) -> Result<Tensor, Error> {
        let view = View::contiguous(shape)?;
        let memory = (0..view.count()).map(|number| number as f32).collect();
        Ok(Tensor { memory, view })
    }

    /// The same memory seen through another view.
    fn seen_through(&self, view: View) -> Tensor {
        Tensor { memory: Rc::clone(&self.memory), view }
    }

    /// The elements in row-major order; padding is 0.
    fn elements(&self) -> impl Iterator<Item = f32> {
        self.view.positions().map(|position| position.map_or(0.0, |at| self.memory[at as usize]))
    }

    /// Another shape; if the elements had to be copied, the reason.
    fn reshape(&self, shape: &[i64]) -> Result<(Tensor, Option<Witness>), Error> {
        match self.view.reshape(shape)? {
            Verdict::Merged(view) => Ok((self.seen_through(view), None)),
            Verdict::NotMergeable(witness) => {
                let view = View::contiguous(self.view.shape())?;
                let copy = Tensor { memory: self.elements().collect(), view };
                Ok((copy.reshape(shape)?.0, Some(witness)))
            }
        }
    }
}

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let image = Tensor::counting(&[4, 6])?;
    let turned = image.seen_through(image.view.permute(&[1, 0])?);

    // Rows of a transposed image can be grouped without touching memory …
    let (grouped, reason) = turned.reshape(&[2, 3, 4])?;
    assert!(reason.is_none() && Rc::ptr_eq(&grouped.memory, &image.memory));
    println!("(6,4) as (2,3,4): no copy, {}", grouped.view);

    // … but not joined.
    let (flat, reason) = turned.reshape(&[24])?;
    let reason = reason.map(|witness| witness.to_string()).unwrap_or_default();
    assert_eq!(reason, "the step along axis 0 is +6 at (0), but −17 at (3)");
    assert!(flat.elements().eq(turned.elements()));
    println!("(6,4) as (24): copied, because {reason}");

    // Padding above and below stays a box when the rows are joined: no copy.
    let padded = image.seen_through(image.view.pad(&[(1, 1), (0, 0)])?);
    let (joined, reason) = padded.reshape(&[36])?;
    assert!(reason.is_none() && joined.elements().eq(padded.elements()));
    println!("padded (6,6) as (36): no copy, {}", joined.view);
    Ok(())
}
