//! One question, in the form that all programs get.

use serde::Serialize;
use viewmerge::{Limit, Movement, Validity, Verdict, View, ViewChain, ViewParts, merge};

/// The question itself. As JSON, a line that `viewmerge batch` answers.
#[derive(Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum Ask {
    /// Are these views one?
    Merge { views: Vec<View> },
    /// Is this view, reshaped, one view?
    Reshape { view: View, new_shape: Vec<i64> },
    /// Is a contiguous view, after these ops, one view?
    Ops { shape: Vec<i64>, ops: Vec<Movement> },
}

/// A question, and what is known about it.
#[derive(Clone, Serialize)]
pub(crate) struct Question {
    #[serde(flatten)]
    pub(crate) ask: Ask,
    /// The one view, if there is one.
    #[serde(skip)]
    pub(crate) truth: Option<View>,
    /// The views to be composed, by definition: one for each op, nothing merged.
    pub(crate) chain: Vec<View>,
    /// The only view it can be, for peers that must be given one.
    pub(crate) candidate: View,
}

impl Ask {
    /// viewmerge's answer.
    pub(crate) fn answer(&self) -> Result<Verdict, viewmerge::Error> {
        match self {
            Ask::Merge { views } => merge(views, &Limit::none()),
            Ask::Reshape { view, new_shape } => view.reshape(new_shape),
            Ask::Ops { shape, ops } => {
                let start = ViewChain::contiguous(shape)?;
                ops.iter().try_fold(start, |chain, op| chain.apply(op))?.merge()
            }
        }
    }

    /// The chain by definition.
    fn chain(&self) -> Result<Vec<View>, viewmerge::Error> {
        match self {
            Ask::Merge { views } => Ok(views.clone()),
            Ask::Reshape { view, new_shape } => {
                Ok(vec![view.clone(), View::contiguous(new_shape)?])
            }
            Ask::Ops { shape, ops } => {
                let mut chain = vec![View::contiguous(shape)?];
                let mut shape = shape.clone();
                for op in ops {
                    let view = match View::contiguous(&shape)?.apply(op)? {
                        Verdict::Merged(view) => view,
                        Verdict::NotMergeable(_) => unreachable!("the view is contiguous"),
                    };
                    shape = view.shape().to_vec();
                    chain.push(view);
                }
                Ok(chain)
            }
        }
    }

    /// The numbers of the views in the question.
    pub(crate) fn parts(&self) -> Vec<ViewParts> {
        match self {
            Ask::Merge { views } => views.iter().cloned().map(ViewParts::from).collect(),
            Ask::Reshape { view, .. } => vec![view.clone().into()],
            Ask::Ops { .. } => Vec::new(),
        }
    }
}

impl Question {
    /// A question with a known answer.
    pub(crate) fn new(ask: Ask, truth: Option<View>) -> Result<Question, viewmerge::Error> {
        let chain = ask.chain()?;
        let candidate = match &truth {
            Some(view) => view.clone(),
            None => guess(&ViewChain::from_views(&chain)?)?,
        };
        Ok(Question { ask, truth, chain, candidate })
    }
}

/// The most indices to look at for a candidate.
const LOOKED_AT: usize = 1 << 12;

/// The view that has the value and the steps of the chain at its first valid index, valid where the indices
/// looked at are.
fn guess(chain: &ViewChain) -> Result<View, viewmerge::Error> {
    let (shape, rank) = (chain.shape(), chain.shape().len());
    let mut bounds: Option<Vec<(i64, i64)>> = None;
    let mut first: Option<(Vec<i64>, i64)> = None;
    for index in chain.indices().take(LOOKED_AT) {
        let Some(value) = chain.index(&index)? else { continue };
        let bounds = bounds.get_or_insert_with(|| index.iter().map(|&i| (i, i + 1)).collect());
        for (bound, &i) in bounds.iter_mut().zip(index.iter()) {
            *bound = (bound.0.min(i), bound.1.max(i + 1));
        }
        first.get_or_insert_with(|| (index.to_vec(), value));
    }
    let (Some(bounds), Some((index, value))) = (bounds, first) else { return View::nothing(shape) };
    let bounds = if chain.count() > LOOKED_AT as i64 {
        chain.last().valid_box().map_or(bounds, |whole| whole.to_vec())
    } else {
        bounds
    };
    let mut strides = vec![0; rank];
    for axis in 0..rank {
        let mut next = index.clone();
        next[axis] += 1;
        if next[axis] < shape[axis] {
            strides[axis] = chain.index(&next)?.map_or(0, |other| other - value);
        }
    }
    let offset = value - strides.iter().zip(&index).map(|(stride, i)| stride * i).sum::<i64>();
    View::new(shape, &strides, offset, Validity::Box(bounds.as_slice().into()))
        .or_else(|_| View::nothing(shape))
}
