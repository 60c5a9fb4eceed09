//! Prints random certificates, original and tampered with, and whether they hold: one per line, in the form
//! of `testdata/certificates.jsonl`, for testing another checker.
//!
//! ```sh
//! cargo run --release -p viewmerge-verify --example tampered 1000 > tampered.jsonl
//! ```
//!
//! With the word `expressions` after the number, the certificates are about expressions.

#[path = "../tests/support/mod.rs"]
mod support;

use std::io::Write;

use serde_json::{Value, json};
use support::expressions;
use support::random::{Random, certificate, mutate};
use viewmerge_verify::{Refusal, verify};

fn line(name: &str, certificate: &Value) -> String {
    let holds = match verify(&certificate.to_string()) {
        Ok(_) => Some(true),
        Err(Refusal::Fails(_)) => Some(false),
        Err(_) => None,
    };
    json!({"name": name, "holds": holds, "certificate": certificate}).to_string()
}

fn main() -> std::io::Result<()> {
    let number = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(100);
    let of_expressions = std::env::args().nth(2).as_deref() == Some("expressions");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for case in 0..number {
        let mut random = Random::new(case);
        let original = match of_expressions {
            true => expressions::certificate(&mut random),
            false => certificate(&mut random),
        };
        writeln!(out, "{}", line(&format!("{case}"), &original))?;
        for _ in 0..20 {
            let mut changed = original.clone();
            let mut told = mutate(&mut changed, &mut random);
            while random.one_in(4) {
                told = format!("{told}; {}", mutate(&mut changed, &mut random));
            }
            writeln!(out, "{}", line(&format!("{case}, {told}"), &changed))?;
        }
    }
    out.flush()
}
