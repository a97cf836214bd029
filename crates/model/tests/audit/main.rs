//! The independence audit: what the relations promise about transitions is tried out on random systems.
//!
//! Every failure names the seed of its system; `generator::system(seed)` makes it again.

mod generator;
mod random;
mod walks;

use std::collections::BTreeSet;

use model::objects::{Operation, Shape};
use model::{Dependency, Fault, State, System, TransitionId};
use random::Random;

/// What happens when a transition is tried in a state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Disabled,
    Fault(Fault),
    Next(Vec<u64>),
}

pub(crate) fn attempt(system: &System, t: TransitionId, state: &State) -> Outcome {
    let mut next = vec![0; system.words()];
    match system.is_enabled(t, state) {
        Ok(false) => Outcome::Disabled,
        Ok(true) => match system.fire(t, state, &mut next) {
            Ok(()) => Outcome::Next(next),
            Err(fault) => Outcome::Fault(fault),
        },
        Err(fault) => Outcome::Fault(fault),
    }
}

/// Whether two outcomes are the same, the state reached aside.
fn alike(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Next(_), Outcome::Next(_)) => true,
        _ => a == b,
    }
}

/// Runs two transitions both ways and says what goes wrong, if they are not independent in the state.
pub(crate) fn run_both_ways(system: &System, t: TransitionId, u: TransitionId, state: &State) -> Result<(), String> {
    let (first, second) = (attempt(system, t, state), attempt(system, u, state));
    let mut ends = Vec::new();
    for (one, a, other, b) in [(t, &first, u, &second), (u, &second, t, &first)] {
        let Outcome::Next(after) = a else { continue };
        let later = attempt(system, other, after);
        if !alike(&later, b) {
            return Err(format!("{other:?} was {b:?}, after {one:?} it is {later:?}"));
        }
        ends.push(later);
    }
    match &ends[..] {
        [a, b] if a != b => Err(format!("{t:?} and {u:?} do not commute")),
        _ => Ok(()),
    }
}

/// States along random runs from the initial state.
pub(crate) fn states(system: &System, random: &mut Random) -> BTreeSet<Vec<u64>> {
    let mut seen = BTreeSet::new();
    for _ in 0..6 {
        let mut state = system.initial_state();
        for _ in 0..25 {
            seen.insert(state.clone());
            let ways: Vec<Vec<u64>> = system
                .transition_ids()
                .filter_map(|t| match attempt(system, t, &state) {
                    Outcome::Next(next) => Some(next),
                    _ => None,
                })
                .collect();
            if ways.is_empty() {
                break;
            }
            state = random.pick(&ways);
        }
    }
    seen
}

/// What is claimed about a pair of transitions in a state.
type Claim = fn(&Dependency<'_>, TransitionId, TransitionId, &State) -> bool;

/// Tries all pairs that are claimed independent, in many states of one random system; counts them.
fn audit(seed: u64, claim: Claim) -> Result<usize, String> {
    audit_system(seed, &generator::system(seed), claim)
}

fn audit_system(seed: u64, system: &System, claim: Claim) -> Result<usize, String> {
    let dependency = Dependency::new(system);
    let mut claimed = 0;
    for state in states(system, &mut Random(seed)) {
        for t in system.transition_ids() {
            for u in system.transition_ids().filter(|u| *u != t) {
                if claim(&dependency, t, u, &state) {
                    claimed += 1;
                    run_both_ways(system, t, u, &state).map_err(|e| explain(seed, &dependency, (t, u), &e))?;
                }
            }
        }
    }
    Ok(claimed)
}

pub(crate) fn explain(seed: u64, d: &Dependency<'_>, (t, u): (TransitionId, TransitionId), what: &str) -> String {
    let show = |t| format!("{t:?}: {:?} uses {:?}", d.system().transition(t), d.uses(t));
    format!("seed {seed}: {what}\n{}\n{}", show(t), show(u))
}

const SEEDS: std::ops::Range<u64> = 0..400;

fn audit_all(claim: Claim) -> usize {
    SEEDS.map(|seed| audit(seed, claim).unwrap_or_else(|e| panic!("{e}"))).sum()
}

fn share_an_object(d: &Dependency<'_>, t: TransitionId, u: TransitionId) -> bool {
    let objects = |t| d.uses(t).iter().flat_map(|u| u.objects()).collect::<BTreeSet<_>>();
    !objects(t).is_disjoint(&objects(u))
}

#[test]
fn independent_transitions_commute_and_keep_each_other_as_they_are() {
    audit_all(|d, t, u, s| d.independent_in(t, u, s));
    let close = audit_all(|d, t, u, s| d.independent_in(t, u, s) && share_an_object(d, t, u));
    assert!(close > 10_000, "only {close} pairs were independent although they use a same object");
}

/// An observer and watchers depend on locations and on each other's moves.
#[test]
fn independence_reckons_with_observers_and_watchers() {
    let audit_watched = |claim: Claim| SEEDS.map(move |seed| audit_system(seed, &generator::watched(seed), claim));
    let claimed = audit_watched(|d, t, u, s| d.independent_in(t, u, s)).map(|r| r.unwrap_or_else(|e| panic!("{e}")));
    assert!(claimed.sum::<usize>() > 100_000);
    audit_watched(|d, t, u, _| !d.can_be_dependent(t, u)).for_each(|r| _ = r.unwrap_or_else(|e| panic!("{e}")));
    // As if only objects counted.
    let blind: Claim = |d, t, u, s| {
        let objects = d.system().objects().len();
        let own = |t| d.uses(t).iter().filter(|u| u.first.index() < objects).map(|u| u.first).collect::<BTreeSet<_>>();
        d.independent_in(t, u, s) || d.parallel(t, u) && own(t).is_empty() && own(u).is_empty()
    };
    assert!(audit_watched(blind).any(|r| r.is_err()), "observers and watchers are left out");
}

#[test]
fn uniformly_independent_transitions_are_independent() {
    let claimed = audit_all(|d, t, u, s| {
        let uniform = d.uniformly_independent_in(t, u, s);
        assert!(!uniform || d.independent_in(t, u, s), "the uniform relation includes the conditional one");
        uniform && share_an_object(d, t, u)
    });
    assert!(claimed > 5_000, "only {claimed} pairs were uniformly independent although they use a same object");
}

#[test]
fn constant_relations_hold_in_every_state() {
    audit_all(|d, t, u, _| !d.can_be_dependent(t, u));
    let accord = audit_all(|d, t, u, s| {
        let tried = |t| attempt(d.system(), t, s) != Outcome::Disabled;
        !d.do_not_accord(t, u) && d.can_be_dependent(t, u) && tried(t) && tried(u)
    });
    assert!(accord > 50, "only {accord} pairs accorded although they can be dependent");
}

#[test]
fn relations_are_symmetric_and_ordered() {
    for seed in SEEDS.step_by(10) {
        let system = generator::system(seed);
        let d = Dependency::new(&system);
        for state in states(&system, &mut Random(seed)) {
            for (t, u) in system.transition_ids().flat_map(|t| system.transition_ids().map(move |u| (t, u))) {
                let facts = |t, u| {
                    let now = (d.independent_in(t, u, &state), d.uniformly_independent_in(t, u, &state));
                    (now, d.can_be_dependent(t, u), d.do_not_accord(t, u))
                };
                assert_eq!(facts(t, u), facts(u, t), "seed {seed}");
                assert!(d.independent_in(t, u, &state) || d.can_be_dependent(t, u), "seed {seed}");
                assert!(d.can_be_dependent(t, u) || !d.do_not_accord(t, u), "seed {seed}");
            }
        }
    }
}

/// Definition 6.6, in the states of one random system.
fn is_weakly_uniform(seed: u64, system: &System, independent: Claim) -> Result<(), String> {
    let d = Dependency::new(system);
    let fires = |state: &State| -> Vec<(TransitionId, Vec<u64>)> {
        let tried = system.transition_ids().map(|t| (t, attempt(system, t, state)));
        tried.filter_map(|(t, o)| if let Outcome::Next(next) = o { Some((t, next)) } else { None }).collect()
    };
    for state in states(system, &mut Random(seed)) {
        let ways = fires(&state);
        for (t1, after) in &ways {
            let dependent = fires(after).into_iter().filter(|(t2, _)| !independent(&d, *t1, *t2, &state));
            for (t2, _) in dependent {
                let apart = |t3| independent(&d, *t1, t3, &state) && independent(&d, t2, t3, after);
                let mut later = ways.iter().filter(|(t3, _)| apart(*t3));
                if let Some((t3, _)) = later.find(|(_, aside)| independent(&d, *t1, t2, aside)) {
                    return Err(explain(seed, &d, (*t1, t2), &format!("{t3:?} makes them independent")));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn the_uniform_relation_is_weakly_uniform() {
    for seed in SEEDS {
        let uniform: Claim = |d, t, u, s| d.uniformly_independent_in(t, u, s);
        is_weakly_uniform(seed, &generator::system(seed), uniform).unwrap_or_else(|e| panic!("{e}"));
        is_weakly_uniform(seed, &generator::watched(seed), uniform).unwrap_or_else(|e| panic!("{e}"));
    }
    let plain: Claim = |d, t, u, s| d.independent_in(t, u, s);
    assert!(
        SEEDS.into_iter().any(|seed| is_weakly_uniform(seed, &generator::system(seed), plain).is_err()),
        "the conditional relation is not"
    );
}

#[test]
fn every_operation_is_met() {
    let mut met = BTreeSet::new();
    for seed in SEEDS {
        let system = generator::system(seed);
        let d = Dependency::new(&system);
        for usage in system.transition_ids().flat_map(|t| d.uses(t).to_vec()) {
            let word = format!("{:?}", usage.operation);
            met.insert(word.split('(').next().unwrap_or_default().to_owned());
            if usage.len > 1 {
                met.insert("by index".to_owned());
            }
        }
    }
    let expected = [
        "Acquire",
        "Add",
        "Any",
        "Assign",
        "Complement",
        "Gain",
        "Read",
        "Receive",
        "Release",
        "Send",
        "Take",
        "Test",
        "Write",
        "by index",
    ];
    assert_eq!(met, expected.map(str::to_owned).into());
}

/// Whether some seed shows that a claim is wrong.
fn is_caught(claim: Claim) -> bool {
    SEEDS.into_iter().any(|seed| audit(seed, claim).is_err())
}

#[test]
fn planted_bugs_are_caught() {
    assert!(is_caught(|_, _, _, _| true), "everything independent");
    assert!(is_caught(|d, t, u, _| d.parallel(t, u)), "only processes count");
    // As if every access through an index were to the first cell.
    assert!(is_caught(|d, t, u, _| {
        let firsts = |t| d.uses(t).iter().map(|u| u.first).collect::<BTreeSet<_>>();
        d.parallel(t, u) && firsts(t).is_disjoint(&firsts(u))
    }));
    // As if sorted sends and receives from the middle had nothing to do with others.
    assert!(is_caught(|d, t, u, s| {
        let out_of_order = |t| d.uses(t).iter().any(|u| u.operation == Operation::Any);
        d.independent_in(t, u, s) || d.parallel(t, u) && (out_of_order(t) || out_of_order(u))
    }));
    // As if a look at the messages told only whether there are any.
    assert!(is_caught(|d, t, u, s| {
        let looks = |t| d.uses(t).iter().all(|u| u.operation == Operation::Read);
        let is_channel = |t| d.uses(t).iter().any(|u| matches!(d.shape(u.first), Shape::Channel(_)));
        let emptied = |t: TransitionId| d.uses(t).iter().all(|u| d.scalar(u.first, s) == 1);
        d.independent_in(t, u, s) || d.parallel(t, u) && looks(t) && is_channel(t) && !emptied(t)
    }));
    // To accord is a promise for states where both are enabled, no other.
    assert!(is_caught(|d, t, u, _| !d.do_not_accord(t, u)), "not according taken for dependent");
}
