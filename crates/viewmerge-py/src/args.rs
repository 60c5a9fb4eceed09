//! Reading arguments.
//!
//! Lists of numbers may be given one by one or as one sequence, as NumPy and
//! PyTorch allow. Bad arguments raise: numbers beyond 64 bits an `OverflowError`, other
//! types a `TypeError`.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyByteArray, PyBytes, PyDict, PyFrozenSet, PyInt, PyList, PySet, PySlice, PyString, PyTuple,
};
use smallvec::SmallVec;
use viewmerge::{Index, Slice, Validity, View, ViewChain};
use viewmerge_paste::Unread;

use crate::classes::{PyChain, PyView};
use crate::error::{OrRefuse, exception, refused_text};
use crate::patience;

/// Arguments, mostly few.
pub(crate) type Numbers = SmallVec<[i64; 8]>;
pub(crate) type Pairs = SmallVec<[(i64, i64); 8]>;

/// Longer lists are refused: no view has that many axes.
pub(crate) const MOST_AXES: usize = 1 << 10;

/// An index, any sequence of numbers.
pub(crate) fn index(value: &Bound<'_, PyAny>) -> PyResult<Index> {
    Ok(Index::from(numbers(value)?.as_slice()))
}

/// A tuple of numbers.
pub(crate) fn tuple<'py>(py: Python<'py>, numbers: &[i64]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, numbers)
}

/// A tuple of pairs.
pub(crate) fn pairs_tuple<'py>(
    py: Python<'py>,
    pairs: &[(i64, i64)],
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, pairs)
}

fn not_a_list(value: &Bound<'_, PyAny>, what: &str) -> PyErr {
    let name = value.get_type().name();
    let name = name.map_or_else(|_| "object".to_string(), |name| name.to_string());
    PyTypeError::new_err(format!("{what}, not {name}"))
}

/// Reads the items of a sequence in turn.
fn each(
    value: &Bound<'_, PyAny>,
    what: &str,
    mut read: impl FnMut(&Bound<'_, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    if let Ok(items) = value.cast::<PyTuple>() {
        check_length(value.py(), items.len())?;
        for item in items.iter_borrowed() {
            read(&item)?;
        }
        return Ok(());
    }
    let no_list = value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyBytes>()
        || value.is_instance_of::<PyByteArray>()
        || value.is_instance_of::<PyDict>()
        || value.is_instance_of::<PySet>()
        || value.is_instance_of::<PyFrozenSet>();
    let length = value.len();
    if no_list || length.is_err() {
        return Err(not_a_list(value, what));
    }
    check_length(value.py(), length?)?;
    if let Ok(items) = value.cast::<PyList>() {
        for item in items.iter() {
            read(&item)?;
        }
        return Ok(());
    }
    for (place, item) in value.try_iter()?.enumerate() {
        check_length(value.py(), place)?;
        read(&item?)?;
    }
    Ok(())
}

pub(crate) fn check_length(py: Python<'_>, length: usize) -> PyResult<()> {
    if length <= MOST_AXES {
        return Ok(());
    }
    let fields = PyDict::new(py);
    fields.set_item("found", length)?;
    let message = format!("{length} entries for axes, at most {MOST_AXES} are accepted");
    Err(exception(py, "too_many_axes", &message, &fields))
}

/// A sequence of numbers.
pub(crate) fn numbers(value: &Bound<'_, PyAny>) -> PyResult<Numbers> {
    let mut list = Numbers::new();
    each(value, "expected a sequence of numbers", |item| {
        list.push(number(item)?);
        Ok(())
    })?;
    Ok(list)
}

/// A number. An unknown size of PyTorch's tracing is refused: reading its value would fix it to that of the example.
pub(crate) fn number(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    if !value.is_exact_instance_of::<PyInt>() && is_unknown(value) {
        let told = value.str().map_or_else(|_| "a size".to_string(), |told| told.to_string());
        let message = format!("{told} is not known: unknown sizes go into SymbolicChain");
        return Err(PyTypeError::new_err(message));
    }
    value.extract()
}

/// Whether this is a `SymInt` whose expression has symbols. (An object without these attributes is not.)
fn is_unknown(value: &Bound<'_, PyAny>) -> bool {
    let mut inner = value.clone();
    for name in ["node", "expr", "free_symbols"] {
        match inner.getattr_opt(PyString::intern(value.py(), name)) {
            Ok(Some(found)) => inner = found,
            _ => return false,
        }
    }
    inner.is_truthy().unwrap_or(false)
}

/// Numbers one by one, or one sequence of them.
pub(crate) fn spread(args: &Bound<'_, PyTuple>) -> PyResult<Numbers> {
    if args.len() == 1 {
        let only = args.get_borrowed_item(0)?;
        if !only.is_instance_of::<PyTuple>() && !only.is_instance_of::<PyList>() {
            match number(&only) {
                Ok(number) => return Ok(std::iter::once(number).collect()),
                Err(error)
                    if error.is_instance_of::<PyOverflowError>(args.py()) || is_unknown(&only) =>
                {
                    return Err(error);
                }
                Err(_) => {}
            }
        }
        return numbers(&only);
    }
    numbers(args)
}

/// The arguments of `transpose`.
pub(crate) enum Transposed {
    /// Two axes to exchange.
    Two(i64, i64),
    /// An order of all axes.
    All(Numbers),
}

/// Two axes, as for PyTorch's `transpose`; any other number is an order of all, as for NumPy's.
pub(crate) fn transposed(axes: &Bound<'_, PyTuple>, rank: usize) -> PyResult<Transposed> {
    if axes.is_empty() {
        return Ok(Transposed::All((0..rank as i64).rev().collect()));
    }
    let order = spread(axes)?;
    match (axes.len(), order.as_slice()) {
        (2, &[first, second]) => Ok(Transposed::Two(first, second)),
        _ => Ok(Transposed::All(order)),
    }
}

/// Refuses a `flip` without any argument: NumPy's would flip all axes, PyTorch's none.
pub(crate) fn some_axes(axes: &Bound<'_, PyTuple>, rank: usize) -> PyResult<()> {
    if axes.is_empty() {
        return Err(PyTypeError::new_err(format!(
            "flip() needs the axes to reverse: flip(0), or flip(range({rank})) for all of them"
        )));
    }
    Ok(())
}

fn pair(value: &Bound<'_, PyAny>) -> PyResult<(i64, i64)> {
    match numbers(value)?.as_slice() {
        &[first, second] => Ok((first, second)),
        list => {
            Err(PyTypeError::new_err(format!("expected a pair of numbers, found {}", list.len())))
        }
    }
}

/// A sequence of pairs.
pub(crate) fn pairs(value: &Bound<'_, PyAny>) -> PyResult<Pairs> {
    let mut list = Pairs::new();
    each(value, "expected a sequence of pairs", |item| {
        list.push(pair(item)?);
        Ok(())
    })?;
    Ok(list)
}

/// Pairs one by one, or one sequence of them.
pub(crate) fn spread_pairs(args: &Bound<'_, PyTuple>) -> PyResult<Pairs> {
    if args.len() == 1 {
        let only = args.get_borrowed_item(0)?;
        let first = only.try_iter().ok().and_then(|mut items| items.next()).transpose()?;
        if first.is_none_or(|first| first.len().is_ok()) {
            return pairs(&only);
        }
    }
    pairs(args)
}

/// A validity: `None`, "nothing" or a sequence of pairs.
pub(crate) fn validity(mask: Option<&Bound<'_, PyAny>>) -> PyResult<Validity> {
    let Some(mask) = mask else { return Ok(Validity::All) };
    match mask.extract::<std::borrow::Cow<'_, str>>() {
        Ok(word) if word == "nothing" => Ok(Validity::Nothing),
        Ok(word) => Err(PyTypeError::new_err(format!(
            "mask is None, a sequence of pairs or \"nothing\", not {word:?}"
        ))),
        Err(_) => Ok(Validity::boxed(&pairs(mask)?)),
    }
}

/// A bound of a slice; as in Python, one beyond all indices means the end.
fn bound(value: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if value.is_none() {
        return Ok(None);
    }
    match number(value) {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            Ok(Some(if value.lt(0)? { i64::MIN } else { i64::MAX }))
        }
        Err(error) => Err(error),
    }
}

/// A slice, or the text of one.
pub(crate) fn slice(value: &Bound<'_, PyAny>) -> PyResult<Slice> {
    if value.is_instance_of::<PySlice>() {
        let py = value.py();
        let part = |name| bound(&value.getattr(pyo3::types::PyString::intern(py, name))?);
        return Ok(Slice {
            start: part("start")?,
            stop: part("stop")?,
            step: part("step")?.unwrap_or(1),
        });
    }
    match value.extract::<std::borrow::Cow<'_, str>>() {
        Ok(text) => text.parse::<Slice>().or_refuse(value.py()),
        Err(_) => Err(not_a_list(value, "expected a slice, or the text of one")),
    }
}

/// Slices one by one, or one sequence of them.
pub(crate) fn spread_slices(args: &Bound<'_, PyTuple>) -> PyResult<Vec<Slice>> {
    let mut slices = Vec::new();
    let mut read = |value: &Bound<'_, PyAny>| {
        each(value, "expected a sequence of slices", |item| {
            slices.push(slice(item)?);
            Ok(())
        })
    };
    let only = args.get_borrowed_item(0).ok().filter(|_| args.len() == 1);
    match only.filter(|only| only.is_instance_of::<PyTuple>() || only.is_instance_of::<PyList>()) {
        Some(list) => read(&list)?,
        None => read(args)?,
    }
    Ok(slices)
}

/// Adds the views of a view, a chain, a text, or a sequence of these.
fn add_views(value: &Bound<'_, PyAny>, views: &mut Vec<View>, nested: bool) -> PyResult<()> {
    if let Ok(view) = value.cast::<PyView>() {
        views.push(view.get().0.clone());
        return Ok(());
    }
    if let Ok(chain) = value.cast::<PyChain>() {
        views.extend_from_slice(chain.get().0.views());
        return Ok(());
    }
    if let Ok(text) = value.extract::<std::borrow::Cow<'_, str>>() {
        views.extend_from_slice(parse_chain(value.py(), &text)?.views());
        return Ok(());
    }
    let what = "expected a View, a ViewChain, the text of one, or a sequence of these";
    if nested {
        return Err(not_a_list(value, what));
    }
    each(value, what, |item| add_views(item, views, true))
}

/// Views given one by one, or as chains, texts or one sequence.
pub(crate) fn views(args: &Bound<'_, PyTuple>) -> PyResult<Vec<View>> {
    let mut views = Vec::new();
    for item in args.iter_borrowed() {
        add_views(&item, &mut views, false)?;
    }
    Ok(views)
}

/// A view, or the text of one.
pub(crate) fn view(value: &Bound<'_, PyAny>) -> PyResult<View> {
    if let Ok(view) = value.cast::<PyView>() {
        return Ok(view.get().0.clone());
    }
    match value.extract::<std::borrow::Cow<'_, str>>() {
        Ok(text) => text.parse().map_err(|error| refused_text(value.py(), &error, &text)),
        Err(_) => Err(not_a_list(value, "expected a View or the text of one")),
    }
}

/// A chain, or anything that makes one.
pub(crate) fn chain(value: &Bound<'_, PyAny>) -> PyResult<ViewChain> {
    if let Ok(chain) = value.cast::<PyChain>() {
        return Ok(chain.get().0.clone());
    }
    if let Ok(text) = value.extract::<std::borrow::Cow<'_, str>>() {
        return parse_chain(value.py(), &text);
    }
    let mut views = Vec::new();
    add_views(value, &mut views, false)?;
    ViewChain::from_views(&views).or_refuse(value.py())
}

/// A chain from its text, which may hold ops that must be decided.
pub(crate) fn parse_chain(py: Python<'_>, text: &str) -> PyResult<ViewChain> {
    let decides = |op: &str| text.contains(op);
    let quick = !["reshape", "flatten", "as_strided"].into_iter().any(decides);
    let text = text.to_string();
    match patience::run(py, quick, move |_| viewmerge_paste::parse(&text, str::parse))? {
        Ok(chain) => Ok(chain),
        Err(Unread::Refused { error, text }) => Err(refused_text(py, &error, &text)),
        Err(unread) => Err(PyValueError::new_err(unread.to_string())),
    }
}
