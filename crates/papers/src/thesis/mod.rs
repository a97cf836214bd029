//! Godefroid's thesis, chapter 8.

mod example_8_1;
mod figure_8_1;
mod philosophers;
mod protocols;
mod relations;
mod table_8_1;

use crate::Paper;

pub(crate) fn paper() -> Paper {
    Paper {
        name: "thesis",
        title: "P. Godefroid: Partial-Order Methods for the Verification of Concurrent Systems (1994)",
        items: vec![
            figure_8_1::item(),
            example_8_1::item(),
            table_8_1::item(),
            philosophers::item(),
            relations::item(),
        ],
    }
}
