//! The first example: one view, a witness, and a masked reshape.

use viewmerge::{Limit, Verdict, View, ViewChain, merge};

fn main() -> Result<(), viewmerge::Error> {
    // Two views, memory side first: the second counts the elements of the first.
    let pair: [View; 2] = ["(10,3,3):(8,1,2)".parse()?, "(4):(4)".parse()?];
    let verdict = merge(&pair, &Limit::none())?;
    assert_eq!(verdict, Verdict::Merged("(4):(3)".parse()?));

    // A stack built by movement ops, and why it is not one view.
    let chain = ViewChain::contiguous(&[2, 3])?.permute(&[1, 0])?.reshape(&[6])?;
    let verdict = chain.merge()?;
    let why = verdict.witness().map(|witness| witness.to_string());
    assert_eq!(why.as_deref(), Some("the step along axis 0 is +3 at (0), but −2 at (1)"));

    // Masked reshapes are decided too: padding survives where it stays a box.
    let padded = View::contiguous(&[2, 3])?.pad(&[(1, 1), (0, 0)])?;
    let flat = padded.reshape(&[12])?;
    assert_eq!(flat, Verdict::Merged("(12):(1)-3 [3:9]".parse()?));
    Ok(())
}
