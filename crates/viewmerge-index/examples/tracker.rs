//! How a compiler tracks a tensor through movement ops: as one view for as long as it is one, and
//! as an index expression in C when a kernel reads it.
//!
//! ```text
//! cargo run -p viewmerge-index --example tracker
//! ```

use viewmerge::{Error, Limit, Movement, ViewChain};
use viewmerge_index::{IndexChain, Language, Render};

/// A tensor of a program: where its elements are, after the ops so far.
struct Tracker {
    chain: ViewChain,
}

impl Tracker {
    fn new(shape: &[i64]) -> Result<Tracker, Error> {
        Ok(Tracker { chain: ViewChain::contiguous(shape)? })
    }

    /// The tensor after another op; nothing is computed, and nothing is ever copied.
    fn then(&self, op: &Movement) -> Result<Tracker, Error> {
        let chain = self.chain.apply(op)?.simplify(&Limit::steps(1_000))?;
        Ok(Tracker { chain })
    }

    /// The C function from an index to the position in memory.
    fn emit(&self, name: &str) -> Result<String, Error> {
        let form = self.chain.form(&Limit::none())?;
        form.render(&Render::new(Language::C).function(name))
    }
}

/// Runs the example.
pub fn main() -> Result<(), Error> {
    let mut tensor = Tracker::new(&[4, 6])?;
    for text in ["permute(1,0)", "reshape(24)", "pad((2,0))", "reshape(2,13)"] {
        let op: Movement = text.parse()?;
        tensor = tensor.then(&op)?;
        println!("{text:14} {} view(s): {}", tensor.chain.views().len(), tensor.chain);
    }
    let c = tensor.emit("read_at")?;
    println!("{c}");
    assert!(c.contains("read_at("), "{c}");
    assert_eq!(c.matches('/').count(), 1, "one division is left: {c}");
    Ok(())
}
