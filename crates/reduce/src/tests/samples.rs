//! The nets that the rules and their planted bugs meet: tiny, random and grown ones.

use std::ops::Range;
use std::sync::OnceLock;

use model::views::{Net, PlaceId};
use testkit::{Rng, nets};

use super::grown::grown;

/// A net with a name.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) net: Net,
}

/// Every so many nets of the tiny world, and random ones.
pub(super) fn samples(stride: usize, seeds: Range<u64>) -> Vec<Sample> {
    let tiny = nets::tiny().enumerate().step_by(stride).map(|(i, net)| (format!("tiny {i}"), net));
    let random = seeds.clone().map(|seed| (format!("random {seed}"), nets::random(seed)));
    let grown = (3 * seeds.start..3 * seeds.end).map(|seed| (format!("grown {seed}"), grown(seed)));
    tiny.chain(random).chain(grown).map(|(name, net)| Sample { name, net }).collect()
}

/// Nets for the tests that run every time; every net of the tiny world if `IMPASSE_TINY` is set.
pub(super) fn quick() -> &'static [Sample] {
    static ALL: OnceLock<Vec<Sample>> = OnceLock::new();
    let stride = if std::env::var_os("IMPASSE_TINY").is_some() { 1 } else { 199 };
    ALL.get_or_init(|| samples(stride, 0..300))
}

/// Some places, few more often than many.
pub(super) fn watched(net: &Net, seed: u64) -> Vec<PlaceId> {
    let mut rng = Rng::new(seed);
    let percent = *rng.pick(&[15, 30, 60]);
    let mut all: Vec<PlaceId> = net.place_ids().filter(|_| rng.chance(percent)).collect();
    if all.is_empty() && !net.places().is_empty() {
        all.push(PlaceId::new(rng.below(net.places().len())));
    }
    all
}
