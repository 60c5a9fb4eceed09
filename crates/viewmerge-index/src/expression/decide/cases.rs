//! Conditions as lists of comparisons.
//!
//! Running example: `i < 3 and (j == 0 or k > 1)` is `i < 3, j == 0` or `i < 3, k > 1`.

use alloc::vec::Vec;

use crate::expression::tree::Expr;
use viewmerge::Error;

/// The comparisons among conditions, and the others.
pub(crate) fn sorted(all: &[Expr]) -> (Vec<&Expr>, Vec<&Expr>) {
    let (mut comparisons, mut others) = (Vec::new(), Vec::new());
    for one in all {
        match one {
            Expr::Compare(..) => comparisons.push(one),
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

/// That the alternatives make more cases than are tried.
pub(super) fn too_many(most: usize) -> Error {
    let most = most as u64;
    Error::TooManyCases { what: "alternatives", cases: u128::from(most) + 1, most }
}

/// Lists of comparisons, one of which holds wherever all conditions do; refused if they are many.
pub(super) fn cases<'c>(
    conditions: &mut dyn Iterator<Item = &'c Expr>,
    most: usize,
) -> Result<Vec<Vec<&'c Expr>>, Error> {
    let mut lists: Vec<Vec<&'c Expr>> = vec![vec![]];
    for condition in conditions {
        let alternatives = match condition {
            Expr::Always(holds) => vec![vec![]; usize::from(*holds)],
            Expr::Compare(..) => vec![vec![condition]],
            Expr::Join(inner, true) => cases(&mut inner.iter(), most)?,
            Expr::Join(inner, false) => {
                let each = inner.iter().map(|one| cases(&mut core::iter::once(one), most));
                each.collect::<Result<Vec<_>, _>>()?.concat()
            }
            _ => return Err(too_many(most)),
        };
        if lists.len() * alternatives.len() > most {
            return Err(too_many(most));
        }
        let with = |list: &Vec<&'c Expr>| {
            let list = list.clone();
            alternatives.iter().map(move |more| [&list[..], more].concat())
        };
        lists = lists.iter().flat_map(with).collect();
    }
    Ok(lists)
}
