//! Suspects decided by rings against states one by one.

mod exact;
mod naive;
mod planted;
