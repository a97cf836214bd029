//! The views of a system have exactly its behaviour.

mod compare;
mod hand;
mod models;
mod net_builder;
mod random;
mod refusals;
