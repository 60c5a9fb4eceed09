//! Targets: which configurations a family of operations has, and what each costs.
//!
//! A target is a table in TOML. A cost is a percentage of bytes: `inner = 200` for Softmax
//! means that normalising an axis other than the last costs as much as copying its operand
//! twice. A configuration that is left out does not exist there. The table `[copy]` may say how
//! long copies take; this decides how a plan is written, not which one is cheapest.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::TargetError;
use crate::time::CopyTimes;

/// Every family with its configurations.
pub(crate) const FAMILIES: &[(&str, &[&str])] = &[
    ("elementwise", &["any"]),
    ("reduce", &["any"]),
    ("softmax", &["last", "inner"]),
    ("layernorm", &["last"]),
    ("batchnorm", &["image"]),
    ("matmul", &["plain", "swapped", "trans_a", "trans_b", "batch_a", "batch_b"]),
    ("linear", &["rows", "left"]),
    ("pointwise", &["image", "rows"]),
    ("conv", &["image", "nhwc"]),
    ("pool", &["image", "nhwc"]),
    ("concat", &["outer", "inner"]),
    ("slice", &["outer", "inner"]),
    ("split", &["outer", "inner"]),
    ("pad", &["outer", "inner"]),
    ("gather", &["outer", "inner"]),
    ("embedding", &["rows"]),
];

/// A target: the configurations that families of operations have, each with its cost in percent
/// of a copy.
///
/// ```
/// use viewmerge_plan::Target;
///
/// let target = Target::from_toml("name = \"mine\"\n[softmax]\nlast = 0\n")?;
/// assert_eq!(target.percent("softmax", "last"), Some(0));
/// assert_eq!(target.percent("softmax", "inner"), None);
/// assert!(Target::from_toml("name = \"x\"\n[softmix]\nlast = 0\n").is_err());
/// # Ok::<(), viewmerge_plan::TargetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    name: String,
    #[serde(default)]
    copy: Option<CopyTimes>,
    #[serde(flatten)]
    families: BTreeMap<String, BTreeMap<String, i64>>,
}

impl Target {
    /// A built-in target: `onnx`, `ort-cpu` or `nhwc`.
    ///
    /// # Errors
    ///
    /// [`TargetError::Unknown`] for any other name.
    pub fn named(name: &str) -> Result<Target, TargetError> {
        Target::from_toml(match name {
            "onnx" => include_str!("../targets/onnx.toml"),
            "ort-cpu" => include_str!("../targets/ort-cpu.toml"),
            "nhwc" => include_str!("../targets/nhwc.toml"),
            _ => return Err(TargetError::Unknown { name: name.into() }),
        })
    }

    /// Reads a table.
    ///
    /// # Errors
    ///
    /// For a name or a value that is not accepted; the error names it.
    pub fn from_toml(text: &str) -> Result<Target, TargetError> {
        let target: Target =
            toml::from_str(text).map_err(|error| TargetError::Syntax(error.to_string()))?;
        for (family, configurations) in &target.families {
            let Some((_, known)) = FAMILIES.iter().find(|(name, _)| name == family) else {
                let names: Vec<&str> = FAMILIES.iter().map(|(name, _)| *name).collect();
                return Err(TargetError::Family {
                    family: family.clone(),
                    known: names.join(", "),
                });
            };
            for (configuration, &percent) in configurations {
                let (family, configuration) = (family.clone(), configuration.clone());
                if !known.contains(&configuration.as_str()) {
                    let known = known.join(", ");
                    return Err(TargetError::Configuration { family, configuration, known });
                }
                if !(0..=100_000).contains(&percent) {
                    return Err(TargetError::Cost { family, configuration, percent });
                }
            }
        }
        Ok(target)
    }

    /// The name of the target.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cost of a configuration in percent of bytes; `None` if it does not exist.
    #[must_use]
    pub fn percent(&self, family: &str, configuration: &str) -> Option<i64> {
        self.families.get(family)?.get(configuration).copied()
    }

    /// How long copies take, if the table says so.
    #[must_use]
    pub fn copy_times(&self) -> Option<CopyTimes> {
        self.copy
    }

    /// The table, family by family.
    pub(crate) fn families(&self) -> &BTreeMap<String, BTreeMap<String, i64>> {
        &self.families
    }

    /// The cost of a configuration for this many bytes, rounded down.
    pub(crate) fn cost(&self, family: &str, configuration: &str, bytes: i64) -> Option<i64> {
        let percent = self.percent(family, configuration)?;
        i64::try_from(i128::from(bytes) * i128::from(percent) / 100).ok()
    }
}
