//! Antonino, Gibson-Robinson and Roscoe: what Pair and SDD prove, and in what time.

mod batches;
mod benchmarks;
mod measure;
mod method;
mod models;
mod random;

pub use measure::Answers;
pub(crate) use measure::Networks;
pub use models::Family;
pub use random::Topology;

use crate::Paper;

pub(crate) fn paper() -> Paper {
    Paper {
        name: "antonino",
        title: "P. Antonino, T. Gibson-Robinson, A. W. Roscoe: Efficient Deadlock Checking using Local Analysis and SAT \
                Solving (2015)",
        items: vec![batches::table_1(), batches::table_2(), benchmarks::table_3(), benchmarks::beyond()],
    }
}
