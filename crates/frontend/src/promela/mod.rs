//! Promela, the language of SPIN 6 (`docs/promela.md`).
//!
//! The way of a model: `preprocess` and `token` make tokens of the text, `parse` a tree (`ast`), `resolve` a program
//! of graphs in which every name has its meaning (`ir`), and `elaborate` a system.

pub mod ast;
mod character;
pub mod elaborate;
pub mod ir;
mod limits;
mod options;
mod outline;
mod parse;
mod preprocess;
mod read;
mod resolve;
mod separators;
mod token;

pub use options::Options;
pub use outline::outline;
pub use parse::{Parsed, parse};
pub use read::{read, reading};
pub use resolve::resolve;
