//! Antonino, Gibson-Robinson and Roscoe: what Pair and SDD prove, and in what time.

mod models;
mod parts;

pub use models::Family;
