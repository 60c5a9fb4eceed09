//! The fewest floors, and the fewest guards, decided (theory, "the fewest floors").
//!
//! What is given: ranges of axes, floors of linear functions, guards that are assumed and guards
//! that are to be said, and a position. Every floor is a variable of an integer system, every
//! condition a row. The relations that hold wherever all of it is valid are the affine hull of its
//! points ([`crate::system::hull`]); modulo these the position and the guards are
//! rewritten with as few floors as suffice.
//!
//! Points come first: some indices are evaluated, and what they contradict needs no proof. Of the
//! relations that are left only those are proved that a rewriting uses; a search that refutes one
//! gives another point. So what is kept cannot go, and what goes was proved.
//!
//! A guard that loses a floor says less outside of what is valid. The rows that define the
//! floor take its place, and the whole is accepted if it implies every guard as it was.
//!
//! Running example: `(i % 14) // 2` where `i < 14` and `i % 2 == 0`: one floor, q = ⌊i/2⌋, and 2q = i
//! wherever it is valid; it cannot go, since i/2 is no whole multiple of i. Where `2*i` stands
//! for `i`, q = i.
//!
//! Cost: a few microseconds where nothing can go; two searches for every relation that is used and
//! one for every guard that no index shows to be needed. At most [`MOST_SUBSETS`] sets of
//! floors are tried; with more floors than that, one after the other is.

use alloc::vec;
use alloc::vec::Vec;

use super::linear::Linear;
use super::{FloorTerm, Guard};
use crate::limit::{Exhausted, Meter};
use crate::system::hull::{Hull, vanishes};
use crate::system::{Encode, Number, Overflow, Row, System};

/// How many sets of floors are tried.
const MOST_SUBSETS: usize = 400;

/// How many indices are evaluated.
const MOST_SAMPLES: usize = 40;

/// Values for the axes that are functions of others, at an index; `None` if there are none.
pub(crate) type Fill<'a> = &'a dyn Fn(&mut [i128]) -> Option<()>;

/// What is to be said with the fewest floors.
pub(crate) struct Problem<'a> {
    /// The first and last value of each axis.
    pub axes: &'a [(i64, i64)],
    /// How many of them are inputs; the others are functions of these, and no form gets one
    /// that it did not have.
    pub inputs: usize,
    pub floors: &'a [FloorTerm],
    /// What holds anyhow.
    pub assumed: &'a [Guard],
    /// One of these lists holds anyhow; without any there is no such condition.
    pub cases: &'a [Vec<Guard>],
    /// What is to be said.
    pub guards: Vec<Guard>,
    pub position: Option<Linear>,
    pub fill: Fill<'a>,
}

/// What was found.
pub(crate) struct Fewest {
    pub guards: Vec<Guard>,
    pub position: Option<Linear>,
    /// Floors that take two values only: their numbers, and the smaller value.
    pub two_valued: Vec<(usize, i64)>,
    /// Nothing is valid.
    pub nothing: bool,
}

/// Why it was not.
pub(crate) enum Stuck {
    Exhausted(Exhausted),
    Overflow,
}

impl From<Exhausted> for Stuck {
    fn from(exhausted: Exhausted) -> Stuck {
        Stuck::Exhausted(exhausted)
    }
}

impl From<Overflow> for Stuck {
    fn from(_: Overflow) -> Stuck {
        Stuck::Overflow
    }
}

/// (c, a …): c + Σ a·z over the columns of an engine.
type Form = Vec<i128>;

/// low ≤ form ≤ high, the constant of the form being 0.
#[derive(Debug, Clone, PartialEq)]
struct Bound {
    form: Form,
    low: Option<i128>,
    high: Option<i128>,
}

impl Bound {
    fn admits(&self, point: &[i128]) -> bool {
        let value = value(&self.form, point);
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value <= high)
    }

    fn row(&self) -> Row<i128> {
        Row { form: self.form[1..].to_vec(), low: self.low, high: self.high }
    }
}

fn value(form: &[i128], point: &[i128]) -> i128 {
    form.iter().zip(point).fold(0i128, |sum, (a, b)| {
        if *a == 0 { sum } else { sum.saturating_add(a.saturating_mul(*b)) }
    })
}

struct Engine<'p, 'm, 'l> {
    problem: &'p Problem<'p>,
    meter: &'m mut Meter<'l>,
    /// The axes and floors that take part; column k + 1 of a form is variable k of these.
    axes: Vec<usize>,
    floors: Vec<usize>,
    /// Operands and divisors of the floors that take part.
    defined: Vec<(Form, i128)>,
    /// Ranges of the axes and definitions of the floors.
    base: System<i128>,
    assumed: Vec<Bound>,
    cases: Vec<Vec<Bound>>,
    hull: Hull,
    /// Points of the axes' ranges, valid or not.
    seen: Vec<Vec<i128>>,
}

/// Says it with the fewest floors, then the fewest guards.
pub(crate) fn fewest(problem: &Problem<'_>, meter: &mut Meter<'_>) -> Result<Fewest, Stuck> {
    let mut engine = Engine::new(problem, meter)?;
    let mut guards: Vec<Bound> = problem.guards.iter().map(|guard| engine.bound(guard)).collect();
    if !engine.look_around(&guards)? {
        return Ok(Fewest { guards: vec![], position: None, two_valued: vec![], nothing: true });
    }
    let mut position = problem.position.as_ref().map(|function| engine.form(function));
    engine.rewrite(&mut guards, &mut position)?;
    engine.drop_implied(&mut guards)?;
    let two_valued = engine.two_valued(&guards, position.as_ref())?;
    let guards = guards.iter().map(|bound| engine.guard(bound)).collect::<Result<_, _>>()?;
    let position = position.map(|form| engine.linear(&form)).transpose()?;
    Ok(Fewest { guards, position, two_valued, nothing: false })
}

impl<'p, 'm, 'l> Engine<'p, 'm, 'l> {
    fn new(
        problem: &'p Problem<'p>,
        meter: &'m mut Meter<'l>,
    ) -> Result<Engine<'p, 'm, 'l>, Stuck> {
        let mut axes = vec![false; problem.axes.len()];
        let mut floors = vec![false; problem.floors.len()];
        let mut mark = |function: &Linear, floors: &mut [bool]| {
            for (used, &c) in axes.iter_mut().zip(&function.axes) {
                *used |= c != 0;
            }
            for (used, &c) in floors.iter_mut().zip(&function.floors) {
                *used |= c != 0;
            }
        };
        let conditions = problem.assumed.iter().chain(&problem.guards);
        let conditions = conditions.chain(problem.cases.iter().flatten());
        conditions.for_each(|guard| mark(&guard.function, &mut floors));
        problem.position.iter().for_each(|function| mark(function, &mut floors));
        for number in (0..floors.len()).rev() {
            if floors[number] {
                mark(&problem.floors[number].operand, &mut floors);
            }
        }
        let places = |used: &[bool]| (0..used.len()).filter(|&k| used[k]).collect::<Vec<_>>();
        let (axes, floors) = (places(&axes), places(&floors));
        let variables = axes.len() + floors.len();
        let base = System { variables, rows: Vec::new(), objective: Vec::new() };
        let mut engine = Engine {
            problem,
            meter,
            hull: Hull::empty(variables),
            defined: Vec::new(),
            base,
            assumed: Vec::new(),
            cases: Vec::new(),
            seen: Vec::new(),
            axes,
            floors,
        };
        for k in 0..engine.axes.len() {
            let (first, last) = problem.axes[engine.axes[k]];
            let mut form = vec![0; variables];
            form[k] = 1;
            let (low, high) = (Some(first.into()), Some(last.into()));
            engine.base.rows.push(Row { form, low, high });
        }
        for k in 0..engine.floors.len() {
            let floor = &problem.floors[engine.floors[k]];
            let operand = engine.form(&floor.operand);
            let divisor = i128::from(floor.divisor);
            let mut form = operand[1..].to_vec();
            form[engine.axes.len() + k] -= divisor;
            let (low, high) = (-operand[0], divisor - 1 - operand[0]);
            engine.base.rows.push(Row { form, low: Some(low), high: Some(high) });
            engine.defined.push((operand, divisor));
        }
        engine.assumed = problem.assumed.iter().map(|guard| engine.bound(guard)).collect();
        let case = |case: &Vec<Guard>| case.iter().map(|guard| engine.bound(guard)).collect();
        engine.cases = problem.cases.iter().map(case).collect();
        Ok(engine)
    }

    fn form(&self, function: &Linear) -> Form {
        let axes = self.axes.iter().map(|&axis| function.axes.get(axis).copied().unwrap_or(0));
        let floors = self.floors.iter().map(|&f| function.floors.get(f).copied().unwrap_or(0));
        let terms = axes.chain(floors).map(i128::from);
        core::iter::once(i128::from(function.constant)).chain(terms).collect()
    }

    fn bound(&self, guard: &Guard) -> Bound {
        let mut form = self.form(&guard.function);
        let shift = core::mem::replace(&mut form[0], 0);
        Bound {
            form,
            low: guard.lower.map(|low| i128::from(low) - shift),
            high: guard.upper.map(|upper| i128::from(upper) - 1 - shift),
        }
    }

    fn linear(&self, form: &[i128]) -> Result<Linear, Overflow> {
        let narrow = |number: i128| i64::try_from(number).map_err(|_| Overflow);
        let mut function = Linear::always(narrow(form[0])?, self.problem.axes.len());
        for (k, &axis) in self.axes.iter().enumerate() {
            function.axes[axis] = narrow(form[1 + k])?;
        }
        for (k, &floor) in self.floors.iter().enumerate() {
            let times = narrow(form[1 + self.axes.len() + k])?;
            if times != 0 {
                function.add_floor(floor, times);
            }
        }
        Ok(function)
    }

    fn guard(&self, bound: &Bound) -> Result<Guard, Overflow> {
        let narrow = |number: i128| i64::try_from(number).map_err(|_| Overflow);
        Ok(Guard {
            function: self.linear(&bound.form)?,
            lower: bound.low.map(narrow).transpose()?,
            upper: bound.high.map(|high| narrow(high.saturating_add(1))).transpose()?,
        })
    }

    /// The columns of the floors that take part.
    fn floor_columns(&self) -> core::ops::Range<usize> {
        1 + self.axes.len()..1 + self.axes.len() + self.floors.len()
    }

    /// The point (1, z …) at an index of all axes; `None` if it is outside or has no value.
    fn point(&self, index: &mut [i128]) -> Option<Vec<i128>> {
        (self.problem.fill)(index)?;
        let mut point = Vec::with_capacity(1 + self.base.variables);
        point.push(1);
        for &axis in &self.axes {
            let (first, last) = self.problem.axes[axis];
            if index[axis] < first.into() || index[axis] > last.into() {
                return None;
            }
            point.push(index[axis]);
        }
        self.add_floors(&mut point);
        Some(point)
    }

    fn add_floors(&self, point: &mut Vec<i128>) {
        for (operand, divisor) in &self.defined {
            let quotient = value(operand, point).div_euclid(*divisor);
            point.push(quotient);
        }
    }

    fn is_assumed(&self, point: &[i128]) -> bool {
        let all = |bounds: &[Bound]| bounds.iter().all(|bound| bound.admits(point));
        all(&self.assumed) && (self.cases.is_empty() || self.cases.iter().any(|case| all(case)))
    }

    /// The systems of what is valid: one for every case.
    fn systems(&self, guards: &[Bound]) -> Vec<System<i128>> {
        let mut base = self.base.clone();
        base.rows.extend(self.assumed.iter().chain(guards).map(Bound::row));
        if self.cases.is_empty() {
            return vec![base];
        }
        let with = |case: &Vec<Bound>| {
            let mut system = base.clone();
            system.rows.extend(case.iter().map(Bound::row));
            system
        };
        self.cases.iter().map(with).collect()
    }

    /// Evaluates some indices, and searches for one if none of them is valid; whether one is.
    fn look_around(&mut self, guards: &[Bound]) -> Result<bool, Stuck> {
        let all = self.problem.axes;
        let mut index: Vec<i128> = vec![0; all.len()];
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let (mut found, mut idle) = (false, 0);
        for sample in 0..MOST_SAMPLES {
            for (to, &(first, last)) in index.iter_mut().zip(all) {
                let room = i128::from(last) - i128::from(first);
                let step = match sample {
                    0 => 0,
                    1 => room,
                    2 => room / 2,
                    _ => {
                        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e);
                        i128::from(state >> 20) % (room + 1)
                    }
                };
                *to = i128::from(first) + step;
            }
            let Some(point) = self.point(&mut index) else { continue };
            let valid = self.is_assumed(&point) && guards.iter().all(|guard| guard.admits(&point));
            if valid {
                found = true;
                idle = if self.hull.add(&point)? { 0 } else { idle + 1 };
            }
            self.seen.push(point);
            // Guards are needed if a point shows it, so some are looked at for them.
            let enough = if guards.is_empty() { 3 } else { 12 };
            if found && (self.hull.equations().is_empty() && sample > enough || idle > 8) {
                break;
            }
        }
        if found {
            return Ok(true);
        }
        for system in self.systems(guards) {
            if let Some(point) = system.point(self.meter)? {
                self.learn(point)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a valid point that a search found.
    fn learn(&mut self, point: Vec<i128>) -> Result<(), Stuck> {
        let point: Vec<i128> = core::iter::once(1).chain(point).collect();
        self.hull.add(&point)?;
        self.seen.push(point);
        Ok(())
    }

    /// Whether a form is 0 wherever all is valid; a point where it is not is added.
    fn proved(&mut self, form: &Form, systems: &[System<i128>]) -> Result<bool, Stuck> {
        for system in systems {
            if let Some(point) = vanishes(system, form, self.meter)? {
                self.learn(point)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes floors out of position and guards.
    fn rewrite(
        &mut self,
        guards: &mut Vec<Bound>,
        position: &mut Option<Form>,
    ) -> Result<(), Stuck> {
        let systems = self.systems(guards);
        // Together first, then the position with what is left.
        let mut refused: Vec<Vec<usize>> = Vec::new();
        while let Some(gone) = self.choose(guards, position.as_ref(), &refused)? {
            match self.without(&gone, guards, position.as_ref(), &systems)? {
                Tried::Done(new_guards, new_position) => {
                    (*guards, *position) = (new_guards, new_position);
                    break;
                }
                Tried::Learnt => {}
                Tried::Refused => refused.push(gone),
            }
        }
        if position.is_some() && guards.iter().any(|guard| self.has_floor(&guard.form)) {
            while let Some(gone) = self.choose(&[], position.as_ref(), &[])? {
                if let Tried::Done(_, new) =
                    self.without(&gone, &[], position.as_ref(), &systems)?
                {
                    *position = new;
                    break;
                }
            }
        }
        self.settle_axes(position, &systems)
    }

    fn has_floor(&self, form: &[i128]) -> bool {
        self.floor_columns().any(|column| form[column] != 0)
    }

    /// Whether a form has an axis that is no input, and did not have it.
    fn takes_up(&self, old: &[i128], new: &[i128]) -> bool {
        let axes = self.axes.iter().enumerate().filter(|(_, axis)| **axis >= self.problem.inputs);
        axes.map(|(k, _)| k + 1).any(|column| old[column] == 0 && new[column] != 0)
    }

    /// Which columns a form needs: its floors, those they are made of, and so on.
    fn needs(&self, form: &[i128], needed: &mut [bool]) {
        let columns = self.floor_columns();
        for column in columns.clone() {
            needed[column] |= form[column] != 0;
        }
        for column in columns.clone().rev() {
            if needed[column] {
                let operand = &self.defined[column - columns.start].0;
                for inner in columns.start..column {
                    needed[inner] |= operand[inner] != 0;
                }
            }
        }
    }

    /// The floors that can go, as many as can.
    fn choose(
        &self,
        guards: &[Bound],
        position: Option<&Form>,
        refused: &[Vec<usize>],
    ) -> Result<Option<Vec<usize>>, Stuck> {
        if self.hull.equations().is_empty() {
            return Ok(None);
        }
        let mut needed = vec![false; 1 + self.base.variables];
        let forms = || guards.iter().map(|guard| &guard.form).chain(position);
        forms().for_each(|form| self.needs(form, &mut needed));
        let used: Vec<usize> = self.floor_columns().filter(|&column| needed[column]).collect();
        let most = self.hull.clearing(&used)?.rank();
        let suits = |gone: &Vec<usize>| -> Result<bool, Stuck> {
            if refused.contains(gone) {
                return Ok(false);
            }
            let clearing = self.hull.clearing(gone)?;
            let mut needed = vec![false; 1 + self.base.variables];
            for old in forms() {
                let mut form = old.clone();
                clearing.reduce(&mut form)?;
                if self.takes_up(old, &form) {
                    return Ok(false);
                }
                self.needs(&form, &mut needed);
            }
            Ok(gone.iter().all(|&column| !needed[column]))
        };
        let mut tried = 0;
        for size in (1..=most).rev() {
            let mut sets = Subsets::new(used.len(), size);
            while let Some(places) = sets.next() {
                tried += 1;
                if tried > MOST_SUBSETS {
                    break;
                }
                // The last floors first: they are made of others.
                let gone: Vec<usize> =
                    places.iter().map(|&place| used[used.len() - 1 - place]).collect();
                if suits(&gone)? {
                    return Ok(Some(gone));
                }
            }
        }
        if tried > MOST_SUBSETS {
            // One after the other.
            let mut gone: Vec<usize> = Vec::new();
            for &column in used.iter().rev() {
                gone.push(column);
                if !suits(&gone)? {
                    gone.pop();
                }
            }
            return Ok((!gone.is_empty()).then_some(gone));
        }
        Ok(None)
    }

    /// Position and guards without these floors, if that can be proved.
    fn without(
        &mut self,
        gone: &[usize],
        guards: &[Bound],
        position: Option<&Form>,
        systems: &[System<i128>],
    ) -> Result<Tried, Stuck> {
        let clearing = self.hull.clearing(gone)?;
        let mut new_position = None;
        if let Some(position) = position {
            let mut form = position.clone();
            clearing.reduce(&mut form)?;
            if !self.same(position, &form, systems)? {
                return Ok(Tried::Learnt);
            }
            new_position = Some(form);
        }
        let mut new_guards: Vec<Bound> = Vec::with_capacity(guards.len());
        let mut lost = vec![false; 1 + self.base.variables];
        for guard in guards {
            let mut form = guard.form.clone();
            clearing.reduce(&mut form)?;
            if form == guard.form {
                push(&mut new_guards, guard.clone())?;
                continue;
            }
            if !self.same(&guard.form, &form, systems)? {
                return Ok(Tried::Learnt);
            }
            for &column in gone {
                lost[column] |= guard.form[column] != 0;
            }
            let shift = core::mem::replace(&mut form[0], 0);
            let shifted = |end: Option<i128>| end.map(|end| end.minus(&shift)).transpose();
            let (low, high) = (shifted(guard.low)?, shifted(guard.high)?);
            push(&mut new_guards, Bound { form, low, high })?;
        }
        if lost.contains(&true) {
            // The rows that make a floor what it is, where it was part of a guard.
            let first = self.floor_columns().start;
            for &column in gone.iter().filter(|&&column| lost[column]) {
                let (operand, divisor) = self.defined[column - first].clone();
                let mut form = operand;
                form[column] = -divisor;
                let old = form.clone();
                clearing.reduce(&mut form)?;
                let whole = gone.iter().all(|&gone| form[gone] == 0);
                if whole && !self.takes_up(&old, &form) {
                    if !self.same(&old, &form, systems)? {
                        return Ok(Tried::Learnt);
                    }
                    let shift = core::mem::replace(&mut form[0], 0);
                    let (low, high) = (shift.negated()?, (divisor - 1).minus(&shift)?);
                    let (low, high) = (Some(low), Some(high));
                    push(&mut new_guards, Bound { form, low, high })?;
                }
            }
            if !self.implies(&new_guards, guards)? {
                return Ok(Tried::Refused);
            }
        }
        Ok(Tried::Done(new_guards, new_position))
    }

    /// Whether two forms are the same wherever all is valid; a point where not is added.
    fn same(&mut self, a: &Form, b: &Form, systems: &[System<i128>]) -> Result<bool, Stuck> {
        let difference: Form =
            a.iter().zip(b).map(|(a, b)| a.minus(b)).collect::<Result<_, _>>()?;
        if difference.iter().all(|&c| c == 0) {
            return Ok(true);
        }
        self.proved(&difference, systems)
    }

    /// Whether guards imply others.
    fn implies(&mut self, guards: &[Bound], others: &[Bound]) -> Result<bool, Stuck> {
        for other in others {
            for (low, high) in violations(other) {
                let violated = Bound { form: other.form.clone(), low, high };
                for mut system in self.systems(guards) {
                    system.rows.push(violated.row());
                    if system.point(self.meter)?.is_some() {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Uses relations among the axes themselves in the position: the last axes go first.
    fn settle_axes(
        &mut self,
        position: &mut Option<Form>,
        systems: &[System<i128>],
    ) -> Result<(), Stuck> {
        while let Some(form) = position {
            let axes: Vec<usize> =
                (1..=self.axes.len()).rev().filter(|&column| form[column] != 0).collect();
            let floors = self.floor_columns();
            // Relations without floors are what is left once the floors are cleared.
            let rest = self.hull.without(&floors.collect::<Vec<_>>())?;
            let clearing = rest.clearing(&axes)?;
            let mut new = form.clone();
            clearing.reduce(&mut new)?;
            let terms = |form: &[i128]| form[1..].iter().filter(|c| **c != 0).count();
            if new == *form || terms(&new) >= terms(form) || self.takes_up(form, &new) {
                break;
            }
            let old = form.clone();
            if self.same(&old, &new, systems)? {
                *position = Some(new);
                break;
            }
        }
        Ok(())
    }

    /// Leaves out the guards that others imply, those with floors and later ones first.
    fn drop_implied(&mut self, guards: &mut Vec<Bound>) -> Result<(), Stuck> {
        // Whole guards that say nothing.
        guards.retain(|guard| guard.low.is_some() || guard.high.is_some());
        let mut order: Vec<(usize, bool)> = Vec::new();
        for floors in [true, false] {
            for number in (0..guards.len()).rev() {
                if self.has_floor(&guards[number].form) == floors {
                    order.extend([(number, false), (number, true)]);
                }
            }
        }
        for (number, upper) in order {
            let (low, high) = (guards[number].low, guards[number].high);
            let mut others = guards.clone();
            let own = &mut others[number];
            // One value is one comparison: both sides go, or none.
            let one = low.is_some() && low == high;
            if upper || one {
                own.high = None;
            }
            if !upper || one {
                own.low = None;
            }
            let given = Bound {
                low: low.filter(|_| !upper || one),
                high: high.filter(|_| upper || one),
                form: own.form.clone(),
            };
            let mut needed = false;
            for (low, high) in violations(&given) {
                let violated = Bound { form: given.form.clone(), low, high };
                needed = needed || self.is_shown(&violated, &others) || {
                    let mut found = false;
                    for mut system in self.systems(&others) {
                        system.rows.push(violated.row());
                        if let Some(point) = system.point(self.meter)? {
                            self.seen.push(core::iter::once(1).chain(point).collect());
                            found = true;
                            break;
                        }
                    }
                    found
                };
            }
            if !needed {
                *guards = others;
            }
        }
        guards.retain(|guard| guard.low.is_some() || guard.high.is_some());
        Ok(())
    }
}

impl Engine<'_, '_, '_> {
    /// Whether a point that was seen meets guards, and a bound beside them.
    fn is_shown(&self, bound: &Bound, guards: &[Bound]) -> bool {
        self.seen.iter().any(|point| {
            bound.admits(point)
                && guards.iter().all(|guard| guard.admits(point))
                && self.is_assumed(point)
        })
    }

    /// The floors that take two values where they are looked at: in a guard wherever the axes
    /// and assumptions allow, in the position alone wherever it is valid.
    fn two_valued(
        &mut self,
        guards: &[Bound],
        position: Option<&Form>,
    ) -> Result<Vec<(usize, i64)>, Stuck> {
        let mut asked = vec![false; 1 + self.base.variables];
        guards.iter().for_each(|guard| self.needs(&guard.form, &mut asked));
        let mut needed = asked.clone();
        position.iter().for_each(|form| self.needs(form, &mut needed));
        let mut found = Vec::new();
        for column in self.floor_columns().filter(|&column| needed[column]) {
            let number = self.floors[column - self.floor_columns().start];
            let (low, high) = self.problem.floors[number].range;
            if !asked[column] && high <= low.saturating_add(1) {
                found.push((number, low));
                continue;
            }
            let said = if asked[column] { &[][..] } else { guards };
            let valid = |point: &&Vec<i128>| {
                self.is_assumed(point) && said.iter().all(|guard| guard.admits(point))
            };
            let values = self.seen.iter().filter(valid).map(|point| point[column]);
            let (Some(least), Some(most)) = (values.clone().min(), values.max()) else { continue };
            if most - least > 1 {
                continue;
            }
            // It may be the upper or the lower of the two that was never seen.
            let mut form = vec![0; 1 + self.base.variables];
            form[column] = 1;
            let systems = self.systems(said);
            let mut ends = (least, most);
            let mut settled = true;
            for upper in [true, false] {
                let (low, high) = match upper {
                    true => (Some(ends.0 + 2), None),
                    false => (None, Some(ends.1.max(ends.0 + 1) - 2)),
                };
                let beyond = Bound { form: form.clone(), low, high };
                for system in &systems {
                    let mut system = system.clone();
                    system.rows.push(beyond.row());
                    settled = settled && system.point(self.meter)?.is_none();
                }
                if upper {
                    ends.1 = ends.0 + 1;
                }
            }
            if settled && let Ok(low) = i64::try_from(ends.0) {
                found.push((number, low));
            }
        }
        Ok(found)
    }
}

/// What became of a set of floors.
enum Tried {
    Done(Vec<Bound>, Option<Form>),
    /// A relation does not hold; there is another point now.
    Learnt,
    /// The guards would say less.
    Refused,
}

/// The ends of a bound, missed: on the low side and on the high one.
fn violations(bound: &Bound) -> impl Iterator<Item = (Option<i128>, Option<i128>)> {
    let below = bound.low.map(|low| (None, Some(low.saturating_sub(1))));
    let above = bound.high.map(|high| (Some(high.saturating_add(1)), None));
    below.into_iter().chain(above)
}

/// Adds a bound in its simplest form, to the one with the same form if there is one.
fn push(bounds: &mut Vec<Bound>, mut bound: Bound) -> Result<(), Overflow> {
    let mut common = 0i128;
    for entry in &bound.form[1..] {
        common = common.gcd(entry)?;
    }
    if common == 0 {
        // Always or never; never is left to the search.
        if bound.low.is_some_and(|low| low > 0) || bound.high.is_some_and(|high| high < 0) {
            bounds.push(bound);
        }
        return Ok(());
    }
    let leading = bound.form[1..].iter().find(|c| **c != 0).copied().unwrap_or(1);
    let unit = if leading < 0 { -common } else { common };
    bound.form.iter_mut().for_each(|c| *c /= unit);
    if unit < 0 {
        let opposite = |end: Option<i128>| end.map(|end| end.negated()).transpose();
        (bound.low, bound.high) = (opposite(bound.high)?, opposite(bound.low)?);
    }
    bound.low = bound.low.map(|low| low.divided_up(&common)).transpose()?;
    bound.high = bound.high.map(|high| high.divided_down(&common));
    match bounds.iter_mut().find(|known| known.form == bound.form) {
        None => bounds.push(bound),
        Some(known) => {
            known.low = known.low.max(bound.low);
            known.high = match (known.high, bound.high) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
    Ok(())
}

/// The subsets of 0 … count − 1 of a size, in order.
struct Subsets {
    count: usize,
    next: Option<Vec<usize>>,
}

impl Subsets {
    fn new(count: usize, size: usize) -> Subsets {
        Subsets { count, next: (size <= count).then(|| (0..size).collect()) }
    }

    fn next(&mut self) -> Option<Vec<usize>> {
        let now = self.next.clone()?;
        let mut after = now.clone();
        let size = after.len();
        let place = (0..size).rev().find(|&k| after[k] < self.count - size + k);
        self.next = place.map(|place| {
            after[place] += 1;
            for k in place + 1..size {
                after[k] = after[k - 1] + 1;
            }
            after
        });
        Some(now)
    }
}
