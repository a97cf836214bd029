//! The views of a system have exactly its behaviour.

mod compare;
mod hand;
mod models;
mod random;
mod refusals;
