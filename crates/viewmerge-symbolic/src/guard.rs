//! Conditions for people and for programs.
//!
//! A guard is a choice of lists of comparisons: it holds if all comparisons of one list do.

use std::fmt;

use viewmerge::internal::joined;

use crate::expr::Expr;
use crate::signs::{Relation, Signs, Style};

/// One comparison.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// What is compared.
    pub left: Expr,
    /// How.
    pub relation: Relation,
    /// With what.
    pub right: Expr,
}

impl Atom {
    pub(crate) fn written(&self, signs: &Signs) -> String {
        let sign = signs.relations[self.relation as usize];
        format!("{}{sign}{}", self.left.written_with(signs), self.right.written_with(signs))
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(Style::Python.signs()))
    }
}

/// A condition on the parameters: all comparisons of one of the lists hold.
///
/// ```
/// use viewmerge_symbolic::{Limit, Params, Style, SymbolicChain};
///
/// let params = Params::new().size("A")?.size("B")?.integer("s0")?.integer("s1")?;
/// let chain = SymbolicChain::parse(&params, "(A,B):(s0,s1) | reshape(A*B)")?;
/// let answer = chain.merge(&Limit::none());
/// let guard = &answer.cases[0].guard;
/// assert_eq!(guard.to_string(), "A == 1 or s0 == B*s1");
/// assert_eq!(guard.written(Style::C), "A == 1 || s0 == B*s1");
/// assert_eq!(guard.written(Style::Math), "A = 1 ∨ s0 = B·s1");
/// # Ok::<(), viewmerge_symbolic::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The lists of comparisons, of which one must hold whole; none at all is *never*, an empty
    /// list *always*.
    pub choices: Vec<Vec<Atom>>,
}

impl Guard {
    /// Whether it holds for all parameters.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// let answer = chain.merge(&Limit::none());
    /// assert!(answer.cases[0].guard.is_always());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn is_always(&self) -> bool {
        self.choices.iter().any(Vec::is_empty)
    }

    /// Whether it holds for none.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// let answer = chain.merge(&Limit::none());
    /// assert!(answer.open.is_never());
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn is_never(&self) -> bool {
        self.choices.is_empty()
    }

    /// The number of comparisons.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// let answer = chain.merge(&Limit::none());
    /// assert_eq!(answer.cases[0].guard.atoms(), 0);
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn atoms(&self) -> usize {
        self.choices.iter().map(Vec::len).sum()
    }

    /// The text in a style.
    ///
    /// ```
    /// use viewmerge_symbolic::{Limit, Params, Style, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N,3) | flatten()")?;
    /// let answer = chain.merge(&Limit::none());
    /// assert_eq!(answer.cases[0].guard.written(Style::C), "true");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn written(&self, style: Style) -> String {
        let signs = style.signs();
        let [always, never] = signs.words;
        if self.is_always() || self.is_never() {
            return if self.is_always() { always } else { never }.to_owned();
        }
        let several = self.choices.len() > 1;
        let lists = self.choices.iter().map(|list| {
            let text = joined(list.iter().map(|atom| atom.written(signs)), signs.and);
            // `and` binds more tightly than `or`; brackets for the reader.
            if several && list.len() > 1 { format!("({text})") } else { text }
        });
        joined(lists, signs.or)
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(Style::Python))
    }
}
