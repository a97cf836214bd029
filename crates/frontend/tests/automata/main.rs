//! Networks of automata: what is read, what it means, what is refused.

mod accept;
mod fuzz;
mod reject;
mod round_trip;
mod semantics;
mod support;
