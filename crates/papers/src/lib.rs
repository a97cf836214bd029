//! The tables and figures of the papers, measured again: which searches of which models they need, what the papers
//! print, and plots of the result.
//!
//! An [`Item`] is data. A [`Lab`] runs its searches, row by row; nothing here shows anything.
#![forbid(unsafe_code)]

mod algorithms;
mod antonino;
pub mod bensalem;
mod godefroid_wolper;
mod item;
mod lab;
mod models;
mod nets;
mod parts;
mod plot;
mod svg;
mod thesis;
mod wang_buy;

pub use antonino::{Answers, Family, Topology};
pub use bensalem::Components;
pub use item::{Axes, Column, Figure, Item, Layout, Printed, Row, Search};
pub use lab::{Beyond, Cell, Lab, Measured};
pub use models::Model;
pub use plot::{Axis, Plot, Series};

/// A paper and what is measured of it.
#[derive(Clone, Debug)]
pub struct Paper {
    /// The name on the command line.
    pub name: &'static str,
    /// Who, what, when.
    pub title: &'static str,
    /// Its tables and figures, in its order.
    pub items: Vec<Item>,
}

/// All papers.
pub fn papers() -> Vec<Paper> {
    vec![godefroid_wolper::paper(), thesis::paper(), wang_buy::paper(), antonino::paper(), bensalem::paper()]
}
