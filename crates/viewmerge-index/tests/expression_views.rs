//! What an expression is as a view, against all its points.

use viewmerge::{Error, Limit, Witness};
use viewmerge_index::{Domain, Viewed};
use viewmerge_testkit::{expressions, run};

fn is_undecided(error: &Error) -> bool {
    matches!(
        error,
        Error::Undecided { .. }
            | Error::TooManyCases { .. }
            | Error::ExpressionRange { .. }
            | Error::OffsetRange { .. }
            | Error::IndexRange { .. }
    )
}

/// The index over cut axes.
fn cut(index: &[i64], factors: &[Vec<i64>]) -> Vec<i64> {
    let mut digits = Vec::new();
    for (&x, factors) in index.iter().zip(factors) {
        let mut rest = x;
        let mut axis: Vec<i64> = Vec::new();
        for &factor in factors.iter().rev() {
            axis.push(rest % factor);
            rest /= factor;
        }
        digits.extend(axis.into_iter().rev());
    }
    digits
}

#[test]
fn what_is_found_is_the_expression_at_every_point() {
    use std::cell::RefCell;
    let kinds = RefCell::new([0usize; 4]);
    run(8_000, |choices| {
        let asked = expressions::generate(choices);
        let (domain, expression) = asked.question()?;
        let found = match domain
            .simplify(&expression, &Limit::steps(20_000))
            .and_then(|simple| domain.views(&simple, &Limit::steps(20_000)))
        {
            Ok(found) => found,
            Err(error) if is_undecided(&error) => return Ok(()),
            Err(error) => return Err(format!("{asked:?}: {error}")),
        };
        let wrong = |what: String| Err(format!("{asked:?} is {found:?}: {what}"));
        let value = |index: &[i64]| asked.counted(&asked.point(index));
        for index in asked.indices() {
            let there = match &found {
                Viewed::One(view) => view.index(&index),
                Viewed::Guarded { view, .. } => view.index(&index),
                Viewed::Split { split, view, .. } => view.index(&cut(&index, split.factors())),
                _ => break,
            };
            let there = there.map_err(|e| e.to_string())?.map(i128::from);
            if there != value(&index) {
                return wrong(format!("at {index:?} it is {:?}, not {there:?}", value(&index)));
            }
        }
        let witness = match &found {
            Viewed::One(_) => None,
            Viewed::Guarded { witness, .. } | Viewed::Split { witness, .. } => Some(witness),
            Viewed::None(witness) => Some(witness),
            _ => return wrong("of another kind".into()),
        };
        kinds.borrow_mut()[match &found {
            Viewed::One(_) => 0,
            Viewed::Guarded { .. } => 1,
            Viewed::Split { .. } => 2,
            _ => 3,
        }] += 1;
        match witness {
            None => Ok(()),
            Some(Witness::Step { axis, at, step, other, other_step }) => {
                for (index, step) in [(at, step), (other, other_step)] {
                    let mut next = index.to_vec();
                    next[*axis] += 1;
                    let moved = value(&next).zip(value(index)).map(|(b, a)| b - a);
                    if moved != Some((*step).into()) {
                        return wrong(format!("the step from {index:?} is {moved:?}"));
                    }
                }
                if step == other_step { wrong("the same steps".into()) } else { Ok(()) }
            }
            Some(Witness::Hole { valid: [a, b], invalid }) => {
                let between = invalid
                    .iter()
                    .zip(a.iter().zip(b.iter()))
                    .all(|(x, (a, b))| a.min(b) <= x && x <= a.max(b));
                let fine = value(a).is_some() && value(b).is_some() && value(invalid).is_none();
                if between && fine { Ok(()) } else { wrong("no hole".into()) }
            }
        }
    });
    let kinds = kinds.into_inner();
    assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
}

#[test]
fn cuts_are_as_few_as_are_needed() {
    let domain = Domain::new(&[("i", 0, 119), ("j", 0, 5)]).expect("ranges");
    let rows = [
        ("i // 12 + i % 12 // 3 * 100 + j", "((10,4,3),6)", "(10,4,3,6):(1,100,0,1)"),
        ("i // 12 + i % 12 * 100 + j // 2", "((10,12),(3,2))", "(10,12,3,2):(1,100,1,0)"),
        ("(i + 1) % 2", "((60,2),6)", "(60,2,6):(0,-1,0)+1"),
        ("(i + 1) % 7", "", ""),
        ("int(i >= 60)", "((2,60),6)", "(2,60,6):(1,0,0)"),
    ];
    for (text, split, view) in rows {
        let simple = domain.simplify(&text.parse().expect("is read"), &Limit::none());
        let found = domain.views(&simple.expect(text), &Limit::none()).expect(text);
        match found {
            Viewed::Split { split: found, view: over, .. } => {
                assert_eq!((found.to_string(), over.to_string()), (split.into(), view.into()));
            }
            other => assert!(split.is_empty(), "{text}: {other:?}"),
        }
    }
}
