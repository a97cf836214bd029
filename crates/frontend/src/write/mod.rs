//! Writers of nets and networks. What is written reads back as the same.

mod aut;
mod exp;
mod lola;
mod pnml;

pub use aut::aut;
pub use exp::{Expression, exp};
pub use lola::lola;
pub use pnml::pnml;
