//! Every rule, and all together, meet the naive search on tiny and random nets.

mod compare;
mod goals;
mod grown;
mod large;
mod planted;
mod rules;
mod samples;
mod search;
