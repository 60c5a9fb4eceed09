//! The text notation, with names wherever it takes numbers.
//!
//! ```text
//! (N,3,M) | permute(2,0,1) | reshape(M*N,3) | pad((0,0),(P,P)) | slice(1:N,::2)
//! ```

use viewmerge::internal::check_rank;
use viewmerge::strides::Error as ListError;
use viewmerge::{Error as Concrete, Movement};

use crate::chain::SymbolicChain;
use crate::error::Error;
use crate::expr::Expr;
use crate::ops::SymbolicSlice;
use crate::params::Params;
use crate::scan::Scanner;
use crate::stage::{Bounds, Stage};
use crate::work::Work;

fn tuple(scan: &mut Scanner) -> Result<Vec<Expr>, Error> {
    scan.expect("(")?;
    scan.list(")", Scanner::expr)
}

/// Reads a view; what it returns makes the view.
fn view(
    scan: &mut Scanner,
) -> Result<impl FnOnce(&mut Work) -> Result<Stage, Error> + use<>, Error> {
    let shape = tuple(scan)?;
    let strides = if scan.take(":") { Some(tuple(scan)?) } else { None };
    let offset = match scan.peek() {
        Some('+') => {
            scan.expect("+")?;
            scan.expr()?
        }
        Some('-') => scan.expr()?,
        _ => Expr::Number(0),
    };
    let nothing = scan.take_word("nothing");
    let mask = match scan.take("[") {
        true => Some(scan.list("]", |scan| pair(scan, ":"))?),
        false => None,
    };
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
                stage.bounds[axis] = Bounds::between(lo, hi);
            }
        }
        work.op = op;
        Ok(stage)
    })
}

fn pair(scan: &mut Scanner, between: &str) -> Result<(Expr, Expr), Error> {
    let first = scan.expr()?;
    scan.expect(between)?;
    Ok((first, scan.expr()?))
}

fn axes(scan: &mut Scanner) -> Result<Vec<i64>, Error> {
    scan.list(")", Scanner::integer)
}

fn pairs(scan: &mut Scanner) -> Result<Vec<(Expr, Expr)>, Error> {
    scan.list(")", |scan| {
        scan.expect("(")?;
        let both = pair(scan, ",")?;
        scan.expect(")")?;
        Ok(both)
    })
}

fn slice(scan: &mut Scanner) -> Result<SymbolicSlice, Error> {
    let bound = |scan: &mut Scanner| match scan.peek() {
        None | Some(':' | ',' | ')') => Ok(None),
        _ => scan.expr().map(Some),
    };
    let start = bound(scan)?;
    scan.expect(":")?;
    let stop = bound(scan)?;
    let step = match scan.take(":") && !matches!(scan.peek(), None | Some(',' | ')')) {
        true => scan.expr()?,
        false => Expr::Number(1),
    };
    Ok(SymbolicSlice { start, stop, step })
}

fn one_axis(scan: &mut Scanner) -> Result<i64, Error> {
    let axis = scan.integer()?;
    scan.expect(")")?;
    Ok(axis)
}

fn two_axes(scan: &mut Scanner) -> Result<(i64, i64), Error> {
    let first = scan.integer()?;
    scan.expect(",")?;
    Ok((first, one_axis(scan)?))
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
        apply: impl Fn(&SymbolicChain, &mut Scanner) -> Result<SymbolicChain, Error>,
    ) -> Result<SymbolicChain, Error> {
        let mut chain: Option<SymbolicChain> = None;
        let mut start = 0;
        for item in text.split('|') {
            let mut scan = Scanner::new(item);
            let next = match &chain {
                None => view(&mut scan).and_then(|make| SymbolicChain::start(params, make)),
                Some(chain) => apply(chain, &mut scan),
            };
            chain = Some(next.map_err(|error| scan.placed(error, start))?);
            start += item.chars().count() + 1;
        }
        chain.ok_or_else(|| Scanner::new(text).unexpected("a view"))
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
        self.applied(&mut Scanner::new(item))
    }

    pub(crate) fn applied(&self, scan: &mut Scanner) -> Result<SymbolicChain, Error> {
        if scan.peek() == Some('(') {
            return self.append(view(scan)?);
        }
        let name = scan.peek_word();
        if name != "broadcast_to" && !Movement::names().contains(&name.as_str()) {
            return Err(scan.unexpected("a view or an op such as reshape, permute or slice"));
        }
        scan.word(&name)?;
        scan.expect("(")?;
        let done = match name.as_str() {
            "reshape" => self.reshape(&scan.list(")", Scanner::expr)?),
            "expand" | "broadcast_to" => self.expand(&scan.list(")", Scanner::expr)?),
            "step" => self.step(&scan.list(")", Scanner::expr)?),
            "permute" => self.permute(&axes(scan)?),
            "flip" => self.flip(&axes(scan)?),
            "pad" => self.pad(&pairs(scan)?),
            "shrink" => self.shrink(&pairs(scan)?),
            "slice" => self.slice(&scan.list(")", slice)?),
            "transpose" => two_axes(scan).and_then(|(a, b)| self.transpose(a, b)),
            "squeeze" => self.squeeze(one_axis(scan)?),
            "unsqueeze" => self.unsqueeze(one_axis(scan)?),
            "flatten" if scan.take(")") => self.flatten(0, -1),
            "flatten" => two_axes(scan).and_then(|(a, b)| self.flatten(a, b)),
            "unflatten" => {
                let axis = scan.integer()?;
                scan.expect(",")?;
                let sizes = tuple(scan)?;
                scan.expect(")")?;
                self.unflatten(axis, &sizes)
            }
            _ => {
                let shape = tuple(scan)?;
                scan.expect(",")?;
                let strides = tuple(scan)?;
                let offset = if scan.take(",") { scan.expr()? } else { Expr::Number(0) };
                scan.expect(")")?;
                self.as_strided(&shape, &strides, &offset)
            }
        }?;
        scan.end()?;
        Ok(done.made_by(scan.text().trim(), self))
    }
}

impl Scanner {
    /// Says where in the whole text the mistake of an item is that starts here.
    fn placed(&self, error: Error, start: usize) -> Error {
        let (at, error) = match error {
            Error::InText { at, error } => (at, error),
            error => (self.culprit(&error).unwrap_or_else(|| self.blank()), Box::new(error)),
        };
        Error::InText { at: start + at, error }
    }

    /// Where in an item the argument is that an error is about.
    fn culprit(&self, error: &Error) -> Option<usize> {
        let read = |wanted: &str| -> Vec<usize> {
            let same = self.read.iter().filter(|(_, text)| text == wanted);
            same.map(|(at, _)| *at).collect()
        };
        let last = |wanted: &str| read(wanted).pop();
        let list = |mask: bool| self.lists.iter().filter(move |(close, _)| mask == (*close == "]"));
        let (arguments, mask) = (list(false).next(), list(true).next());
        // The opening bracket is at place 0.
        let place = |list: Option<&(_, Vec<usize>)>, place: usize| list?.1.get(place).copied();
        match error {
            Error::Undeclared { name, .. } => read(name).first().copied(),
            Error::Concrete(Concrete::Lists(ListError::RankMismatch { what, .. })) => match *what {
                "mask" => place(mask, 0),
                "strides" => place(list(false).last(), 0),
                _ => place(arguments, 0),
            },
            Error::Concrete(Concrete::Lists(ListError::AxisOutOfRange { axis, .. })) => {
                last(&axis.to_string())
            }
            Error::Concrete(Concrete::Lists(ListError::RepeatedAxis { axis, .. })) => {
                last(&axis.to_string()).or(place(arguments, 0))
            }
            Error::Concrete(Concrete::TwoInferred { .. }) => last("-1"),
            Error::NeverLegal { op, argument, .. } => match argument.split_once(' ') {
                Some(("size" | "step", text)) => last(text),
                Some(("axis", axis)) if op == "unflatten" || op == "squeeze" => last(axis),
                Some(("axis", axis)) => place(
                    if op == "mask" { mask } else { arguments },
                    axis.parse::<usize>().ok()? + 1,
                ),
                _ => place(arguments, 0),
            },
            _ => None,
        }
    }
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
            ("(N,3) | frob(2)", 8, "syntax"),
        ];
        for (text, at, kind) in rows {
            let error = SymbolicChain::parse(&params, text).expect_err(text);
            assert_eq!((error.at(), error.kind()), (Some(at), kind), "{text}: {error}");
        }
        Ok(())
    }
}
