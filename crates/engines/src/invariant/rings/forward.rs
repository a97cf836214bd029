//! From the initial states through the rings to the suspects.

use solve::bdd::Bdd;

use super::onion::Ground;
use crate::diagrams::Stop;

impl Ground<'_, '_> {
    /// The states of each ring that lie on a shortest way from an initial state in the last ring, the suspects last.
    /// Rings may hold states outside of the invariant; no step leads there.
    pub(super) fn forward(&self, onion: &[Bdd]) -> Result<Vec<Bdd>, Stop> {
        let (last, inner) = onion.split_last().expect("suspects are the first ring");
        let mut layers = vec![last.and(&self.initial)?];
        for ring in inner.iter().rev() {
            let before = layers.last().expect("the initial states are the first layer");
            layers.push(self.space.post(before)?.and(ring)?);
        }
        Ok(layers)
    }
}
