//! Runs of Petri nets, replayed.

use automata::Ltl;
use automata::lasso::{Shape, satisfies};
use model::nets::{Goal, Predicate};
use model::views::{Marking, Net, NetTransitionId};

use crate::replay::{ReplayError, UNREMARKABLE, nothing};

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

/// Takes the run step by step, by the firing rule alone, and looks whether its last marking is what was searched for.
/// Every marking is a value of a maximum.
pub fn replay_net(net: &Net, goal: &Goal, run: Vec<NetTransitionId>) -> Result<CheckedRun, ReplayError> {
    let mut marking = net.initial_marking();
    for (i, &t) in run.iter().enumerate() {
        step(net, &mut marking, i, t)?;
    }
    let hits = match goal {
        Goal::Dead => !net.transition_ids().any(|t| net.is_enabled(t, &marking)),
        Goal::Satisfies(predicate) => predicate.holds(&marking),
        Goal::Maximum(_) => true,
    };
    if hits { Ok(CheckedRun { run, last: marking }) } else { nothing(UNREMARKABLE) }
}

/// What atoms say along a run: the bit set of those that are true in each marking, the initial one first.
pub fn word_of_run(
    net: &Net,
    atoms: &[Predicate],
    run: &[NetTransitionId],
) -> Result<(Vec<u64>, Marking), ReplayError> {
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
) -> Result<(), ReplayError> {
    let (_, start) = word_of_run(net, atoms, stem)?;
    let (mut word, end) = word_of_run(net, atoms, &[stem, cycle].concat())?;
    let is_whole = match cycle {
        [] => !net.transition_ids().any(|t| net.is_enabled(t, &end)),
        _ => start == end,
    };
    // The last marking of a cycle is its first.
    word.truncate(stem.len() + cycle.len().max(1));
    let Some(shape) = Shape::new(stem.len(), cycle.len().max(1)).filter(|_| is_whole) else {
        return nothing("the run neither ends nor repeats as it is said to");
    };
    match satisfies(formula, shape, &|atom, i| word[i] >> atom.index() & 1 == 1) {
        true => nothing(UNREMARKABLE),
        false => Ok(()),
    }
}

fn step(net: &Net, marking: &mut Marking, i: usize, t: NetTransitionId) -> Result<(), ReplayError> {
    let mut fire = || {
        net.transitions().get(t.index())?;
        for &(p, weight) in net.pre(t) {
            marking[p.index()] = marking[p.index()].checked_sub(u64::from(weight))?;
        }
        for &(p, weight) in net.post(t) {
            marking[p.index()] = marking[p.index()].checked_add(u64::from(weight))?;
        }
        Some(())
    };
    fire().map_or_else(|| nothing(format!("step {}, {t:?}, is not there, not enabled, or too much", i + 1)), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;
    use automata::syntax::parse;
    use model::views::{ArcSet, Place, PlaceId};

    fn not_there<T>(step: usize, t: NetTransitionId) -> Result<T, ReplayError> {
        nothing(format!("step {step}, {t:?}, is not there, not enabled, or too much"))
    }

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
        assert_eq!(replay_net(&net, &Goal::Dead, vec![t, t]), nothing(UNREMARKABLE));
        assert_eq!(replay_net(&net, &Goal::Dead, vec![t, u]), not_there(2, u));
        assert_eq!(replay_net(&net, &Goal::Dead, vec![none]), not_there(1, none));
        let full = Goal::Satisfies(Predicate::at_least(PlaceId::new(1), 2));
        assert!(replay_net(&net, &full, vec![t, t]).is_ok());
        assert_eq!(replay_net(&net, &full, vec![t]), nothing(UNREMARKABLE));
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
        assert_eq!(ask("G F a", &[], &[t, u]), nothing(UNREMARKABLE));
        assert_eq!(ask("G (a | b)", &[t, v], &[]), Ok(()));
        assert_eq!(ask("G F a", &[t, u], &[]), nothing("the run neither ends nor repeats as it is said to"));
        assert_eq!(ask("G F a", &[t], &[u, t, u]), nothing("the run neither ends nor repeats as it is said to"));
        assert_eq!(ask("G (a -> X !a)", &[t], &[u, t]), nothing(UNREMARKABLE));
        assert_eq!(ask("X X !a & a", &[t], &[u, t]), Ok(()));
        assert_eq!(ask("G a", &[], &[u]), not_there(1, u));
    }
}
