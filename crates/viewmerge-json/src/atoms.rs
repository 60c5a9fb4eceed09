//! The matrix instructions of `viewmerge_cute`, as the command and the page list them.

use serde::Serialize;
use viewmerge_cute::AtomFamily;

/// Instructions with the same layouts.
#[derive(Debug, Serialize)]
pub struct Listed {
    /// The vendor and the generation.
    pub family: &'static str,
    /// Their names, with `xNx` where N varies.
    pub names: Vec<String>,
    /// The values of N; empty if the names are complete.
    pub n: &'static [i64],
}

/// All of them, by family.
///
/// ```
/// let all = viewmerge_json::atoms::list();
/// assert!(all.iter().any(|one| one.names.contains(&"SM80_16x8x16_F32F16F16F32_TN".to_owned())));
/// ```
pub fn list() -> Vec<Listed> {
    let of_family = |family: AtomFamily| {
        let listed = move |(names, n): (Vec<String>, _)| Listed { family: family.name(), names, n };
        family.sizes().map(listed).collect::<Vec<_>>()
    };
    AtomFamily::all().flat_map(of_family).collect()
}
