//! Support for the tests that shares nothing with the checker: the definitions, by walking every
//! index ([`naive`]) and in integers of any size ([`truth`]); small provers for certificates about chains
//! ([`prover`]) and expressions ([`expressions`]), with the search behind them ([`refuter`]); and random
//! chains and mutations ([`random`]).

#![allow(dead_code, clippy::panic)]

pub mod expressions;
pub mod naive;
pub mod prover;
pub mod random;
pub mod refuter;
pub mod truth;
pub mod worst;
