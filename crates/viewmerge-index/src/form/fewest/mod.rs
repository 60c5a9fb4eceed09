//! The fewest floors, and the fewest guards, decided (theory, "the fewest floors").
//!
//! Given are ranges of axes, floors of linear functions, guards that are assumed, guards that
//! must be stated, and a position. Every floor is a variable of an integer system, every
//! condition a row. The relations that hold wherever all of it is valid are the affine hull of its
//! points ([`lattice_point::affine_hull`]); modulo these the position and the guards are
//! rewritten with as few floors as suffice.
//!
//! Points come first: some indices are evaluated, and what they contradict needs no proof. Of the
//! relations that are left only those are proved that a rewriting uses; a search that refutes one
//! gives another point. So what is kept is needed, and what is removed was proved redundant.
//!
//! A guard without one of its floors implies less where not all is valid. The rows that define the
//! floor take its place, and the whole is accepted if it implies every guard as it was.
//!
//! Running example: `(i % 14) // 2` where `i < 14` and `i % 2 == 0`: one floor, q = ⌊i/2⌋, and 2q = i
//! wherever it is valid; it is needed, since i/2 is not an integer multiple of i. Where `2*i` stands
//! for `i`, q = i.
//!
//! Cost: a few microseconds where nothing can be removed; two searches for every relation that is used and
//! one for every guard that no index shows to be needed. At most some hundred sets of
//! floors are tried; with more floors than that, one after the other is.

mod bound;
mod guards;
mod points;
mod rewrite;
mod share;
mod span;
mod subsets;
mod walk;

use alloc::vec;
use alloc::vec::Vec;

use self::bound::{Bound, Form};
use self::points::Seen;
use self::share::Share;
use self::span::Span;
use self::walk::Walk;
use super::linear::Linear;
use super::{FloorTerm, Guard};
use lattice_point::Hull;
use lattice_point::Meter;
use lattice_point::{Halt, Overflow, Row, System};
use viewmerge::Error;

/// Values for the axes that are functions of others, at an index; `None` if there are none.
pub(crate) type Fill<'a> = &'a dyn Fn(&mut [i128]) -> Option<()>;

/// A program to be rewritten with the fewest floors.
pub(crate) struct Problem<'a> {
    /// The first and last value of each axis.
    pub axes: &'a [(i64, i64)],
    /// How many of them are inputs; the others are functions of these, and no form gets one
    /// that it did not have.
    pub inputs: usize,
    pub floors: &'a [FloorTerm],
    /// What holds anyway.
    pub assumed: &'a [Guard],
    /// At least one of these lists holds anyway; an empty list of lists assumes nothing.
    pub cases: &'a [Vec<Guard>],
    /// What must be stated.
    pub guards: Vec<Guard>,
    pub position: Option<Linear>,
    /// Whether the position may use floors of the guards as if they cost nothing: what is computed
    /// for the guards is there for the position. Otherwise each is written by itself.
    pub shared: bool,
    pub fill: Fill<'a>,
}

impl Problem<'_> {
    /// That numbers do not fit while this is decided; its largest coefficient is a factor of one.
    pub(crate) fn out_of_range(&self) -> Error {
        let guards = self.assumed.iter().chain(&self.guards).map(|guard| &guard.function);
        let functions = guards.chain(&self.position);
        let functions = functions.chain(self.floors.iter().map(|floor| &floor.operand));
        let largest = functions.flat_map(Linear::coefficients).max_by_key(|c| c.unsigned_abs());
        Error::ExpressionRange { number: largest.unwrap_or(0).into() }
    }
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

struct Engine<'p, 'm, 'l> {
    problem: &'p Problem<'p>,
    meter: &'m mut Meter<'l>,
    /// What takes part; column k + 1 of a form is variable k of its axes and floors.
    share: Share,
    /// Operands and divisors of the floors that take part.
    defined: Vec<(Form, i128)>,
    /// Ranges of the axes and definitions of the floors.
    base: System<i128>,
    assumed: Vec<Bound>,
    cases: Vec<Vec<Bound>>,
    hull: Hull,
    /// Relations that hold wherever all is valid: the conditions that are equations, and what was proved.
    proved: Span,
    /// Points of the axes' ranges, valid or not.
    seen: Seen,
    walk: Walk,
}

/// Rewrites a problem with the fewest floors, then the fewest guards.
///
/// What has no condition in common is valid in any combination, so that no relation is about
/// more than one such share: each is looked at by itself.
pub(crate) fn fewest(problem: &Problem<'_>, meter: &mut Meter<'_>) -> Result<Fewest, Halt> {
    let mut found = Fewest { guards: vec![], position: None, two_valued: vec![], nothing: false };
    let constant = problem.position.as_ref().map(|function| function.constant);
    let mut position = constant.map(|constant| Linear::always(constant, problem.axes.len()));
    for share in Share::of(problem) {
        if let (Some(axis), Some(position)) = (share.free_axis(problem), &mut position) {
            position.axes[axis] = problem.position.as_ref().map_or(0, |given| given.axes[axis]);
            continue;
        }
        if share.is_settled(problem) {
            share.keep(problem, &mut position, &mut found.two_valued);
            continue;
        }
        let mut engine = Engine::new(problem, share, meter)?;
        let Some(part) = engine.run()? else {
            return Ok(Fewest { nothing: true, ..found });
        };
        found.guards.extend(part.guards);
        found.two_valued.extend(part.two_valued);
        if let (Some(sum), Some(more)) = (&mut position, &part.position) {
            *sum = sum.plus(more, 1).ok_or(Halt::Overflow)?;
        }
    }
    Ok(Fewest { position, ..found })
}

impl<'p, 'm, 'l> Engine<'p, 'm, 'l> {
    /// The share of it; `None` if nothing is valid.
    fn run(&mut self) -> Result<Option<Fewest>, Halt> {
        let mut guards: Vec<Bound> = self
            .share
            .guards
            .iter()
            .map(|&guard| self.bound(&self.problem.guards[guard]))
            .collect();
        self.note_equations(&guards);
        if !self.look_around(&guards)? {
            return Ok(None);
        }
        let mut position = self.problem.position.as_ref().map(|function| self.form(function));
        // The constant is of no share.
        position.iter_mut().for_each(|form| form[0] = 0);
        self.rewrite(&mut guards, &mut position)?;
        self.drop_implied(&mut guards)?;
        let two_valued = self.two_valued(&guards, position.as_ref())?;
        let guards = guards.iter().map(|bound| self.guard(bound)).collect::<Result<_, _>>()?;
        let position = position.map(|form| self.linear(&form)).transpose()?;
        Ok(Some(Fewest { guards, position, two_valued, nothing: false }))
    }

    fn new(
        problem: &'p Problem<'p>,
        share: Share,
        meter: &'m mut Meter<'l>,
    ) -> Result<Engine<'p, 'm, 'l>, Halt> {
        let (axes, floors) = (&share.axes, &share.floors);
        let variables = axes.len() + floors.len();
        let base = System { variables, rows: Vec::new(), objective: Vec::new() };
        let mut engine = Engine {
            problem,
            meter,
            hull: Hull::empty(variables),
            proved: Span::default(),
            defined: Vec::new(),
            base,
            assumed: Vec::new(),
            cases: Vec::new(),
            seen: Seen::new(1 + variables),
            walk: Walk::default(),
            share,
        };
        for k in 0..engine.share.axes.len() {
            let (first, last) = problem.axes[engine.share.axes[k]];
            let mut form = vec![0; variables];
            form[k] = 1;
            let (low, high) = (Some(first.into()), Some(last.into()));
            engine.base.rows.push(Row { form, low, high });
        }
        for k in 0..engine.share.floors.len() {
            let floor = &problem.floors[engine.share.floors[k]];
            let operand = engine.form(&floor.operand);
            let divisor = i128::from(floor.divisor);
            let mut form = operand[1..].to_vec();
            form[engine.share.axes.len() + k] -= divisor;
            let (low, high) = (-operand[0], divisor - 1 - operand[0]);
            engine.base.rows.push(Row { form, low: Some(low), high: Some(high) });
            engine.defined.push((operand, divisor));
        }
        let assumed = engine.share.assumed.iter().map(|&guard| &problem.assumed[guard]);
        engine.assumed = assumed.map(|guard| engine.bound(guard)).collect();
        let case = |case: &Vec<Guard>| case.iter().map(|guard| engine.bound(guard)).collect();
        engine.cases = problem.cases.iter().map(case).collect();
        Ok(engine)
    }

    fn form(&self, function: &Linear) -> Form {
        let axes =
            self.share.axes.iter().map(|&axis| function.axes.get(axis).copied().unwrap_or(0));
        let floors =
            self.share.floors.iter().map(|&f| function.floors.get(f).copied().unwrap_or(0));
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
        for (k, &axis) in self.share.axes.iter().enumerate() {
            function.axes[axis] = narrow(form[1 + k])?;
        }
        for (k, &floor) in self.share.floors.iter().enumerate() {
            let times = narrow(form[1 + self.share.axes.len() + k])?;
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
        1 + self.share.axes.len()..1 + self.share.axes.len() + self.share.floors.len()
    }

    /// Where all is valid, as one system for every case.
    fn systems(&self, guards: &[Bound]) -> Vec<System<i128>> {
        let mut base = self.base.clone();
        base.rows.extend(self.assumed.iter().chain(guards).map(Bound::row));
        let with = |case: &Vec<Bound>| {
            let mut system = base.clone();
            system.rows.extend(case.iter().map(Bound::row));
            system
        };
        match self.cases.is_empty() {
            true => vec![base],
            false => self.cases.iter().map(with).collect(),
        }
    }

    fn has_floor(&self, form: &[i128]) -> bool {
        self.floor_columns().any(|column| form[column] != 0)
    }

    /// The columns of the floors that forms need.
    fn needed<'f>(&self, forms: impl Iterator<Item = &'f Form>) -> Vec<usize> {
        let mut needed = vec![false; 1 + self.base.variables];
        forms.for_each(|form| self.needs(form, &mut needed));
        self.floor_columns().filter(|&column| needed[column]).collect()
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
}
