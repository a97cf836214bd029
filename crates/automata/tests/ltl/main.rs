//! Formulas, their automata and the evaluator meet on random words.

mod data;
mod dataset;
mod random;
mod words;
