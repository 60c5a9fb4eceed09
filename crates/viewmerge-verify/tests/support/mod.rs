//! What the tests need beside the checker, sharing nothing with it: the
//! definitions by walking every index ([`naive`]), a small maker of
//! certificates ([`prover`]), and random chains and mutations ([`random`]).

#![allow(dead_code)]

pub mod naive;
pub mod prover;
pub mod random;
