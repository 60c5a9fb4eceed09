//! The text notation, with names wherever it takes numbers.
//!
//! ```text
//! (N,3,M) | permute(2,0,1) | reshape(M*N,3) | pad((0,0),(P,P)) | slice(1:N,::2)
//! ```

use viewmerge::internal::{Argument, Item, Kind, Scanner, Span, check_rank, place};
use viewmerge::{Error as Concrete, Movement};

use crate::chain::{Applied, SymbolicChain};
use crate::error::Error;
use crate::expr::Expr;
use crate::params::Params;
use crate::stage::{Bounds, Stage};
use crate::work::Work;

/// Reads a view; what it returns makes the view.
fn view(
    scan: &mut Scanner,
) -> Result<impl FnOnce(&mut Work) -> Result<Stage, Error> + use<>, Concrete> {
    let shape: Vec<Expr> = Vec::read(scan)?;
    let strides: Option<Vec<Expr>> = if scan.take(':') { Some(Vec::read(scan)?) } else { None };
    let signed = scan.take('+') || scan.peek() == Some('-');
    let offset = if signed { Expr::read(scan)? } else { 0.into() };
    let nothing = scan.take_all("nothing");
    let mask = if scan.peek() == Some('[') { Some(scan.intervals::<Expr>()?) } else { None };
    scan.end()?;
    Ok(move |work: &mut Work| {
        let mut stage = work.strided(&shape, strides.as_deref(), &offset)?;
        if nothing {
            stage.close();
        }
        let op = std::mem::replace(&mut work.op, "mask");
        if let Some(mask) = &mask {
            check_rank("mask", stage.rank(), mask.len())?;
            for (axis, (lo, hi)) in mask.iter().enumerate() {
                let (lo, hi) = (work.poly(lo)?, work.poly(hi)?);
                work.require_within(axis, (&lo, &hi), &stage.shape[axis])?;
                stage.bounds[axis] = Bounds { lo: vec![lo], hi: vec![hi] };
            }
        }
        work.op = op;
        Ok(stage)
    })
}

impl SymbolicChain {
    /// Reads a chain: views and ops, memory side first, separated by `|`.
    ///
    /// # Errors
    ///
    /// If the text is not in the notation, names something undeclared, or an op is never allowed;
    /// the message says at which character.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let params = Params::new().size("N")?.size("M")?;
    /// let chain = SymbolicChain::parse(&params, "(N,3,M) | permute(2,0,1) | reshape(M*N,3)")?;
    /// assert_eq!(chain.to_string(), "(M,N,3):(1,3*M,M) | (N*M,3):(3,1)");
    /// let mistyped = SymbolicChain::parse(&params, "(N,3) | reshape(N,4)").unwrap_err();
    /// assert_eq!(
    ///     mistyped.to_string(),
    ///     "at column 16: reshape: the number of elements needs N == 0, \
    ///      which holds for no values of the parameters",
    /// );
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn parse(params: &Params, text: &str) -> Result<SymbolicChain, Error> {
        SymbolicChain::read(params, text, SymbolicChain::applied)
    }

    /// Reads a text, every item after the first by the function.
    pub(crate) fn read(
        params: &Params,
        text: &str,
        apply: impl Fn(&SymbolicChain, &str, &mut Scanner) -> Result<SymbolicChain, Error>,
    ) -> Result<SymbolicChain, Error> {
        let mut chain: Option<SymbolicChain> = None;
        let mut start = 0;
        for item in text.split('|') {
            let mut scan = Scanner::new(item);
            let next = match &chain {
                None => SymbolicChain::start(params, |work| view(&mut scan)?(work)),
                Some(chain) => apply(chain, item, &mut scan),
            };
            let rank = chain.map_or(0, |chain| chain.last().rank());
            chain = Some(next.map_err(|error| placed(&scan, item, rank, error, start))?);
            start += item.chars().count() + 1;
        }
        chain.ok_or_else(|| Scanner::new(text).unexpected("a view").into())
    }

    /// Applies an op, or puts a view on top, given as text.
    ///
    /// # Errors
    ///
    /// If the text is neither, or the op's own.
    ///
    /// ```
    /// use viewmerge_symbolic::{Params, SymbolicChain};
    ///
    /// let chain = SymbolicChain::parse(&Params::new().size("N")?, "(N)")?;
    /// assert_eq!(chain.apply("pad((1,0))")?.to_string(), "(N + 1):(1)-1 [1:N + 1]");
    /// # Ok::<(), viewmerge_symbolic::Error>(())
    /// ```
    pub fn apply(&self, item: &str) -> Result<SymbolicChain, Error> {
        self.applied(item, &mut Scanner::new(item))
    }

    pub(crate) fn applied(&self, item: &str, scan: &mut Scanner) -> Result<SymbolicChain, Error> {
        if scan.peek() == Some('(') {
            let make = view(scan)?;
            return self.edit("view", |work, stages| {
                let top = make(work)?;
                work.require_composes(self.last(), &top)?;
                stages.push(top);
                Ok(())
            });
        }
        let op: Movement<Expr> = scan.movement()?;
        scan.end()?;
        let mut chain = self.apply_op(&op)?;
        chain.trail.push(Applied {
            op: item.trim().to_owned(),
            before: self.last().clone(),
            after: chain.last().clone(),
            view: chain.stages.len() - 1,
            added: chain.stages.len() > self.stages.len(),
        });
        Ok(chain)
    }
}

/// Says where in the whole text the mistake of an item is that starts here, on a view of so many axes.
fn placed(scan: &Scanner, item: &str, rank: usize, error: Error, start: usize) -> Error {
    let name = item.trim().split('(').next().unwrap_or_default();
    match error {
        Error::Concrete(error) => place(scan.located(error, Item::Op(name, rank)), start).into(),
        error => {
            let blank = item.chars().take_while(|c| c.is_whitespace()).count();
            let at = start + culprit(scan, item, &error).unwrap_or(blank);
            Error::InText { at, error: Box::new(error) }
        }
    }
}

/// Where in an item the argument is that an error is about.
fn culprit(scan: &Scanner, item: &str, error: &Error) -> Option<usize> {
    let item: Vec<char> = item.chars().collect();
    let list = |kind: Kind| scan.spans.iter().find(|span| span.kind == kind);
    match error {
        Error::Undeclared { name, .. } => places(&scan.spans, &item, name).first().copied(),
        Error::NeverLegal { op, argument, .. } => {
            let last = |wanted: &str| places(&scan.spans, &item, wanted).pop();
            let list = list(if op == "mask" { Kind::Mask } else { Kind::List })?;
            match argument.split_once(' ') {
                Some(("size" | "step", text)) => last(text),
                Some(("axis", axis)) if op == "unflatten" || op == "squeeze" => last(axis),
                Some(("axis", axis)) => Some(list.items.get(axis.parse::<usize>().ok()?)?.at),
                _ => Some(list.at),
            }
        }
        _ => None,
    }
}

/// The places of the numbers, names and expressions that read so.
fn places(spans: &[Span], item: &[char], wanted: &str) -> Vec<usize> {
    let place = |span: &Span| {
        let text: String = item[span.at..span.end].iter().collect();
        let found = text.parse().is_ok_and(|expr: Expr| expr.to_string() == wanted);
        let inner = places(&span.items, item, wanted);
        found.then_some(span.at).into_iter().chain(inner).collect::<Vec<_>>()
    };
    spans.iter().flat_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_located() -> Result<(), Error> {
        let params = Params::new().size("N")?;
        let rows = [
            ("(N,3,3):(8,1)", 8, "rank_mismatch"),
            ("(-2,N)", 1, "never_legal"),
            ("(N, -2)", 4, "never_legal"),
            ("(N,3) [0:2]", 6, "rank_mismatch"),
            ("(N,3) [0:N,0:4]", 11, "never_legal"),
            ("(N,M)", 3, "undeclared"),
            ("(N,3) | permute(0,0)", 18, "repeated_axis"),
            ("(N,3) | permute(0,2)", 18, "axis_out_of_range"),
            ("(N,3) | permute(0)", 15, "rank_mismatch"),
            ("(N,3) | reshape(-1, -1)", 20, "two_inferred"),
            ("(N,3) | reshape(3*N,2)", 15, "never_legal"),
            ("(N,3) | pad((0,0),(1,-1))", 21, "never_legal"),
            ("(N,3) | expand(N,4)", 17, "never_legal"),
            ("(N,3) | slice(:,:,:)", 13, "rank_mismatch"),
            ("(N,3) | frob(2)", 8, "unknown_op"),
        ];
        for (text, at, kind) in rows {
            let error = SymbolicChain::parse(&params, text).expect_err(text);
            assert_eq!((error.at(), error.kind()), (Some(at), kind), "{text}: {error}");
        }
        Ok(())
    }
}
