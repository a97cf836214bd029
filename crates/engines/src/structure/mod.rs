//! The structure of a network and what follows from it, below the engines that use it: no state of the whole is looked
//! at, only components and the rules that connect them.

pub(crate) mod conserved;
mod forest;
mod ratio;
mod ties;
pub(crate) mod traps;
pub(crate) mod weights;
pub(crate) mod wiring;
