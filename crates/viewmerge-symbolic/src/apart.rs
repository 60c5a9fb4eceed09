//! A view next to memory that falls into two: some axes of the box lead to its first axes, the others to
//! its last ones.
//!
//! Example: (B,T,5):(t,s,1) seen through (B,5·T):(5·T,1). The first index leads
//! to B alone, the second to (T,5) alone. So it is one view if (T,5):(s,1) through (5·T):(1) is.
//! The valid set is a box if it is one in both parts, or if one part is valid nowhere.

use crate::engine::{Answer, Engine, Front, Outcome, Position, Stuck};
use crate::poly::Poly;
use crate::stage::Stage;

impl Engine<'_> {
    /// Decides both parts of a single view; `None` if it does not fall into two.
    pub(crate) fn apart(
        &mut self,
        stages: &[Stage],
        top: &Stage,
        stuck: &Stuck,
    ) -> Answer<Option<Outcome>> {
        let ([stage], n, front) = (stages, &stuck.position, &stuck.front) else { return Ok(None) };
        if !stage.alive.is_empty() {
            return Ok(None);
        }
        for cut in 1..stage.rank() {
            let behind = stage.shape[cut..].iter().product::<Poly>();
            let modulus = self.norm(&behind);
            let Some(floor) = self.seen_floor(front, n, &modulus) else { continue };
            let leads: Vec<bool> = floor.residue.step.iter().map(Poly::is_zero).collect();
            let both =
                floor.quotient.step.iter().zip(&leads).all(|(q, leads)| *leads || q.is_zero());
            if !both {
                continue;
            }
            let part = |from: usize, to: usize, offset: &Poly| Stage {
                shape: stage.shape[from..to].to_vec(),
                strides: stage.strides[from..to].to_vec(),
                offset: offset.clone(),
                bounds: stage.bounds[from..to].to_vec(),
                alive: Vec::new(),
            };
            let last = self.box_part(
                &part(cut, stage.rank(), &stage.offset),
                front,
                &floor.residue,
                |l| !leads[l],
            )?;
            let first = part(0, cut, &Poly::zero());
            let settled = match &last {
                Outcome::Nothing | Outcome::Open => true,
                Outcome::Never => !first.is_masked(),
                _ => false,
            };
            if settled {
                return Ok(Some(last));
            }
            let first = self.box_part(&first, front, &floor.quotient, |l| leads[l])?;
            return Ok(Some(self.together(top, stuck, &leads, first, last)));
        }
        Ok(None)
    }

    /// Decides one part, read through the axes that lead to it.
    fn box_part(
        &mut self,
        stage: &Stage,
        front: &Front,
        n: &Position,
        mine: impl Fn(usize) -> bool,
    ) -> Answer<Outcome> {
        let axes: Vec<usize> = (0..front.axis.len()).filter(|&l| mine(l)).collect();
        let extents = axes.iter().map(|&l| &front.last[l] + 1).collect();
        let steps = axes.iter().map(|&l| n.step[l].clone()).collect();
        let through = Stage::strided(extents, steps, n.base.clone());
        let stages = self.normal_stages(&[stage.clone(), through]);
        self.pass(&stages)
    }

    /// The outcomes of two parts, put together.
    fn together(
        &mut self,
        top: &Stage,
        stuck: &Stuck,
        leads: &[bool],
        first: Outcome,
        last: Outcome,
    ) -> Outcome {
        let (mut parts, mut never) = (Vec::new(), false);
        for outcome in [first, last] {
            match outcome {
                Outcome::View { base, steps, bounds, .. } => {
                    parts.push((base, steps.into_iter().zip(bounds)))
                }
                Outcome::Never => never = true,
                other => return other,
            }
        }
        if never {
            return Outcome::Never;
        }
        let [(base, first), (more, last)] = &mut parts[..] else { return Outcome::Open };
        let (mut steps, mut bounds) = (Vec::new(), Vec::new());
        for &leads in leads {
            let part = if leads { first.next() } else { last.next() };
            let Some((step, within)) = part else { return Outcome::Open };
            steps.push(step);
            bounds.push(within);
        }
        let base = &*base + &*more;
        self.in_place(top, stuck, Outcome::View { base, steps, bounds, cuts: Vec::new() })
    }
}
