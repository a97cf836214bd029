//! The native language, from outside.

mod accept;
mod bombs;
mod foreign;
mod format;
mod fuzz;
mod page;
mod print;
mod reject;
mod runs;
mod support;
