//! The syntax of CSPm.

mod data;
