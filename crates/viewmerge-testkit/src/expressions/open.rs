//! Random index expressions over unbounded variables.
//!
//! The library's answers about all numbers are compared with a long stretch of them, several
//! times as long as the period of the divisors, and with its answers about bounded ranges that
//! end far out.

use viewmerge::{Error, Limit};
use viewmerge_index::{Domain, Expression, Same};

use super::{Asked, NAMES, Outcome, points, value};
use crate::choices::Choices;

/// The length of a stretch, for one, two and three unbounded variables.
const STRETCH: [i64; 3] = [2_200, 30, 9];

/// The end of ranges that are as good as unbounded.
const FAR: i64 = 1_000_000;

/// Ends that may be missing.
type Ends = (Option<i64>, Option<i64>);

/// A random question with at least one variable that lacks an end.
pub struct Open {
    asked: Asked,
    ends: Vec<Ends>,
}

impl Open {
    /// Removes ends from a question's ranges.
    pub fn of(asked: Asked, choices: &mut Choices<'_>) -> Open {
        let lacking = choices.below(asked.ranges.len() as i64) as usize;
        let ends = asked.ranges.iter().enumerate().map(|(k, &(first, last))| {
            let kind = if k == lacking { 1 + choices.below(3) } else { choices.below(4) };
            ((kind & 1 == 0).then_some(first), (kind & 2 == 0).then_some(last))
        });
        let ends = ends.collect();
        Open { asked, ends }
    }

    fn domain(&self, variables: &[(&str, Option<i64>, Option<i64>)]) -> Result<Domain, Error> {
        let domain = Domain::with_ranges(variables)?;
        match &self.asked.valid {
            Some(valid) => {
                let text = valid.write(&NAMES, self.asked.dialect);
                domain.valid(&Expression::read(&text, self.asked.dialect)?)
            }
            None => Ok(domain),
        }
    }

    /// The ranges, with missing ends this far out.
    fn cut(&self, far: i64) -> Vec<(i64, i64)> {
        let with = |&(first, last): &Ends| (first.unwrap_or(-far), last.unwrap_or(far));
        self.ends.iter().map(with).collect()
    }

    fn named(
        &self,
        ends: impl Iterator<Item = Ends>,
    ) -> Vec<(&'static str, Option<i64>, Option<i64>)> {
        NAMES.iter().zip(ends).map(|(&name, (first, last))| (name, first, last)).collect()
    }
}

/// Checks simplification, equality, and the least and greatest value over unbounded ranges.
///
/// # Errors
///
/// A description of the disagreement.
pub fn check(open: &Open, second: &Asked) -> Outcome {
    let Asked { value: tree, valid, dialect, .. } = &open.asked;
    let text = tree.write(&NAMES, *dialect);
    let valid_text = valid.as_ref().map(|valid| valid.write(&NAMES, *dialect));
    let shown = format!("{text} where {valid_text:?} for {:?} ({dialect:?})", open.ends);
    let fail = |what: String| Err(format!("{shown}: {what}"));
    let told = |error: Error| format!("{shown}: {error}");
    let expression = Expression::read(&text, *dialect).map_err(told)?;
    let domain = open.domain(&open.named(open.ends.iter().copied())).map_err(told)?;
    let limit = Limit::steps(20_000);
    let lacking =
        open.ends.iter().filter(|(first, last)| first.is_none() || last.is_none()).count();
    let stretch = points(&open.cut(STRETCH[lacking - 1]));
    let holds = |point: &[i64]| valid.as_ref().is_none_or(|valid| valid.at(point));
    let found = domain.simplify(&expression, &limit).map_err(told)?;
    for point in &stretch {
        let counts = holds(point);
        let said = found.condition().is_none_or(|valid| value(valid, point) == Some(1));
        if counts != said {
            let when = found.condition().map(ToString::to_string);
            return fail(format!("{found} if {when:?} at {point:?}: valid {counts}"));
        }
        if counts && value(found.expression(), point) != Some(tree.at(point)) {
            return fail(format!("{found} at {point:?} is not {}", tree.at(point)));
        }
    }
    let undecided = |error: &Error| {
        matches!(
            error,
            Error::TooManyCases { .. } | Error::Undecided { .. } | Error::OpenRange { .. }
        )
    };
    let far = open.cut(FAR);
    let far = open.named(far.into_iter().map(|(first, last)| (Some(first), Some(last))));
    let far = open.domain(&far).map_err(told)?;
    // A value without an end continues beyond any stretch; a value with an end reaches it within.
    let counted: Vec<i128> =
        stretch.iter().filter(|point| holds(point)).map(|point| tree.at(point)).collect();
    match (domain.range(&expression, &limit), far.range(&expression, &limit)) {
        (Ok(Some(range)), Ok(Some(far))) => {
            let (least, greatest) = (counted.iter().min(), counted.iter().max());
            let rows = [
                (range.least, far.least, least.map(|x| -x), -1, &range.least_at),
                (range.greatest, far.greatest, greatest.copied(), 1, &range.greatest_at),
            ];
            for (open, far, near, sign, at) in rows {
                let far = far.ok_or_else(|| format!("{shown}: a bounded range has ends"))?;
                let right = match (open, at) {
                    (Some(end), Some(at)) => end == far && tree.at(at) == end && holds(at),
                    (None, None) => near.is_none_or(|near| sign * far > near),
                    _ => false,
                };
                if !right {
                    return fail(format!("{open:?} at {at:?}, {far} far out, {near:?} near"));
                }
            }
        }
        (Ok(None), Ok(None)) if counted.is_empty() => {}
        (Err(error), _) | (_, Err(error)) if undecided(&error) => {}
        other => return fail(format!("{other:?}")),
    }
    // Compare with the result, and with another expression, which may use too many variables.
    let other = Expression::read(&second.value.write(&NAMES, second.dialect), second.dialect);
    let other = other.map_err(told)?;
    let fits = other.names().iter().all(|name| domain.names().contains(name));
    for other in [Some(found.expression().clone()), fits.then_some(other)].into_iter().flatten() {
        match domain.equal(&expression, &other, &limit) {
            Ok(Same::Yes) => {
                let differ = |point: &&Vec<i64>| {
                    holds(point) && value(&other, point) != Some(tree.at(point))
                };
                if let Some(point) = stretch.iter().find(differ) {
                    return fail(format!("{other} differs at {point:?}"));
                }
            }
            Ok(Same::No { point, values }) => {
                let real = (Some(tree.at(&point)), value(&other, &point));
                if !holds(&point) || real.0 == real.1 || values != real {
                    return fail(format!("{other} at {point:?}: {values:?}, not {real:?}"));
                }
            }
            Ok(_) => return fail("an answer of another kind".into()),
            Err(error) if undecided(&error) => {}
            Err(error) => return fail(error.to_string()),
        }
    }
    Ok(())
}
