//! The largest value of a form, by searches for points.

use super::Found;
use super::node::Node;
use crate::limit::{Halt, Meter};
use crate::lp::Tableau;
use crate::number::Number;
use crate::row::{Row, Side, System};
use crate::vector::dot;

/// A point with the largest value of the objective.
///
/// Linear programming bounds it from above; from there down ever larger windows
/// are searched for a point, and then what is above that point is halved. So
/// each search is for some point in a set that is as flat as it can be.
pub(super) fn largest<N: Number>(
    system: System<N>,
    above: Option<N>,
    meter: &mut Meter<'_>,
) -> Result<Found<N>, Halt> {
    const WIDER: i128 = 64;
    let (name, goal) = (system.rows.len(), Row::free(system.objective.clone()));
    let vertex = Tableau::vertex(system.variables, system.rows.iter().chain([&goal]), meter)?;
    let Ok(mut tableau) = vertex else { return Ok(Err(None)) };
    let top = tableau.maximize(name, Side::High, meter)?.ok_or(Halt::Overflow)?;
    let mut high = top.num.divided_down(&top.den);
    let mut low = match above {
        Some(above) => above.plus(&N::ONE)?,
        None => {
            let bottom = tableau.maximize(name, Side::Low, meter)?.ok_or(Halt::Overflow)?;
            bottom.num.divided_down(&bottom.den).negated()?
        }
    };
    let mut window = N::ZERO;
    let mut best = None;
    while low <= high {
        let from = match best {
            None => high.minus(&window)?.max(low.clone()),
            // The upper half of what is left.
            Some(_) => low.plus(&high.minus(&low)?.divided_down(&N::from(2)))?,
        };
        let mut narrowed = system.clone();
        narrowed.push(goal.form.clone(), Some(from.clone()), Some(high.clone()));
        match Node::new(narrowed, false).explore(meter)? {
            Ok(point) => {
                low = dot(&goal.form, &point)?.plus(&N::ONE)?;
                best = Some(point);
            }
            Err(_) => {
                high = from.minus(&N::ONE)?;
                window = window.times(&N::from(WIDER))?.plus(&N::ONE)?;
            }
        }
    }
    Ok(best.ok_or(None))
}
