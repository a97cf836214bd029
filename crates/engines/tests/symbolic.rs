//! Sets of states against states one by one: spaces, forward searches and the engine.

use std::collections::HashSet;

use engines::diagrams::{Forward, Setting, Space, Stop};
use engines::symbolic::Symbolic;
use engines::{Engine, Problem};
use evidence::{Budget, Goal, Reason, Silent, Verdict};
use model::views::{ComponentId, Network, StateId};
use solve::bdd::{Bdd, deep};
use testkit::compare::{Demand, Oracle as SystemOracle};
use testkit::networks::{Oracle, philosophers, random, tiny};
use testkit::random::{Profile, chains, questions, sample};

/// Runs with the space of a network, components in reverse order: any order is right.
fn with_space<T: Send>(network: &Network, f: impl FnOnce(&Space<'_>) -> Result<T, Stop> + Send) -> T {
    let budget = Budget::unlimited().with_memory(64 << 20);
    deep(Space::variables(network), || {
        let mut order: Vec<ComponentId> = network.component_ids().collect();
        order.reverse();
        let space = Space::new(network, Setting { order, budget: &budget })?;
        f(&space)
    })
    .expect("it is small")
}

/// All states of a set.
fn states(space: &Space<'_>, set: &Bdd) -> Result<HashSet<Vec<StateId>>, Stop> {
    let (mut left, mut all) = (set.clone(), HashSet::new());
    while let Some(state) = space.pick(&left) {
        left = left.minus(&space.state(&state)?)?;
        all.insert(state);
    }
    assert_eq!(space.count(set).to_string(), all.len().to_string());
    Ok(all)
}

fn networks() -> Vec<Network> {
    (0..150)
        .map(random)
        .chain(tiny().step_by(41).take(200))
        .chain([philosophers(4, false), philosophers(5, true)])
        .collect()
}

#[test]
fn a_forward_search_reaches_what_is_reachable() {
    let mut blocked = 0;
    for network in networks() {
        let Some(oracle) = Oracle::new(&network, 3000) else { continue };
        with_space(&network, |space| {
            let mut forward = Forward::new(space)?;
            while !forward.pass()?.is_none() {}
            assert_eq!(space.reachable(&space.initial()?)?, *forward.known());
            let known = states(space, forward.known())?;
            assert_eq!(known, oracle.states().iter().cloned().collect());
            let deadlocks = states(space, &space.wanted(&[Goal::Deadlock], forward.known())?)?;
            assert_eq!(deadlocks, oracle.deadlocks().cloned().collect());
            for rule in network.rule_ids() {
                let enabled = space.wanted(&[Goal::Enabled(rule.index())], forward.known())?;
                assert_eq!(!enabled.is_none(), oracle.enables(rule));
            }
            for state in oracle.states().iter().step_by(7) {
                let (start, run) = forward.run(state)?;
                assert_eq!(start, network.initial_state());
                let mut at = start;
                for (rule, after) in run {
                    assert!(network.successors(rule, &at).contains(&after));
                    at = after;
                }
                assert_eq!(at, *state);
            }
            blocked += deadlocks.len();
            Ok(())
        });
    }
    assert!(blocked > 50, "{blocked}");
}

#[test]
fn steps_lead_back_where_they_came_from() {
    for network in networks().into_iter().step_by(3) {
        with_space(&network, |space| {
            let valid = space.valid()?;
            for state in states(space, &valid)?.iter().take(20) {
                let set = space.state(state)?;
                let mut after = HashSet::new();
                for rule in network.rule_ids() {
                    let next = network.successors(rule, state);
                    assert_eq!(states(space, &space.after(rule, &set)?)?, next.iter().cloned().collect());
                    for next in &next {
                        assert!(set.within(&space.before(rule, &space.state(next)?)?)?);
                    }
                    after.extend(next);
                }
                assert_eq!(states(space, &space.post(&set)?)?, after);
                for before in states(space, &space.pre(&set)?)? {
                    assert!(network.rule_ids().any(|r| network.successors(r, &before).contains(state)));
                }
            }
            Ok(())
        });
    }
}

#[test]
fn several_initial_states_are_all_searched() {
    let network = philosophers(3, false);
    with_space(&network, |space| {
        let one = Forward::new(space)?.known().clone();
        assert_eq!(space.count(&one).to_string(), "1");
        Ok(())
    });
    let budget = Budget::unlimited();
    let order = network.component_ids().collect();
    let space = Space::new(&network, Setting { order, budget: &budget }).expect("it is small");
    let all = |c: usize| (0..network.components()[c].states().len()).map(StateId::new).collect();
    let starts: Vec<Vec<StateId>> = (0..network.components().len()).map(all).collect();
    let space = space.starting(starts);
    assert_eq!(space.initial(), space.valid());
}

#[test]
fn random_systems_are_decided() {
    let (mut decided, mut counted) = (0, 0);
    let samples = Profile::all()
        .into_iter()
        .flat_map(|(name, profile)| (0..10).map(move |s| (name.clone(), sample(s, &profile))));
    let mut all: Vec<_> = samples.map(|(name, s)| (name, s.system, s.properties)).collect();
    all.extend((0..30).map(|seed| {
        let system = chains(seed);
        let properties = questions(&system, seed);
        ("chains".to_owned(), system, properties)
    }));
    for (name, system, properties) in &all {
        for property in properties {
            let problem = Problem { system, property };
            for engine in [Symbolic::default(), Symbolic { all: true, ..Symbolic::default() }] {
                let Some(oracle) = SystemOracle::new(system, property, 2000) else { continue };
                if engine.supports(&problem).is_err() {
                    continue;
                }
                let outcome = engine.run(&problem, &Budget::unlimited().with_memory(64 << 20), &Silent);
                assert!(!matches!(outcome.verdict, Verdict::Unknown(_)), "{name}: {:?}", outcome.verdict);
                oracle.check(&outcome, Demand::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
                decided += 1;
                counted += usize::from(outcome.counts.iter().any(|c| c.of == "states"));
            }
        }
    }
    assert!(decided > 300 && counted == decided, "{decided} {counted}");
}

#[test]
fn limits_end_in_unknown() {
    let network = philosophers(40, false);
    let budget = Budget::unlimited().with_memory(1 << 20);
    let run = |budget: &Budget| {
        deep(Space::variables(&network), || {
            let order = network
                .component_ids()
                .filter(|c| c.index() % 2 == 0)
                .chain(network.component_ids().filter(|c| c.index() % 2 == 1))
                .collect();
            let space = Space::new(&network, Setting { order, budget })?;
            let mut forward = Forward::new(&space)?;
            while !forward.pass()?.is_none() {}
            Ok::<_, Stop>(space.count(forward.known()).to_string())
        })
    };
    assert_eq!(run(&budget), Err(Stop(Reason::Memory)));
    let spent = Budget::unlimited().with_timeout(std::time::Duration::ZERO);
    assert_eq!(run(&spent), Err(Stop(Reason::Timeout)));
}
