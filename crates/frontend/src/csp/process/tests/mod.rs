//! Operators against automata computed by hand, and networks against the whole term explored as one automaton.

mod hand;
mod naming;
mod random;
mod support;
