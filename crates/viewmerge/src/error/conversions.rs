//! Where errors come from: views that cannot be written down, limits, plain strides.

use lattice_point::Exhausted;

use super::Error;

impl From<Exhausted> for Error {
    fn from(Exhausted { steps, stopped }: Exhausted) -> Error {
        Error::Undecided { steps, stopped }
    }
}

impl From<viewmerge_strides::Error> for Error {
    fn from(error: viewmerge_strides::Error) -> Error {
        use viewmerge_strides::Error as Strides;
        match error {
            Strides::RankMismatch { what, expected, found } => {
                Error::RankMismatch { what, expected, found }
            }
            Strides::NegativeSize { axis, size } => Error::NegativeSize { axis, size },
            Strides::TooManyElements { axis, size, shape } => {
                Error::TooManyElements { axis, size, shape }
            }
            Strides::NumberRange { what, axis, number } => {
                Error::NumberRange { what, axis, number }
            }
            Strides::AxisOutOfRange { axis, rank } => {
                let axis = i64::try_from(axis).unwrap_or(i64::MAX);
                Error::AxisOutOfRange { op: "permute", axis, rank }
            }
            Strides::RepeatedAxis { axis } => Error::RepeatedAxis { op: "permute", axis },
            Strides::ReshapeCount { from, from_count, to } => {
                Error::ReshapeCount { from, from_count, to }
            }
            Strides::CannotExpand { axis, size, new_size } => {
                Error::CannotExpand { axis, size, new_size }
            }
            Strides::ExpandRank { rank, found } => Error::ExpandRank { rank, found },
        }
    }
}

/// What was found, or `None` if it cannot be written down.
pub(crate) fn if_writable<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
    match found {
        Err(error) if error.is_unwritable() => Ok(None),
        found => found.map(Some),
    }
}
