//! The index expression of a chain with unknown sizes.
//!
//! Example: (N,M) transposed and flattened reads position M·i − (N·M − 1)·⌊i/N⌋ at index i, for all N
//! and M. The views are followed from the last to memory as ramps with jumps: a view gives its
//! last stride times n, and at every multiple of a modulus c its jump, jump·⌊n/c⌋. A floor that is
//! seen to be affine on all indices is written so; the others get names, and are divisions by
//! polynomials. A chain that is always one view has none.
//!
//! Cost: that of merging, and a proof or two for every level.

use viewmerge::Limit;
use viewmerge::internal::check_rank;

use crate::chain::SymbolicChain;
use crate::cond::Cond;
use crate::engine::{Engine, Front, Mode, Position};
use crate::error::Error;
use crate::expr::Expr;
use crate::guard::Guard;
use crate::names::{Names, value};
use crate::poly::Poly;
use crate::report::shown_requires;
use crate::stage::{Bounds, Stage};

/// ⌊operand / divisor⌋.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Floor {
    pub(crate) operand: Position,
    pub(crate) divisor: Poly,
}

/// The index expression of a chain: where an index is valid, and its position then, for all parameters.
///
/// ```
/// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
///
/// let params = Params::new().size("N")?.size("M")?;
/// let chain = SymbolicChain::parse(&params, "(N,M) | permute(1,0) | flatten()")?;
/// let form = chain.form(&Limit::none())?;
/// assert_eq!(form.to_string(), "M*i0 - (N*M - 1)*f0 where f0 = i0 // N");
/// assert_eq!(form.index(&[("N", 2), ("M", 3)], &[3])?, Some(4));
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SymbolicForm {
    /// What the parameters must satisfy: what the ops require, and that nothing is divided by 0.
    pub requires: Guard,
    /// Requires that nothing is divided by 0, too.
    pub(crate) chain: SymbolicChain,
    /// Each may use those before it.
    pub(crate) floors: Vec<Floor>,
    pub(crate) position: Position,
    /// An index is valid where all of these are at least 0.
    pub(crate) conditions: Vec<Position>,
}

impl SymbolicChain {
    /// The chain as an index expression, for all parameters at once.
    ///
    /// # Errors
    ///
    /// If numbers get too large.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flip(0) | pad((0,1),(0,0))")?;
    /// assert_eq!(chain.form(&Limit::none())?.to_string(), "i1 + 3*N - 3*i0 - 3 if i0 < N");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn form(&self, limit: &Limit<'_>) -> Result<SymbolicForm, Error> {
        let answer = self.merge(limit);
        let (chain, stages) = match &answer.found[..] {
            [(guard, formula)] if guard.iter().any(Vec::is_empty) => {
                (&answer.chain, vec![formula.view.clone()])
            }
            _ => (self, self.stages.clone()),
        };
        let names = Names::new(chain.defs.clone(), limit);
        let mut domain = self.domain.clone();
        domain.nonempty(&names, stages.iter().flat_map(|stage| &stage.shape));
        let engine = Engine { names: &names, domain: &mut domain, mode: Mode::Lazy };
        let mut follow = Follow { engine, floors: Vec::new(), conditions: Vec::new() };
        let position = follow.position(&stages);
        let Follow { floors, conditions, .. } = follow;
        let mut requires = self.requires.clone();
        for floor in &floors {
            let positive = Cond::Ge(&floor.divisor - 1);
            if !self.domain.clone().implies(&names, &positive) {
                requires.push(vec![positive.expanded(&names)]);
            }
        }
        let spoilt = |sum: &Position| sum.polys().any(Poly::is_spoilt);
        if spoilt(&position) || conditions.iter().any(spoilt) {
            return Err(Error::TooLarge);
        }
        let shown = shown_requires(&names, &requires);
        let chain = SymbolicChain { defs: names.into_defs(), requires, ..self.clone() };
        Ok(SymbolicForm { requires: shown, chain, floors, position, conditions })
    }
}

/// A chain on its way to memory.
struct Follow<'a> {
    engine: Engine<'a>,
    floors: Vec<Floor>,
    conditions: Vec<Position>,
}

impl Follow<'_> {
    fn told(&mut self, sum: &Position) -> Position {
        sum.map(|p| self.engine.names.expand(&self.engine.norm(p)))
    }

    /// Adds a condition, unless it is seen to hold.
    fn demand(&mut self, sum: Position) {
        let sum = self.told(&sum);
        let plain = sum.step.iter().all(Poly::is_zero);
        if plain && self.engine.ask(&Cond::Ge(sum.base.clone())) == Some(true) {
            return;
        }
        if !self.conditions.contains(&sum) {
            self.conditions.push(sum);
        }
    }

    /// Demands that an index is within bounds.
    fn demand_within(&mut self, bounds: &Bounds, index: &Position) {
        let (rank, one) = (index.step.len(), Poly::one());
        for lo in &bounds.lo {
            self.demand(index.plus(&-&one, &Position::constant(lo.clone(), rank)));
        }
        for hi in &bounds.hi {
            self.demand(Position::constant(hi - 1, rank).plus(&-&one, index));
        }
    }

    fn position(&mut self, stages: &[Stage]) -> Position {
        let Some((top, below)) = stages.split_last() else {
            return Position::constant(Poly::zero(), 0);
        };
        let rank = top.rank();
        let mut n = top.position();
        for (axis, bounds) in top.bounds.iter().enumerate() {
            self.demand_within(bounds, &Position::column(rank, axis));
        }
        for p in stages.iter().flat_map(|stage| &stage.alive) {
            self.demand(Position::constant(p.clone(), rank));
        }
        let last: Vec<Poly> = top.shape.iter().map(|size| size - 1).collect();
        for stage in below.iter().rev() {
            n = self.through(stage, &last, &n);
        }
        self.told(&n)
    }

    /// The position below a view.
    fn through(&mut self, stage: &Stage, last: &[Poly], n: &Position) -> Position {
        let rank = last.len();
        let offset = Position::constant(stage.offset.clone(), rank);
        let Some(ramp) = stage.strides.last() else { return offset };
        let mut below = offset.plus(ramp, n);
        // The floor of the axis behind the one at hand, which starts with n itself.
        let mut inner = n.clone();
        let mut modulus = Poly::one();
        for axis in (0..stage.rank()).rev() {
            modulus = self.engine.norm(&(&modulus * &stage.shape[axis]));
            let bounds = &stage.bounds[axis];
            let jump = self.engine.norm(&stage.jump(axis));
            let bounded = !bounds.is_free() || axis > 0 && !stage.bounds[axis - 1].is_free();
            let needed = axis > 0 && (bounded || !jump.is_zero());
            let outer = match needed {
                true => self.floor(n, last, &modulus),
                false => Position::constant(Poly::zero(), rank),
            };
            self.demand_within(bounds, &inner.plus(&-&stage.shape[axis], &outer));
            below = below.plus(&jump, &outer);
            inner = outer;
        }
        self.told(&below)
    }

    /// ⌊n / modulus⌋, as a sum if that is seen, or under a name.
    fn floor(&mut self, n: &Position, last: &[Poly], modulus: &Poly) -> Position {
        let rank = last.len();
        let (axes, floors) = n.step.split_at(rank);
        if floors.iter().all(Poly::is_zero) {
            let position = Position { base: n.base.clone(), step: axes.to_vec() };
            if let Some(found) = self.engine.seen_floor(&Front::whole(last), &position, modulus) {
                return found.quotient;
            }
        }
        let floor = Floor {
            operand: self.told(n),
            divisor: self.engine.names.expand(&self.engine.norm(modulus)),
        };
        let place = self.floors.iter().position(|known| *known == floor).unwrap_or_else(|| {
            self.floors.push(floor);
            self.floors.len() - 1
        });
        Position::column(rank, rank + place)
    }
}

impl SymbolicForm {
    /// The shape of the chain.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert_eq!(chain.form(&Limit::none())?.shape(), ["3*N".parse()?]);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn shape(&self) -> Vec<Expr> {
        self.chain.shape()
    }

    /// The number of divisions of indices.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | permute(1,0) | flatten()")?;
    /// assert_eq!(chain.form(&Limit::none())?.divisions(), 1);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn divisions(&self) -> usize {
        self.floors.len()
    }

    /// The position at an index, `None` for padding.
    ///
    /// # Errors
    ///
    /// If the parameters have other values than declared or required, the index is not one of the
    /// shape, or numbers are too large.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N) | pad((1,0))")?;
    /// let form = chain.form(&Limit::none())?;
    /// assert_eq!(form.index(&[("N", 4)], &[0])?, None);
    /// assert_eq!(form.index(&[("N", 4)], &[4])?, Some(3));
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn index(&self, values: &[(&str, i64)], index: &[i64]) -> Result<Option<i64>, Error> {
        let point = self.chain.point(values)?;
        self.chain.check_allowed(&point)?;
        let shape = &self.chain.last().shape;
        check_rank("index", shape.len(), index.len())?;
        let number = |p: &Poly| value(&self.chain.defs, &point, p);
        for (axis, (size, &i)) in shape.iter().zip(index).enumerate() {
            let size = number(size).ok_or(Error::TooLarge)?;
            if !(0..size).contains(&i.into()) {
                let problem = format_args!("is not below {size} on axis {axis}");
                return Err(Error::point(&format!("index {i}"), problem));
            }
        }
        let mut columns: Vec<Poly> = index.iter().map(|&i| Poly::number(i.into())).collect();
        let at = |position: &Position, columns: &[Poly]| {
            number(&position.at(columns)).ok_or(Error::TooLarge)
        };
        for floor in &self.floors {
            let (operand, divisor) = (at(&floor.operand, &columns)?, number(&floor.divisor));
            let quotient = divisor.and_then(|by| operand.checked_div_euclid(by));
            columns.push(Poly::number(quotient.ok_or(Error::TooLarge)?));
        }
        for condition in &self.conditions {
            if at(condition, &columns)? < 0 {
                return Ok(None);
            }
        }
        let position = at(&self.position, &columns)?;
        i64::try_from(position).map(Some).map_err(|_| Error::TooLarge)
    }
}
