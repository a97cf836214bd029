//! Certificates meet the naive oracle: what is never reached has one that is accepted, and whatever is accepted, for
//! whatever system, is never reached; so is nothing that was tampered with.

use std::sync::Arc;
use std::time::Duration;

use check::Subject;
use engines::closed::closed_set;
use engines::liveness::ranked_runs;
use engines::net::ic3;
use evidence::{Budget, Certificate, ClosedSet, Lack, RankedRuns};
use model::nets::{AskedNet, Goal};
use model::{Property, System};
use testkit::compare::Oracle;
use testkit::random::{Profile, RunProfile, SILENT, sample, silenced, temporal};
use testkit::{Rng, describe};

const LIMIT: usize = 120;
const SEEDS: u64 = 12;

fn accepts(system: &System, property: &Property, certificate: &Certificate) -> bool {
    Subject { system, network: None, net: None }.check(property, certificate).is_ok()
}

/// Whether neither what the property speaks of is ever reached nor a model error; `None` if the oracle cannot tell.
fn is_never(system: &System, property: &Property) -> Option<bool> {
    let answer = Oracle::new(system, property, LIMIT)?.answer();
    Some(answer.shown.is_none() && answer.fault.is_none())
}

fn profiles() -> Vec<(String, Profile)> {
    let control = [("control", Profile::control()), ("meeting", Profile::meeting())];
    Profile::all().into_iter().chain(control.map(|(name, p)| (name.to_owned(), p))).collect()
}

fn states(system: &System, property: &Property) -> Option<ClosedSet> {
    closed_set(system, property, &Budget::unlimited())
}

/// Inductive invariants of the system seen as a net.
fn on_net(system: &System, property: &Property) -> Option<Certificate> {
    let asked = AskedNet::new(system, &[property]).ok()?;
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(1));
    let part = |goal: &Goal| match ic3::decide(&asked.net, goal, &budget, &|| false)? {
        ic3::Decision::Never(certificate) => Some(*certificate),
        ic3::Decision::Reached(_) => None,
    };
    asked.possible(0).iter().map(part).collect::<Option<Vec<_>>>().map(|parts| Certificate::Net(parts.into()))
}

#[test]
fn sets_of_states_and_invariants_show_what_is_so_and_nothing_else() {
    let (mut sets, mut nets, mut refused, mut free) = (0, 0, 0, 0);
    for (name, profile) in profiles() {
        for seed in 0..SEEDS {
            let sample = sample(seed, &profile);
            let system = &sample.system;
            let partial = (!system.processes().is_empty()).then_some(Property::PartialDeadlockFree);
            for property in sample.properties.iter().chain(&partial) {
                let Some(never) = is_never(system, property) else { continue };
                let place = || format!("profile {name}, seed {seed}\n{property:?}\n{}", describe(system));
                let set = states(system, property);
                assert!(set.is_some() || !never, "{}", place());
                let mut found: Vec<Certificate> = set.map(|set| Certificate::States(set.into())).into_iter().collect();
                sets += usize::from(never && !found.is_empty());
                free += usize::from(never && matches!(property, Property::PartialDeadlockFree));
                found.extend(on_net(system, property));
                nets += usize::from(found.len() > 1);
                for certificate in &found {
                    assert_eq!(accepts(system, property, certificate), never, "{certificate:?}\n{}", place());
                    refused += usize::from(!never);
                }
            }
        }
    }
    assert!(sets > 200 && nets > 100 && refused > 200 && free > 20, "{sets} {nets} {refused} {free}");
}

/// The model changes after the certificate was made: it is accepted only where it is still true.
#[test]
fn certificates_of_other_models_show_nothing_that_is_not_so() {
    let (mut rng, mut kept, mut refused, mut broken) = (Rng::new(3), 0, 0, 0);
    for seed in 0..80 {
        let profile = if seed % 2 == 0 { Profile::lawful() } else { Profile::nets() };
        let sample = sample(seed, &profile);
        let partial = (!sample.system.processes().is_empty()).then_some(Property::PartialDeadlockFree);
        let asked = sample.properties.iter().filter(|p| p.watched().is_ok());
        for property in asked.chain(&partial) {
            let set = states(&sample.system, property).map(|set| Certificate::States(set.into()));
            let found: Vec<Certificate> = set.into_iter().chain(on_net(&sample.system, property)).collect();
            for _ in 0..8 {
                let mut other = sample.blueprint.clone();
                match rng.below(3) {
                    0 if !other.edges.is_empty() => {
                        let at = rng.below(other.edges.len());
                        other.edges[at].guard.clear();
                    }
                    1 if !other.edges.is_empty() => {
                        let at = rng.below(other.edges.len());
                        other.edges[at].to = other.edges[at].from;
                    }
                    _ if !other.transitions.is_empty() => {
                        let at = rng.below(other.transitions.len());
                        other.transitions[at].command.clear();
                    }
                    _ => {}
                }
                let Ok(system) = other.build() else { continue };
                let Some(never) = is_never(&system, property) else { continue };
                for certificate in &found {
                    let accepted = accepts(&system, property, certificate);
                    assert!(never || !accepted, "seed {seed}: {property:?}\n{}", describe(&system));
                    *(if accepted { &mut kept } else { &mut refused }) += 1;
                    broken += usize::from(!never);
                }
            }
        }
    }
    assert!(kept > 100 && refused > 200 && broken > 200, "{kept} {refused} {broken}");
}

#[test]
fn a_set_that_lacks_a_state_is_refused() {
    let (mut rng, mut mutants) = (Rng::new(1), 0);
    for seed in 0..60 {
        let sample = sample(seed, &Profile::lawful());
        let asked = sample.properties.iter().filter(|p| p.watched().is_ok());
        for property in asked.chain(&[Property::PartialDeadlockFree]) {
            let (Some(true), Some(set)) = (is_never(&sample.system, property), states(&sample.system, property)) else {
                continue;
            };
            let initial = sample.system.initial_state();
            let mut all: Vec<Vec<u64>> = Vec::new();
            set.all(&initial, |state| all.push(state.to_vec())).expect("states");
            for _ in 0..20 {
                let (mut some, at) = (all.clone(), rng.below(all.len()));
                match rng.below(3) {
                    0 => _ = some.remove(at),
                    1 => {
                        let word = rng.below(initial.len());
                        some[at][word] ^= 1 << rng.below(64);
                    }
                    _ => {
                        let other = rng.below(all.len());
                        some[at] = all[other].clone();
                    }
                }
                let is_whole = all.iter().all(|state| some.contains(state));
                let mutant = ClosedSet::new(&initial, some.iter().map(Vec::as_slice));
                let accepted = accepts(&sample.system, property, &Certificate::States(mutant.into()));
                assert_eq!(accepted, is_whole, "seed {seed}: {property:?}");
                mutants += usize::from(!is_whole);
            }
        }
    }
    assert!(mutants > 1_000, "{mutants}");
}

/// Asks for every kind of claim and of fairness.
fn each_claim(mut ask: impl FnMut(&System, &Property, bool, &str)) {
    for (name, profile) in profiles() {
        // What has no model errors is claimed more often with success.
        for seed in 0..if name == "lawful" { 20 * SEEDS } else { SEEDS } {
            let system = sample(seed, &profile).system;
            for (i, (kind, claims)) in RunProfile::all().into_iter().enumerate() {
                let property = Property::Temporal(temporal(&mut Rng::new(seed * 1000 + i as u64), &system, &claims));
                if let Some(never) = is_never(&system, &property) {
                    ask(&system, &property, never, &format!("profile {name}, seed {seed}, {kind}: {property:?}"));
                }
            }
        }
    }
}

fn runs(runs: RankedRuns) -> Certificate {
    Certificate::Runs(Arc::new(runs))
}

#[test]
fn ranks_show_what_is_so_of_all_runs_and_nothing_else() {
    let (mut held, mut broken, mut strong, mut atomic) = (0, 0, 0, 0);
    each_claim(|system, property, never, place| {
        let found = ranked_runs(system, property, &Budget::unlimited());
        // Where a process may keep control for ever there are none.
        let expected = never && (!system.has_holds() || found.is_some());
        assert_eq!(found.is_some(), expected, "{place}\n{}", describe(system));
        let Some(found) = found else {
            broken += 1;
            return;
        };
        held += 1;
        strong += usize::from(found.classes.iter().any(|class| matches!(class.lacks, Lack::Strong(_))));
        atomic += usize::from(system.has_holds());
        assert!(accepts(system, property, &runs(found)), "{place}\n{}", describe(system));
    });
    assert!(held > 200 && broken > 400 && strong > 2 && atomic > 20, "{held} {broken} {strong} {atomic}");
}

/// Divergence is a claim about runs as well.
#[test]
fn ranks_show_that_silence_ends() {
    let (mut held, mut broken) = (0, 0);
    for seed in 0..60 {
        let system = silenced(seed, &Profile::lawful());
        let property = Property::DivergenceFree(SILENT.into());
        let Some(never) = is_never(&system, &property) else { continue };
        let found = ranked_runs(&system, &property, &Budget::unlimited());
        assert_eq!(found.is_some(), never, "seed {seed}\n{}", describe(&system));
        assert!(found.is_none_or(|found| accepts(&system, &property, &runs(found))), "seed {seed}");
        *(if never { &mut held } else { &mut broken }) += 1;
    }
    assert!(held > 5 && broken > 5, "{held} {broken}");
}

/// Nodes left out, other ranks, other reasons, and the ranks of runs of which more is asked: none shows what is not so.
#[test]
fn ranks_that_were_tampered_with_show_nothing_that_is_not_so() {
    let (mut rng, mut refused, mut unfair) = (Rng::new(2), 0, 0);
    each_claim(|system, property, never, place| {
        let Property::Temporal(claim) = property else { unreachable!("only claims about runs are asked") };
        let with_all = ranked_runs(system, property, &Budget::unlimited());
        // A claim of fewer runs may be true where this one is not: its ranks must not do for this one.
        let fewer = Property::Temporal(model::Temporal { finite: false, ..claim.clone() });
        let of_fewer = ranked_runs(system, &fewer, &Budget::unlimited());
        let more = Property::Temporal(model::Temporal { fairness: Vec::new(), ..claim.clone() });
        if let (Some(found), Some(never)) = (&with_all, is_never(system, &more)) {
            let accepted = accepts(system, &more, &runs(found.clone()));
            assert!(never || !accepted, "without fairness, {place}");
            unfair += usize::from(!never);
        }
        for found in with_all.into_iter().chain(of_fewer).filter(|found| !found.nodes.is_empty()) {
            for _ in 0..6 {
                let mut mutant = found.clone();
                let (node, other) = (rng.below(found.nodes.len()), rng.below(found.nodes.len()));
                match rng.below(5) {
                    0 => mutant.nodes.truncate(node),
                    1 => mutant.nodes[node].ranks = found.nodes[other].ranks.clone(),
                    2 => mutant.nodes[node].place = found.nodes[other].place.clone(),
                    3 if !found.classes.is_empty() => {
                        let class = rng.below(found.classes.len());
                        mutant.classes[class].lacks = match rng.below(3) {
                            0 => Lack::Mark(rng.below(3) as u32),
                            1 => Lack::Weak(rng.below(2)),
                            _ => Lack::Strong(rng.below(2)),
                        };
                    }
                    _ => mutant.classes.truncate(rng.below(found.classes.len() + 1)),
                }
                let accepted = accepts(system, property, &runs(mutant));
                assert!(never || !accepted, "{place}");
                refused += usize::from(!accepted);
            }
        }
    });
    assert!(refused > 1_000 && unfair > 8, "{refused} {unfair}");
}
