//! Sums of strides as people write them: 2σ₂ + 3σ₃, or in LaTeX.
//!
//! σ₁ is the stride of the first axis (axis 0 elsewhere in this library).

use alloc::format;
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

impl Style {
    /// The stride of an axis.
    pub(crate) fn stride(self, axis: usize) -> String {
        let number = (axis + 1).to_string();
        match self {
            Style::Text => {
                let low = |digit: char| {
                    let digit = digit.to_digit(10).unwrap_or(0);
                    char::from_u32('₀' as u32 + digit).unwrap_or('?')
                };
                format!("σ{}", number.chars().map(low).collect::<String>())
            }
            Style::Latex => format!("\\sigma_{{{number}}}"),
        }
    }

    /// A sum of (coefficient, axis); the axis `constant` stands for a plain number.
    pub(crate) fn sum(self, terms: &[(i128, usize)], constant: usize) -> String {
        let mut text = String::new();
        for &(coefficient, axis) in terms.iter().filter(|(coefficient, _)| *coefficient != 0) {
            text += match (text.is_empty(), coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let size = coefficient.unsigned_abs();
            if axis == constant || size != 1 {
                text += &size.to_string();
            }
            if axis != constant {
                text += &self.stride(axis);
            }
        }
        if text.is_empty() { "0".to_string() } else { text }
    }

    /// Σ coefficient·stride = 0, solved for the first stride that appears.
    pub(crate) fn equation(self, coefficients: &[i64]) -> String {
        let constant = coefficients.len();
        let row: Vec<i128> = coefficients.iter().map(|&c| c.into()).collect();
        match row.iter().position(|c| *c != 0) {
            Some(lead) => self.solved(lead, &row, constant),
            None => "0 = 0".to_string(),
        }
    }

    /// A row Σ entry·stride (+ its constant) = 0, solved for the stride of its leading column.
    pub(crate) fn solved(self, lead: usize, row: &[i128], constant: usize) -> String {
        if lead == constant {
            return "0 = 1".to_string();
        }
        let others = row.iter().enumerate().filter(|(column, _)| *column != lead);
        let right: Vec<(i128, usize)> = others.map(|(column, entry)| (-entry, column)).collect();
        format!("{} = {}", self.sum(&[(row[lead], lead)], constant), self.sum(&right, constant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        assert_eq!(Style::Text.equation(&[1, -2, -3]), "σ₁ = 2σ₂ + 3σ₃");
        assert_eq!(Style::Latex.equation(&[1, -3, 0]), "\\sigma_{1} = 3\\sigma_{2}");
        assert_eq!(Style::Text.solved(1, &[0, 2, 1, -4], 3), "2σ₂ = -σ₃ + 4");
        assert_eq!(Style::Text.sum(&[], 2), "0");
        assert_eq!(Style::Text.stride(11), "σ₁₂");
    }
}
