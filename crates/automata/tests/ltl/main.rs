//! Formulas, their automata and the evaluator meet on random words.

mod blind;
mod data;
mod dataset;
mod deep;
mod hoa;
mod operations;
mod random;
mod reader;
mod syntax;
mod words;
