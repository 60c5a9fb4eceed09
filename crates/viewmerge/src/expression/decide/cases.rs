//! Conditions as lists of comparisons.
//!
//! Running example: `i < 3 and (j == 0 or k > 1)` is `i < 3, j == 0` or `i < 3, k > 1`.

use alloc::vec;
use alloc::vec::Vec;

use crate::expression::tree::{Condition, Relation, Value};

pub(super) type Compared<'c> = (&'c Value, Relation, &'c Value);

/// The comparisons among conditions, and the others.
pub(super) fn sorted(all: &[Condition]) -> (Vec<Compared<'_>>, Vec<&Condition>) {
    let (mut comparisons, mut others) = (Vec::new(), Vec::new());
    for one in all {
        match one {
            Condition::Compare(a, relation, b) => comparisons.push((&**a, *relation, &**b)),
            Condition::All(inner) => {
                let (more, rest) = sorted(inner);
                comparisons.extend(more);
                others.extend(rest);
            }
            Condition::Always(true) => {}
            other => others.push(other),
        }
    }
    (comparisons, others)
}

/// Lists of comparisons, one of which holds wherever all conditions do; `None` if they are many.
pub(super) fn cases<'c>(
    conditions: &[&'c Condition],
    most: usize,
) -> Option<Vec<Vec<Compared<'c>>>> {
    let mut lists: Vec<Vec<Compared<'c>>> = vec![vec![]];
    for condition in conditions {
        let alternatives: Vec<Vec<Compared<'c>>> = match condition {
            Condition::Always(true) => continue,
            Condition::Always(false) => vec![],
            Condition::Compare(a, relation, b) => vec![vec![(&**a, *relation, &**b)]],
            Condition::All(inner) => cases(&inner.iter().collect::<Vec<_>>(), most)?,
            Condition::Any(inner) => {
                let mut all = Vec::new();
                for one in inner {
                    all.extend(cases(&[one], most)?);
                }
                all
            }
            Condition::Not(_) => return None,
        };
        if lists.len() * alternatives.len() > most {
            return None;
        }
        let with = |list: &Vec<Compared<'c>>| {
            let list = list.clone();
            alternatives.iter().map(move |more| [list.clone(), more.clone()].concat())
        };
        lists = lists.iter().flat_map(with).collect();
    }
    Some(lists)
}
