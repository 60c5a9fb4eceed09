//! The worst known texts of every kind, checked within 600 MB and 10 s. Some were found by
//! `examples/worst.rs`, which searches for them, the others by hand.

use crate::support::worst::{check_requested, measure};

/// A kind of text and its three numbers.
const WORST: [(&str, [usize; 3]); 16] = [
    ("a long number", [870_000, 1, 1]),
    ("many long numbers", [1, 262_144, 1]),
    ("sizes", [400_000, 1, 400_000]),
    ("masked axes", [443_025, 1, 1]),
    ("a chain of views", [128, 16, 1_024]),
    ("two chains", [128, 16, 1_024]),
    ("a witness", [128, 16, 65_536]),
    ("a deep proof", [300_000, 1, 1]),
    ("a long leaf", [524_288, 16, 16]),
    ("many claims", [150_000, 1, 1]),
    ("a minimum", [3_000, 3_000, 1]),
    ("ways", [40, 30_000, 40]),
    ("ways to nothing", [30, 2, 500]),
    ("divisions", [3, 390, 3_000]),
    ("a point", [20_000, 20_000, 1]),
    ("names", [60_000, 1, 60_000]),
];

/// Runs in the process that [`the_worst_texts_keep_to_the_bounds`] starts.
#[test]
fn one_text() {
    check_requested();
}

#[test]
fn the_worst_texts_keep_to_the_bounds() {
    for (kind, numbers) in WORST {
        let taken = measure(kind, numbers, &["worst::one_text", "--exact", "--nocapture"]);
        println!("{kind}: {taken:?}");
        assert!(taken.seconds < 10.0 && taken.megabytes < 600.0, "{kind}: {taken:?}");
    }
}
