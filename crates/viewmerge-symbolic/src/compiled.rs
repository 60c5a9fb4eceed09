//! An answer ready to be tested at many points, in some dozen nanoseconds each.
//!
//! Quotients and remainders are computed first, each once, into a table after the parameters;
//! the conditions are then sums of products over the table. Nothing is allocated for up to 24 entries.

use smallvec::SmallVec;

use crate::answer::Answer;
use crate::cond::{Choice, Cond};
use crate::names::Def;
use crate::poly::Poly;

/// What a test says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Chosen {
    /// The case of this number holds.
    Case(usize),
    /// No case holds: not one view.
    NotOneView,
    /// The concrete library is to be asked, also where numbers leave 64 bits.
    Open,
    /// Some op is not allowed there.
    Refused,
}

/// A sum of products, 64 bits wide.
#[derive(Debug, Clone)]
struct Sum(Vec<(i64, SmallVec<[u16; 4]>)>);

#[derive(Debug, Clone)]
enum Entry {
    Quotient(Sum, Sum),
    Remainder(Sum, Sum),
    Same(Sum, Sum),
}

#[derive(Debug, Clone, Copy)]
enum Test {
    AtLeast,
    Equal,
    Different,
}

/// Which case holds, as a table of sums.
///
/// ```
/// use viewmerge_symbolic::{Chosen, Limit, Params, SymbolicChain};
///
/// let params = Params::new().size("A")?.size("B")?.integer("s0")?.integer("s1")?;
/// let chain = SymbolicChain::parse(&params, "(A,B):(s0,s1) | reshape(A*B)")?;
/// let test = chain.merge(&Limit::none()).compiled().expect("small numbers");
/// // The parameters come in the order of their declaration.
/// assert_eq!(test.choose(&[4, 3, 6, 2]), Chosen::Case(0));
/// assert_eq!(test.choose(&[4, 3, 7, 2]), Chosen::NotOneView);
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Compiled {
    params: usize,
    entries: Vec<Entry>,
    /// Of each of these one must hold, and how many entries they need.
    requires: Vec<Vec<(Test, Sum)>>,
    needed: usize,
    cases: Vec<Vec<Vec<(Test, Sum)>>>,
    open: Vec<Vec<(Test, Sum)>>,
}

impl Sum {
    fn value(&self, table: &[i64]) -> Option<i64> {
        let mut sum = 0i64;
        for (c, vars) in &self.0 {
            let mut product = *c;
            for &v in vars {
                product = product.checked_mul(table[usize::from(v)])?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }
}

/// Gives variables places in the table.
struct Compiler<'a> {
    defs: &'a [Def],
    places: Vec<Option<u16>>,
    entries: Vec<Entry>,
    params: usize,
}

impl Compiler<'_> {
    fn sum(&mut self, p: &Poly) -> Option<Sum> {
        let mut terms = Vec::new();
        for (mono, c) in p.terms() {
            let mut vars = SmallVec::new();
            for &v in &mono.0 {
                vars.push(self.place(v)?);
            }
            terms.push((i64::try_from(*c).ok()?, vars));
        }
        (!p.is_spoilt()).then_some(Sum(terms))
    }

    fn place(&mut self, v: u16) -> Option<u16> {
        let at = usize::from(v);
        if let Some(place) = self.places[at] {
            return Some(place);
        }
        let entry = match self.defs[at].clone() {
            Def::Param(_) => return Some(v),
            Def::Quotient(num, den) => Entry::Quotient(self.sum(&num)?, self.sum(&den)?),
            Def::Remainder(num, den) => Entry::Remainder(self.sum(&num)?, self.sum(&den)?),
            Def::Same(a, b) => Entry::Same(self.sum(&a)?, self.sum(&b)?),
            Def::Sum(sum) => Entry::Quotient(self.sum(&sum)?, self.sum(&Poly::one())?),
        };
        let place = u16::try_from(self.params + self.entries.len()).ok()?;
        self.entries.push(entry);
        self.places[at] = Some(place);
        Some(place)
    }

    fn list(&mut self, conds: &[Cond]) -> Option<Vec<(Test, Sum)>> {
        conds
            .iter()
            .map(|cond| {
                let test = match cond {
                    Cond::Ge(_) => Test::AtLeast,
                    Cond::Eq(_) => Test::Equal,
                    Cond::Ne(_) => Test::Different,
                };
                Some((test, self.sum(cond.poly())?))
            })
            .collect()
    }

    fn choice(&mut self, choice: &Choice) -> Option<Vec<Vec<(Test, Sum)>>> {
        choice.iter().map(|conds| self.list(conds)).collect()
    }
}

fn all(list: &[(Test, Sum)], table: &[i64]) -> Option<bool> {
    for (test, sum) in list {
        let value = sum.value(table)?;
        let holds = match test {
            Test::AtLeast => value >= 0,
            Test::Equal => value == 0,
            Test::Different => value != 0,
        };
        if !holds {
            return Some(false);
        }
    }
    Some(true)
}

fn any(choice: &[Vec<(Test, Sum)>], table: &[i64]) -> Option<bool> {
    for list in choice {
        if all(list, table)? {
            return Some(true);
        }
    }
    Some(false)
}

impl Compiled {
    /// Which case holds for these values of the parameters, in the order of their declaration; values
    /// are taken to be as declared. Another number of values is answered with *open*.
    ///
    /// ```
    /// use viewmerge_symbolic::{Chosen, Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// let test = chain.merge(&Limit::none()).compiled().expect("small numbers");
    /// assert_eq!(test.choose(&[7]), Chosen::Case(0));
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn choose(&self, values: &[i64]) -> Chosen {
        if values.len() != self.params {
            return Chosen::Open;
        }
        self.chosen(values).unwrap_or(Chosen::Open)
    }

    fn chosen(&self, values: &[i64]) -> Option<Chosen> {
        if self.entries.is_empty() {
            return self.decided(values);
        }
        let mut table: SmallVec<[i64; 24]> = SmallVec::from_slice(values);
        for (number, entry) in self.entries.iter().enumerate() {
            if number == self.needed && !self.allowed(&table)? {
                return Some(Chosen::Refused);
            }
            let (Entry::Quotient(a, b) | Entry::Remainder(a, b) | Entry::Same(a, b)) = entry;
            let (a, b) = (a.value(&table)?, b.value(&table)?);
            table.push(match entry {
                Entry::Same(..) => (a == b).into(),
                // Refused by what is required before this is looked at.
                _ if b < 1 && number < self.needed => 0,
                _ if b < 1 => return None,
                Entry::Quotient(..) => a.div_euclid(b),
                Entry::Remainder(..) => a.rem_euclid(b),
            });
        }
        self.decided(&table)
    }

    fn allowed(&self, table: &[i64]) -> Option<bool> {
        for clause in &self.requires {
            let mut holds = false;
            for one in clause {
                holds = holds || all(std::slice::from_ref(one), table)?;
            }
            if !holds {
                return Some(false);
            }
        }
        Some(true)
    }

    fn decided(&self, table: &[i64]) -> Option<Chosen> {
        if !self.allowed(table)? {
            return Some(Chosen::Refused);
        }
        for (number, choice) in self.cases.iter().enumerate() {
            if any(choice, table)? {
                return Some(Chosen::Case(number));
            }
        }
        Some(if any(&self.open, table)? { Chosen::Open } else { Chosen::NotOneView })
    }
}

impl Answer {
    /// The test of the guards alone; `None` if a coefficient does not fit 64 bits.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// assert!(chain.merge(&Limit::none()).compiled().is_some());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn compiled(&self) -> Option<Compiled> {
        let params = self.told.chain.params().list().len();
        let mut compiler = Compiler {
            defs: &self.told.defs,
            places: vec![None; self.told.defs.len()],
            entries: Vec::new(),
            params,
        };
        let requires = compiler.choice(&self.told.chain.requires)?;
        let needed = compiler.entries.len();
        let cases: Option<Vec<_>> =
            self.told.cases.iter().map(|(choice, _)| compiler.choice(choice)).collect();
        let open = compiler.choice(&self.told.open)?;
        Some(Compiled { params, requires, needed, cases: cases?, open, entries: compiler.entries })
    }
}
