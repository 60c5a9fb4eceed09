//! The fewest floors, and the fewest guards, decided (theory, "the fewest floors").
//!
//! Given are ranges of axes, floors of linear functions, guards that are assumed, guards that
//! must be stated, and a value. Every floor is a variable of an integer system, every
//! condition a row. The relations that hold wherever all of it is valid are the affine hull of its
//! points ([`lattice_point::affine_hull`]); modulo these the value and the guards are
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

mod guards;
mod points;
mod rewrite;
mod share;
mod walk;

use alloc::vec::Vec;

use self::share::Share;
use self::walk::Walk;
use super::linear::Linear;
use super::program::{Guard, Point, Program};
use lattice_point::{Clearing, Echelon, Halt, Hull, Meter, Overflow, System};
use viewmerge::Error;

/// Values for the axes that are functions of others, at an index; `None` if there are none.
pub(crate) type Fill<'a> = &'a dyn Fn(&mut [i64]) -> Option<()>;

/// A program to be rewritten with the fewest floors. No function gets an axis that is not an input
/// and that it did not have.
pub(crate) struct Problem<'a> {
    /// Its guards must be stated.
    pub program: &'a Program,
    /// What holds anyway.
    pub assumed: &'a [Guard],
    /// At least one of these lists holds anyway; an empty list of lists assumes nothing.
    pub cases: &'a [Vec<Guard>],
    /// Whether the value may use floors of the guards as if they cost nothing: what is computed
    /// for the guards is there for the value. Otherwise each is written by itself.
    pub shared: bool,
    pub fill: Fill<'a>,
}

impl Problem<'_> {
    /// That numbers do not fit while this is decided; its largest coefficient is a factor of one.
    pub(crate) fn out_of_range(&self) -> Error {
        let coefficients = self.program.functions().flat_map(Linear::terms);
        let largest = coefficients.max_by_key(|c| c.unsigned_abs());
        Error::ExpressionRange { number: largest.map_or(0, |&c| c.into()) }
    }
}

/// What was found.
pub(crate) struct Fewest {
    pub guards: Vec<Guard>,
    pub value: Linear,
    /// Floors that take two values only: their numbers, and the smaller value.
    pub two_valued: Vec<(usize, i64)>,
}

/// One share of a problem. Its columns are numbered by themselves; vectors of relations have the
/// constant before them.
struct Engine<'p, 'm, 'l> {
    problem: &'p Problem<'p>,
    meter: &'m mut Meter<'l>,
    share: Share<'p>,
    /// The part of the program that is in the share.
    program: Program,
    assumed: Vec<Guard>,
    cases: Vec<Vec<Guard>>,
    hull: Hull,
    /// Relations that hold wherever all is valid: the conditions that are equations, and what was proved.
    proved: Echelon,
    /// Points of the axes' ranges, valid or not.
    seen: Vec<Point>,
    walk: Walk,
}

/// Rewrites a problem with the fewest floors, then the fewest guards; `None` if nothing is valid.
///
/// What has no condition in common is valid in any combination, so that no relation is about
/// more than one such share: each is looked at by itself.
pub(crate) fn fewest(problem: &Problem<'_>, meter: &mut Meter<'_>) -> Result<Option<Fewest>, Halt> {
    let Program { value, .. } = problem.program;
    let value = Linear::always(value.constant, problem.program.rank());
    let mut found = Fewest { guards: vec![], value, two_valued: vec![] };
    for share in Share::of(problem) {
        if share.is_settled(problem) {
            share.keep(problem, &mut found);
            continue;
        }
        let Some(part) = Engine::new(problem, share, meter).run()? else { return Ok(None) };
        found.guards.extend(part.guards);
        found.two_valued.extend(part.two_valued);
        found.value = found.value.plus(&part.value, 1).ok_or(Halt::Overflow)?;
    }
    Ok(Some(found))
}

impl<'p, 'm, 'l> Engine<'p, 'm, 'l> {
    fn new(
        problem: &'p Problem<'p>,
        share: Share<'p>,
        meter: &'m mut Meter<'l>,
    ) -> Engine<'p, 'm, 'l> {
        let mut program = problem.program.part(&share.columns, share.guards.iter().copied());
        // The constant of the value is in no share.
        program.value.constant = 0;
        let over = |guard: &Guard| guard.over(&share.columns, share.rank);
        Engine {
            assumed: share.assumed.iter().copied().map(over).collect(),
            cases: problem.cases.iter().map(|case| case.iter().map(over).collect()).collect(),
            hull: Hull::empty(program.columns()),
            proved: Echelon::new(1 + program.columns()),
            seen: Vec::with_capacity(16),
            walk: Walk::default(),
            problem,
            meter,
            share,
            program,
        }
    }

    /// The share of it; `None` if nothing is valid.
    fn run(&mut self) -> Result<Option<Fewest>, Halt> {
        let mut guards = self.program.guards.clone();
        let mut value = self.program.value.clone();
        self.note_equations(&guards);
        if !self.look_around(&guards)? {
            return Ok(None);
        }
        self.rewrite(&mut guards, &mut value)?;
        self.drop_implied(&mut guards)?;
        let two_valued = self.two_valued(&guards, &value)?;
        let rank = self.problem.program.rank();
        for guard in &mut guards {
            guard.function = self.share.lifted(&guard.function, rank);
        }
        Ok(Some(Fewest { guards, value: self.share.lifted(&value, rank), two_valued }))
    }

    /// Where the assumptions and some guards hold, as one system for every case.
    fn systems<'g>(&self, guards: impl Iterator<Item = &'g Guard>) -> Vec<System<i128>> {
        let columns = self.program.columns();
        let mut base = self.program.system();
        let row = |guard: &Guard| guard.row(columns);
        base.rows.extend(self.assumed.iter().map(row));
        base.rows.extend(guards.map(row));
        let with = |case: &Vec<Guard>| {
            let mut system = base.clone();
            system.rows.extend(case.iter().map(row));
            system
        };
        match self.cases.is_empty() {
            true => vec![base],
            false => self.cases.iter().map(with).collect(),
        }
    }

    /// Relations that clear columns.
    fn clearing(&self, hull: &Hull, columns: &[usize]) -> Result<Clearing, Overflow> {
        hull.clearing(&columns.iter().map(|column| column + 1).collect::<Vec<_>>())
    }

    /// A function modulo relations.
    fn reduced(&self, function: &Linear, by: &Clearing) -> Result<Linear, Overflow> {
        if by.columns().all(|column| function.term(column - 1) == 0) {
            return Ok(function.clone());
        }
        let mut vector = function.vector(self.program.columns());
        by.reduce(&mut vector)?;
        let narrow = |&number: &i128| i64::try_from(number).map_err(|_| Overflow);
        let numbers = vector.iter().map(narrow).collect::<Result<Point, _>>()?;
        Ok(Linear::new(numbers[0], self.program.rank(), numbers[1..].iter().copied()))
    }

    /// The columns of the floors.
    fn floor_columns(&self) -> core::ops::Range<usize> {
        self.program.rank()..self.program.columns()
    }
}
