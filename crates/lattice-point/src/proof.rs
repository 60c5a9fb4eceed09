//! Proofs that rows have no integer point.
//!
//! A proof is a tree. Its inner nodes split on an integer form: at most a number, or more. At a
//! leaf, multiples of row ends add up to 0 ≥ 1. Rows are those of the system and those of the
//! splits on the way to the leaf.
//!
//! Example: 1 ≤ 2x ≤ 1 has no integer point. Split on x ≤ 0: there 2·(x ≤ 0) contradicts 2x ≥ 1;
//! above, 2·(x ≥ 1) contradicts 2x ≤ 1.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::number::{Big, Number, big_list, divisor};
use crate::row::Side;

/// A row that a proof may use.
///
/// ```
/// use lattice_point::RowRef;
///
/// assert_ne!(RowRef::Given(0), RowRef::Split(0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowRef {
    /// A row of the system.
    Given(usize),
    /// The row of a split on the way, by its number.
    Split(usize),
}

/// Why a system has no integer point.
///
/// ```
/// use lattice_point::{Encode, Limit, Proof, System};
///
/// let mut system = System::new(1);
/// system.push(vec![2], Some(1), Some(1));
/// let proof = system.refute(&mut Limit::none().meter())?.unwrap();
/// assert!(matches!(proof, Proof::Split { .. }));
/// # Ok::<(), lattice_point::Exhausted>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Proof {
    /// These positive multiples of row ends add up to 0 ≥ 1.
    Absurd(Vec<(RowRef, Side, Big)>),
    /// No point has form ≤ at, and none has form ≥ at + 1.
    Split {
        /// Its name in the leaves below: [`RowRef::Split`].
        number: usize,
        /// The form, a coefficient for each variable.
        form: Vec<Big>,
        /// The value at which it is split.
        at: Big,
        /// Why no point has form ≤ at.
        low: Box<Proof>,
        /// Why no point has form ≥ at + 1.
        high: Box<Proof>,
    },
}

impl Proof {
    /// The number of its nodes.
    ///
    /// ```
    /// assert_eq!(lattice_point::Proof::Absurd(Vec::new()).nodes(), 1);
    /// ```
    #[must_use]
    pub fn nodes(&self) -> usize {
        match self {
            Proof::Absurd(_) => 1,
            Proof::Split { low, high, .. } => 1 + low.nodes() + high.nodes(),
        }
    }

    /// Whether a split's row is used.
    pub(super) fn uses(&self, number: usize) -> bool {
        match self {
            Proof::Absurd(multiples) => {
                multiples.iter().any(|(row, ..)| *row == RowRef::Split(number))
            }
            Proof::Split { low, high, .. } => low.uses(number) || high.uses(number),
        }
    }
}

/// Where an end of a working row comes from: `scale` times it is an end of the source, apart from
/// what fixed coordinates add.
#[derive(Debug, Clone)]
pub(super) struct Origin<N> {
    pub source: usize,
    pub scale: N,
}

/// An end of a row that a proof may name, as a form of the variables.
struct Source {
    row: RowRef,
    side: Side,
    form: Vec<Big>,
}

/// A coordinate that has one value, and the two ends that say so.
struct Fixed {
    column: Vec<Big>,
    low: Origin<Big>,
    high: Origin<Big>,
}

/// Writes proofs while a search goes on.
pub(super) struct Recorder {
    sources: Vec<Source>,
    fixed: Vec<Fixed>,
    splits: usize,
}

/// A split that makes an end of a row integral: `absurd` is the other side.
pub(super) struct Rounding {
    pub number: usize,
    pub form: Vec<Big>,
    pub at: Big,
    /// Which side the search goes on with.
    pub keeps: Side,
    pub absurd: Proof,
}

impl Rounding {
    /// The proof with the split around it, if it is used.
    pub(super) fn around(self, proof: Proof) -> Proof {
        if !proof.uses(self.number) {
            return proof;
        }
        let (low, high) = match self.keeps {
            // Goes on with form ≥ at + 1.
            Side::Low => (self.absurd, proof),
            Side::High => (proof, self.absurd),
        };
        Proof::Split {
            number: self.number,
            form: self.form,
            at: self.at,
            low: Box::new(low),
            high: Box::new(high),
        }
    }
}

impl Recorder {
    pub(super) fn new() -> Recorder {
        Recorder { sources: Vec::new(), fixed: Vec::new(), splits: 0 }
    }

    /// An end that proofs may use from now on.
    fn source<N: Number>(&mut self, row: RowRef, side: Side, form: Vec<Big>) -> Origin<N> {
        self.sources.push(Source { row, side, form });
        Origin { source: self.sources.len() - 1, scale: N::ONE }
    }

    /// Both ends of a row.
    pub(super) fn ends<N: Number>(&mut self, row: RowRef, form: &[Big]) -> [Origin<N>; 2] {
        [Side::Low, Side::High].map(|side| self.source(row, side, form.to_vec()))
    }

    /// The number of a new split.
    pub(super) fn split(&mut self) -> usize {
        self.splits += 1;
        self.splits - 1
    }

    pub(super) fn fix<N: Number>(&mut self, column: &[N], low: &Origin<N>, high: &Origin<N>) {
        let big = |origin: &Origin<N>| Origin { source: origin.source, scale: origin.scale.big() };
        self.fixed.push(Fixed { column: big_list(column), low: big(low), high: big(high) });
    }

    pub(super) fn fixed_count(&self) -> usize {
        self.fixed.len()
    }

    /// Forgets the coordinates fixed after the first `count`.
    pub(super) fn unfix_to(&mut self, count: usize) {
        self.fixed.truncate(count);
    }

    /// A split that rounds an end of a form, given as one of the variables, to
    /// `value`; the end comes from the split afterwards.
    pub(super) fn round<N: Number>(
        &mut self,
        form: Vec<Big>,
        value: &Big,
        side: Side,
        origin: &mut Origin<N>,
    ) -> Rounding {
        let number = self.split();
        let row = RowRef::Split(number);
        let other: Origin<N> = self.source(row, side.opposite(), form.clone());
        let absurd = self.absurd(&[(other, N::ONE), (origin.clone(), N::ONE)]);
        *origin = self.source(row, side, form.clone());
        let at = match side {
            Side::Low => value - Big::ONE,
            Side::High => value.clone(),
        };
        Rounding { number, form, at, keeps: side, absurd }
    }

    /// The leaf that these multiples of ends of working rows make; what they
    /// leave of fixed coordinates is cancelled with the ends that fix them.
    pub(super) fn absurd<N: Number>(&self, parts: &[(Origin<N>, N)]) -> Proof {
        let width = self.sources.first().map_or(0, |source| source.form.len());
        let mut sum = Sum { total: vec![Big::ZERO; width], multiples: Vec::new(), unit: Big::ONE };
        for (origin, multiplier) in parts {
            let times = multiplier.big() * &sum.unit;
            sum.add(&self.sources, origin.source, &times, &origin.scale.big());
        }
        for fixed in self.fixed.iter().rev() {
            let rest: Big = sum.total.iter().zip(&fixed.column).map(|(a, b)| a * b).sum();
            if rest == Big::ZERO {
                continue;
            }
            let (origin, times) =
                if rest > Big::ZERO { (&fixed.low, rest) } else { (&fixed.high, -rest) };
            sum.add(&self.sources, origin.source, &times, &origin.scale);
        }
        debug_assert!(sum.total.iter().all(|left| *left == Big::ZERO), "variables are left");
        let common =
            sum.multiples.iter().fold(Big::ZERO, |common, (_, times)| divisor(&common, times));
        let multiples = sum.multiples.into_iter().filter(|(_, times)| *times != Big::ZERO);
        Proof::Absurd(
            multiples
                .map(|(source, multiplier)| {
                    let Source { row, side, .. } = &self.sources[source];
                    (*row, *side, multiplier / &common)
                })
                .collect(),
        )
    }
}

/// Multiples of sources, and the form they add up to, written as a sum ≤ 0.
struct Sum {
    total: Vec<Big>,
    multiples: Vec<(usize, Big)>,
    /// What 1 has become, to keep all of it integral.
    unit: Big,
}

impl Sum {
    /// Adds times/scale of a source, counted in units; all is scaled up so that it stays integral.
    fn add(&mut self, sources: &[Source], source: usize, times: &Big, scale: &Big) {
        let common = divisor(times, scale);
        let (times, scale) = (times / &common, scale / &common);
        if scale != Big::ONE {
            self.unit *= &scale;
            let numbers =
                self.total.iter_mut().chain(self.multiples.iter_mut().map(|(_, times)| times));
            for number in numbers {
                *number *= &scale;
            }
        }
        for (to, by) in self.total.iter_mut().zip(&sources[source].form) {
            match sources[source].side {
                Side::Low => *to -= &times * by,
                Side::High => *to += &times * by,
            }
        }
        match self.multiples.iter_mut().find(|(known, _)| *known == source) {
            Some((_, known)) => *known += times,
            None => self.multiples.push((source, times)),
        }
    }
}
