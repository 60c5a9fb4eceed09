//! Lines of PyTorch and NumPy: factories, methods that move elements, subscripts.
//!
//! ```text
//! x = torch.randn(2, 3, 4)
//! x.transpose(1, 2)[:, 1:].reshape(2, -1)
//! ```
//!
//! reads as `(2,3,4) | transpose(1,2) | slice(:,1:) | reshape(2,-1)`. The core's own ops track the shapes,
//! which `T`, `squeeze()`, `expand` with -1 and others need. A copy (`contiguous`, `clone`, `copy`) starts
//! a new chain, and the note says so.
//!
//! Policy: a program has at most [`MOST_TOKENS`] tokens, and each statement is read once for every name
//! that was unknown before, so the work is bounded.

use std::collections::BTreeMap;

use viewmerge::{Movement, Slice, View, ViewChain};

use crate::Pasted;
use crate::methods::{Argument, called, made};
use crate::tensor::{Stop, Tensor};
use crate::tokens::{Token, tokens};

const MOST_TOKENS: usize = 4096;

/// A program of such lines; `None` if the text is something else.
pub fn program(text: &str) -> Option<Pasted> {
    let tokens = tokens(text)?;
    // Our own notation has no dot, no assignment and no subscript.
    let is_python = tokens.iter().any(|token| matches!(token, Token::Sign('.' | '=')));
    if !is_python || tokens.len() > MOST_TOKENS {
        return None;
    }
    let statements: Vec<&[Token]> =
        tokens.split(|token| *token == Token::End).filter(|part| !part.is_empty()).collect();
    let mut known: BTreeMap<String, Tensor> = BTreeMap::new();
    let mut last = None;
    // The line that gives a name its shape may come after the line that uses it.
    for _ in 0..statements.len().min(16) {
        let before = known.len();
        last = None;
        for statement in &statements {
            let (name, expression) = match statement {
                [Token::Name(name), Token::Sign('='), rest @ ..] => (Some(name), rest),
                rest => (None, *rest),
            };
            let read = Reader { tokens: expression, at: 0, known: &known }.statement();
            match (name, &read) {
                (Some(name), Ok(tensor)) => {
                    known.insert(name.clone(), tensor.clone());
                    if !matches!(last, Some((None, _))) {
                        last = Some((Some(name), read));
                    }
                }
                (Some(name), Err(_)) if matches!(last, None | Some((Some(_), _))) => {
                    last = Some((Some(name), read))
                }
                (Some(_), Err(_)) => {}
                (None, _) => last = Some((None, read)),
            }
        }
        if known.len() == before || matches!(last, Some((_, Ok(_)))) {
            break;
        }
    }
    match last?.1 {
        Ok(tensor) => Some(tensor.told()),
        Err(Stop::Needs(what)) => Some(Pasted::Needs(what)),
        Err(Stop::Unknown) => None,
    }
}

/// Our own notation with the names of PyTorch and NumPy: `[4,6]:[6,1] | T | view(24)`.
pub fn piped(text: &str) -> Option<Pasted> {
    let mut parts = text.split('|').map(str::trim);
    let first = parts.next()?;
    let first = match first.parse::<ViewChain>() {
        Ok(_) => first.to_string(),
        // These are the brackets of a list; those of a mask come after a space.
        Err(_) if first.starts_with('[') => first.replace('[', "(").replace(']', ")"),
        Err(_) => return None,
    };
    let mut tensor = Tensor { chain: Some(first.parse().ok()?), parts: vec![first], copied: None };
    let mut renamed = !text.trim_start().starts_with(&tensor.parts[0]);
    for part in parts {
        if let Ok(op) = part.parse::<Movement>() {
            tensor = tensor.then(&op);
            continue;
        }
        if let Ok(view) = part.parse::<View>() {
            tensor.chain = tensor.chain.and_then(|chain| chain.append(view).ok());
            tensor.parts.push(part.into());
            continue;
        }
        let tokens = tokens(part)?;
        let mut reader = Reader { tokens: &tokens, at: 0, known: &BTreeMap::new() };
        let method = reader.name().ok()?;
        let arguments = if reader.take('(') { Some(reader.arguments().ok()?) } else { None };
        if reader.at < tokens.len() {
            return None;
        }
        // A name that is not a method either is left to the notation, whose error says what was meant.
        tensor = called(tensor, &method, arguments.as_deref()).ok()?;
        renamed = true;
    }
    renamed.then(|| {
        Pasted::chain(tensor.parts.join(" | "), "Read with the names of PyTorch and NumPy.")
    })
}

/// Reads one statement.
struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    known: &'a BTreeMap<String, Tensor>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn name(&mut self) -> Result<String, Stop> {
        let Some(Token::Name(name)) = self.peek().cloned() else { return Err(Stop::Unknown) };
        self.at += 1;
        Ok(name)
    }

    fn statement(mut self) -> Result<Tensor, Stop> {
        let mut tensor = self.start()?;
        loop {
            tensor = if self.take('.') {
                let method = self.name()?;
                let arguments = if self.take('(') { Some(self.arguments()?) } else { None };
                called(tensor, &method, arguments.as_deref())?
            } else if self.take('[') {
                self.subscript(tensor)?
            } else {
                break;
            };
        }
        if self.at == self.tokens.len() { Ok(tensor) } else { Err(Stop::Unknown) }
    }

    /// A known name, a shape, or a factory.
    fn start(&mut self) -> Result<Tensor, Stop> {
        if let Some(Token::Sign('(' | '[')) = self.peek() {
            return match self.argument()? {
                Argument::Tuple(shape) => Ok(Tensor::of_shape(&shape)),
                _ => Err(Stop::Unknown),
            };
        }
        let name = self.name()?;
        if let Some(tensor) = self.known.get(&name) {
            return Ok(tensor.clone());
        }
        let mut last = name.clone();
        let module =
            matches!(name.as_str(), "torch" | "np" | "numpy" | "jnp" | "jax" | "mx" | "tf");
        while module && self.take('.') {
            last = self.name()?;
        }
        let is_factory = [
            "randn",
            "rand",
            "zeros",
            "ones",
            "empty",
            "full",
            "arange",
            "randint",
            "empty_strided",
            "Tensor",
        ]
        .contains(&last.as_str());
        if !is_factory || !self.take('(') {
            let methods = matches!(self.peek(), Some(Token::Sign('.' | '[')));
            return Err(match (module, methods) {
                (false, true) => Stop::Needs(format!(
                    "the shape of {name} is not known: put {name} = (2,3,4) before it, with its sizes"
                )),
                (true, _) => Stop::Needs(format!(
                    "{last} is not read; start with a shape, or with torch.empty, zeros, randn or arange"
                )),
                _ => Stop::Unknown,
            });
        }
        let arguments = self.arguments()?;
        made(&last, &arguments)
    }

    /// The arguments of a call, after its opening bracket. Keyword arguments are skipped.
    fn arguments(&mut self) -> Result<Vec<Argument>, Stop> {
        let mut arguments = Vec::new();
        while !self.take(')') {
            let named = matches!(
                self.tokens.get(self.at..self.at + 2),
                Some([Token::Name(_), Token::Sign('=')])
            );
            let by_size = named
                && matches!(self.peek(), Some(Token::Name(name)) if ["dim", "size", "axis", "shape"].contains(&name.as_str()));
            self.at += if named { 2 } else { usize::from(self.take('*')) };
            let argument = self.argument()?;
            if !named || by_size {
                arguments.push(argument);
            }
            if !self.take(',') && self.peek() != Some(&Token::Sign(')')) {
                return Err(Stop::Unknown);
            }
        }
        Ok(arguments)
    }

    fn argument(&mut self) -> Result<Argument, Stop> {
        match self.peek().cloned() {
            Some(Token::Number(number)) => {
                self.at += 1;
                Ok(Argument::Number(number))
            }
            Some(Token::Sign(open @ ('(' | '['))) => {
                self.at += 1;
                let close = if open == '(' { ')' } else { ']' };
                let mut numbers = Vec::new();
                while !self.take(close) {
                    let Some(&Token::Number(number)) = self.peek() else {
                        return Err(Stop::Unknown);
                    };
                    numbers.push(number);
                    self.at += 1;
                    if !self.take(',') && self.peek() != Some(&Token::Sign(close)) {
                        return Err(Stop::Unknown);
                    }
                }
                Ok(Argument::Tuple(numbers))
            }
            Some(Token::Other) => {
                self.at += 1;
                Ok(Argument::Other)
            }
            Some(Token::Name(_)) => {
                self.at += 1;
                // A dotted name such as torch.float32, or torch.Size([2, 3]).
                while self.take('.') {
                    self.name()?;
                }
                if self.take('(') {
                    let inner = self.arguments()?;
                    return Ok(match inner.as_slice() {
                        [Argument::Tuple(numbers)] => Argument::Tuple(numbers.clone()),
                        _ => Argument::Other,
                    });
                }
                Ok(Argument::Other)
            }
            _ => Err(Stop::Unknown),
        }
    }

    /// `[1:, None, ..., 0]`, after its opening bracket.
    fn subscript(&mut self, tensor: Tensor) -> Result<Tensor, Stop> {
        let mut entries = Vec::new();
        while !self.take(']') {
            entries.push(self.entry()?);
            if !self.take(',') && self.peek() != Some(&Token::Sign(']')) {
                return Err(Stop::Unknown);
            }
        }
        let takes = |entry: &Entry| matches!(entry, Entry::Slice(_) | Entry::At(_));
        let named = entries.iter().filter(|entry| takes(entry)).count();
        let rest = tensor.shape().len().saturating_sub(named);
        let all = Slice { start: None, stop: None, step: 1 };
        // First slice all axes; then, from the last to the first, remove those with a single index and
        // insert new ones.
        let (mut slices, mut after) = (Vec::new(), Vec::new());
        let mut axis = 0_i64;
        for entry in entries {
            match entry {
                Entry::Slice(slice) => slices.push(slice),
                Entry::At(index) => {
                    let stop = if index == -1 { None } else { Some(index + 1) };
                    slices.push(Slice { start: Some(index), stop, step: 1 });
                    after.push(Movement::Squeeze(axis));
                    continue;
                }
                Entry::Rest => {
                    slices.extend((0..rest).map(|_| all));
                    axis += rest as i64;
                    continue;
                }
                Entry::New => after.push(Movement::Unsqueeze(axis)),
            }
            axis += 1;
        }
        while slices.last() == Some(&all) {
            slices.pop();
        }
        let cut = if slices.is_empty() { tensor } else { tensor.then(&Movement::Slice(slices)) };
        Ok(after.iter().fold(cut, Tensor::then))
    }

    fn entry(&mut self) -> Result<Entry, Stop> {
        match self.peek() {
            Some(Token::Name(name)) if name == "None" => {
                self.at += 1;
                return Ok(Entry::New);
            }
            Some(Token::Name(name)) if name == "Ellipsis" => {
                self.at += 1;
                return Ok(Entry::Rest);
            }
            _ => {}
        }
        let mut bounds = [None; 3];
        let mut colons = 0;
        loop {
            match self.peek() {
                Some(&Token::Number(number)) => bounds[colons] = Some(number),
                Some(Token::Sign(':')) if colons < 2 => colons += 1,
                Some(Token::Sign(',' | ']')) => break,
                _ => {
                    let what = "a subscript is read if it holds numbers, slices of numbers, None and ...: an array in it copies";
                    return Err(Stop::Needs(what.into()));
                }
            }
            self.at += 1;
        }
        match (colons, bounds) {
            (0, [Some(index), ..]) => Ok(Entry::At(index)),
            (0, _) => Err(Stop::Unknown),
            (_, [start, stop, step]) => {
                Ok(Entry::Slice(Slice { start, stop, step: step.unwrap_or(1) }))
            }
        }
    }
}

/// One entry of a subscript.
enum Entry {
    Slice(Slice),
    At(i64),
    New,
    Rest,
}

#[cfg(test)]
mod tests {
    use crate::{Pasted, read};

    #[test]
    fn lines_of_pytorch_and_numpy() {
        let rows = [
            (
                "torch.randn(2,3,4).transpose(1,2).reshape(2,12)",
                "(2,3,4) | transpose(1,2) | reshape(2,12)",
            ),
            (
                "x = (2,3,4); x.permute(0,2,1).view(2,-1)",
                "(2,3,4) | permute(0,2,1) | reshape(2,-1)",
            ),
            (
                "x.permute(0,2,1).view(2,-1) with x = (2,3,4)",
                "(2,3,4) | permute(0,2,1) | reshape(2,-1)",
            ),
            (
                ">>> x = np.zeros((4, 6), dtype=np.float32)\n>>> x.T[1:].ravel()",
                "(4,6) | permute(1,0) | slice(1:) | flatten(0,-1)",
            ),
            (
                "np.arange(24).reshape((2,3,4)).transpose(2,0,1)",
                "(24) | reshape(2,3,4) | permute(2,0,1)",
            ),
            (
                "torch.zeros(2,3)[:, None, ..., 0]",
                "(2,3) | slice(:,0:1) | unsqueeze(1) | squeeze(2)",
            ),
            ("torch.zeros(5)[-1]", "(5) | slice(-1:) | squeeze(0)"),
            ("torch.empty(3,1).expand(-1, 4)", "(3,1) | expand(3,4)"),
            ("torch.empty(3).expand(2, -1)", "(3) | unsqueeze(0) | expand(2,3)"),
            ("torch.empty(1,3,1).squeeze()", "(1,3,1) | squeeze(2) | squeeze(0)"),
            ("torch.empty(10).unfold(0,3,2)", "(10) | as_strided((4,3),(2,1),0)"),
            ("torch.empty(4,6).t().contiguous().view(-1)", "(6,4) | reshape(-1)"),
            ("torch.empty_strided((2,3),(1,2)).flatten()", "(2,3):(1,2) | flatten(0,-1)"),
            ("torch.zeros(4,5).narrow(1,2,3)", "(4,5) | slice(:,2:5)"),
            ("torch.zeros(4,5).movedim(0,-1)", "(4,5) | permute(1,0)"),
        ];
        for (text, expected) in rows {
            match read(text) {
                Some(Pasted::Chain { chain, .. }) => {
                    assert_eq!(chain, expected, "{text}");
                    chain.parse::<viewmerge::ViewChain>().expect(text);
                }
                other => assert_eq!(other, None, "{text}"),
            }
            assert!(matches!(read(text), Some(Pasted::Chain { .. })), "{text}");
        }
    }

    #[test]
    fn our_notation_with_their_names() {
        let rows = [
            ("[4,6]:[6,1] | T | view(24)", "(4,6):(6,1) | permute(1,0) | reshape(24)"),
            ("(2,3,4) | transpose(2,0,1)", "(2,3,4) | permute(2,0,1)"),
            ("(2,3) | (6) | mT", "(2,3) | (6) | transpose(-2,-1)"),
            ("(2,3) | transpose() | ravel()", "(2,3) | permute(1,0) | flatten(0,-1)"),
            ("(1,3) | squeeze()", "(1,3) | squeeze(0)"),
        ];
        for (text, expected) in rows {
            let Some(Pasted::Chain { chain, .. }) = read(text) else { unreachable!("{text}") };
            assert_eq!(chain, expected, "{text}");
        }
        assert_eq!(read("(2,3) | reshpae(6)"), None);
    }

    #[test]
    fn what_is_missing_is_named() {
        let rows = [
            ("x.permute(1,0).view(-1)", "the shape of x is not known"),
            ("torch.zeros(2,3).softmax(0)", "softmax is not read"),
            ("torch.zeros(2,3)[idx]", "an array in it copies"),
            ("torch.load(2).view(-1)", "load is not read"),
        ];
        for (text, expected) in rows {
            let Some(Pasted::Needs(what)) = read(text) else { unreachable!("{text}") };
            assert!(what.contains(expected), "{text}: {what}");
        }
    }

    #[test]
    fn our_own_notation_is_left_alone() {
        for text in [
            "(2,3) | reshape(6)",
            "(10,3,3):(8,1,2)+5 [0:10,1:3,0:3]",
            "(N,3) | flatten()",
            "nothing",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
