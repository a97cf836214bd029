//! Processes that are stuck while others go on.

use check::replay;
use evidence::Trace;
use explain::text::{self, Limits};
use explain::{Chart, Conclusion, Explanation, PartialDeadlock, Row, SourceText, explain};
use model::{Builder, ChannelType, Command, Domain, Edge, Expr, Kind, Pattern, Property, System, TransitionId};

use crate::support::process;

fn explained(system: &System, property: &Property, run: &[usize]) -> Explanation {
    let trace = Trace::finite(run.iter().map(|t| TransitionId::new(*t)).collect());
    let checked = replay(system, property, &trace).expect("the trace is right");
    explain(&checked, property, &SourceText::new("model", ""))
}

/// Whose lanes a chart has, and what is said of them at the end.
fn drawn(system: &System, explanation: &Explanation) -> (Vec<String>, Vec<String>) {
    let chart = Chart::new(system, explanation, Limits::SHORT).expect("processes take part");
    let fate = |row: Row| if let Row::Fate { lane, text } = row { Some((lane, text)) } else { None };
    let lanes: Vec<String> = chart.lanes.into_iter().map(|l| l.name).collect();
    let fates = chart.rows.into_iter().filter_map(fate).map(|(lane, text)| format!("{} {text}", lanes[lane])).collect();
    (lanes, fates)
}

/// What is said of the partial deadlock at the end of a run.
fn partial(system: &System, run: &[usize]) -> (PartialDeadlock, String) {
    let explanation = explained(system, &Property::PartialDeadlockFree, run);
    let text = text::explanation(&explanation, Limits::SHORT);
    match explanation.conclusion {
        Conclusion::PartialDeadlock(p) => (p, text),
        other => panic!("a partial deadlock was found, not {other:?}"),
    }
}

/// P acquires `a` and `b`; Q acquires `b`, takes a step that may lead back to where it starts, and acquires `a`.
fn inversion(back: bool) -> System {
    let mut b = Builder::new("inversion");
    let locks = [b.object("a", Kind::Lock), b.object("b", Kind::Lock)];
    let (p, at) = process(&mut b, "P", &["0", "1", "2"]);
    for (i, lock) in locks.into_iter().enumerate() {
        b.edge(Edge::new(p, at[i], at[i + 1]).run(Command::Acquire(lock.into(), p)));
    }
    let (q, at) = process(&mut b, "Q", &["0", "1", "2", "3"]);
    b.edge(Edge::new(q, at[0], at[1]).run(Command::Acquire(locks[1].into(), q)));
    b.edge(Edge::new(q, at[1], at[2]));
    b.edge(Edge::new(q, at[2], at[3]).run(Command::Acquire(locks[0].into(), q)));
    if back {
        b.edge(Edge::new(q, at[2], at[1]));
    }
    b.build().expect("a model")
}

#[test]
fn a_cycle_that_closes_in_any_case_is_told_before_it_is_closed() {
    let (p, text) = partial(&inversion(false), &[0, 2]);
    let prospect = p.prospect.expect("Q has one step left");
    assert_eq!(prospect.steps, 1);
    let told: Vec<&str> = prospect.cycle.iter().map(|l| l.text.as_str()).collect();
    assert_eq!(told, ["P waits for b, held by Q", "Q will then wait for a, held by P"]);
    assert!(
        text.contains("\nQ ends stuck as well, whatever happens. Wait-for cycle when it takes one more step:\n"),
        "{text}"
    );
    assert!(!text.contains("There is no wait-for cycle"), "{text}");
}

#[test]
fn whoever_may_go_on_for_ever_is_not_said_to_end_stuck() {
    let (p, text) = partial(&inversion(true), &[0, 2]);
    assert_eq!(p.prospect, None);
    assert!(text.contains("Q goes on, but never does that"), "{text}");
}

#[test]
fn a_chart_tells_the_cycle_that_is_going_to_be() {
    let system = inversion(false);
    let (lanes, fates) = drawn(&system, &explained(&system, &Property::PartialDeadlockFree, &[0, 2]));
    assert_eq!(lanes, ["P", "Q"]);
    assert_eq!(fates, ["P waits for b, held by Q", "Q will then wait for a, held by P"]);
}

/// Q waits where it may stop and never took a step.
#[test]
fn a_chart_has_a_lane_for_whoever_is_in_the_cycle() {
    let mut b = Builder::new("cycle");
    let meet = || Kind::Channel(ChannelType { capacity: 0, lossy: false, fields: vec![Domain::Bool] });
    let (x, y) = (b.object("x", meet()), b.object("y", meet()));
    let (p, at) = process(&mut b, "P", &["0", "1", "2", "3"]);
    b.edge(Edge::new(p, at[0], at[1]));
    b.edge(Edge::new(p, at[1], at[2]).run(Command::Send(y.into(), vec![Expr::Const(1)])));
    b.edge(Edge::new(p, at[2], at[3]).run(Command::Send(x.into(), vec![Expr::Const(1)])));
    let (q, at) = process(&mut b, "Q", &["0", "1", "2"]);
    b.edge(Edge::new(q, at[0], at[1]).run(Command::Receive(x.into(), vec![Pattern::Ignore])));
    b.edge(Edge::new(q, at[1], at[2]).run(Command::Receive(y.into(), vec![Pattern::Ignore])));
    b.end(q, at[0]);
    let system = b.build().expect("a model");
    let explanation = explained(&system, &Property::DeadlockFree, &[0]);
    let cycle = explanation.conclusion.deadlock().map(|d| d.cycle.len());
    assert_eq!(cycle, Some(2));
    let (lanes, fates) = drawn(&system, &explanation);
    assert_eq!(lanes, ["P", "Q"]);
    assert_eq!(fates.len(), 2, "{fates:?}");
}
