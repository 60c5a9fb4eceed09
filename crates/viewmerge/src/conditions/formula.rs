//! Sums of strides as people write them: 2σ₂ + 3σ₃, or in LaTeX.
//!
//! σ₁ is the stride of the first axis (axis 0 elsewhere in this library), t₁ an
//! integer that may be chosen.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How formulas are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Style {
    /// σ₁, with subscript digits.
    #[default]
    Text,
    /// \sigma_{1}.
    Latex,
}

/// What a coefficient is the coefficient of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Symbol {
    /// The stride of an axis.
    Stride(usize),
    /// A known stride, written as a product.
    Known(i64),
    /// An integer that may be chosen, counted from 0.
    Parameter(usize),
    /// Nothing: a plain number.
    One,
}

/// Terms that are added up.
pub(crate) type Sum = Vec<(i128, Symbol)>;

impl Style {
    /// A letter with a number below it, counted from 1.
    fn numbered(self, text: char, latex: &str, place: usize) -> String {
        let number = (place + 1).to_string();
        match self {
            Style::Text => {
                let low = |digit: char| {
                    let digit = digit.to_digit(10).unwrap_or(0);
                    char::from_u32('₀' as u32 + digit).unwrap_or('?')
                };
                format!("{text}{}", number.chars().map(low).collect::<String>())
            }
            Style::Latex => format!("{latex}_{{{number}}}"),
        }
    }

    /// Words among formulas.
    pub(crate) fn words(self, words: &str) -> String {
        match self {
            Style::Text => words.to_string(),
            Style::Latex => format!("\\text{{{words}}}"),
        }
    }

    /// The stride of an axis.
    pub(crate) fn stride(self, axis: usize) -> String {
        self.numbered('σ', "\\sigma", axis)
    }

    /// An integer that may be chosen.
    pub(crate) fn parameter(self, number: usize) -> String {
        self.numbered('t', "t", number)
    }

    /// A sum; 0 if nothing is left of it.
    pub(crate) fn sum(self, terms: &[(i128, Symbol)]) -> String {
        let mut text = String::new();
        for &(coefficient, symbol) in terms.iter().filter(|(coefficient, _)| *coefficient != 0) {
            text += match (text.is_empty(), coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let size = coefficient.unsigned_abs();
            if symbol == Symbol::One || size != 1 {
                text += &size.to_string();
            }
            text += &match symbol {
                Symbol::Stride(axis) => self.stride(axis),
                Symbol::Parameter(number) => self.parameter(number),
                Symbol::Known(stride) => self.factor(stride, size != 1),
                Symbol::One => String::new(),
            };
        }
        if text.is_empty() { "0".to_string() } else { text }
    }

    /// A number behind a coefficient or alone, in parentheses where its sign would be misread.
    fn factor(self, number: i64, multiplied: bool) -> String {
        let times = match (multiplied, self) {
            (false, _) => "",
            (true, Style::Text) => "·",
            (true, Style::Latex) => " \\cdot ",
        };
        if number < 0 { format!("{times}({number})") } else { format!("{times}{number}") }
    }

    /// Σ coefficient·stride = 0, solved for the first stride that appears; strides
    /// that are given are written as numbers.
    pub(crate) fn equation(self, coefficients: &[i64], given: &[Option<i64>]) -> String {
        let symbol = |axis: usize| match given.get(axis) {
            Some(Some(stride)) => Symbol::Known(*stride),
            _ => Symbol::Stride(axis),
        };
        let terms = coefficients.iter().enumerate().map(|(axis, &c)| (i128::from(c), symbol(axis)));
        let terms: Sum = terms.filter(|(coefficient, _)| *coefficient != 0).collect();
        self.solved(&terms)
    }

    /// Σ terms = 0, solved for the first of them.
    pub(crate) fn solved(self, terms: &[(i128, Symbol)]) -> String {
        let Some((lead, others)) = terms.split_first() else { return "0 = 0".to_string() };
        if lead.1 == Symbol::One {
            return "0 = 1".to_string();
        }
        let right: Sum = others.iter().map(|&(c, symbol)| (-c, symbol)).collect();
        format!("{} = {}", self.sum(&[*lead]), self.sum(&right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        let stride = Symbol::Stride;
        assert_eq!(Style::Text.equation(&[1, -2, -3], &[]), "σ₁ = 2σ₂ + 3σ₃");
        assert_eq!(Style::Latex.equation(&[1, -3, 0], &[None; 3]), "\\sigma_{1} = 3\\sigma_{2}");
        assert_eq!(
            Style::Text.equation(&[1, -2, -3], &[Some(8), Some(1), Some(-2)]),
            "8 = 2·1 + 3·(-2)"
        );
        assert_eq!(
            Style::Latex.equation(&[1, 1, -3], &[None, Some(-4), Some(2)]),
            "\\sigma_{1} = -(-4) + 3 \\cdot 2"
        );
        let row = [(2, stride(1)), (1, stride(2)), (-4, Symbol::One)];
        assert_eq!(Style::Text.solved(&row), "2σ₂ = -σ₃ + 4");
        assert_eq!(Style::Text.solved(&[(7, Symbol::One)]), "0 = 1");
        assert_eq!(Style::Text.sum(&[]), "0");
        assert_eq!(Style::Text.sum(&[(3, Symbol::Parameter(0)), (1, Symbol::One)]), "3t₁ + 1");
        assert_eq!(Style::Text.stride(11), "σ₁₂");
    }
}
