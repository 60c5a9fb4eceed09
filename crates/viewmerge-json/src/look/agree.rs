//! Steps that agree, for a chain that is one view; where two chains begin to differ.

use serde_json::{Value, json};
use viewmerge::{Equivalence, Error, Limit, ViewChain};

use super::{levels, overflowing, step_of};

/// How far along an axis to look for a step with other overflows.
const MOST_TRIED: i64 = 64;

/// Two steps of the same length along one axis of a chain that is one view, in the form of
/// [`witnessed`](super::witnessed): with different overflows, if there are such near the first index. `null` if nothing
/// moves.
///
/// # Errors
///
/// If the views do not compose.
pub fn agreeing(chain: &ViewChain) -> Result<Value, Error> {
    let Some(last) = chain.views().last() else { return Ok(Value::Null) };
    let size = |&size: &i64| (0, size);
    let within: Vec<(i64, i64)> = match last.valid_box() {
        Some(bounds) => bounds.iter().copied().collect(),
        None => last.shape().iter().map(size).collect(),
    };
    let first: Vec<i64> = within.iter().map(|&(lo, _)| lo).collect();
    let far: Vec<i64> = within.iter().map(|&(_, hi)| hi - 1).collect();
    if within.iter().any(|(lo, hi)| lo >= hi) {
        return Ok(Value::Null);
    }
    let mut found: Option<(usize, Vec<i64>, Vec<i64>)> = None;
    for axis in (0..within.len()).rev() {
        let (lo, hi) = within[axis];
        if hi - lo < 2 {
            continue;
        }
        let usual = overflows(chain, axis, &first)?;
        for corner in [&first, &far] {
            for at in lo..(hi - 1).min(lo + MOST_TRIED) {
                let mut index = corner.clone();
                index[axis] = at;
                let here = overflows(chain, axis, &index)?;
                if let (Some(usual), Some(here)) = (&usual, here)
                    && *usual != here
                {
                    let steps = [first.clone(), index];
                    return told(chain, axis, &steps);
                }
            }
        }
        if usual.is_some() && found.is_none() {
            let mut end = far.clone();
            end[axis] = hi - 2;
            found = Some((axis, first.clone(), end));
        }
    }
    match found {
        Some((axis, one, other)) if overflows(chain, axis, &other)?.is_some() => {
            told(chain, axis, &[one, other])
        }
        Some((axis, one, _)) => told(chain, axis, &[one.clone(), one]),
        None => Ok(Value::Null),
    }
}

fn told(chain: &ViewChain, axis: usize, from: &[Vec<i64>; 2]) -> Result<Value, Error> {
    let mut steps = Vec::new();
    for at in from {
        let mut next = at.clone();
        next[axis] += 1;
        let length = match (chain.index(at)?, chain.index(&next)?) {
            (Some(here), Some(there)) => there - here,
            _ => return Ok(Value::Null),
        };
        steps.push(step_of(chain, axis, at, length)?);
    }
    Ok(json!({ "kind": "step", "axis": axis, "steps": steps }))
}

/// The digits that overflow in each view at a step; `None` if one of its ends is padding.
fn overflows(chain: &ViewChain, axis: usize, at: &[i64]) -> Result<Option<Vec<Vec<usize>>>, Error> {
    let mut next = at.to_vec();
    next[axis] += 1;
    let (from, to) = (levels(chain, at)?, levels(chain, &next)?);
    let whole = |levels: &[super::Level]| {
        levels.len() == chain.views().len() && levels.iter().all(|level| level.position.is_some())
    };
    if !whole(&from) || !whole(&to) {
        return Ok(None);
    }
    let of = |(from, to): (&super::Level, &super::Level)| {
        overflowing(chain.views()[from.view].shape(), from.linear, to.linear)
    };
    Ok(Some(from.iter().zip(&to).map(of).collect()))
}

/// As [`ViewChain::equivalent`], but where the chains differ, it gives the first such index in row-major order.
///
/// The index is found axis by axis, bisecting on whether the chains are the same up to there.
///
/// ```
/// use viewmerge::{Equivalence, Limit, ViewChain};
/// use viewmerge_json::look::first_difference;
///
/// let rows: ViewChain = "(2,3) | reshape(6)".parse()?;
/// let columns: ViewChain = "(2,3) | permute(1,0) | reshape(6)".parse()?;
/// let found = first_difference(&rows, &columns, &Limit::none())?;
/// assert!(matches!(found, Equivalence::Differ(index) if index.as_ref() == [1]));
/// # Ok::<(), viewmerge::Error>(())
/// ```
///
/// # Errors
///
/// If the limit is reached first.
pub fn first_difference(
    one: &ViewChain,
    other: &ViewChain,
    limit: &Limit<'_>,
) -> Result<Equivalence, Error> {
    let found = one.equivalent(other, limit)?;
    if !matches!(found, Equivalence::Differ(_)) {
        return Ok(found);
    }
    let mut bounds: Vec<(i64, i64)> = one.shape().iter().map(|&size| (0, size)).collect();
    let same = |bounds: &[(i64, i64)]| -> Result<bool, Error> {
        let (one, other) = (one.shrink(bounds)?, other.shrink(bounds)?);
        Ok(one.equivalent(&other, limit)? == Equivalence::Same)
    };
    for axis in 0..bounds.len() {
        // Below `lo` they are the same, below `hi` they are not.
        let (mut lo, mut hi) = (0, bounds[axis].1);
        while hi - lo > 1 {
            let middle = lo + (hi - lo) / 2;
            bounds[axis] = (0, middle);
            if same(&bounds)? {
                lo = middle;
            } else {
                hi = middle;
            }
        }
        bounds[axis] = (lo, hi);
    }
    Ok(Equivalence::Differ(bounds.into_iter().map(|(lo, _)| lo).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(text: &str) -> ViewChain {
        text.parse().expect(text)
    }

    #[test]
    fn the_first_of_all() {
        let rows = [
            ("(2,3) | reshape(6)", "(2,3) | permute(1,0) | reshape(6)"),
            ("(4,5)", "(4,5) | flip(1)"),
            ("(4,5) | shrink((0,4),(0,4))", "(4,4):(5,1)"),
            ("(3,3,3)", "(3,3,3):(9,3,2)"),
            ("(6) [1:5]", "(6) [1:4]"),
            ("()", "():()+1"),
        ];
        for (one, other) in rows {
            let (a, b) = (chain(one), chain(other));
            let count: i64 = a.shape().iter().product();
            let differ = (0..count).find(|&at| a.at(at) != b.at(at));
            let expected =
                differ.map(|at| viewmerge::unravel(a.shape(), at).expect("within").to_vec());
            let found = match first_difference(&a, &b, &Limit::none()).expect(one) {
                Equivalence::Differ(index) => Some(index.to_vec()),
                _ => None,
            };
            assert_eq!(found, expected, "{one} and {other}");
        }
        let shapes = first_difference(&chain("(6)"), &chain("(7)"), &Limit::none());
        assert_eq!(shapes, Ok(Equivalence::Shapes));
    }

    #[test]
    fn two_steps_that_agree() {
        // The carries at the second step cancel: 8 - 2 - 3 as 1 + 2.
        let told = agreeing(&chain("(10,3,3):(8,1,2) | (5):(4)")).expect("one view");
        let steps = told["steps"].as_array().expect("two");
        assert_eq!(steps[0]["step"], steps[1]["step"]);
        assert_ne!(steps[0]["overflows"], steps[1]["overflows"]);
        for text in ["(4,0)", "(1,1)", "()", "(4) nothing"] {
            assert_eq!(agreeing(&chain(text)).expect(text), Value::Null, "{text}");
        }
        for text in
            ["(4)", "(12) | (10,3):(1,1)", "(2,3) | pad((1,1),(0,0)) | reshape(12)", "(8):(0)"]
        {
            let told = agreeing(&chain(text)).expect(text);
            assert_eq!(told["steps"][0]["step"], told["steps"][1]["step"], "{text}");
        }
    }
}
