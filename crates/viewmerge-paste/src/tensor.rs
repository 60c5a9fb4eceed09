//! A tensor as a program builds it, op by op.

use viewmerge::{Movement, ViewChain};

use crate::Pasted;

/// Why a line is not read.
pub(crate) enum Stop {
    /// It is not such a line at all.
    Unknown,
    /// It is, but this is missing.
    Needs(String),
}

/// A tensor as far as it is known.
#[derive(Clone)]
pub(crate) struct Tensor {
    /// In our notation, part by part.
    pub(crate) parts: Vec<String>,
    /// The same as a chain, for its shape; `None` after a refused op, which the notation will report.
    pub(crate) chain: Option<ViewChain>,
    /// The last method that made a copy.
    pub(crate) copied: Option<String>,
}

impl Tensor {
    pub(crate) fn of_shape(shape: &[i64]) -> Tensor {
        let parts = vec![format!("({})", joined(shape))];
        Tensor { parts, chain: ViewChain::contiguous(shape).ok(), copied: None }
    }

    pub(crate) fn of_strides(shape: &[i64], strides: &[i64]) -> Tensor {
        let text = format!("({}):({})", joined(shape), joined(strides));
        let chain = text.parse().ok();
        Tensor { parts: vec![text], chain, copied: None }
    }

    pub(crate) fn shape(&self) -> Vec<i64> {
        self.chain.as_ref().map(|chain| chain.shape().to_vec()).unwrap_or_default()
    }

    pub(crate) fn then(mut self, op: &Movement) -> Tensor {
        // After a refused op nothing is known and nothing is added: the refusal is the answer.
        if let Some(chain) = self.chain.take() {
            self.parts.push(op.to_string());
            self.chain = chain.apply(op).ok();
        }
        self
    }

    pub(crate) fn copy(self, method: &str) -> Tensor {
        match &self.chain {
            Some(_) => Tensor { copied: Some(method.into()), ..Tensor::of_shape(&self.shape()) },
            None => self,
        }
    }

    pub(crate) fn told(self) -> Pasted {
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

pub(crate) fn joined(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}
