//! Choices inside of values: finding one, and the ways it can go.
//!
//! Running example: `min(i, 3) + 1 < j` is `i + 1 < j` where `i <= 3` and `4 < j` where `i > 3`.

use alloc::vec::Vec;

use super::normal;
use super::tree::{Expr, Relation};
use viewmerge::Error;

/// The ways a choice can go: the conditions of each, and the value then.
pub(super) fn ways(choice: &Expr, ranges: &[(i64, i64)]) -> Result<Vec<(Vec<Expr>, Expr)>, Error> {
    Ok(match choice {
        Expr::Where(parts) => {
            let [when, yes, no] = &**parts;
            let opposite = normal::condition(when, true, ranges)?;
            vec![(vec![when.clone()], yes.clone()), (vec![opposite], no.clone())]
        }
        Expr::Extreme(all, least) => {
            let (ahead, not_behind) = match least {
                true => (Relation::Less, Relation::AtMost),
                false => (Relation::Greater, Relation::AtLeast),
            };
            let way = |(k, one): (usize, &Expr)| {
                // Ahead of those before, and not behind those after.
                let others = all.iter().enumerate().filter(|(j, _)| *j != k);
                let conditions = others.map(|(j, other)| {
                    let relation = if j < k { ahead } else { not_behind };
                    Expr::compare(one.clone(), relation, other.clone())
                });
                (conditions.collect(), one.clone())
            };
            all.iter().enumerate().map(way).collect()
        }
        other => vec![(vec![], other.clone())],
    })
}

/// Leaves out the values that another one is always ahead of, or equal to.
pub(super) fn keep_needed<T, E>(
    all: &mut Vec<T>,
    mut is_ahead: impl FnMut(&T, &T) -> Result<bool, E>,
) -> Result<(), E> {
    let mut k = 0;
    while all.len() > 1 && k < all.len() {
        let mut needed = true;
        for (_, other) in all.iter().enumerate().filter(|(j, _)| *j != k) {
            needed = needed && !is_ahead(other, &all[k])?;
        }
        if needed {
            k += 1;
        } else {
            all.remove(k);
        }
    }
    Ok(())
}

/// A choice that can be told apart next: no other choice decides which way it goes.
pub(super) fn first(expr: &Expr) -> Option<&Expr> {
    let deciding = match expr {
        // A choice inside one branch does not matter to the other.
        Expr::Where(parts) => &parts[..1],
        other => other.children(),
    };
    deciding.iter().find_map(first).or_else(|| expr.is_choice().then_some(expr))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Expression;

    #[test]
    fn every_point_goes_exactly_one_way() {
        for text in ["min(i, j, 3)", "max(j, i)", "i if i < j else 2*j"] {
            let choice = text.parse::<Expression>().expect(text).body;
            assert_eq!(first(&choice), Some(&choice));
            let ways = ways(&choice, &[(0, 5), (0, 5)]).expect(text);
            for point in (0..6).flat_map(|i| (0..6).map(move |j| [i, j])) {
                let taken: Vec<&Expr> = ways
                    .iter()
                    .filter(|(when, _)| when.iter().all(|one| one.holds(&point)))
                    .map(|(_, value)| value)
                    .collect();
                assert_eq!(taken.len(), 1, "{text} at {point:?}");
                assert_eq!(taken[0].at(&point), choice.at(&point), "{text} at {point:?}");
            }
        }
    }

    #[test]
    fn inner_choices_come_first() {
        let expr = "1 + max(min(i, 2), 3)".parse::<Expression>().expect("is read").body;
        assert!(matches!(first(&expr), Some(Expr::Extreme(_, true))));
    }
}
