//! Answers every line of standard input as `viewmerge_json::ask` does, in order: what
//! `scripts/same-answers` compares between two versions.

use std::io::{self, BufRead, BufWriter, Write};

use viewmerge::Limit;

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", viewmerge_json::ask(&line?, &Limit::steps(2_000)))?;
    }
    out.flush()
}
