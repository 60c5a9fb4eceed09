//! The largest value of a form, by searches for points.

use alloc::vec::Vec;

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
    let low = match above {
        Some(above) => above.plus(&N::ONE)?,
        None => {
            let bottom = tableau.maximize(name, Side::Low, meter)?.ok_or(Halt::Overflow)?;
            bottom.num.divided_down(&bottom.den).negated()?
        }
    };
    let two = N::ONE.plus(&N::ONE)?;
    let mut window = N::ZERO;
    let mut best: Option<(N, Vec<N>)> = None;
    loop {
        let floor = match &best {
            Some((value, _)) => value.plus(&N::ONE)?,
            None => low.clone(),
        };
        if floor > high {
            break;
        }
        let from = match &best {
            None => high.minus(&window)?,
            // The upper half of what is left.
            Some(_) => floor.plus(&high.minus(&floor)?.divided_down(&two))?,
        };
        let from = from.max(floor);
        let mut narrowed = system.clone();
        narrowed.push(goal.form.clone(), Some(from.clone()), Some(high.clone()));
        match Node::new(narrowed, false).explore(meter)? {
            Ok(point) => {
                best = Some((dot(&goal.form, &point)?, point));
            }
            Err(_) => {
                high = from.minus(&N::ONE)?;
                window = window.times(&N::from(WIDER))?.plus(&N::ONE)?;
            }
        }
    }
    Ok(best.map(|(_, point)| point).ok_or(None))
}
