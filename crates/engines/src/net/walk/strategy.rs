//! The ways to choose the next transition.

use model::nets::Goal;
use model::views::NetTransitionId;

use crate::net::distance::to_goal;
use crate::net::random::Random;
use crate::tokens::live::Live;
use crate::tokens::wiring::Wiring;

/// A way to choose the next transition of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Any enabled one, all alike.
    Uniform,
    /// One that was rarely fired so far.
    Rare,
    /// One that the last step enabled, so that one token is followed as far as it goes.
    Follow,
    /// The one that waits longest; in the beginning in the order of the net. All processes advance at one pace, which
    /// is how circular waits come about.
    Oldest,
    /// The same, beginning in a random order.
    OldestShuffled,
    /// One transition as often as it can.
    Saturate,
    /// The one after which the fewest are enabled: towards dead markings.
    Fewest,
    /// The one after which the goal is nearest.
    Greedy,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Oldest,
        Self::Uniform,
        Self::Fewest,
        Self::Greedy,
        Self::Follow,
        Self::OldestShuffled,
        Self::Rare,
        Self::Saturate,
    ];
}

/// The most transitions of which the effect is looked at before one is chosen.
const LOOKS: usize = 12;

/// The enabled transition after which a goal is nearest, of a sample; any of several, and once in a while any at all,
/// so that the walk leaves hollows.
pub(super) fn nearest(goal: &Goal, live: &mut Live, wiring: &Wiring<'_>, random: &mut Random) -> NetTransitionId {
    let enabled = live.enabled().len();
    if enabled == 1 || random.once_in(24) {
        return random.pick(live.enabled());
    }
    let mut sample = [NetTransitionId(0); LOOKS];
    let looks = enabled.min(LOOKS);
    for (i, slot) in sample[..looks].iter_mut().enumerate() {
        *slot = if enabled <= LOOKS { live.enabled()[i] } else { random.pick(live.enabled()) };
    }
    let (mut best, mut ties) = ((u64::MAX, sample[0]), 0);
    for &t in &sample[..looks] {
        let Some(distance) = after(t, goal, live, wiring) else { continue };
        if distance < best.0 {
            (best, ties) = ((distance, t), 1);
        } else if distance == best.0 {
            ties += 1;
            if random.once_in(ties) {
                best.1 = t;
            }
        }
    }
    live.fresh.clear();
    best.1
}

/// The distance after a transition; `None` if it cannot be counted.
fn after(t: NetTransitionId, goal: &Goal, live: &mut Live, wiring: &Wiring<'_>) -> Option<u64> {
    let most = i64::MAX as u64 - u64::from(u32::MAX);
    if wiring.effect(t).iter().any(|&(p, change)| change > 0 && live.tokens()[p.index()] > most) {
        return None;
    }
    live.fire(wiring, t, 1).expect("no place overflows");
    let distance = to_goal(goal, live.tokens(), live.enabled().len());
    live.unfire(wiring, t);
    Some(distance)
}
