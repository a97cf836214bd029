//! What engines that move tokens share: markings that know what they enable, sets of markings, stubborn sets.

mod layout;
pub(crate) mod live;
pub(crate) mod rows;
pub(crate) mod stubborn;
pub(crate) mod tree;
pub(crate) mod wiring;
