//! Long searches: the interpreter keeps running, and Ctrl-C works.
//!
//! Quick work is done at once. Anything else gets a thread of its own; the caller waits
//! without the interpreter's lock and checks for signals a hundred times a second. Giving
//! up a search raises its flag, which ends it at its next step.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use viewmerge::{Error, Limit, Verdict, View, ViewChain};

/// Steps done at once, a fraction of a millisecond.
const QUICK: Limit<'static> = Limit::steps(MANY);
const MANY: u64 = 20;
/// Views with so few elements are always decided at once.
const FEW: i64 = 1_000;
/// Chains of more views, or views of more axes, may take long.
const FEW_VIEWS: usize = 6;
const FEW_AXES: usize = 16;
const BETWEEN_SIGNALS: Duration = Duration::from_millis(10);

/// Does the work in a thread of its own, and waits for it. The work gets a limit of
/// `steps` that also ends it when it is given up.
pub(crate) fn patiently<T: Send + 'static>(
    py: Python<'_>,
    steps: u64,
    work: impl FnOnce(&Limit<'_>) -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = sync_channel(1);
    let flag = Arc::new(AtomicBool::new(false));
    let given_up = flag.clone();
    thread::Builder::new().name("viewmerge".into()).spawn(move || {
        // The receiver may be gone.
        let _ = sender.send(work(&Limit::steps(steps).stopped_by(&given_up)));
    })?;
    loop {
        let waiting = &mut receiver;
        match py.detach(move || waiting.recv_timeout(BETWEEN_SIGNALS)) {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    flag.store(true, Ordering::Relaxed);
                    return Err(interrupt);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the search stopped by a mistake of its own"));
            }
        }
    }
}

/// Does the work here if it is known to be quick, else in a thread.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    quick: bool,
    work: impl FnOnce(&Limit<'_>) -> T + Send + 'static,
) -> PyResult<T> {
    if quick { Ok(work(&Limit::none())) } else { patiently(py, u64::MAX, work) }
}

/// Whether any search on these views is short.
pub(crate) fn is_small(views: &[View]) -> bool {
    let small = |view: &View| view.count() <= FEW && view.rank() <= FEW_AXES;
    views.len() <= FEW_VIEWS && views.iter().all(small)
}

/// Whether every run of neighbouring views is known to be decided quickly.
pub(crate) fn runs_are_quick(views: &[View]) -> bool {
    let decides = |run: &[View]| !is_undecided(&viewmerge::merge(run, &QUICK));
    views.len() <= FEW_VIEWS
        && (0..views.len())
            .all(|start| (start + 1..=views.len()).all(|end| decides(&views[start..end])))
}

/// The steps done at once: in a long chain, a single one may take long.
fn steps_at_once(views: &[View]) -> u64 {
    if views.len() > FEW_VIEWS { 1 } else { MANY }
}

/// Whether the limit was reached.
pub(crate) fn is_undecided<T>(found: &Result<T, Error>) -> bool {
    matches!(found, Err(Error::Undecided { .. }))
}

/// [`viewmerge::merge`].
#[inline]
pub(crate) fn merge(py: Python<'_>, views: &[View]) -> PyResult<Result<Verdict, Error>> {
    merge_at_most(py, views, u64::MAX)
}

/// [`viewmerge::merge`] with at most this many steps.
#[inline]
pub(crate) fn merge_at_most(
    py: Python<'_>,
    views: &[View],
    steps: u64,
) -> PyResult<Result<Verdict, Error>> {
    let at_once = steps_at_once(views);
    let found = viewmerge::merge(views, &Limit::steps(steps.min(at_once)));
    if steps > at_once && is_undecided(&found) {
        let views = views.to_vec();
        return patiently(py, steps, move |limit| viewmerge::merge(&views, limit));
    }
    Ok(found)
}

/// [`ViewChain::merge`].
#[inline]
pub(crate) fn merge_chain(py: Python<'_>, chain: &ViewChain) -> PyResult<Result<Verdict, Error>> {
    let found = merge_quickly(chain);
    if is_undecided(&found) {
        let chain = chain.clone();
        return patiently(py, u64::MAX, move |limit| chain.merge_within(limit));
    }
    Ok(found)
}

/// [`ViewChain::merge`] if it takes few steps.
#[inline]
pub(crate) fn merge_quickly(chain: &ViewChain) -> Result<Verdict, Error> {
    chain.merge_within(&Limit::steps(steps_at_once(chain.views())))
}
