//! Many chains at once.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use viewmerge::{Error, Verdict, ViewChain};

use crate::args;
use crate::classes::PyChain;
use crate::error::OrRefuse;
use crate::patience;
use crate::verdict::{PyVerdict, Reduced, verdict_object};
use crate::walk::Walk;

/// The verdict on every chain of a list.
///
/// Fastest for `ViewChain` objects. The answer is a sequence whose items become objects
/// on access. Other threads run meanwhile. A chain whose views do not compose is an error
/// for the whole list.
///
/// >>> verdicts = merge_many([["(2,3)", "(6)"], ViewChain.parse("(3,2):(1,3) | (6)")])
/// >>> verdicts[0], verdicts.merged
/// (Merged(View((6,), (1,))), (True, False))
#[pyfunction]
pub(crate) fn merge_many(py: Python<'_>, chains: &Bound<'_, PyAny>) -> PyResult<Verdicts> {
    let items = chains.try_iter()?.map(|item| own_chain(&item?)).collect::<PyResult<Vec<_>>>()?;
    let refs: Vec<&ViewChain> = items.iter().map(|item| &item.get().0).collect();
    let mut verdicts: Vec<Verdict> = Vec::with_capacity(refs.len());
    while verdicts.len() < refs.len() {
        let done = verdicts.len();
        let next = &refs[done..refs.len().min(done + AT_A_TIME)];
        // Let other threads run, unless the work is too short for that.
        let list = &mut verdicts;
        let stopped =
            if next.len() < 64 { quickly(next, list) } else { py.detach(|| quickly(next, list)) };
        match stopped {
            Some(Err(error)) => return Err(error).or_refuse_for(py, refs[verdicts.len()].last()),
            Some(Ok(())) => {
                let hard = refs[verdicts.len()];
                verdicts.push(patience::merge_chain(py, hard)?.or_refuse_for(py, hard.last())?);
            }
            None => {}
        }
        py.check_signals()?;
    }
    drop(refs);
    let chains = items.into_iter().map(Bound::unbind).collect();
    Ok(Verdicts { verdicts, chains })
}

/// How many chains are decided between two checks for signals.
const AT_A_TIME: usize = 8192;

/// Decides one chain after the other, until one is refused or slow.
fn quickly(
    chains: &[&ViewChain],
    verdicts: &mut Vec<Verdict>,
) -> Option<Result<(), viewmerge::Error>> {
    for chain in chains {
        match patience::merge_quickly(chain) {
            Ok(verdict) => verdicts.push(verdict),
            Err(Error::Undecided { .. }) => return Some(Ok(())),
            Err(error) => return Some(Err(error)),
        }
    }
    None
}

/// A chain object, made from views if necessary.
fn own_chain<'py>(item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyChain>> {
    match item.cast::<PyChain>() {
        Ok(chain) => Ok(chain.clone()),
        Err(_) => Bound::new(item.py(), PyChain(args::chain(item)?)),
    }
}

/// The verdicts on a list of chains, a sequence: made by `merge_many`, or from verdicts.
///
/// >>> verdicts = merge_many(["(2,3) | (6)", "(3,2):(1,3) | (6)"])
/// >>> len(verdicts), verdicts.merged, [bool(verdict) for verdict in verdicts]
/// (2, (True, False), [True, False])
/// >>> verdicts[-1].witness.axis
/// 0
#[pyclass(frozen, module = "viewmerge", name = "Verdicts")]
pub(crate) struct Verdicts {
    verdicts: Vec<Verdict>,
    /// Their chains; empty if the verdicts were made by hand.
    chains: Vec<Py<PyChain>>,
}

impl Verdicts {
    /// One verdict, as an object.
    fn at(&self, py: Python<'_>, place: usize) -> PyResult<Py<PyAny>> {
        let asked = self.chains.get(place).map(|chain| chain.clone_ref(py).into_any());
        verdict_object(py, self.verdicts[place].clone(), asked)
    }
}

#[pymethods]
impl Verdicts {
    #[new]
    fn new(verdicts: &Bound<'_, PyAny>) -> PyResult<Verdicts> {
        let each = verdicts.try_iter()?.map(|item| {
            let verdict = item?.cast::<PyVerdict>()?.get().verdict.clone();
            Ok(verdict)
        });
        let verdicts = each.collect::<PyResult<_>>()?;
        Ok(Verdicts { verdicts, chains: Vec::new() })
    }

    /// Whether each is one view.
    ///
    /// >>> merge_many(["(2,3) | (6)"]).merged
    /// (True,)
    #[getter]
    fn merged<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.verdicts.iter().map(Verdict::is_merged))
    }

    fn __len__(&self) -> usize {
        self.verdicts.len()
    }

    fn __iter__(slf: Py<Self>) -> Walk {
        let count = i64::try_from(slf.get().verdicts.len()).unwrap_or(i64::MAX);
        Walk::new(count, move |py, place| slf.get().at(py, place as usize))
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if let Ok(slice) = key.cast::<PySlice>() {
            let part = slice.indices(isize::try_from(self.verdicts.len())?)?;
            let place = |k: usize| part.start + part.step * k as isize;
            let places: Vec<usize> = (0..part.slicelength).map(|k| place(k) as usize).collect();
            let picked = Verdicts {
                verdicts: places.iter().map(|&place| self.verdicts[place].clone()).collect(),
                chains: places
                    .iter()
                    .filter_map(|&place| self.chains.get(place))
                    .map(|chain| chain.clone_ref(py))
                    .collect(),
            };
            return Ok(picked.into_pyobject(py)?.into_any().unbind());
        }
        let number: isize = key.extract()?;
        let place = if number < 0 { number + self.verdicts.len() as isize } else { number };
        match usize::try_from(place) {
            Ok(place) if place < self.verdicts.len() => self.at(py, place),
            _ => Err(PyIndexError::new_err("there are fewer verdicts")),
        }
    }

    fn __repr__(&self) -> String {
        let merged = self.verdicts.iter().filter(|verdict| verdict.is_merged()).count();
        format!("<Verdicts: {merged} of {} are one view>", self.verdicts.len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Verdicts>().is_ok_and(|other| other.get().verdicts == self.verdicts)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Vec<Py<PyAny>>,)> {
        let all = 0..slf.get().verdicts.len();
        let each = all.map(|place| slf.get().at(slf.py(), place));
        Ok((slf.get_type(), (each.collect::<PyResult<_>>()?,)))
    }

    fn __hash__(&self) -> u64 {
        crate::verdict::hash(&self.verdicts.iter().map(Verdict::view).collect::<Vec<_>>())
    }
}
