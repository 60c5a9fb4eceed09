//! What the tests need beside the checker, sharing nothing with it: the definitions by walking
//! every index ([`naive`]) and in integers of any size ([`truth`]), small makers of certificates about
//! chains ([`prover`]) and expressions ([`expressions`]) with the search behind them ([`refuter`]),
//! and random chains and mutations ([`random`]).

#![allow(dead_code)]

pub mod expressions;
pub mod naive;
pub mod prover;
pub mod random;
pub mod refuter;
pub mod truth;
pub mod worst;
