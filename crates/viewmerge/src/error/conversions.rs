//! Where errors come from: views that cannot be written down, limits, plain strides.

use lattice_point::Exhausted;

use super::Error;

impl From<Exhausted> for Error {
    fn from(Exhausted { steps, stopped }: Exhausted) -> Error {
        Error::Undecided { steps, stopped }
    }
}

/// What was found, or `None` if it cannot be written down.
pub(crate) fn if_writable<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
    match found {
        Err(error) if error.is_unwritable() => Ok(None),
        found => found.map(Some),
    }
}
