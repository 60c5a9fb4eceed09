//! `json "N>=1" M "(N,M) | flatten()"`: the answer as JSON.

use viewmerge_symbolic::{Limit, Params, SymbolicChain};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut params = Params::new();
    for text in std::env::args().skip(1) {
        if text.contains('(') {
            let answer = SymbolicChain::parse(&params, &text)?.merge(&Limit::none());
            println!("{}", serde_json::to_string(&answer)?);
        } else {
            params = params.read(&text)?;
        }
    }
    Ok(())
}
