//! Writers of nets. What is written reads back as the same net.

mod lola;
mod pnml;

pub use lola::lola;
pub use pnml::pnml;
