//! The syntax of CSPm.

mod data;
mod declarations;
mod fuzz;
mod precedence;
mod print;
mod support;
