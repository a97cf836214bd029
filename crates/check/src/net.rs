//! Runs of Petri nets, replayed.

use std::fmt;

use automata::Ltl;
use automata::lasso::{Shape, satisfies};
use model::nets::{Goal, Predicate};
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
    /// The run can be taken, but its last marking is not what was searched for, or it is not as a formula forbids.
    Misses,
    /// A cycle does not lead back to where it begins, or something is enabled where the run is said to end.
    NotWhole,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Unknown(t) => write!(f, "the net has no transition number {}", t.index()),
            RunError::Disabled(i, t) => write!(f, "transition number {} is not enabled as step {}", t.index(), i + 1),
            RunError::TooManyTokens(i) => write!(f, "step {} puts more than 2^64 - 1 tokens on a place", i + 1),
            RunError::Misses => f.write_str("the run does not show what was searched for"),
            RunError::NotWhole => f.write_str("the run neither ends nor repeats as it is said to"),
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

/// What atoms say along a run: the bit set of those that are true in each marking, the initial one first.
pub fn word_of_run(net: &Net, atoms: &[Predicate], run: &[NetTransitionId]) -> Result<(Vec<u64>, Marking), RunError> {
    let mut marking = net.initial_marking();
    let letter = |marking: &Marking| {
        atoms.iter().enumerate().map(|(bit, atom)| u64::from(atom.holds(marking)) << bit).sum::<u64>()
    };
    let mut word = vec![letter(&marking)];
    for (i, &t) in run.iter().enumerate() {
        step(net, &mut marking, i, t)?;
        word.push(letter(&marking));
    }
    Ok((word, marking))
}

/// Whether a formula about at most 64 atoms is false of a maximal run: the stem, and then the cycle for ever, which leads back to
/// where it begins; or the stem alone, if nothing is enabled at its end.
pub fn refutes(
    net: &Net,
    formula: &Ltl,
    atoms: &[Predicate],
    (stem, cycle): (&[NetTransitionId], &[NetTransitionId]),
) -> Result<(), RunError> {
    let (_, start) = word_of_run(net, atoms, stem)?;
    let (mut word, end) = word_of_run(net, atoms, &[stem, cycle].concat())?;
    let is_whole = match cycle {
        [] => !net.transition_ids().any(|t| net.is_enabled(t, &end)),
        _ => start == end,
    };
    // The last marking of a cycle is its first.
    word.truncate(stem.len() + cycle.len().max(1));
    let shape = Shape::new(stem.len(), cycle.len().max(1)).filter(|_| is_whole).ok_or(RunError::NotWhole)?;
    match satisfies(formula, shape, &|atom, i| word[i] >> atom.index() & 1 == 1) {
        true => Err(RunError::Misses),
        false => Ok(()),
    }
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
    use automata::syntax::parse;
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

    #[test]
    fn a_formula_is_refuted_by_whole_runs_of_which_it_is_false() {
        let [a, b] = [0, 1].map(PlaceId::new);
        let places = vec![Place::new("a", 1), Place::new("b", 0)];
        let arcs = vec![
            ArcSet::new("t", vec![(a, 1)], vec![(b, 1)]),
            ArcSet::new("u", vec![(b, 1)], vec![(a, 1)]),
            ArcSet::new("v", vec![(b, 1)], vec![]),
        ];
        let net = Net::new("n", places, arcs).expect("a net");
        let [t, u, v] = [0, 1, 2].map(NetTransitionId::new);
        let atoms = [Predicate::at_least(a, 1), Predicate::at_least(b, 1)];
        // The first atom in the text is that of place a.
        let ask = |formula: &str, stem: &[NetTransitionId], cycle: &[NetTransitionId]| {
            refutes(&net, &parse(formula).expect("a formula").formula, &atoms, (stem, cycle))
        };
        assert_eq!(ask("F G a", &[], &[t, u]), Ok(()));
        assert_eq!(ask("G F a", &[], &[t, u]), Err(RunError::Misses));
        assert_eq!(ask("G (a | b)", &[t, v], &[]), Ok(()));
        assert_eq!(ask("G F a", &[t, u], &[]), Err(RunError::NotWhole));
        assert_eq!(ask("G F a", &[t], &[u, t, u]), Err(RunError::NotWhole));
        assert_eq!(ask("G (a -> X !a)", &[t], &[u, t]), Err(RunError::Misses));
        assert_eq!(ask("X X !a & a", &[t], &[u, t]), Ok(()));
        assert_eq!(ask("G a", &[], &[u]), Err(RunError::Disabled(0, u)));
    }
}
