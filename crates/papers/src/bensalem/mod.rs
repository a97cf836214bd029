//! Bensalem, Griesmayer, Legay, Nguyen and Peled: invariants first, then the exact set of deadlocks.

mod counts;
mod family;
mod figures;
mod measure;
mod method;
pub mod models;
mod tables;

pub use family::Family as Components;
pub(crate) use measure::Diagrams;

use crate::Paper;

pub(crate) fn paper() -> Paper {
    Paper {
        name: "bensalem",
        title: "S. Bensalem, A. Griesmayer, A. Legay, T.-H. Nguyen, D. Peled: Efficient Deadlock Detection for \
                Concurrent Systems (2011)",
        items: vec![
            figures::figure_4(),
            figures::figure_5(),
            figures::figure_6(),
            tables::table_1(),
            tables::table_2(),
            counts::rings(),
            counts::suspects(),
            counts::alone(),
        ],
    }
}
