//! Machine code for the guards and commands of a system, made while it is being explored (`cranelift`).
//!
//! The model says what the code does, one elementary operation after the other; this crate writes it down for the
//! processor and is the only one that runs what nobody compiled beforehand. Where that does not work (a processor that
//! is not known, a system that forbids it) there is no code, and the interpreter does it all.

mod compile;
mod machine;
mod translate;

pub use compile::compile;

#[cfg(test)]
mod tests;
