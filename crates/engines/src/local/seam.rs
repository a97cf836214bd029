//! Where candidates are looked at more closely than by pairs, inequalities and traps.

use evidence::Budget;
use model::views::Network;

use super::lemma::Refined;
use super::{Candidate, Local};

/// Refutes a candidate by groups of more than two components, or reaches it.
pub(super) fn refine(_: &Network, _: &Candidate, _: &Local, _: &Budget) -> Refined {
    Refined::Unknown
}
