//! The worked example of accidental merging, (10,3,3) through (4):(4) and
//! (6):(4), as it stands in `testdata/` in every format.

use viewmerge::{Limit, OpenChain, OverflowTable};
use viewmerge_testkit::cases::text;

fn chain(length: i64) -> OpenChain {
    format!("(10,3,3) | ({length}):(4)").parse().expect("reads")
}

fn table(length: i64) -> OverflowTable {
    chain(length).overflow_table(100, &Limit::none()).expect("small")
}

#[test]
fn tables() {
    for length in [4, 6] {
        let table = table(length);
        let json = serde_json::to_string_pretty(&table).expect("writes") + "\n";
        let rows = [
            ("txt", table.to_text()),
            ("md", table.to_markdown()),
            ("tex", table.to_latex()),
            ("json", json),
        ];
        for (format, found) in rows {
            let file = format!("worked-example-{length}.{format}");
            if std::env::var_os("VIEWMERGE_WRITE").is_some() {
                let path = viewmerge_testkit::cases::folder().join(&file);
                std::fs::write(path, &found).expect("is written");
            }
            assert_eq!(found, text(&file), "{file}");
        }
    }
}

#[test]
fn equations() {
    let equations = |length: i64| -> Vec<String> {
        let found = chain(length).conditions(&Limit::none()).expect("small");
        found.equations().iter().map(|equation| equation.to_string()).collect()
    };
    assert_eq!(equations(3), [""; 0]);
    assert_eq!(equations(4), ["σ₁ = 2σ₂ + 3σ₃"]);
    // The second equation starts at length 6, not 5.
    assert_eq!(equations(5), ["σ₁ = 2σ₂ + 3σ₃"]);
    assert_eq!(equations(6), ["σ₁ = 2σ₂ + 3σ₃", "σ₁ = 3σ₂"]);
    assert_eq!(equations(20), ["σ₁ = 2σ₂ + 3σ₃", "σ₁ = 3σ₂"]);
}
