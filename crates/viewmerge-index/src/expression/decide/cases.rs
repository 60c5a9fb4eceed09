//! Conditions as lists of comparisons.
//!
//! Running example: `i < 3 and (j == 0 or k > 1)` is `i < 3, j == 0` or `i < 3, k > 1`.

use alloc::vec::Vec;

use crate::expression::tree::{Expr, Relation};

pub(crate) type Compared<'c> = (&'c Expr, Relation, &'c Expr);

/// The comparisons among conditions, and the others.
pub(crate) fn sorted(all: &[Expr]) -> (Vec<Compared<'_>>, Vec<&Expr>) {
    let (mut comparisons, mut others) = (Vec::new(), Vec::new());
    for one in all {
        match one {
            Expr::Compare(ab, relation) => comparisons.push((&ab[0], *relation, &ab[1])),
            Expr::Join(inner, true) => {
                let (more, rest) = sorted(inner);
                comparisons.extend(more);
                others.extend(rest);
            }
            Expr::Always(true) => {}
            other => others.push(other),
        }
    }
    (comparisons, others)
}

/// Lists of comparisons, one of which holds wherever all conditions do; `None` if they are many.
pub(super) fn cases<'c>(
    conditions: &mut dyn Iterator<Item = &'c Expr>,
    most: usize,
) -> Option<Vec<Vec<Compared<'c>>>> {
    let mut lists: Vec<Vec<Compared<'c>>> = vec![vec![]];
    for condition in conditions {
        let alternatives = match condition {
            Expr::Always(holds) => vec![vec![]; usize::from(*holds)],
            Expr::Compare(ab, relation) => vec![vec![(&ab[0], *relation, &ab[1])]],
            Expr::Join(inner, true) => cases(&mut inner.iter(), most)?,
            Expr::Join(inner, false) => {
                let each = inner.iter().map(|one| cases(&mut core::iter::once(one), most));
                each.collect::<Option<Vec<_>>>()?.concat()
            }
            _ => return None,
        };
        if lists.len() * alternatives.len() > most {
            return None;
        }
        let with = |list: &Vec<Compared<'c>>| {
            let list = list.clone();
            alternatives.iter().map(move |more| [&list[..], more].concat())
        };
        lists = lists.iter().flat_map(with).collect();
    }
    Some(lists)
}
