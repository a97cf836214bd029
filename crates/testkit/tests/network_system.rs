//! A network made a system has exactly the runs of the network: the oracle's graph of the system against the explicit
//! graph of the network, on random networks with rules of every width, choices, faults and end states.

use std::collections::{BTreeMap, BTreeSet};

use model::views::{Automaton, ComponentId, EventId, LocalState, Origin, Rule, RuleId, StateId};
use model::{Limits, Network, System};
use testkit::Rng;
use testkit::naive::{Naive, Semantics, State, explore};

const LIMIT: usize = 2000;

/// What can happen in a state: labels with the states that they lead to, or `None` for a fault.
type Steps = BTreeSet<(String, Option<Vec<usize>>)>;
/// Every reachable state with its steps, and whether it is an end.
type Space = BTreeMap<Vec<usize>, (Steps, bool)>;

fn automaton(r: &mut Rng, number: usize) -> Automaton {
    let (states, events) = (2 + r.below(4), 1 + r.below(3));
    let end = |r: &mut Rng| r.chance(30);
    let names = (0..states).map(|s| LocalState { name: format!("s{s}"), end: end(r) }).collect();
    let mut moves = Vec::new();
    for _ in 0..states + r.below(8) {
        let (from, event, to) = (r.below(states), r.below(events), r.below(states));
        moves.extend(vec![(StateId::new(from), EventId::new(event), StateId::new(to)); 1 + r.below(2)]);
    }
    // The last event is for faults: self-loops only.
    let loops = (0..states).filter(|_| r.chance(20)).map(|s| (StateId::new(s), EventId::new(events), StateId::new(s)));
    moves.extend(loops.collect::<Vec<_>>());
    let (name, initial) = (format!("c{number}"), StateId::new(r.below(states)));
    let events = (0..=events).map(|e| format!("e{e}")).collect();
    Automaton { name, origin: Origin::Given, states: names, initial, events, moves }
}

fn rule(r: &mut Rng, number: usize, components: &[Automaton]) -> Rule {
    let fault = r.chance(15);
    let mut participants = Vec::new();
    for (c, automaton) in components.iter().enumerate() {
        if r.chance(40) {
            let last = automaton.events.len() - 1;
            participants.push((ComponentId::new(c), EventId::new(if fault { last } else { r.below(last) })));
        }
    }
    // Without participants a rule is enabled always: no deadlock is left then.
    if participants.is_empty() && r.chance(80) {
        participants.push((ComponentId::new(0), EventId::new(0)));
    }
    let fault = fault && participants.iter().all(|(c, e)| e.index() + 1 == components[c.index()].events.len());
    Rule { fault, ..Rule::new(format!("r{}", number / 2), participants) }
}

fn network(seed: u64) -> Network {
    let mut r = Rng::new(seed);
    let components: Vec<Automaton> = (0..1 + r.below(4)).map(|c| automaton(&mut r, c)).collect();
    let rules = (0..3 + r.below(9)).map(|n| rule(&mut r, n, &components)).collect();
    Network::new(format!("seed {seed}"), components, rules).expect("a lawful network")
}

fn space_of_network(network: &Network) -> Space {
    let mut found = Space::new();
    let mut stack = vec![network.initial_state()];
    let plain = |s: &[StateId]| s.iter().map(|s| s.index()).collect::<Vec<_>>();
    while let Some(state) = stack.pop() {
        if found.contains_key(&plain(&state)) {
            continue;
        }
        let mut steps = Steps::new();
        for r in network.rule_ids() {
            let rule = network.rule(r);
            for next in network.successors(r, &state) {
                steps.insert((rule.label.to_string(), (!rule.fault).then(|| plain(&next))));
                stack.extend((!rule.fault).then_some(next));
            }
        }
        found.insert(plain(&state), (steps, network.at_end(&state)));
    }
    found
}

fn space_of_system(system: &System) -> Space {
    let naive = Naive::new(system);
    let plain = |s: &State| s.locations.iter().map(|l| l.index()).collect::<Vec<_>>();
    let graph = explore(&naive, LIMIT).expect("small");
    let mut found = Space::new();
    for (state, edges) in graph.states.iter().zip(&graph.edges) {
        let label = |t: model::TransitionId| system.transition(t).label.to_string();
        let steps = edges.iter().map(|(t, to)| (label(*t), to.as_ref().ok().map(|&n| plain(&graph.states[n]))));
        found.insert(plain(state), (steps.collect(), naive.at_end(state)));
    }
    found
}

#[test]
fn a_network_and_its_system_have_the_same_graph() {
    let (mut sizeable, mut faulty, mut stuck) = (0, 0, 0);
    for seed in 0..600 {
        let network = network(seed);
        let system = network.to_system().expect("few combinations");
        let (expected, found) = (space_of_network(&network), space_of_system(&system));
        assert_eq!(expected, found, "seed {seed}");
        let again = system.network(&Limits::default()).expect("small");
        assert_eq!(space_of_network(&again), expected, "seed {seed}: the network of the system of the network");
        sizeable += usize::from(found.len() > 8);
        faulty += usize::from(found.values().any(|(steps, _)| steps.iter().any(|(_, to)| to.is_none())));
        stuck += usize::from(found.values().any(|(steps, _)| steps.is_empty()));
    }
    assert!(sizeable > 80 && faulty > 80 && stuck > 100, "{sizeable} {faulty} {stuck}");
}

/// A transition that forgets all but its first participant is seen.
#[test]
fn forgotten_participants_are_caught() {
    let mut caught = 0;
    for seed in 0..200 {
        let network = network(seed);
        let automaton = |c: &model::views::Component| Automaton {
            name: c.name().to_owned(),
            origin: Origin::Given,
            states: c.states().to_vec(),
            initial: c.initial(),
            events: c.events().to_vec(),
            moves: (0..c.states().len())
                .flat_map(|s| c.moves(StateId::new(s)).iter().map(move |m| (StateId::new(s), m.event, m.to)))
                .collect(),
        };
        let mut rules = network.rules().to_vec();
        rules.iter_mut().filter(|r| r.participants.len() > 1).for_each(|r| r.participants.truncate(1));
        let components = network.components().iter().map(automaton).collect();
        let planted = Network::new("planted", components, rules).expect("lawful").to_system().expect("small");
        caught += usize::from(space_of_network(&network) != space_of_system(&planted));
    }
    assert!(caught > 80, "{caught}");
}

#[test]
fn runs_of_the_network_are_runs_of_the_system() {
    let mut steps = 0;
    for seed in 0..200 {
        let (mut r, network) = (Rng::new(seed), network(seed));
        let system = network.to_system().expect("few combinations");
        let (mut state, mut run) = (network.initial_state(), Vec::new());
        for _ in 0..12 {
            let all = network.rule_ids().filter(|&r| !network.rule(r).fault);
            let next: Vec<(RuleId, Vec<StateId>)> =
                all.flat_map(|r| network.successors(r, &state).into_iter().map(move |s| (r, s))).collect();
            if next.is_empty() {
                break;
            }
            run.push(r.pick(&next).clone());
            state = run.last().expect("just pushed").1.clone();
        }
        let transitions = network.run_in(&system, &run).expect("a run");
        let naive = Naive::new(&system);
        let mut at = naive.initial();
        for (&t, (_, next)) in transitions.iter().zip(&run) {
            assert_eq!(naive.is_enabled(t, &at), Ok(true), "seed {seed}");
            at = naive.fire(t, &at).expect("no fault");
            assert!(at.locations.iter().zip(next).all(|(l, s)| l.0 == s.0), "seed {seed}");
            steps += 1;
        }
        let wrong = |s: &StateId| StateId(s.0 + 100);
        let mut elsewhere = run.clone();
        if let Some((_, last)) = elsewhere.last_mut() {
            *last = last.iter().map(wrong).collect();
            assert_eq!(network.run_in(&system, &elsewhere), None, "seed {seed}");
        }
    }
    assert!(steps > 800, "{steps}");
}

#[test]
fn too_many_combinations_are_refused() {
    let n = 40;
    let state = |s: usize| LocalState { name: format!("s{s}"), end: false };
    let automaton = |c: usize| Automaton {
        name: format!("c{c}"),
        origin: Origin::Given,
        states: (0..n).map(state).collect(),
        initial: StateId(0),
        events: vec!["e".to_owned()],
        moves: (0..n).map(|s| (StateId::new(s), EventId(0), StateId::new((s + 1) % n))).collect(),
    };
    let all = (0..4).map(|c| (ComponentId::new(c), EventId(0))).collect();
    let network = Network::new("many", (0..4).map(automaton).collect(), vec![Rule::new("all", all)]).expect("lawful");
    let error = network.to_system().expect_err("40^4 combinations");
    assert_eq!(error.message, "with the moves of `all` there are more than 1048576 transitions");
}
