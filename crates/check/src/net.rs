//! Runs of Petri nets, replayed.

use std::fmt;

use model::nets::Goal;
use model::views::{Marking, Net, NetTransitionId};

/// A run of a net that was replayed from the initial marking. Only [`replay_net`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRun {
    run: Vec<NetTransitionId>,
    last: Marking,
}

impl CheckedRun {
    /// The transitions, in order.
    pub fn run(&self) -> &[NetTransitionId] {
        &self.run
    }

    /// The marking at its end.
    pub fn last(&self) -> &[u64] {
        &self.last
    }
}

/// Why a run shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The net has no transition with this number.
    Unknown(NetTransitionId),
    /// The transition at this position is not enabled there.
    Disabled(usize, NetTransitionId),
    /// A place would get more tokens than can be counted at this position.
    TooManyTokens(usize),
    /// The run can be taken, but its last marking is not what was searched for.
    Misses,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Unknown(t) => write!(f, "the net has no transition number {}", t.index()),
            RunError::Disabled(i, t) => write!(f, "transition number {} is not enabled as step {}", t.index(), i + 1),
            RunError::TooManyTokens(i) => write!(f, "step {} puts more than 2^64 - 1 tokens on a place", i + 1),
            RunError::Misses => f.write_str("the marking at the end of the run is not what was searched for"),
        }
    }
}

impl std::error::Error for RunError {}

/// Takes the run step by step, by the firing rule alone, and looks whether its last marking is what was searched for.
/// Every marking is a value of a maximum.
pub fn replay_net(net: &Net, goal: &Goal, run: Vec<NetTransitionId>) -> Result<CheckedRun, RunError> {
    let mut marking = net.initial_marking();
    for (i, &t) in run.iter().enumerate() {
        step(net, &mut marking, i, t)?;
    }
    let hits = match goal {
        Goal::Dead => !net.transition_ids().any(|t| net.is_enabled(t, &marking)),
        Goal::Satisfies(predicate) => predicate.holds(&marking),
        Goal::Maximum(_) => true,
    };
    if hits { Ok(CheckedRun { run, last: marking }) } else { Err(RunError::Misses) }
}

fn step(net: &Net, marking: &mut Marking, i: usize, t: NetTransitionId) -> Result<(), RunError> {
    if t.index() >= net.transitions().len() {
        return Err(RunError::Unknown(t));
    }
    for &(p, weight) in net.pre(t) {
        let tokens = &mut marking[p.index()];
        *tokens = tokens.checked_sub(u64::from(weight)).ok_or(RunError::Disabled(i, t))?;
    }
    for &(p, weight) in net.post(t) {
        let tokens = &mut marking[p.index()];
        *tokens = tokens.checked_add(u64::from(weight)).ok_or(RunError::TooManyTokens(i))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::nets::Predicate;
    use model::views::{ArcSet, Place, PlaceId};

    fn two_steps() -> Net {
        let [a, b] = [0, 1].map(PlaceId::new);
        let places = vec![Place::new("a", 2), Place::new("b", 0)];
        let arcs = vec![ArcSet::new("t", vec![(a, 1)], vec![(b, 1)]), ArcSet::new("u", vec![(b, 2)], vec![(b, 1)])];
        Net::new("n", places, arcs).expect("a net")
    }

    #[test]
    fn only_a_run_that_shows_it_is_confirmed() {
        let net = two_steps();
        let [t, u, none] = [0, 1, 2].map(NetTransitionId::new);
        let checked = replay_net(&net, &Goal::Dead, vec![t, t, u]).expect("it is dead there");
        assert_eq!((checked.run(), checked.last()), (&[t, t, u][..], &[0, 1][..]));
        assert_eq!(replay_net(&net, &Goal::Dead, vec![t, t]), Err(RunError::Misses));
        assert_eq!(replay_net(&net, &Goal::Dead, vec![t, u]), Err(RunError::Disabled(1, u)));
        assert_eq!(replay_net(&net, &Goal::Dead, vec![none]), Err(RunError::Unknown(none)));
        let full = Goal::Satisfies(Predicate::at_least(PlaceId::new(1), 2));
        assert!(replay_net(&net, &full, vec![t, t]).is_ok());
        assert_eq!(replay_net(&net, &full, vec![t]), Err(RunError::Misses));
    }
}
