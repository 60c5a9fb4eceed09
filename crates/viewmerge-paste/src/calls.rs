//! Lines of PyTorch and NumPy: factories, methods that move elements, subscripts.
//!
//! ```text
//! x = torch.randn(2, 3, 4)
//! x.transpose(1, 2)[:, 1:].reshape(2, -1)
//! ```
//!
//! reads as `(2,3,4) | transpose(1,2) | slice(:,1:) | reshape(2,-1)`. Shapes are followed with the core's own
//! ops: `T`, `squeeze()`, `expand` with -1 and the like need them. What copies (`contiguous`, `clone`,
//! `copy`) starts a new chain, and the note says so.
//!
//! Policy: a program has at most [`MOST_TOKENS`] tokens, and each statement is read once for every name
//! that was unknown before, so the work is bounded.

use std::collections::BTreeMap;

use viewmerge::{Movement, Slice, View, ViewChain};

use crate::Pasted;
use crate::tokens::{Token, tokens};

const MOST_TOKENS: usize = 4096;

const METHODS: &str = "view, reshape, permute, transpose, swapaxes, movedim, T, mT, t, flatten, ravel, unflatten, squeeze, \
    unsqueeze, expand, broadcast_to, narrow, select, flip, unfold, contiguous, clone, copy and subscripts";

/// A program of such lines, or `None` if it is none.
pub fn program(text: &str) -> Option<Pasted> {
    let tokens = tokens(text)?;
    // Our own notation has no dot, no name with a value, no subscript.
    let is_python = tokens.iter().any(|token| matches!(token, Token::Sign('.' | '=')));
    if !is_python || tokens.len() > MOST_TOKENS {
        return None;
    }
    let statements: Vec<&[Token]> =
        tokens.split(|token| *token == Token::End).filter(|part| !part.is_empty()).collect();
    let mut known: BTreeMap<String, Tensor> = BTreeMap::new();
    let mut last = None;
    // A name may be given its shape behind the line that uses it.
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

/// Our own notation with the names that PyTorch and NumPy have: `[4,6]:[6,1] | T | view(24)`.
pub fn piped(text: &str) -> Option<Pasted> {
    let mut parts = text.split('|').map(str::trim);
    let first = parts.next()?;
    let first = match first.parse::<ViewChain>() {
        Ok(_) => first.to_string(),
        // Brackets of a list; those of a mask stand behind a space.
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
        // What is no method either is left to the notation, which knows what was meant.
        tensor = called(tensor, &method, arguments.as_deref()).ok()?;
        renamed = true;
    }
    renamed.then(|| {
        Pasted::chain(tensor.parts.join(" | "), "Read with the names of PyTorch and NumPy.")
    })
}

/// Why a line is not read.
enum Stop {
    /// It is no such line at all.
    Unknown,
    /// It is, but this is missing.
    Needs(String),
}

/// A tensor as it is known so far.
#[derive(Clone)]
struct Tensor {
    /// In our notation, part by part.
    parts: Vec<String>,
    /// The same, for its shape; none after an op that is refused, which the notation will report.
    chain: Option<ViewChain>,
    /// The method that last made a copy.
    copied: Option<String>,
}

impl Tensor {
    fn of_shape(shape: &[i64]) -> Tensor {
        let parts = vec![format!("({})", joined(shape))];
        Tensor { parts, chain: ViewChain::contiguous(shape).ok(), copied: None }
    }

    fn of_strides(shape: &[i64], strides: &[i64]) -> Tensor {
        let text = format!("({}):({})", joined(shape), joined(strides));
        let chain = text.parse().ok();
        Tensor { parts: vec![text], chain, copied: None }
    }

    fn shape(&self) -> Vec<i64> {
        self.chain.as_ref().map(|chain| chain.shape().to_vec()).unwrap_or_default()
    }

    fn then(mut self, op: &Movement) -> Tensor {
        // Behind an op that is refused nothing is known, and nothing is added: the refusal is the answer.
        if let Some(chain) = self.chain.take() {
            self.parts.push(op.to_string());
            self.chain = chain.apply(op).ok();
        }
        self
    }

    fn copy(self, method: &str) -> Tensor {
        match &self.chain {
            Some(_) => Tensor { copied: Some(method.into()), ..Tensor::of_shape(&self.shape()) },
            None => self,
        }
    }

    fn told(self) -> Pasted {
        let note = match &self.copied {
            None => "Read as a line of PyTorch or NumPy.".into(),
            Some(method) => {
                format!(
                    "Read as a line of PyTorch or NumPy; {method} copies, so the chain starts at the copy."
                )
            }
        };
        Pasted::Chain { chain: self.parts.join(" | "), note }
    }
}

fn joined(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

/// An argument of a call.
#[derive(Clone)]
enum Argument {
    Number(i64),
    Tuple(Vec<i64>),
    /// Something that is neither.
    Other,
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

    /// The arguments of a call, behind its bracket. Keywords are passed over.
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

    /// `[1:, None, ..., 0]`, behind its bracket.
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
        // First all axes are cut, then those with one index go and new ones come, from the last on.
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

/// What a factory makes.
fn made(name: &str, arguments: &[Argument]) -> Result<Tensor, Stop> {
    let shape = match (name, arguments) {
        ("empty_strided", [Argument::Tuple(shape), Argument::Tuple(strides), ..]) => {
            return Ok(Tensor::of_strides(shape, strides));
        }
        ("arange", [Argument::Number(count)]) => vec![*count],
        ("arange", [Argument::Number(from), Argument::Number(to)]) => {
            vec![to.saturating_sub(*from).max(0)]
        }
        (_, [.., Argument::Tuple(shape)]) if name == "randint" => shape.clone(),
        (_, [Argument::Tuple(shape), ..]) => shape.clone(),
        ("full" | "randint" | "arange" | "empty_strided", _) => Vec::new(),
        (_, numbers) => all_numbers(numbers).unwrap_or_default(),
    };
    if shape.is_empty() {
        return Err(Stop::Needs(format!("the sizes that {name} is given are not numbers")));
    }
    Ok(Tensor::of_shape(&shape))
}

/// The numbers of a call that takes them one by one or as a tuple.
fn all_numbers(arguments: &[Argument]) -> Option<Vec<i64>> {
    if let [Argument::Tuple(numbers)] = arguments {
        return Some(numbers.clone());
    }
    let number = |argument: &Argument| match argument {
        Argument::Number(number) => Some(*number),
        _ => None,
    };
    arguments.iter().map(number).collect()
}

/// The tensor after a method, or after an attribute where there are no arguments.
fn called(tensor: Tensor, method: &str, arguments: Option<&[Argument]>) -> Result<Tensor, Stop> {
    let rank = tensor.shape().len() as i64;
    let reversed = || Movement::Permute((0..rank).rev().collect());
    let Some(arguments) = arguments else {
        return match method {
            "T" => Ok(tensor.then(&reversed())),
            "mT" => Ok(tensor.then(&Movement::Transpose(-2, -1))),
            _ => Err(unknown(method)),
        };
    };
    let numbers = all_numbers(arguments);
    let Some(numbers) = numbers else { return with_tuple(tensor, method, arguments) };
    let is_tuple = matches!(arguments, [Argument::Tuple(_)]);
    let op = match (method, numbers.as_slice()) {
        ("contiguous" | "clone" | "copy", _) => return Ok(tensor.copy(method)),
        ("view" | "reshape", [_, ..]) => Movement::Reshape(numbers),
        ("permute", [_, ..]) => Movement::Permute(numbers),
        ("transpose" | "t", []) => reversed(),
        // Two axes are exchanged in PyTorch; NumPy takes an order, which says the same of two axes.
        ("transpose", &[first, second]) if !is_tuple => Movement::Transpose(first, second),
        ("transpose", _) => Movement::Permute(numbers),
        ("swapaxes" | "swapdims", &[first, second]) => Movement::Transpose(first, second),
        ("movedim" | "moveaxis", &[from, to]) => {
            moved(rank, from, to).ok_or_else(|| unknown(method))?
        }
        ("flatten" | "ravel", []) => Movement::Flatten(0, -1),
        ("flatten", &[first]) => Movement::Flatten(first, -1),
        ("flatten", &[first, last]) => Movement::Flatten(first, last),
        ("squeeze", []) => return Ok(squeezed(tensor)),
        ("squeeze", &[axis]) => {
            let place = if axis < 0 { axis + rank } else { axis };
            let unit =
                usize::try_from(place).ok().and_then(|place| tensor.shape().get(place).copied())
                    == Some(1);
            return Ok(if unit { tensor.then(&Movement::Squeeze(axis)) } else { tensor });
        }
        ("unsqueeze", &[axis]) => Movement::Unsqueeze(axis),
        ("expand" | "broadcast_to", [_, ..]) => return Ok(expanded(tensor, &numbers)),
        ("narrow", &[axis, start, length]) => {
            let slice = Slice { start: Some(start), stop: start.checked_add(length), step: 1 };
            return Ok(cut(tensor, axis, slice));
        }
        ("select", &[axis, index]) => {
            let stop = if index == -1 { None } else { index.checked_add(1) };
            return Ok(cut(tensor, axis, Slice { start: Some(index), stop, step: 1 })
                .then(&Movement::Squeeze(axis)));
        }
        ("flip", [_, ..]) => Movement::Flip(numbers),
        ("unfold", &[axis, size, step]) => return unfolded(tensor, axis, size, step),
        _ => return Err(unknown(method)),
    };
    Ok(tensor.then(&op))
}

/// Methods that take a number and a tuple, or two tuples.
fn with_tuple(tensor: Tensor, method: &str, arguments: &[Argument]) -> Result<Tensor, Stop> {
    match (method, arguments) {
        ("unflatten", [Argument::Number(axis), Argument::Tuple(sizes)]) => {
            Ok(tensor.then(&Movement::Unflatten(*axis, sizes.clone())))
        }
        ("contiguous" | "clone" | "copy", _) => Ok(tensor.copy(method)),
        ("as_strided", [Argument::Tuple(shape), Argument::Tuple(strides), rest @ ..]) if tensor.parts.len() == 1 => {
            let offset = match rest {
                [Argument::Number(offset), ..] => *offset,
                _ => 0,
            };
            Ok(tensor.then(&Movement::AsStrided { shape: shape.clone(), strides: strides.clone(), offset }))
        }
        ("as_strided", _) => Err(Stop::Needs(
            "as_strided counts elements of memory: it is read directly behind a contiguous tensor only".into(),
        )),
        _ => Err(unknown(method)),
    }
}

fn unknown(method: &str) -> Stop {
    Stop::Needs(format!("{method} is not read, or not with these arguments; read are {METHODS}"))
}

/// `squeeze()`: all axes of one element go, the last first.
fn squeezed(tensor: Tensor) -> Tensor {
    let units: Vec<i64> = tensor
        .shape()
        .iter()
        .enumerate()
        .filter(|(_, size)| **size == 1)
        .map(|(axis, _)| axis as i64)
        .collect();
    units.into_iter().rev().fold(tensor, |tensor, axis| tensor.then(&Movement::Squeeze(axis)))
}

/// `expand`: −1 keeps a size, and new axes come in front.
fn expanded(tensor: Tensor, sizes: &[i64]) -> Tensor {
    let new = sizes.len().saturating_sub(tensor.shape().len());
    let tensor = (0..new).fold(tensor, |tensor, _| tensor.then(&Movement::Unsqueeze(0)));
    let shape = tensor.shape();
    let kept = |(axis, &size): (usize, &i64)| {
        if size == -1 { shape.get(axis).copied().unwrap_or(size) } else { size }
    };
    let sizes = sizes.iter().enumerate().map(kept).collect();
    tensor.then(&Movement::Expand(sizes))
}

/// A slice of one axis.
fn cut(tensor: Tensor, axis: i64, slice: Slice) -> Tensor {
    let rank = tensor.shape().len() as i64;
    let axis = if axis < 0 { axis + rank } else { axis };
    let all = Slice { start: None, stop: None, step: 1 };
    let mut slices = vec![all; usize::try_from(axis).unwrap_or(0)];
    slices.push(slice);
    tensor.then(&Movement::Slice(slices))
}

fn moved(rank: i64, from: i64, to: i64) -> Option<Movement> {
    let place = |axis: i64| usize::try_from(if axis < 0 { axis + rank } else { axis }).ok();
    let (from, to) = (place(from)?, place(to)?);
    let mut order: Vec<i64> = (0..rank).collect();
    if from >= order.len() || to >= order.len() {
        return None;
    }
    let axis = order.remove(from);
    order.insert(to, axis);
    Some(Movement::Permute(order))
}

/// `unfold`: windows along an axis, as an `as_strided` over the elements.
fn unfolded(tensor: Tensor, axis: i64, size: i64, step: i64) -> Result<Tensor, Stop> {
    let mut shape = tensor.shape();
    let rank = shape.len() as i64;
    let place = usize::try_from(if axis < 0 { axis + rank } else { axis }).ok();
    let place = place
        .filter(|&place| place < shape.len() && size >= 1 && step >= 1 && size <= shape[place]);
    let Some(place) = place else { return Err(unknown("unfold")) };
    let mut strides = vec![1_i64; shape.len()];
    for axis in (0..shape.len().saturating_sub(1)).rev() {
        strides[axis] = strides[axis + 1].saturating_mul(shape[axis + 1]);
    }
    strides.push(strides[place]);
    strides[place] = strides[place].saturating_mul(step);
    shape[place] = (shape[place] - size) / step + 1;
    shape.push(size);
    Ok(tensor.then(&Movement::AsStrided { shape, strides, offset: 0 }))
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
