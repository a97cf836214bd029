//! The syntax of Promela.

mod data;
mod expressions;
mod fuzz;
mod grammar;
mod inlines;
mod limits;
mod notes;
mod preprocessor;
mod reject;
mod spin;
mod statements;
mod support;
mod temporal;
mod units;
