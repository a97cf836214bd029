//! Proofs about networks by local analysis: good ones are accepted, and whatever is accepted is true.

mod by_hand;
mod engine;
mod mutants;
mod producer;
mod random;
mod truth;
