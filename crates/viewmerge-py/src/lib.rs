//! `viewmerge._core`, the Python module that the package `viewmerge` is built on.
//!
//! | part | where |
//! |---|---|
//! | `View`, `ViewChain` and their ops | `classes.rs`, `view/`, `chain/`, `subscript.rs`, `walk.rs`, `notation.rs` |
//! | `Verdict` and `Witness` | `verdict.rs` |
//! | the questions: merge, explain, conditions … | `questions.rs`, `conditions.rs`, `many.rs` |
//! | certificates | `certificates.rs` |
//! | index expressions and guarded views | `form.rs`, `guarded.rs` |
//! | questions about index expressions | `expressions.rs` |
//! | unknown sizes | `symbolic.rs` |
//! | views of real arrays | `of.rs` |
//! | splits, CuTe layouts | `split.rs` |
//! | plans of whole models | `plan.rs` |
//! | reading arguments, raising errors | `args.rs`, `error.rs`, `json.rs` |
//! | long searches that can be interrupted | `patience.rs` |
//!
//! Objects are frozen, so reading them takes no lock. The Python part (records, conversion of
//! arrays, `why_copy`, `trace`, `watch`) is in `python/viewmerge`.

mod args;
mod certificates;
mod chain;
mod classes;
mod conditions;
mod error;
mod expressions;
mod form;
mod guarded;
mod json;
mod many;
mod notation;
mod of;
mod order;
mod patience;
mod plan;
mod questions;
mod split;
mod subscript;
mod symbolic;
mod verdict;
mod view;
mod walk;

use pyo3::prelude::*;

/// The core of viewmerge, written in Rust; use the package `viewmerge`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("MAX_ELEMENTS", viewmerge::MAX_ELEMENTS)?;
    module.add("MAX_POSITION", viewmerge::MAX_POSITION)?;
    let languages = viewmerge_index::Language::all().iter().map(|language| language.name());
    module.add("LANGUAGES", pyo3::types::PyTuple::new(module.py(), languages)?)?;
    module.add_class::<classes::PyView>()?;
    module.add_class::<classes::PyChain>()?;
    module.add_class::<verdict::PyVerdict>()?;
    module.add_class::<verdict::PyMerged>()?;
    module.add_class::<verdict::PyNotMergeable>()?;
    module.add_class::<verdict::PyWitness>()?;
    module.add_class::<verdict::PyStep>()?;
    module.add_class::<verdict::PyHole>()?;
    module.add_class::<walk::Walk>()?;
    module.add_class::<form::PyForm>()?;
    module.add_class::<classes::PyGuarded>()?;
    module.add_class::<many::Verdicts>()?;
    module.add_class::<symbolic::PySymbolic>()?;
    module.add_class::<symbolic::PyAnswer>()?;
    module.add_class::<symbolic::PySplitting>()?;
    module.add_class::<conditions::PyPattern>()?;
    module.add_class::<conditions::PyConditions>()?;
    module.add_function(wrap_pyfunction!(questions::merge, module)?)?;
    module.add_function(wrap_pyfunction!(questions::merge_within, module)?)?;
    module.add_function(wrap_pyfunction!(many::merge_many, module)?)?;
    module.add_function(wrap_pyfunction!(questions::equivalence, module)?)?;
    module.add_function(wrap_pyfunction!(questions::merged_dims, module)?)?;
    module.add_function(wrap_pyfunction!(questions::reasons, module)?)?;
    module.add_function(wrap_pyfunction!(questions::copy_plan, module)?)?;
    module.add_function(wrap_pyfunction!(questions::longest_mergeable, module)?)?;
    module.add_function(wrap_pyfunction!(conditions::conditions, module)?)?;
    module.add_function(wrap_pyfunction!(conditions::table, module)?)?;
    module.add_function(wrap_pyfunction!(split::tiling, module)?)?;
    module.add_function(wrap_pyfunction!(split::cute, module)?)?;
    module.add_function(wrap_pyfunction!(split::cute_banks, module)?)?;
    module.add_function(wrap_pyfunction!(split::layout_svg, module)?)?;
    module.add_function(wrap_pyfunction!(questions::element_count, module)?)?;
    module.add_function(wrap_pyfunction!(questions::ravel, module)?)?;
    module.add_function(wrap_pyfunction!(questions::unravel, module)?)?;
    module.add_function(wrap_pyfunction!(questions::by_definition, module)?)?;
    module.add_function(wrap_pyfunction!(certificates::certificate, module)?)?;
    module.add_function(wrap_pyfunction!(certificates::shown, module)?)?;
    module.add_function(wrap_pyfunction!(expressions::expression_simplified, module)?)?;
    module.add_function(wrap_pyfunction!(expressions::expression_difference, module)?)?;
    module.add_function(wrap_pyfunction!(expressions::expression_range, module)?)?;
    module.add_function(wrap_pyfunction!(expressions::expression_view, module)?)?;
    module.add_function(wrap_pyfunction!(plan::planned, module)?)?;
    Ok(())
}
