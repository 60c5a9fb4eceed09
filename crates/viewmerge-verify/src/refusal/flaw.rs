//! What is wrong with a proof, and where.

use std::fmt;

use crate::claim::Side;
use crate::number::Integer;

/// A node of a proof: where it is in the text, and how it is reached from the root.
///
/// ```
/// use viewmerge_verify::{Failure, Refusal, Side, verify};
///
/// let text = r#"{"views":[{"shape":[4],"strides":[3],"offset":0,"mask":null}],
///     "merged":{"shape":[4],"strides":[3],"offset":0,"mask":null},
///     "proofs":[{"claim":"above","proof":{"absurd":[[1,"low",1]]}},
///       {"claim":"below","proof":{"split":[1],"at":2,"low":{"absurd":[[1,"high",1]]},
///         "high":{"absurd":[]}}}]}"#;
/// let Err(Refusal::Fails(Failure::Unproved { node, .. })) = verify(text) else { panic!("holds") };
/// assert_eq!((node.line, node.path.as_slice()), (5, [Side::High].as_slice()));
/// assert_eq!(node.to_string(), "the node high (line 5, column 16)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// The sides of the splits on the way down.
    pub path: Vec<Side>,
}

/// The longest path that is printed.
const LONGEST_PATH: usize = 12;

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.len() {
            0 => f.write_str("the root")?,
            1..=LONGEST_PATH => {
                let sides: Vec<String> = self.path.iter().map(Side::to_string).collect();
                write!(f, "the node {}", sides.join("."))?;
            }
            depth => write!(f, "a node {depth} splits down")?,
        }
        write!(f, " (line {}, column {})", self.line, self.column)
    }
}

/// What is wrong with a node of a proof.
///
/// ```
/// use viewmerge_verify::Flaw;
///
/// let flaw = Flaw::Coefficients { found: 1, variables: 2 };
/// assert_eq!(flaw.to_string(), "the split has 1 coefficients, there are 2 variables");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// A split does not have one coefficient for every variable.
    #[error("the split has {found} coefficients, there are {variables} variables")]
    Coefficients {
        /// The number of coefficients.
        found: usize,
        /// The number of variables.
        variables: usize,
    },
    /// The row does not exist.
    #[error("there is no row {row}, there are {rows} rows, counted from 0")]
    NoRow {
        /// The row.
        row: Integer,
        /// The number of rows.
        rows: usize,
    },
    /// The row has no such end.
    #[error("row {row} has no {side} end")]
    NoEnd {
        /// The row.
        row: usize,
        /// The end.
        side: Side,
    },
    /// A multiplier is below 0.
    #[error("row {row} has the multiplier {multiplier}, it must be 0 or more")]
    NegativeMultiplier {
        /// The row.
        row: Integer,
        /// The multiplier.
        multiplier: Integer,
    },
    /// The multiples do not cancel.
    #[error("variable {variable} is left in the sum, {coefficient} times")]
    VariableLeft {
        /// The variable, counted from 0.
        variable: usize,
        /// Its coefficient in the sum.
        coefficient: Integer,
    },
    /// The sum is not absurd.
    #[error("the sum is {constant} <= 0, its constant must be above 0")]
    NotPositive {
        /// The constant.
        constant: Integer,
    },
}
