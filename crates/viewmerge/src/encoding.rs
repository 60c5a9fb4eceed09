//! A chain as rows of an integer system.
//!
//! The variables are the index x and, view by view from the top down, the
//! quotients ⌊p/m⌋ of the position p that enters a view, for every modulus m at
//! which the view has a broken level or a mask ([`crate::staircase`]). Each
//! divides the next, so ⌊p/m′⌋ is the quotient of ⌊p/m⌋ by m′/m: one row for each. A mask
//! is a row on p less a multiple of a quotient. What leaves the view is linear
//! in p and the quotients, and enters the next view.
//!
//! These are fewer variables than the theory's one for every axis, and a subset
//! of them: axes that can be fused need no quotient between them.
//! Each row here is a sum of multiples of rows there, which [`Tag`] names.

use alloc::vec::Vec;

use smallvec::SmallVec;

use lattice_point::{Affine, Big, Encode, Number, Overflow, Row, Side, System};

use crate::staircase::{Slab, Staircase};

/// How far an index is followed through a chain, and which masks it must meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// To memory; every index of the box is known to be valid.
    Position,
    /// To memory, and all masks are met.
    Valid,
    /// To one stage; all masks before it are met, and there one is missed.
    Missed(Miss),
}

/// A slab of a stage, missed on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Miss {
    pub stage: usize,
    pub slab: usize,
    pub side: Side,
}

/// A chain: the position of its top as a function of x, and the views below, the next one first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route<'a> {
    /// Which of the chains of a question it is.
    pub chain: usize,
    pub offset: i128,
    pub slope: &'a [i64],
    pub stages: &'a [Staircase],
    pub reach: Reach,
}

/// A row that makes the question.
#[derive(Debug, Clone)]
pub(crate) enum Claim {
    /// None; for `Missed` the slab is the row.
    None,
    /// x_l is at most, or at least, a value.
    Index { axis: usize, side: Side, value: i64 },
    /// The first chain's position exceeds the second one's and `by`, or falls short of that.
    Differ { by: i128, side: Side },
}

/// What to maximize.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    None,
    /// x_l, or −x_l for the low side.
    Index {
        axis: usize,
        side: Side,
    },
    /// The first chain's position.
    Position,
}

/// Where a row comes from: enough to write it as a sum of the rows of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    /// The interval of x_l.
    Index(usize),
    /// The digits of a stage between two moduli, each counted in units of the lower one.
    Digits { chain: usize, stage: usize, from: i64, to: i64 },
    /// The claim's own row.
    Claim,
}

/// An index in a box, run through chains, and one more row.
#[derive(Debug, Clone)]
pub(crate) struct Question<'a> {
    /// lo ≤ x_l < hi.
    pub bounds: &'a [(i64, i64)],
    pub paths: SmallVec<[Route<'a>; 2]>,
    pub claim: Claim,
    pub target: Target,
}

impl<'a> Route<'a> {
    /// The affine function offset + Σ slope·x, as another chain to compare with.
    pub(crate) fn affine(offset: i128, slope: &'a [i64]) -> Route<'a> {
        Route { chain: 1, offset, slope, stages: &[], reach: Reach::Position }
    }

    /// The stages that are passed.
    pub(crate) fn passed(&self) -> &[Staircase] {
        match self.reach {
            Reach::Missed(miss) => &self.stages[..=miss.stage],
            Reach::Position | Reach::Valid => self.stages,
        }
    }

    /// The slabs that a stage must meet.
    fn met(&self, stage: usize) -> &[Slab] {
        match self.reach {
            Reach::Position => &[],
            Reach::Missed(miss) if stage == miss.stage => &[],
            Reach::Valid | Reach::Missed(_) => &self.stages[stage].slabs,
        }
    }

    /// The moduli of a stage that need a quotient, finest first.
    pub(crate) fn moduli(&self, stage: usize) -> SmallVec<[i64; 8]> {
        let mut moduli: SmallVec<[i64; 8]> = SmallVec::new();
        let slab = |slab: &Slab| slab.modulus;
        match self.reach {
            Reach::Missed(miss) if stage == miss.stage => {
                moduli.extend(slab(&self.stages[stage].slabs[miss.slab]));
            }
            _ => {
                moduli.extend(self.stages[stage].levels.iter().map(|level| level.modulus));
                moduli.extend(self.met(stage).iter().filter_map(slab));
                moduli.sort_unstable();
                moduli.dedup();
            }
        }
        moduli
    }

    /// How many quotients there are.
    pub(crate) fn quotients(&self) -> usize {
        (0..self.passed().len()).map(|stage| self.moduli(stage).len()).sum()
    }
}

impl<'a> Question<'a> {
    /// Asks for an index in the box that every path follows as required.
    pub(crate) fn about(
        bounds: &'a [(i64, i64)],
        paths: impl IntoIterator<Item = Route<'a>>,
    ) -> Question<'a> {
        let paths = paths.into_iter().collect();
        Question { bounds, paths, claim: Claim::None, target: Target::None }
    }

    /// The chain, the stage and the slab that is missed, if one is.
    pub(crate) fn missed(&self) -> Option<(usize, usize, usize)> {
        self.paths.iter().find_map(|path| match path.reach {
            Reach::Missed(miss) => Some((path.chain, miss.stage, miss.slab)),
            Reach::Position | Reach::Valid => None,
        })
    }

    /// Where each row comes from, in the order of [`Encode::encode`].
    pub(crate) fn tags(&self) -> Vec<Tag> {
        match self.write::<Big>() {
            Ok((writer, _)) => writer.tags,
            Err(Overflow) => unreachable!("big numbers do not overflow"),
        }
    }

    /// The rows, and the objective.
    fn write<N: Number>(&self) -> Result<(Writer<N>, Vec<N>), Overflow> {
        let rank = self.bounds.len();
        let variables = rank + self.paths.iter().map(Route::quotients).sum::<usize>();
        let mut writer = Writer { variables, rows: Vec::new(), tags: Vec::new() };
        for (axis, &(lo, hi)) in self.bounds.iter().enumerate() {
            writer.row(Affine::column(axis), lo, hi.saturating_sub(1), Tag::Index(axis))?;
        }
        let mut free = rank;
        let mut positions: SmallVec<[Affine<N>; 2]> = SmallVec::new();
        for path in &self.paths {
            let terms = path.slope.iter().map(|&t| N::from(t.into())).collect();
            let mut position = Affine::new(N::from(path.offset), terms);
            for stage in 0..path.passed().len() {
                position = writer.stage(path, stage, position, &mut free)?;
            }
            positions.push(position);
        }
        let minus_one = N::from(-1);
        match self.claim {
            Claim::None => {}
            Claim::Index { axis, side, value } => {
                writer.beyond(Affine::column(axis), side, value)?;
            }
            Claim::Differ { by, side } => {
                let excess = positions[0].clone().plus(&minus_one, &positions[1])?;
                let excess = excess.plus(&minus_one, &Affine::always(N::from(by)))?;
                writer.beyond(excess, side, if side == Side::Low { -1 } else { 1 })?;
            }
        }
        let objective = match self.target {
            Target::None => return Ok((writer, Vec::new())),
            Target::Index { axis, side: Side::High } => Affine::column(axis),
            Target::Index { axis, side: Side::Low } => {
                Affine::always(N::ZERO).plus(&minus_one, &Affine::column(axis))?
            }
            Target::Position => positions.swap_remove(0),
        };
        Ok((writer, objective.between(None, None, variables)?.form))
    }
}

impl Encode for Question<'_> {
    fn encode<N: Number>(&self) -> Result<System<N>, Overflow> {
        let (writer, objective) = self.write()?;
        Ok(System { variables: writer.variables, rows: writer.rows, objective })
    }
}

struct Writer<N> {
    variables: usize,
    rows: Vec<Row<N>>,
    tags: Vec<Tag>,
}

impl<N: Number> Writer<N> {
    /// low ≤ form ≤ high.
    fn row(&mut self, form: Affine<N>, low: i64, high: i64, tag: Tag) -> Result<(), Overflow> {
        let [low, high] = [low, high].map(|end| Some(N::from(end.into())));
        self.tags.push(tag);
        self.rows.push(form.between(low, high, self.variables)?);
        Ok(())
    }

    /// The claim's own row: the form is at an end or beyond it.
    fn beyond(&mut self, form: Affine<N>, side: Side, end: i64) -> Result<(), Overflow> {
        let end = Some(N::from(end.into()));
        let (low, high) = if side == Side::Low { (None, end) } else { (end, None) };
        self.tags.push(Tag::Claim);
        self.rows.push(form.between(low, high, self.variables)?);
        Ok(())
    }

    /// The rows of a stage, whose quotients are the variables from `free` on; the position that leaves
    /// it.
    fn stage(
        &mut self,
        path: &Route<'_>,
        stage: usize,
        position: Affine<N>,
        free: &mut usize,
    ) -> Result<Affine<N>, Overflow> {
        let (stairs, moduli) = (&path.stages[stage], path.moduli(stage));
        let first = *free;
        *free += moduli.len();
        let quotient =
            |modulus: i64| Affine::column(first + moduli.partition_point(|&known| known < modulus));
        let digits = |from: i64, to: i64| Tag::Digits { chain: path.chain, stage, from, to };
        let (mut rest, mut from) = (position.clone(), 1);
        for &modulus in &moduli {
            let (next, ratio) = (quotient(modulus), modulus / from);
            let digit = rest.plus(&N::from((-ratio).into()), &next)?;
            self.row(digit, 0, ratio - 1, digits(from, modulus))?;
            (rest, from) = (next, modulus);
        }
        // A view of one element reads the same whatever the position.
        if stairs.count > 1 {
            self.row(rest, 0, stairs.count / from - 1, digits(from, stairs.count))?;
        }
        let residue = |slab: &Slab| match slab.modulus {
            None => Ok(position.clone()),
            Some(modulus) => position.clone().plus(&N::from((-modulus).into()), &quotient(modulus)),
        };
        for slab in path.met(stage) {
            let tag = digits(1, slab.modulus.unwrap_or(stairs.count));
            self.row(residue(slab)?, slab.lo, slab.hi - 1, tag)?;
        }
        if let Reach::Missed(miss) = path.reach
            && miss.stage == stage
        {
            let slab = &stairs.slabs[miss.slab];
            let end = if miss.side == Side::Low { slab.lo - 1 } else { slab.hi };
            self.beyond(residue(slab)?, miss.side, end)?;
            return Ok(position);
        }
        let mut next = Affine::always(N::from(stairs.base));
        next = next.plus(&N::from(stairs.slope), &position)?;
        for level in &stairs.levels {
            next = next.plus(&N::from(level.jump), &quotient(level.modulus))?;
        }
        Ok(next)
    }
}
