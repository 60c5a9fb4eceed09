//! Searches that may take long: the interpreter goes on meanwhile, and Ctrl-C
//! is heard.
//!
//! What is quick is done at once. Anything else goes to a thread of its own;
//! the caller waits without the interpreter's lock and looks for signals twenty
//! times a second. A search that is given up ends by itself: a merge after at
//! most about three times what it has taken so far, because its limit of steps
//! grows in fours; the others, which have no limit, when they are done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use viewmerge::{Decision, Error, Verdict, View, ViewChain, merge_within};

/// Steps that are done at once, a fraction of a millisecond.
const QUICK: u64 = 2_000;
/// What has so few elements is done at once, whatever it takes.
const FEW: i64 = 1_000;
/// Chains of more views, and views of more axes, may always take long.
const FEW_VIEWS: usize = 6;
const FEW_AXES: usize = 16;
const BETWEEN_SIGNALS: Duration = Duration::from_millis(50);

/// Whether it is given up.
pub(crate) struct Given(Arc<AtomicBool>);

impl Given {
    fn up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Does the work in a thread of its own, and waits for it.
pub(crate) fn patiently<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Given) -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = sync_channel(1);
    let flag = Arc::new(AtomicBool::new(false));
    let given = Given(flag.clone());
    thread::Builder::new().name("viewmerge".into()).spawn(move || {
        // Nobody may be waiting any more.
        let _ = sender.send(work(&given));
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
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if quick { Ok(work()) } else { patiently(py, move |_| work()) }
}

/// Whether any search on these views is short.
pub(crate) fn is_small(views: &[View]) -> bool {
    let small = |view: &View| view.count() <= FEW && view.rank() <= FEW_AXES;
    views.len() <= FEW_VIEWS && views.iter().all(small)
}

/// Whether every run of neighbouring views is known to be decided quickly.
pub(crate) fn runs_are_quick(views: &[View]) -> bool {
    let decides = |run: &[View]| !matches!(merge_within(run, QUICK), Ok(Decision::Undecided));
    views.len() <= FEW_VIEWS
        && (0..views.len())
            .all(|start| (start + 1..=views.len()).all(|end| decides(&views[start..end])))
}

/// [`viewmerge::merge`].
#[inline]
pub(crate) fn merge(py: Python<'_>, views: &[View]) -> PyResult<Result<Verdict, Error>> {
    match merge_within(views, QUICK) {
        Ok(Decision::Decided(verdict)) => Ok(Ok(verdict)),
        Ok(Decision::Undecided) => search(py, views.to_vec(), u64::MAX).map(decided),
        Err(error) => Ok(Err(error)),
    }
}

/// [`viewmerge::merge_within`].
pub(crate) fn merge_at_most(
    py: Python<'_>,
    views: &[View],
    steps: u64,
) -> PyResult<Result<Decision, Error>> {
    match merge_within(views, steps.min(QUICK)) {
        Ok(Decision::Undecided) if steps > QUICK => search(py, views.to_vec(), steps),
        other => Ok(other),
    }
}

/// [`ViewChain::merge`].
#[inline]
pub(crate) fn merge_chain(py: Python<'_>, chain: &ViewChain) -> PyResult<Result<Verdict, Error>> {
    match merge_quickly(chain) {
        Ok(Decision::Decided(verdict)) => Ok(Ok(verdict)),
        Ok(Decision::Undecided) => search(py, chain.views().to_vec(), u64::MAX).map(decided),
        Err(error) => Ok(Err(error)),
    }
}

/// [`ViewChain::merge`] if it takes few steps.
#[inline]
pub(crate) fn merge_quickly(chain: &ViewChain) -> Result<Decision, Error> {
    chain.merge_within(QUICK)
}

fn decided(found: Result<Decision, Error>) -> Result<Verdict, Error> {
    match found? {
        Decision::Decided(verdict) => Ok(verdict),
        Decision::Undecided => unreachable!("there is no limit"),
    }
}

/// Looks further and further, until something is found or given up.
fn search(py: Python<'_>, views: Vec<View>, most: u64) -> PyResult<Result<Decision, Error>> {
    patiently(py, move |given| {
        let mut steps = QUICK;
        loop {
            steps = steps.saturating_mul(4).min(most);
            match merge_within(&views, steps) {
                Ok(Decision::Undecided) if steps < most && !given.up() => {}
                found => return found,
            }
        }
    })
}
