//! `ask "N>=1" "M" -- "(N,M) | flatten()"`: for which parameters is it one view, and over which
//! split? How long it took.

use std::time::Instant;

use viewmerge_symbolic::{Limit, Params, SymbolicChain};

fn main() -> Result<(), viewmerge_symbolic::Error> {
    let mut params = Params::new();
    for text in std::env::args().skip(1) {
        if text.contains('(') {
            let start = Instant::now();
            let chain = SymbolicChain::parse(&params, &text)?;
            println!("{chain}\n  built in {:?}", start.elapsed());
            let start = Instant::now();
            let answer = chain.merge(&Limit::none());
            println!("  {answer}\n  {:?}", start.elapsed());
            println!("  {}", chain.split(&Limit::none()));
        } else {
            params = params.read(&text)?;
        }
    }
    Ok(())
}
