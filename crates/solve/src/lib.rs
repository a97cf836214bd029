//! Satisfiability, linear programming and decision diagrams, as the engines use them. Nothing here knows of models.
//!
//! What says "impossible" is exact: a linear program is called infeasible only with multipliers that were confirmed in
//! integer arithmetic.
#![forbid(unsafe_code)]

pub mod bdd;
pub mod lp;
pub mod lrat;
pub mod sat;
