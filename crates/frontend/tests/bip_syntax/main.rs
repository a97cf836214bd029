//! The syntax of BIP 2.

mod data;
mod expect;
mod expressions;
mod fuzz;
mod packages;
mod reject;
mod support;
mod tree;
