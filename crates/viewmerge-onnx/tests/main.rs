//! One program for all tests.

mod built;
mod external;
mod mistakes;
mod reading;
