//! Random deadlocks: every edge of a cycle is justified, and every process that is stuck is told why.

use explain::{Deadlock, Stuck};
use model::{ActionId, Command, Edge, Kind, LocationId, ObjectId, ProcessId, System};
use testkit::random::{Profile, Sort, sample};
use testkit::{Blueprint, describe};

use crate::justified::Judge;
use crate::support::{deadlock_of, explained, path_to_deadlock};

const SEEDS: u64 = 300;

fn profiles() -> Vec<Profile> {
    let joint = Profile { actions: 1..=2, ..Profile::lawful() };
    let meeting = Profile { actions: 0..=0, ..Profile::of(&[Sort::Rendezvous, Sort::Range, Sort::Lock]) };
    let sorts: &[Sort] = &[Sort::Semaphore, Sort::Flag, Sort::Channel];
    let tokens = Profile { locations: 2..=4, ..Profile::of(sorts) };
    vec![joint, meeting, tokens, Profile::waiting(), Profile::default()]
}

/// What is wrong with an explanation, if anything.
fn flaw(d: &Deadlock, judge: &Judge<'_>) -> Option<String> {
    let id = |name: &str| judge.system.find_process(name).expect("the explanation names processes");
    let unjustified = d.cycle.iter().find(|l| !judge.justifies(id(&l.process), id(&l.waits_for)));
    let closed = |d: &Deadlock| {
        let next = d.cycle.iter().cycle().skip(1);
        d.cycle.iter().zip(next).all(|(l, n)| l.waits_for == n.process)
    };
    if let Some(link) = unjustified {
        return Some(format!("not true: {}", link.text));
    } else if !closed(d) {
        return Some("the cycle does not close".to_owned());
    }
    let unexplained = |s: &&Stuck| {
        let silent = s.waits.iter().any(|w| w.blockers.is_empty());
        let told = !d.cycle.is_empty() || s.may_stop || d.no_cycle.iter().any(|r| r.contains(&s.process));
        silent || !told
    };
    d.processes.iter().find(unexplained).map(|s| format!("nothing is said about {}", s.process))
}

#[test]
fn every_edge_is_justified_and_everybody_is_told_why() {
    let (mut deadlocks, mut cycles) = (0, 0);
    for (profile, seed) in profiles().iter().flat_map(|p| (0..SEEDS).map(move |s| (p, s))) {
        let s = sample(seed, profile);
        let Some(path) = path_to_deadlock(&s.system) else { continue };
        let (d, text, state) = explained(&s.system, path);
        deadlocks += 1;
        cycles += usize::from(!d.cycle.is_empty());
        let judge = Judge { blueprint: &s.blueprint, system: &s.system, state: &state };
        if let Some(flaw) = flaw(&d, &judge) {
            panic!("seed {seed} of {profile:?}: {flaw}\n{text}\n{}", describe(&s.system));
        }
    }
    assert!(deadlocks > 100 && cycles > 30, "{deadlocks} deadlocks with {cycles} cycles are too few to tell");
}

/// A waits for a semaphore that C would signal in the same step, and B just takes part.
fn blueprint() -> (Blueprint, System) {
    let mut blueprint = Blueprint { actions: vec!["go".to_owned()], ..Blueprint::default() };
    let s = ObjectId(0);
    blueprint.objects.push(model::Object {
        name: "s".to_owned(),
        kind: Kind::Semaphore { max: 1 },
        initial: model::Value::Int(0),
        span: None,
    });
    let commands = [vec![Command::Take(s.into(), 1)], vec![], vec![Command::Gain(s.into(), 1)]];
    for (i, command) in commands.into_iter().enumerate() {
        let location =
            |name: &str| model::Location { name: name.to_owned(), end: false, hold: model::Hold::No, span: None };
        let locations = vec![location("start"), location("done")];
        let name = ["A", "B", "C"][i].to_owned();
        blueprint.processes.push(model::Process { name, locations, initial: LocationId(0), span: None });
        let mut edge = Edge::new(ProcessId::new(i), LocationId(0), LocationId(1)).sync(ActionId(0));
        edge.command = command;
        blueprint.edges.push(edge);
    }
    let system = blueprint.build().expect("a model");
    (blueprint, system)
}

/// Edges that were once claimed: between participants of a step, whoever's operation it was, and to oneself.
#[test]
fn the_judge_refuses_what_is_not_so() {
    let (blueprint, system) = blueprint();
    let state = system.initial_state();
    let judge = Judge { blueprint: &blueprint, system: &system, state: &state };
    let (mut d, _) = deadlock_of(&system);
    assert_eq!(flaw(&d, &judge), None);
    let justifies = |p, q| judge.justifies(ProcessId(p), ProcessId(q));
    assert!(!justifies(0, 1), "B never touches s, and is ready");
    assert!(!justifies(1, 2) && !justifies(2, 1), "both are ready");
    assert!(!justifies(0, 0));
    assert!(justifies(1, 0) && justifies(2, 0), "A is not ready");
    d.no_cycle.clear();
    assert_eq!(flaw(&d, &judge).as_deref(), Some("nothing is said about A"));
    let link = |p: &str, q: &str| explain::Link { process: p.into(), waits_for: q.into(), text: format!("{p} {q}") };
    d.cycle = vec![link("A", "B"), link("B", "A")];
    assert_eq!(flaw(&d, &judge).as_deref(), Some("not true: A B"));
}
