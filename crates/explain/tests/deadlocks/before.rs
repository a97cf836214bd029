//! Who waits for whom before anything is stuck: the naive oracle says who can move, and at a deadlock nothing else is said than
//! of a deadlock that was found.

use check::{replay, walk};
use evidence::Trace;
use explain::{Conclusion, Deadlock, SourceText, explain, waiting};
use model::{Property, System};
use testkit::naive::{Naive, Semantics, explore};
use testkit::random::{Profile, sample};

const STATES: usize = 200;

/// What is wrong about what is said of a state in which these processes can move.
fn wrong(system: &System, can_move: &[bool], said: &Deadlock) -> Option<String> {
    let number = |name: &str| system.find_process(name).expect("it is of the system").index();
    let blamed = said.processes.iter().find(|p| !p.waits.is_empty() && can_move[number(&p.process)]);
    if let Some(process) = blamed {
        return Some(format!("{} can move", process.process));
    }
    let astray = said.cycle.iter().find(|link| can_move[number(&link.process)]);
    if let Some(link) = astray {
        return Some(format!("{} is in a cycle of waiting and can move", link.process));
    }
    let closed = said.cycle.iter().zip(said.cycle.iter().cycle().skip(1));
    closed.into_iter().find(|(link, next)| link.waits_for != next.process).map(|_| "the cycle is none".to_owned())
}

#[test]
fn nobody_who_can_move_waits() {
    let source = SourceText::new("s", "");
    let (mut waits, mut cycles, mut noticed) = (0, 0, 0);
    for seed in 0..150 {
        for profile in [Profile::waiting(), Profile::meeting(), Profile::lawful()] {
            let system = sample(seed, &profile).system;
            let model = Naive::new(&system);
            let Some(graph) = explore(&model, STATES) else { continue };
            for (number, state) in graph.states.iter().enumerate().step_by(3) {
                let steps = model.steps(state);
                let (walk, fault) = walk(&system, graph.path(number)).expect("it is a run");
                assert_eq!(fault, None);
                let said = waiting(&walk, &source);
                let mut can_move = vec![false; system.processes().len()];
                steps.iter().for_each(|(t, _)| {
                    system.transition(*t).moves.iter().for_each(|m| can_move[m.process.index()] = true);
                });
                assert_eq!(wrong(&system, &can_move, &said), None, "seed {seed}, state {number}");
                waits += said.processes.iter().filter(|p| !p.waits.is_empty()).count();
                cycles += usize::from(!said.cycle.is_empty() && !steps.is_empty());
                // Blaming somebody who can move would be noticed.
                noticed += usize::from(wrong(&system, &vec![true; can_move.len()], &said).is_some());
                if steps.is_empty() && !model.at_end(state) {
                    let trace = Trace::finite(graph.path(number));
                    let checked = replay(&system, &Property::DeadlockFree, &trace).expect("it is a deadlock");
                    let explained = explain(&checked, &Property::DeadlockFree, &source);
                    assert_eq!(explained.conclusion, Conclusion::Deadlock(said), "seed {seed}, state {number}");
                }
            }
        }
    }
    assert!(waits > 1000 && cycles > 10 && noticed > 500, "{waits} waits, {cycles} cycles, {noticed} noticed");
}
