//! What programs in Promela mean, held against SPIN: its numbers of states are written into these tests.

mod channels;
mod control;
mod corpus;
mod data;
mod errors;
mod processes;
mod questions;
mod space;
