//! Godefroid's thesis, chapter 8.

mod caching;
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
            caching::figure_8_3(),
            caching::table_8_2(),
            caching::table_8_3(),
            philosophers::item(),
            relations::item(),
        ],
    }
}
