//! Certificates that a chain is one view for all sizes.
//!
//! The box of the last view is pushed down once, without any distinction of cases. What each floor is, and that its rest
//! stays below the modulus, is written down with inequalities as sums (`sums.rs`); a checker
//! makes the inequalities from the views again. There is one view for each op.

use std::fmt;

use viewmerge::Limit;

use crate::chain::SymbolicChain;
use crate::domain::Domain;
use crate::engine::{Engine, Front, Mode, Position};
use crate::error::Error;
use crate::join::nonempty;
use crate::names::{Def, Names};
use crate::params::Params;
use crate::poly::{Poly, Var};
use crate::stage::Stage;
use crate::sums::{Atoms, Sum};

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

/// A view with one interval an axis, in the variables of the certificate.
struct Plain {
    shape: Vec<Poly>,
    strides: Vec<Poly>,
    offset: Poly,
    mask: Option<Vec<(Poly, Poly)>>,
}

struct Floor {
    axis: usize,
    quotient: Position,
    range: Range,
}

/// The first or last indices of an axis, on which a mask is missed.
struct Clip {
    view: usize,
    axis: usize,
    /// Whether the upper end of the mask is missed, and the last indices go.
    above: bool,
    along: usize,
    from_end: bool,
    cut: Poly,
    proof: Sum,
    floors: Vec<Vec<Floor>>,
}

/// What a view makes of a box.
enum Pushed {
    Through(Vec<Floor>, Position),
    /// Some indices miss its mask: the axis, whether above, along which axis, from its end, how many.
    Misses(Vec<(usize, bool, usize, bool, Poly)>),
}

#[derive(Default)]
struct Range {
    down: Vec<usize>,
    proofs: Vec<Sum>,
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
        SymbolicChain::read(params, text, |chain, item| {
            let below = Stage::contiguous(chain.last().shape.clone());
            let start = SymbolicChain { stages: vec![below.clone()], ..chain.clone() };
            let mut next = start.apply(item)?;
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
        let views = self.stages.iter().map(|stage| Plain::new(&mut root, &names, stage));
        let views = views.collect::<Option<Vec<Plain>>>()?;
        let count = self.params.list().len();
        let meanings: Vec<Poly> = (0..count)
            .map(|v| root.norm(&names, &Poly::var(Var::try_from(v).unwrap_or(0))))
            .collect();
        if !root.rules.is_empty() {
            return None;
        }
        let vars = root.free_vars();
        let mut atoms = Vec::new();
        for &v in &vars {
            let (lo, hi) = root.bounds(v);
            atoms.extend(lo.map(|lo| &Poly::var(v) - &Poly::number(lo)));
            atoms.extend(hi.map(|hi| &Poly::number(hi) - &Poly::var(v)));
        }
        let known = |p: &&Poly| p.vars().iter().all(|v| vars.contains(v));
        let given: Vec<Poly> = root.facts.iter().filter(known).cloned().collect();
        atoms.extend_from_slice(&given);
        let mut writer =
            Writer { names: &names, root, vars: vars.to_vec(), atoms: Atoms::new(atoms) };
        let sizes = views.iter().flat_map(|view| &view.shape);
        let open = sizes.filter(|size| size.as_number().is_none());
        let sizes = open.map(|size| writer.atoms.sum(size)).collect::<Option<Vec<Sum>>>()?;
        let composes = views.windows(2).map(|pair| writer.composes(&pair[0], &pair[1]));
        let composes = composes.collect::<Option<Vec<Range>>>()?;
        let (clips, floors, merged) = writer.walk(&views)?;
        let text = Text { defs: &self.defs, domain: &writer.root };
        let mut out = String::from("{\"always\":{");
        let variables = vars.iter().map(|&v| {
            let (lo, hi) = text.domain.bounds(v);
            let end = |end: Option<i128>| end.map_or("null".to_owned(), number);
            format!("[\"{}\",{},{}]", text.name(v), end(lo), end(hi))
        });
        member(&mut out, "variables", &list(variables));
        let gone = (0..count).filter_map(|v| {
            let v = Var::try_from(v).ok()?;
            (!vars.contains(&v))
                .then(|| format!("[\"{}\",{}]", text.name(v), text.poly(&meanings[usize::from(v)])))
        });
        member(&mut out, "parameters", &list(gone));
        member(&mut out, "given", &text.polys(&given));
        member(&mut out, "views", &list(views.iter().map(|view| text.view(view))));
        member(&mut out, "merged", &text.view(&merged));
        member(&mut out, "sizes", &sums(&sizes));
        let ranges = composes.iter().map(|range| format!("{{{}}}", range_members(range)));
        member(&mut out, "composes", &list(ranges));
        member(&mut out, "clips", &list(clips.iter().map(|clip| text.clip(clip))));
        member(&mut out, "floors", &text.floors(&floors));
        out.pop();
        Some(SymbolicCertificate(out + "}}"))
    }
}

impl Plain {
    fn new(root: &mut Domain, names: &Names, stage: &Stage) -> Option<Plain> {
        let mut norm = |p: &Poly| root.norm(names, p);
        let shape: Vec<Poly> = stage.shape.iter().map(&mut norm).collect();
        let mut mask = Vec::new();
        for (bounds, size) in stage.bounds.iter().zip(&shape) {
            let (lo, hi) = match (&bounds.lo[..], &bounds.hi[..]) {
                ([] | [_], [] | [_]) => (bounds.lo.first(), bounds.hi.first()),
                _ => return None,
            };
            let hi = hi.map_or(size.clone(), &mut norm);
            mask.push((lo.map(&mut norm).unwrap_or_default(), hi));
        }
        stage.alive.is_empty().then(|| Plain {
            strides: stage.strides.iter().map(&mut norm).collect(),
            offset: norm(&stage.offset),
            mask: stage.is_masked().then_some(mask),
            shape,
        })
    }

    fn interval(&self, axis: usize) -> (Poly, Poly) {
        match &self.mask {
            None => (Poly::zero(), self.shape[axis].clone()),
            Some(mask) => mask[axis].clone(),
        }
    }

    fn intervals(&self) -> Vec<(Poly, Poly)> {
        (0..self.shape.len()).map(|axis| self.interval(axis)).collect()
    }

    /// The position over a box, and the greatest index of every axis, counted from its first one.
    fn position(&self, intervals: &[(Poly, Poly)]) -> (Position, Vec<Poly>) {
        let (mut base, mut last) = (self.offset.clone(), Vec::new());
        for (stride, (lo, hi)) in self.strides.iter().zip(intervals) {
            base = &base + &(stride * lo);
            last.push(&(hi - lo) - &Poly::one());
        }
        (Position { base, step: self.strides.clone() }, last)
    }
}

struct Writer<'a> {
    names: &'a Names<'a>,
    root: Domain,
    vars: Vec<Var>,
    atoms: Atoms,
}

impl Writer<'_> {
    /// A size of 1 or more is known.
    fn positive(&mut self, size: &Poly) {
        if size.as_number().is_some() {
            return;
        }
        let natural = |&v: &Var| self.root.bounds(v).0.is_some_and(|lo| lo >= 0);
        match size.terms() {
            [(mono, c)] if *c > 0 && mono.0.iter().all(natural) => {
                let mut vars = mono.0.to_vec();
                // In the order of the certificate's variables, which is that of the places.
                vars.dedup();
                vars.iter().for_each(|&v| self.atoms.push(&Poly::var(v) - &Poly::one()));
            }
            _ => self.atoms.push(size - &Poly::one()),
        }
    }

    fn composes(&mut self, below: &Plain, view: &Plain) -> Option<Range> {
        let kept = self.atoms.len();
        let (form, last) = view.position(&view.intervals());
        last.iter().for_each(|last| self.positive(&(last + &Poly::one())));
        let count = below.shape.iter().fold(Poly::one(), |count, size| &count * size);
        let found = self.in_range(&form, &last, &count);
        self.atoms.truncate(kept);
        found.map(|(range, ..)| range)
    }

    /// That a form is from 0 to below a modulus on a box, and its least and greatest value there.
    fn in_range(
        &self,
        form: &Position,
        last: &[Poly],
        modulus: &Poly,
    ) -> Option<(Range, Poly, Poly)> {
        let (mut low, mut high) = (form.base.clone(), form.base.clone());
        let mut range = Range::default();
        for (axis, (step, last)) in form.step.iter().zip(last).enumerate() {
            let travel = step * last;
            if travel.is_zero() {
                continue;
            }
            range.proofs.push(match self.atoms.sum(&travel) {
                Some(sum) => {
                    high = &high + &travel;
                    sum
                }
                None => {
                    low = &low + &travel;
                    range.down.push(axis);
                    self.atoms.sum(&-&travel)?
                }
            });
        }
        range.proofs.push(self.atoms.sum(&low)?);
        range.proofs.push(self.atoms.sum(&below_end(&high, modulus))?);
        Some((range, low, high))
    }

    /// What is cut off, the floors of every view from the last but one down, and the view that is found.
    #[allow(clippy::type_complexity)]
    fn walk(&mut self, views: &[Plain]) -> Option<(Vec<Clip>, Vec<Vec<Floor>>, Plain)> {
        let (top, below) = views.split_last()?;
        let (mut valid, mut clips, kept) = (top.intervals(), Vec::new(), self.atoms.len());
        'again: for _ in 0..24 {
            self.atoms.truncate(kept);
            let (mut form, last) = top.position(&valid);
            let mut domain = self.on_box(&last, below)?;
            let mut all = Vec::new();
            for (number, view) in below.iter().enumerate().rev() {
                view.shape.iter().for_each(|size| self.positive(size));
                match self.push(&mut domain, view, &form, &last, true)? {
                    Pushed::Through(floors, next) => {
                        all.push(floors);
                        form = next;
                    }
                    Pushed::Misses(tries) => {
                        self.atoms.truncate(kept);
                        let found = tries.into_iter().find_map(|(axis, above, along, end, cut)| {
                            self.clip(views, &valid, number, (axis, above), (along, end), &cut)
                        });
                        self.atoms.truncate(kept);
                        let clip = found?;
                        match clip.from_end {
                            true => valid[clip.along].1 = &valid[clip.along].1 - &clip.cut,
                            false => valid[clip.along].0 = &valid[clip.along].0 + &clip.cut,
                        }
                        clips.push(clip);
                        continue 'again;
                    }
                }
            }
            let mut offset = form.base;
            for (stride, (lo, _)) in form.step.iter().zip(&valid) {
                offset = &offset - &(stride * lo);
            }
            let shape = top.shape.clone();
            let whole = |((lo, hi), size): (&(Poly, Poly), &Poly)| lo.is_zero() && hi == size;
            let mask = (!valid.iter().zip(&shape).all(whole)).then_some(valid);
            return Some((clips, all, Plain { shape, strides: form.step, offset, mask }));
        }
        None
    }

    /// What is known where a box has an index, and below it every view.
    fn on_box(&mut self, last: &[Poly], below: &[Plain]) -> Option<Domain> {
        let mut domain = self.root.clone();
        let sizes = last.iter().map(|last| last + &Poly::one()).collect::<Vec<Poly>>();
        for size in sizes.iter().chain(below.iter().flat_map(|view| &view.shape)) {
            nonempty(&mut domain, self.names, size);
        }
        sizes.iter().for_each(|size| self.positive(size));
        (!domain.dead).then_some(domain)
    }

    /// That the first or last indices of an axis miss an end of a mask.
    fn clip(
        &mut self,
        views: &[Plain],
        valid: &[(Poly, Poly)],
        view: usize,
        (axis, above): (usize, bool),
        (along, from_end): (usize, bool),
        cut: &Poly,
    ) -> Option<Clip> {
        let (top, below) = views.split_last()?;
        let proof = self.atoms.sum(cut)?;
        let mut gone = valid.to_vec();
        match from_end {
            true => gone[along].0 = &gone[along].1 - cut,
            false => gone[along].1 = &gone[along].0 + cut,
        }
        let (mut form, last) = top.position(&gone);
        let mut domain = self.on_box(&last, below)?;
        let mut floors = Vec::new();
        for upper in below[view + 1..].iter().rev() {
            upper.shape.iter().for_each(|size| self.positive(size));
            let pushed = self.push(&mut domain, upper, &form, &last, false)?;
            let Pushed::Through(own, next) = pushed else { return None };
            floors.push(own);
            form = next;
        }
        let masked = &below[view];
        masked.shape.iter().for_each(|size| self.positive(size));
        let behind = masked.shape[axis + 1..].iter().fold(Poly::one(), |count, size| &count * size);
        let count = &behind * &masked.shape[axis];
        let (mut floor, _, low, high) = self.floor(&mut domain, &form, &last, axis, &count)?;
        let (lo, hi) = masked.interval(axis);
        let missed =
            if above { &low - &(&hi * &behind) } else { below_end(&high, &(&lo * &behind)) };
        floor.range.proofs.push(self.atoms.sum(&missed)?);
        floors.push(vec![floor]);
        Some(Clip { view, axis, above, along, from_end, cut: cut.clone(), proof, floors })
    }

    /// A view, its masks inside or missed; without them only its jumps count.
    fn push(
        &mut self,
        domain: &mut Domain,
        view: &Plain,
        form: &Position,
        last: &[Poly],
        masks: bool,
    ) -> Option<Pushed> {
        let ramp = view.strides.last().cloned().unwrap_or_default();
        let mut next = Position {
            base: &view.offset + &(&ramp * &form.base),
            step: form.step.iter().map(|t| &ramp * t).collect(),
        };
        let mut floors = Vec::new();
        let mut count = Poly::one();
        for axis in (0..view.shape.len()).rev() {
            let behind = count;
            count = &behind * &view.shape[axis];
            let jump = match axis {
                0 => Poly::zero(),
                _ => &view.strides[axis - 1] - &(&view.shape[axis] * &view.strides[axis]),
            };
            let (lo, hi) = view.interval(axis);
            let bounds = [(lo, false), (hi, true)].into_iter().filter(|(end, above)| {
                masks && if *above { *end != view.shape[axis] } else { !end.is_zero() }
            });
            let bounds: Vec<(Poly, bool)> =
                bounds.map(|(end, above)| (&end * &behind, above)).collect();
            if jump.is_zero() && bounds.is_empty() {
                continue;
            }
            let (mut floor, rest, low, high) = self.floor(domain, form, last, axis, &count)?;
            for (bound, above) in &bounds {
                let inside = if *above { below_end(&high, bound) } else { &low - bound };
                match self.atoms.sum(&inside) {
                    Some(sum) => floor.range.proofs.push(sum),
                    None => {
                        let down = &floor.range.down;
                        let tries = self.cuts(domain, &rest, last, down, (bound, *above));
                        let miss = |(along, end, cut)| (axis, *above, along, end, cut);
                        return Some(Pushed::Misses(tries.into_iter().map(miss).collect()));
                    }
                }
            }
            next.base = &next.base + &(&jump * &floor.quotient.base);
            for (sum, carry) in next.step.iter_mut().zip(&floor.quotient.step) {
                *sum = &*sum + &(&jump * carry);
            }
            floors.push(floor);
        }
        Some(Pushed::Through(floors, next))
    }

    /// How many first or last indices of which axes miss a bound.
    fn cuts(
        &mut self,
        domain: &mut Domain,
        rest: &Position,
        last: &[Poly],
        down: &[usize],
        (bound, above): (&Poly, bool),
    ) -> Vec<(usize, bool, Poly)> {
        // g ≥ 0 is what is wanted.
        let turn = |p: &Poly| if above { -p } else { p.clone() };
        let mut most = turn(&(&rest.base - bound));
        if above {
            most = &most - &Poly::one();
        }
        let rises = |axis: usize| down.contains(&axis) == above;
        for (axis, step) in rest.step.iter().enumerate().filter(|(axis, _)| rises(*axis)) {
            most = &most + &(&turn(step) * &last[axis]);
        }
        let mut found = Vec::new();
        for (axis, step) in rest.step.iter().enumerate().filter(|(_, step)| !step.is_zero()) {
            let slope = if rises(axis) { turn(step) } else { -&turn(step) };
            let worst = &most - &(&slope * &last[axis]);
            let (worst, slope) = (domain.norm(self.names, &worst), domain.norm(self.names, &slope));
            let cut = domain.divided(self.names, &worst, &slope).and_then(|q| self.told(&-&q));
            found.extend(cut.filter(|cut| !cut.is_zero()).map(|cut| (axis, !rises(axis), cut)));
        }
        found
    }

    /// The floor of an axis of a view, what it leaves, and the least and the greatest of that.
    fn floor(
        &mut self,
        domain: &mut Domain,
        form: &Position,
        last: &[Poly],
        axis: usize,
        count: &Poly,
    ) -> Option<(Floor, Position, Poly, Poly)> {
        let zero = || Position { base: Poly::zero(), step: vec![Poly::zero(); last.len()] };
        let quotient = match axis {
            0 => zero(),
            _ => self.quotient(domain, form, last, count)?,
        };
        let minus = |p: &Poly, q: &Poly| p - &(count * q);
        let rest = Position {
            base: minus(&form.base, &quotient.base),
            step: form.step.iter().zip(&quotient.step).map(|(p, q)| minus(p, q)).collect(),
        };
        let (range, low, high) = self.in_range(&rest, last, count)?;
        Some((Floor { axis, quotient, range }, rest, low, high))
    }

    /// The floor of a form, as it is seen without any distinction, in the variables of the certificate.
    fn quotient(
        &mut self,
        domain: &mut Domain,
        form: &Position,
        last: &[Poly],
        modulus: &Poly,
    ) -> Option<Position> {
        let front = Front {
            axis: (0..last.len()).collect(),
            lo: vec![Poly::zero(); last.len()],
            last: last.to_vec(),
        };
        let mut engine = Engine { names: self.names, domain, mode: Mode::Lazy };
        let modulus = engine.norm(modulus);
        let Position { base, step } = engine.seen_floor(&front, form, &modulus)?.quotient;
        let step = step.iter().map(|p| self.told(p)).collect::<Option<_>>()?;
        Some(Position { base: self.told(&base)?, step })
    }

    /// A polynomial in the variables of the certificate.
    fn told(&mut self, p: &Poly) -> Option<Poly> {
        let p = self.root.norm(self.names, &self.names.expand(p));
        p.vars().iter().all(|v| self.vars.contains(v)).then_some(p)
    }
}

/// What an end is above a greatest value, and one more.
fn below_end(high: &Poly, end: &Poly) -> Poly {
    &(end - &Poly::one()) - high
}

/// How polynomials are written.
struct Text<'a> {
    defs: &'a [Def],
    domain: &'a Domain,
}

impl Text<'_> {
    /// A name that a certificate may have: that of a parameter, or its place.
    fn name(&self, v: Var) -> String {
        const TAKEN: [&str; 9] = ["and", "or", "not", "if", "else", "min", "max", "True", "False"];
        match self.defs.get(usize::from(v)) {
            Some(Def::Param(name)) if name.is_ascii() && !TAKEN.contains(&name.as_str()) => {
                name.clone()
            }
            _ => format!("${v}"),
        }
    }

    fn poly(&self, p: &Poly) -> String {
        if let Some(value) = p.as_number() {
            return number(value);
        }
        list(p.terms().iter().map(|(mono, c)| {
            let names = mono.0.iter().map(|&v| format!(",\"{}\"", self.name(v)));
            format!("[{}{}]", number(*c), names.collect::<String>())
        }))
    }

    fn polys(&self, polys: &[Poly]) -> String {
        list(polys.iter().map(|p| self.poly(p)))
    }

    fn floors(&self, floors: &[Vec<Floor>]) -> String {
        list(floors.iter().map(|view| {
            list(view.iter().map(|Floor { axis, quotient, range }| {
                let (base, steps) = (self.poly(&quotient.base), self.polys(&quotient.step));
                let proof = range_members(range);
                format!("{{\"axis\":{axis},\"quotient\":{base},\"steps\":{steps},{proof}}}")
            }))
        }))
    }

    fn clip(&self, clip: &Clip) -> String {
        let Clip { view, axis, along, .. } = clip;
        let side = |high: bool| if high { "high" } else { "low" };
        let (missed, from) = (side(clip.above), side(clip.from_end));
        let (cut, floors) = (self.poly(&clip.cut), self.floors(&clip.floors));
        let proof = sum(&clip.proof);
        format!(
            "{{\"view\":{view},\"axis\":{axis},\"side\":\"{missed}\",\"along\":{along},\"from\":\"{from}\",\
             \"cut\":{cut},\"proof\":{proof},\"floors\":{floors}}}"
        )
    }

    fn view(&self, view: &Plain) -> String {
        let mask = match &view.mask {
            None => "null".to_owned(),
            Some(mask) => {
                list(mask.iter().map(|(lo, hi)| format!("[{},{}]", self.poly(lo), self.poly(hi))))
            }
        };
        let (shape, strides) = (self.polys(&view.shape), self.polys(&view.strides));
        let offset = self.poly(&view.offset);
        format!("{{\"shape\":{shape},\"strides\":{strides},\"offset\":{offset},\"mask\":{mask}}}")
    }
}

fn list(entries: impl Iterator<Item = String>) -> String {
    format!("[{}]", entries.collect::<Vec<_>>().join(","))
}

fn member(out: &mut String, name: &str, value: &str) {
    *out += &format!("\"{name}\":{value},");
}

/// Readers of JSON keep 53 bits of a number.
fn number(value: i128) -> String {
    let plain = value.unsigned_abs() <= 1 << 53;
    if plain { value.to_string() } else { format!("\"{value}\"") }
}

fn sums(sums: &[Sum]) -> String {
    list(sums.iter().map(sum))
}

fn sum(Sum { times, terms }: &Sum) -> String {
    let terms = terms.iter().map(|(c, factors)| {
        let factors = factors.iter().map(|place| format!(",{place}"));
        format!(",[{}{}]", number(*c), factors.collect::<String>())
    });
    format!("[{}{}]", number(*times), terms.collect::<String>())
}

fn range_members(range: &Range) -> String {
    let down = list(range.down.iter().map(usize::to_string));
    format!("\"down\":{down},\"proofs\":{}", sums(&range.proofs))
}
