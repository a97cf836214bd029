//! PNML (ISO/IEC 15909-2): place/transition nets, read in one pass without a tree, and symmetric nets, which are
//! unfolded.
//!
//! Pages are flattened, reference nodes stand for what they refer to, graphics and the data of other tools are passed
//! over. Two nodes are what the file says only if the whole file is understood, so labels that change the behaviour
//! and are not those of the type of the net (inhibitor arcs, capacities) are refused, not ignored.

mod assemble;
mod colour;
mod document;
mod net_type;
mod nodes;
mod outline;
mod symbols;
mod units;

pub use colour::UnfoldLimits;
pub(crate) use net_type::PT_NET;
pub use outline::outline;

use crate::Diagnostic;
use crate::loaded_net::{LoadedNet, utf8};

/// Reads a net; `name` is what it will be called.
pub fn read(name: &str, bytes: &[u8]) -> Result<LoadedNet, Vec<Diagnostic>> {
    read_within(name, bytes, UnfoldLimits::default())
}

/// Reads a net that, if it is coloured, does not grow beyond limits.
pub fn read_within(name: &str, bytes: &[u8], limits: UnfoldLimits) -> Result<LoadedNet, Vec<Diagnostic>> {
    let text = utf8(bytes).map_err(|d| vec![d])?;
    let mut document = document::read(text).map_err(|d| vec![d])?;
    match document.colours.take() {
        Some(labels) => colour::assemble(name, document, &labels, limits),
        None => assemble::assemble(name, document),
    }
}

/// Whether a text is XML with the root element of PNML.
pub fn is_pnml(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| document::root(text).is_ok())
}
