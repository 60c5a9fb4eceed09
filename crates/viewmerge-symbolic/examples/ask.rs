//! `ask "N>=1" "M" -- "(N,M) | flatten()"`: for which parameters is it one view, and over which
//! split?

use viewmerge_symbolic::{Limit, Params, SymbolicChain};

fn main() -> Result<(), viewmerge_symbolic::Error> {
    let mut params = Params::new();
    for text in std::env::args().skip(1) {
        if text.contains('(') {
            let chain = SymbolicChain::parse(&params, &text)?;
            println!("{chain}\n  {}", chain.merge(&Limit::none()));
            println!("  {}", chain.split(&Limit::none()));
        } else {
            params = params.read(&text)?;
        }
    }
    Ok(())
}
