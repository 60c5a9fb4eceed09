//! Draws views given in their notation, memory side first, and prints the SVG:
//!
//! ```text
//! cargo run -p viewmerge-draw --example draw -- merge "(10,3,3):(8,1,2)" "(6):(4)" > picture.svg
//! ```

use std::error::Error;

use viewmerge::{View, ViewChain};
use viewmerge_draw::Drawing;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let what = words.next().unwrap_or_default();
    let views = words.map(|word| word.parse()).collect::<Result<Vec<View>, _>>()?;
    let chain = ViewChain::from_views(&views)?;
    let drawing = match what.as_str() {
        "view" => Drawing::of_view(chain.last()),
        "chain" => Drawing::of_chain(&chain),
        "merge" => Drawing::of_merge(&chain),
        _ => return Err("say view, chain or merge, then the views".into()),
    };
    println!("{drawing}");
    Ok(())
}
