//! The solver, by the names its parts have here.

pub(crate) use lattice_point::{Encode, Number, Overflow, Row, System};

pub(crate) mod hull {
    pub(crate) use lattice_point::{Hull, vanishes};
}
