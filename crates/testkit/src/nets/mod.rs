//! Petri nets for tests: an obviously correct oracle, all nets of a tiny world, and random nets.

mod oracle;
mod random;
mod reading;
mod runs;
mod tiny;

pub use oracle::Oracle;
pub use random::{goals, random, random_run, targets};
pub use reading::reading;
pub use runs::{RunClaim, run_claim};
pub use tiny::tiny;

use model::views::{ArcSet, Net, Place, PlaceId};

/// Places that a transition takes tokens from, or puts them on, with weights.
type Arcs = Vec<(usize, u32)>;

/// A net of bare numbers: places `p0..`, transitions `t0..`.
fn net(initial: &[u32], transitions: &[(Arcs, Arcs)]) -> Net {
    let places = initial.iter().enumerate().map(|(p, &tokens)| Place::new(format!("p{p}"), tokens)).collect();
    let ids = |arcs: &Arcs| arcs.iter().map(|&(p, weight)| (PlaceId::new(p), weight)).collect();
    let named = transitions.iter().enumerate();
    let arcs = named.map(|(t, (pre, post))| ArcSet::new(format!("t{t}"), ids(pre), ids(post))).collect();
    Net::new("net", places, arcs).expect("the generators make sound nets")
}
