//! The parts of the `viewmerge` command: its arguments ([`args`], [`options`]), what it does
//! ([`commands`], [`draw`], [`batch`], [`question`], [`verify`], [`explore`], [`plan`],
//! [`watch`], [`manual`]) and how it prints answers ([`show`]).

pub mod args;
pub mod atoms;
pub mod batch;
pub mod certify;
pub mod commands;
pub mod cute;
pub mod draw;
pub mod explore;
pub mod help;
pub mod manual;
pub mod options;
pub mod plan;
pub mod show;
pub mod split;
pub mod symbolic;
pub mod verify;
pub mod watch;

pub use viewmerge_json::question;
