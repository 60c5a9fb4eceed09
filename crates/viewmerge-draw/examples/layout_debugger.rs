//! A debugger for layouts: why does this chain need a copy, what would avoid it, and a picture.
//!
//! ```text
//! cargo run -p viewmerge-draw --example layout_debugger -- "(4,6) | permute(1,0) | reshape(24)" why.svg
//! ```

use std::error::Error;

use viewmerge::{Limit, ViewChain};
use viewmerge_draw::Drawing;

/// A report on a chain, in words.
fn report(chain: &ViewChain) -> Result<String, viewmerge::Error> {
    let limit = Limit::steps(100_000);
    let explained = chain.explain(&limit)?;
    let mut lines = vec![explained.to_string()];
    if let Some(split) = &explained.remedies.split {
        lines.push(format!("as loops without a copy: {split}"));
    }
    if let Some(copy) = &explained.remedies.copy {
        lines.push(format!("cheapest copy: {} elements", copy.elements));
    }
    Ok(lines.join("\n"))
}

/// Prints the report and draws the picture.
pub fn debug(text: &str) -> Result<String, Box<dyn Error>> {
    let chain: ViewChain =
        text.parse().map_err(|error: viewmerge::Error| error.with_source(text))?;
    println!("{}", report(&chain)?);
    Ok(Drawing::of_merge(&chain).title(text).to_svg())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().ok_or("name a chain, and a file for the picture")?;
    let picture = debug(&text)?;
    match arguments.next() {
        Some(path) => Ok(std::fs::write(path, picture)?),
        None => Err("name a file for the picture".into()),
    }
}
