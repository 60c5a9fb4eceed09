//! The conditions on strides as JSON.
//!
//! ```
//! use viewmerge::{Limit, OpenChain};
//! use viewmerge_json::conditions::of_one;
//!
//! let chain: OpenChain = "(4,3) | (12)".parse()?;
//! let value = of_one(&chain.conditions(&Limit::none())?);
//! assert_eq!(value["equations"][0]["text"], "σ₁ = 3σ₂");
//! # Ok::<(), viewmerge::Error>(())
//! ```

use serde_json::{Value, json};
use viewmerge::{
    Case, Conditions, Error, Limit, OpenChain, StridePattern, View, conditions_by_case,
};

use crate::MOST_CASES;

/// What a text asks for: the conditions on the first view, or those for every choice of
/// the open strides of a second one.
#[derive(Debug)]
pub enum Asked {
    /// On the first view.
    One(OpenChain),
    /// For every choice.
    Cases(StridePattern, StridePattern),
}

impl Asked {
    /// Reads `VIEW | VIEW OR OP ...`; of two views the upper one may have open strides.
    ///
    /// # Errors
    ///
    /// The part that could not be read, and why.
    pub fn read(text: &str) -> Result<Asked, (&str, Error)> {
        if let Some((below, above)) = text.split_once('|')
            && above.contains('?')
            && !above.contains('|')
        {
            let above = above.trim();
            let read = |part: &str| part.parse::<StridePattern>();
            return Ok(Asked::Cases(
                read(below).map_err(|error| (below, error))?,
                read(above).map_err(|error| (above, error))?,
            ));
        }
        text.parse().map(Asked::One).map_err(|error| (text, error))
    }
}

/// The cases for all strides of the upper view, 1000 at most.
///
/// # Errors
///
/// If there are more, or the limit was reached.
pub fn cases(
    below: &StridePattern,
    above: &StridePattern,
    limit: &Limit<'_>,
) -> Result<Vec<Case>, Error> {
    conditions_by_case(below, above, MOST_CASES, limit)
}

/// The conditions of one chain.
pub fn of_one(found: &Conditions) -> Value {
    let equations = found.equations().iter().map(|equation| {
        let mut value = json!(equation);
        value["text"] = json!(equation.to_string());
        value
    });
    json!({
        "possible": !found.is_impossible(),
        "obstacle": found.obstacle(),
        "hole": found.hole(),
        "equations": equations.collect::<Vec<_>>(),
        "solved": found.solved(),
        "solutions": found.solutions(),
        "merged_strides": found.merged_strides(),
        "lengths": found.lengths(),
    })
}

/// The conditions of all cases.
pub fn of_cases(cases: &[Case]) -> Value {
    let possible = cases.iter().any(|case| !case.conditions.is_impossible());
    let cases = cases.iter().map(|case| {
        let mut value = of_one(&case.conditions);
        value["above"] = json!(case.above);
        value
    });
    json!({ "possible": possible, "cases": cases.collect::<Vec<_>>() })
}

/// A chain with all strides of its first view open: the conditions depend on its shape alone.
///
/// # Errors
///
/// If the views do not compose.
pub fn all_open(views: &[View]) -> Result<OpenChain, Error> {
    let (first, above) = views.split_first().ok_or(Error::EmptyChain)?;
    let strides = vec![None; first.rank()];
    let pattern = StridePattern::masked(first.shape(), &strides, first.validity().clone())?;
    OpenChain::new(pattern.at_offset(first.offset())?, above)
}
