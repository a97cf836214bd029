//! Random systems some of whose steps are silent.

use model::{Edge, System, Transition};

use super::{Profile, sample};
use crate::Rng;

/// What silent steps are called.
pub const SILENT: &str = "tau";

/// The system of a seed with few, half or most of its steps silent.
pub fn silenced(seed: u64, profile: &Profile) -> System {
    let mut blueprint = sample(seed, profile).blueprint;
    let mut rng = Rng::new(!seed);
    let share = *rng.pick(&[25, 50, 85]);
    let hide_edge = |edge: &mut Edge| edge.label = Some(SILENT.to_owned());
    let hide_transition = |t: &mut Transition| t.label = SILENT.into();
    blueprint.edges.iter_mut().filter(|_| rng.chance(share)).for_each(hide_edge);
    blueprint.transitions.iter_mut().filter(|_| rng.chance(share)).for_each(hide_transition);
    // Joint steps are called after their action.
    blueprint.actions.iter_mut().take(1).filter(|_| rng.chance(share)).for_each(|a| *a = SILENT.to_owned());
    blueprint.build().expect("names do not matter")
}
