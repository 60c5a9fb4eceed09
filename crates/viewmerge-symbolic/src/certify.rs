//! Certificates that a chain is one view for all sizes.
//!
//! The box of the last view is pushed down once, without any distinction of cases. What each floor is, and that its rest
//! stays below the modulus, is written down with inequalities as sums (`sums.rs`); a checker
//! makes the inequalities from the views again. There is one view for each op.

mod text;

use std::fmt;

use viewmerge::Limit;

use crate::chain::SymbolicChain;
use crate::domain::Domain;
use crate::engine::{Engine, Front, Mode, Position};
use crate::error::Error;
use crate::names::Names;
use crate::params::Params;
use crate::poly::{Poly, Var};
use crate::push;
use crate::stage::{Bounds, Intervals, Stage};
use crate::sums::{Sum, sum};

/// A proof that a chain is one view for all sizes, for others to check: one line of JSON.
///
/// ```
/// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
///
/// let params = Params::new().size("N")?.size("M")?;
/// let chain = SymbolicChain::op_by_op(&params, "(N,M) | reshape(N*M)")?;
/// let certificate = chain.certify(&Limit::none()).expect("one pass settles it");
/// assert!(certificate.to_string().starts_with("{\"always\":{\"variables\":[[\"N\",1,null]"));
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolicCertificate(String);

impl fmt::Display for SymbolicCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// All that a certificate says of the views.
struct Proof {
    /// That sizes are not negative.
    sizes: Vec<Sum>,
    /// That each view composes with the one below.
    composes: Vec<Range>,
    clips: Vec<Clip>,
    /// Of every view from the last but one down.
    floors: Vec<Vec<Floor>>,
    merged: Stage,
}

struct Floor {
    axis: usize,
    quotient: Position,
    rest: Position,
    range: Range,
}

/// The first or last indices of an axis, on which a mask is missed.
#[derive(Clone)]
struct Cut {
    view: usize,
    axis: usize,
    /// Whether the upper end of the mask is missed.
    above: bool,
    along: usize,
    /// Whether the last indices go.
    from_end: bool,
    count: Poly,
}

/// A cut, that it is not negative, and the floors of the indices that go.
struct Clip {
    cut: Cut,
    proof: Sum,
    floors: Vec<Vec<Floor>>,
}

/// That a form stays within a range: the axes along which it falls, its least and greatest values, and the
/// inequalities.
struct Range {
    down: Vec<usize>,
    low: Poly,
    high: Poly,
    proofs: Vec<Sum>,
}

/// A box below some views.
struct Below {
    domain: Domain,
    form: Position,
    last: Vec<Poly>,
    floors: Vec<Vec<Floor>>,
}

impl SymbolicChain {
    /// Reads a chain with one view for each op, as certificates have it; nothing is joined.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?;
    /// let chain = SymbolicChain::op_by_op(&params, "(N,3) | permute(1,0) | flip(0)")?;
    /// assert_eq!(chain.to_string(), "(N,3):(3,1) | (3,N):(1,3) | (3,N):(-N,1)+2*N");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn op_by_op(params: &Params, text: &str) -> Result<SymbolicChain, Error> {
        SymbolicChain::read(params, text, |chain, item, scan| {
            let below = Stage::contiguous(chain.last().shape.clone());
            let start = SymbolicChain { stages: vec![below.clone()], ..chain.clone() };
            let mut next = start.applied(item, scan)?;
            if next.stages.len() > 1 && next.stages[0] == below {
                next.stages.remove(0);
            }
            next.stages.splice(0..0, chain.stages.iter().cloned());
            Ok(next)
        })
    }

    /// A proof that it is one view for all parameters, if one pass over its views settles that.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::op_by_op(&params, "(N,M) | permute(1,0) | reshape(N*M)")?;
    /// assert!(chain.certify(&Limit::none()).is_none());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn certify(&self, limit: &Limit<'_>) -> Option<SymbolicCertificate> {
        let names = Names::new(self.defs.clone(), limit);
        let mut root = self.domain.clone();
        let views: Vec<Stage> =
            self.stages.iter().map(|stage| stage.map(|p| root.norm(&names, p))).collect();
        if !views.iter().all(|view| view.alive.is_empty() && view.intervals().is_some()) {
            return None;
        }
        let params = 0..Var::try_from(self.params.list().len()).ok()?;
        let meanings: Vec<Poly> = params.map(|v| root.norm(&names, &Poly::var(v))).collect();
        if !root.rules.is_empty() {
            return None;
        }
        let vars = root.free_vars().to_vec();
        let mut atoms = Vec::new();
        for &v in &vars {
            let (lo, hi) = root.bounds(v);
            atoms.extend(lo.map(|lo| Poly::var(v) - lo));
            atoms.extend(hi.map(|hi| Poly::number(hi) - Poly::var(v)));
        }
        let known = |p: &&Poly| p.vars().iter().all(|v| vars.contains(v));
        let given: Vec<Poly> = root.facts.iter().filter(known).cloned().collect();
        atoms.extend_from_slice(&given);
        let mut pass = Pass { names: &names, root, vars, atoms };
        let proof = pass.proof(&views)?;
        let text = text::Text { defs: &self.defs, domain: &pass.root, vars: &pass.vars };
        Some(SymbolicCertificate(text.certificate(&meanings, &given, &views, &proof)))
    }
}

impl Stage {
    /// The position on a box of indices, counted from its low corner, and the last index of each axis.
    fn on_box(&self, intervals: &[(Poly, Poly)]) -> (Position, Vec<Poly>) {
        let corner: Vec<Poly> = intervals.iter().map(|(lo, _)| lo.clone()).collect();
        let form = Position { base: self.position().at(&corner), step: self.strides.clone() };
        (form, intervals.iter().map(|(lo, hi)| hi - lo - 1).collect())
    }
}

impl Cut {
    /// The box that is left, and what goes.
    fn parts(&self, valid: &[(Poly, Poly)]) -> [Intervals; 2] {
        let (lo, hi) = valid[self.along].clone();
        let between = if self.from_end { &hi - &self.count } else { &lo + &self.count };
        let [low, high] = [(lo, between.clone()), (between, hi)].map(|interval| {
            let mut part = valid.to_vec();
            part[self.along] = interval;
            part
        });
        if self.from_end { [low, high] } else { [high, low] }
    }
}

/// One pass over the views that writes down why.
struct Pass<'a> {
    names: &'a Names<'a>,
    root: Domain,
    vars: Vec<Var>,
    /// What is known not to be negative.
    atoms: Vec<Poly>,
}

impl Pass<'_> {
    fn proof(&mut self, views: &[Stage]) -> Option<Proof> {
        let sizes = views.iter().flat_map(|view| &view.shape);
        let open = sizes.filter(|size| size.as_number().is_none());
        let sizes = open.map(|size| self.sum(size)).collect::<Option<Vec<Sum>>>()?;
        let pairs =
            views.windows(2).map(|pair| self.apart(|pass| pass.composes(&pair[0], &pair[1])));
        let composes = pairs.collect::<Option<Vec<Range>>>()?;
        let top = views.last()?;
        let (mut valid, mut clips) = (top.intervals()?, Vec::new());
        for _ in 0..24 {
            let cut = match self.apart(|pass| pass.descend(views, &valid, 0, true)) {
                Ok(Below { form, floors, .. }) => {
                    let merged = Stage::from_corner(&top.shape, form.step, form.base, &valid);
                    return Some(Proof { sizes, composes, clips, floors, merged });
                }
                Err(cut) => cut?,
            };
            let clip = self.apart(|pass| pass.clip(views, &valid, cut))?;
            [valid, _] = clip.cut.parts(&valid);
            clips.push(clip);
        }
        None
    }

    /// A step of the proof; the inequalities that it adds hold in it alone.
    fn apart<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> T {
        let kept = self.atoms.len();
        let found = step(self);
        self.atoms.truncate(kept);
        found
    }

    fn sum(&self, p: &Poly) -> Option<Sum> {
        sum(self.names, &self.atoms, p)
    }

    /// Takes a size to be 1 or more.
    fn positive(&mut self, size: &Poly) {
        if size.as_number().is_some() {
            return;
        }
        let natural = |v: Var| self.root.bounds(v).0.is_some_and(|lo| lo >= 0);
        match size.terms() {
            [(mono, c)] if *c > 0 && mono.vars().all(natural) => {
                let mut vars: Vec<Var> = mono.vars().collect();
                // In the order of the certificate's variables, which is that of the places.
                vars.dedup();
                self.atoms.extend(vars.iter().map(|&v| Poly::var(v) - 1));
            }
            _ => self.atoms.push(size - 1),
        }
    }

    /// That a view reads only positions of the view below.
    fn composes(&mut self, below: &Stage, view: &Stage) -> Option<Range> {
        let (form, last) = view.on_box(&view.intervals()?);
        last.iter().for_each(|last| self.positive(&(last + 1)));
        self.in_range(&form, &last, &below.count())
    }

    /// That a form stays in [0, modulus) on a box.
    fn in_range(&self, form: &Position, last: &[Poly], modulus: &Poly) -> Option<Range> {
        let (mut low, mut high) = (form.base.clone(), form.base.clone());
        let (mut down, mut proofs) = (Vec::new(), Vec::new());
        for (axis, (step, last)) in form.step.iter().zip(last).enumerate() {
            let travel = step * last;
            if travel.is_zero() {
                continue;
            }
            proofs.push(match self.sum(&travel) {
                Some(sum) => {
                    high += &travel;
                    sum
                }
                None => {
                    low += &travel;
                    down.push(axis);
                    self.sum(&-&travel)?
                }
            });
        }
        proofs.push(self.sum(&low)?);
        proofs.push(self.sum(&below_end(&high, modulus))?);
        Some(Range { down, low, high, proofs })
    }

    /// The box below the views from `lowest` up; or a cut that may help where a mask is missed, none if nothing does.
    fn descend(
        &mut self,
        views: &[Stage],
        valid: &[(Poly, Poly)],
        lowest: usize,
        masks: bool,
    ) -> Result<Below, Option<Cut>> {
        let (top, below) = views.split_last().ok_or(None)?;
        let (form, last) = top.on_box(valid);
        let mut domain = self.root.clone();
        let sizes = last.iter().map(|last| last + 1).collect::<Vec<Poly>>();
        let shapes = below.iter().flat_map(|view| &view.shape);
        domain.nonempty(self.names, sizes.iter().chain(shapes));
        if domain.dead {
            return Err(None);
        }
        sizes.iter().for_each(|size| self.positive(size));
        let mut reached = Below { domain, form, last, floors: Vec::new() };
        for (number, view) in below.iter().enumerate().skip(lowest).rev() {
            self.push(&mut reached, number, view, masks)?;
        }
        Ok(reached)
    }

    /// A cut, if the mask is missed on all that goes.
    fn clip(&mut self, views: &[Stage], valid: &[(Poly, Poly)], cut: Cut) -> Option<Clip> {
        let proof = self.sum(&cut.count)?;
        let [_, gone] = cut.parts(valid);
        let mut below = self.descend(views, &gone, cut.view + 1, false).ok()?;
        let (masked, axis) = (&views[cut.view], cut.axis);
        masked.shape.iter().for_each(|size| self.positive(size));
        let behind = masked.shape[axis + 1..].iter().product::<Poly>();
        let mut floor = self.floor(&mut below, axis, &(&behind * &masked.shape[axis]))?;
        let (lo, hi) = masked.bounds[axis].single(&masked.shape[axis])?;
        let missed = match cut.above {
            true => &floor.range.low - &hi * &behind,
            false => below_end(&floor.range.high, &(&lo * &behind)),
        };
        floor.range.proofs.push(self.sum(&missed)?);
        below.floors.push(vec![floor]);
        Some(Clip { cut, proof, floors: below.floors })
    }

    /// Pushes a box through one view.
    fn push(
        &mut self,
        below: &mut Below,
        number: usize,
        view: &Stage,
        masks: bool,
    ) -> Result<(), Option<Cut>> {
        view.shape.iter().for_each(|size| self.positive(size));
        let ramp = view.strides.last().cloned().unwrap_or_default();
        let offset = Position::constant(view.offset.clone(), below.last.len());
        let mut next = offset.plus(&ramp, &below.form);
        let (mut floors, mut count) = (Vec::new(), Poly::one());
        for axis in (0..view.rank()).rev() {
            let (behind, size) = (count, &view.shape[axis]);
            count = &behind * size;
            let jump = view.jump(axis);
            let (lo, hi) = view.bounds[axis].single(size).ok_or(None)?;
            let mask = if masks { Bounds::within(&lo, &hi, size) } else { Bounds::default() };
            if jump.is_zero() && mask.is_free() {
                continue;
            }
            let mut floor = self.floor(below, axis, &count).ok_or(None)?;
            let lower = mask.lo.iter().map(|lo| (lo * &behind, false));
            for (bound, above) in lower.chain(mask.hi.iter().map(|hi| (hi * &behind, true))) {
                let inside = match above {
                    true => below_end(&floor.range.high, &bound),
                    false => &floor.range.low - &bound,
                };
                let Some(sum) = self.sum(&inside) else {
                    return Err(self.cut(below, &floor, &bound, (number, above)));
                };
                floor.range.proofs.push(sum);
            }
            next = next.plus(&jump, &floor.quotient);
            floors.push(floor);
        }
        below.floors.push(floors);
        below.form = next;
        Ok(())
    }

    /// The cut along one axis after which a bound of a mask is met or nearer.
    fn cut(
        &mut self,
        below: &mut Below,
        floor: &Floor,
        bound: &Poly,
        (view, above): (usize, bool),
    ) -> Option<Cut> {
        let Below { domain, last, .. } = below;
        let mut engine = Engine { names: self.names, domain, mode: Mode::Lazy };
        let (mut front, bound) = (Front::whole(last), bound - i128::from(above));
        let Ok(push::Clip::Smaller) = engine.clip(&mut front, &floor.rest, &bound, above) else {
            return None;
        };
        let gone = last.iter().zip(&front.last).map(|(all, kept)| engine.norm(&(all - kept)));
        let (along, count) = gone.enumerate().find(|(_, count)| !count.is_zero())?;
        let from_end = front.lo[along].is_zero();
        Some(Cut { view, axis: floor.axis, above, along, from_end, count: self.told(&count)? })
    }

    /// The floor of a box by the number of elements from an axis on, seen to be affine.
    fn floor(&mut self, below: &mut Below, axis: usize, count: &Poly) -> Option<Floor> {
        let Below { domain, form, last, .. } = below;
        let quotient = match axis {
            0 => Position::constant(Poly::zero(), last.len()),
            _ => {
                let mut engine = Engine { names: self.names, domain, mode: Mode::Lazy };
                let modulus = engine.norm(count);
                let Position { base, step } =
                    engine.seen_floor(&Front::whole(last), form, &modulus)?.quotient;
                let step = step.iter().map(|p| self.told(p)).collect::<Option<_>>()?;
                Position { base: self.told(&base)?, step }
            }
        };
        let rest = form.plus(&-count, &quotient);
        let range = self.in_range(&rest, last, count)?;
        Some(Floor { axis, quotient, rest, range })
    }

    /// A number in the variables of the certificate.
    fn told(&mut self, p: &Poly) -> Option<Poly> {
        let p = self.root.norm(self.names, &self.names.expand(p));
        p.vars().iter().all(|v| self.vars.contains(v)).then_some(p)
    }
}

/// What is at least 0 where the greatest value lies below an end.
fn below_end(high: &Poly, end: &Poly) -> Poly {
    end - 1 - high
}
