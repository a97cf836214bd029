//! Sets of states against states one by one: spaces, forward searches and the engine.

use std::collections::HashSet;

use engines::diagrams::rings::{Pace, Rings, decide};
use engines::diagrams::{Setting, Space, Stop};
use engines::invariant::{Exact, Invariants, Strength, Traps};
use engines::symbolic::{Direction, Symbolic};
use engines::{Engine, Problem};
use evidence::{Budget, Goal, Reason, Silent, Verdict};
use model::views::{ComponentId, Network, StateId};
use model::{Property, System};
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
            let reachable = space.reachable(&space.initial()?)?;
            assert_eq!(states(space, &reachable)?, oracle.states().iter().cloned().collect());
            let deadlocks = states(space, &space.wanted(&[Goal::Deadlock], &reachable)?)?;
            assert_eq!(deadlocks, oracle.deadlocks().cloned().collect());
            for rule in network.rule_ids() {
                let enabled = space.wanted(&[Goal::Enabled(rule.index())], &reachable)?;
                assert_eq!(!enabled.is_none(), oracle.enables(rule));
            }
            let rings = Rings { pace: Pace::Shortest, restrict: true, all: false, one_by_one: None };
            for state in oracle.states().iter().step_by(7) {
                let (start, run) = decide(space, &reachable, &space.state(state)?, &rings, 1)?.runs.remove(0);
                let last = run.last().map_or(&start, |(_, last)| last);
                assert_eq!((&start, last), (&network.initial_state(), state));
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
                // Whether staying where one is counts as a step does not matter.
                let mut after = HashSet::from([state.clone()]);
                for rule in network.rule_ids() {
                    let next = network.successors(rule, state);
                    assert_eq!(states(space, &space.after(rule, &set)?)?, next.iter().cloned().collect());
                    for next in &next {
                        assert!(set.within(&space.before(rule, &space.state(next)?)?)?);
                    }
                    after.extend(next);
                }
                assert_eq!(states(space, &space.post(&set, &valid)?.or(&set)?)?, after);
                for before in states(space, &space.pre(&set, &valid)?)? {
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
    let budget = Budget::unlimited();
    let order = network.component_ids().collect();
    let space = Space::new(&network, Setting { order, budget: &budget }).expect("it is small");
    let all = |c: usize| (0..network.components()[c].states().len()).map(StateId::new).collect();
    let starts: Vec<Vec<StateId>> = (0..network.components().len()).map(all).collect();
    let space = space.starting(starts);
    assert_eq!(space.initial(), space.valid());
}

/// Every way to decide a question with sets of states.
fn engines() -> Vec<(String, Box<dyn Engine>)> {
    let symbolic = [Direction::Forward, Direction::Backward].map(|d| Symbolic { direction: d, ..Symbolic::default() });
    let mut engines: Vec<(String, Box<dyn Engine>)> = Vec::new();
    for engine in symbolic {
        engines.push((format!("{engine:?}"), Box::new(engine)));
    }
    let strengths = [
        Strength::default(),
        Strength { traps: Traps::Symbolic, ..Strength::default() },
        Strength { components: false, traps: Traps::None, linear: false },
    ];
    let paces = [Exact::Rings(Pace::Shortest), Exact::Rings(Pace::Chained), Exact::Forward];
    for (k, (strength, exact)) in strengths.into_iter().flat_map(|s| paces.map(|p| (s, p))).enumerate() {
        let one_by_one = (k % 2 == 0).then_some(3);
        let engine = Invariants { strength, exact, one_by_one, restrict: k % 3 > 0, ..Invariants::default() };
        engines.push((format!("{engine:?}"), Box::new(engine)));
    }
    engines
}

#[test]
fn random_systems_are_decided() {
    let mut all: Vec<(String, System, Vec<Property>)> = Vec::new();
    for (name, profile) in Profile::all() {
        all.extend((0..3).map(|seed| {
            let sample = sample(seed, &profile);
            (format!("{name}, seed {seed}"), sample.system, sample.properties)
        }));
    }
    all.extend((0..8).map(|seed| {
        let system = chains(seed);
        let properties = questions(&system, seed);
        (format!("chains, seed {seed}"), system, properties)
    }));
    let (mut decided, mut open) = (0, 0);
    for (name, system, properties) in &all {
        for property in properties {
            let problem = Problem { system, property };
            let Some(oracle) = SystemOracle::new(system, property, 2000) else { continue };
            for (engine_name, engine) in engines() {
                if engine.supports(&problem).is_err() {
                    continue;
                }
                let outcome = engine.run(&problem, &Budget::unlimited().with_memory(8 << 20), &Silent);
                // Wide variables without an invariant take room that a test does not have.
                if outcome.verdict == Verdict::Unknown(Reason::Memory) {
                    open += 1;
                    continue;
                }
                let checked = oracle.check(&outcome, Demand::default());
                checked.unwrap_or_else(|e| panic!("{name}, {engine_name}: {e}"));
                decided += 1;
            }
        }
    }
    assert!(decided > 800 && open * 50 < decided, "{decided} {open}");
}

#[test]
fn every_deadlock_is_listed_once() {
    let mut listed = 0;
    for seed in 0..60 {
        let system = chains(seed);
        let property = Property::DeadlockFree;
        let problem = Problem { system: &system, property: &property };
        let engine = Invariants { all: true, ..Invariants::default() };
        let Some(oracle) = SystemOracle::new(&system, &property, 2000) else { continue };
        if engine.supports(&problem).is_err() || oracle.answer().fault.is_some() {
            continue;
        }
        let outcome = engine.run(&problem, &Budget::unlimited(), &Silent);
        assert_eq!(outcome.deadlocks.len(), oracle.answer().deadlocks, "seed {seed}");
        listed += outcome.deadlocks.len();
    }
    assert!(listed > 20, "{listed}");
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
            let reachable = space.reachable(&space.initial()?)?;
            Ok::<_, Stop>(space.count(&reachable).to_string())
        })
    };
    assert_eq!(run(&budget), Err(Stop(Reason::Memory)));
    let spent = Budget::unlimited().with_timeout(std::time::Duration::ZERO);
    assert_eq!(run(&spent), Err(Stop(Reason::Timeout)));
}
