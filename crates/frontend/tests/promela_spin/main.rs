//! Promela against SPIN: random programs, and the public models with known verdicts and sizes.
//!
//! Invalid end states, violated assertions, other errors and, where nothing is reduced, the number of states are the
//! same on both sides. Longer campaigns are ignored tests; `IMPASSE_SEEDS` and `IMPASSE_FIRST_SEED` choose the programs.

mod corpus;
mod data;
mod elses;
mod ours;
mod places;
mod random;
mod traces;
mod walk;
