//! Thousands who wait for one thing: nothing is lost but names, of which it is said how many there are; and it takes no time
//! that grows with the square of their number.

use std::time::{Duration, Instant};

use check::replay;
use evidence::Trace;
use explain::text::{self, Limits};
use explain::{Conclusion, Deadlock, SourceText, explain_while};
use model::{Builder, Command, Edge, Expr, Kind, Property, System, TransitionId};

use crate::support::{cycle, explained, process, reasons};

const MANY: usize = 4000;
/// Dozens of times what it takes, and a small part of what it took when everything was asked for everybody.
const SOON: Duration = Duration::from_secs(20);

/// A semaphore without a token, for which everybody waits who could signal it later.
fn pool(processes: usize) -> System {
    let mut b = Builder::new("pool");
    let s = b.object("s", Kind::Semaphore { max: 1 });
    for i in 0..processes {
        let (p, l) = process(&mut b, &format!("P[{i}]"), &["out", "in"]);
        b.edge(Edge::new(p, l[0], l[1]).run(Command::Take(s.into(), 1)).label("enter"));
        b.edge(Edge::new(p, l[1], l[0]).run(Command::Gain(s.into(), 1)).label("leave"));
    }
    b.build().expect("a model")
}

/// An action of all: one half is there, each of the other half waits for the one that it hinders.
fn barrier(processes: usize, late: usize) -> System {
    let mut b = Builder::new("barrier");
    let (go, locks) = (b.action("go"), [b.object("k", Kind::Lock), b.object("l", Kind::Lock)]);
    for i in 0..processes {
        let (p, l) = process(&mut b, &format!("P[{i}]"), &["far", "near", "done"]);
        let from = if i < late { l[1] } else { l[0] };
        b.edge(Edge::new(p, from, l[2]).sync(go).label("go"));
        if i < late {
            let never = Expr::Free(locks[i % 2].into()).negate();
            b.edge(Edge::new(p, l[0], l[1]).when(never).label("come"));
        }
    }
    b.build().expect("a model")
}

#[test]
fn thousands_who_wait_for_a_semaphore_are_told_soon() {
    let (system, begin) = (pool(MANY), Instant::now());
    let (d, text, _) = explained(&system, Vec::new());
    assert_eq!(cycle(&d), ["P[0] waits for s, which P[1] could signal", "P[1] waits for s, which P[0] could signal"]);
    let blocker = &d.processes[1].waits[0].blockers[0];
    assert_eq!((blocker.helpers.len(), blocker.more_helpers), (24, MANY - 25));
    assert!(!blocker.helpers.contains(&"P[1]".to_owned()), "nobody waits for himself");
    assert!(reasons(&d, 1)[0].ends_with("P[24] and 3975 more could change this)"), "{}", reasons(&d, 1)[0]);
    assert_eq!(d.processes.len(), MANY);
    assert!(text.contains("... and 3976 more processes"), "{text}");
    assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
}

#[test]
fn thousands_who_are_late_are_told_soon() {
    let (system, begin) = (barrier(MANY, MANY / 2), Instant::now());
    let (d, ..) = explained(&system, Vec::new());
    let told = reasons(&d, MANY - 1);
    assert_eq!(told[0], "waits for P[0] to take part in `go`; P[0] is at `far`");
    assert_eq!(told[24], "waits for 1976 more to take part in `go`");
    assert_eq!(told.len(), 25);
    assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
}

/// The deadlock in the initial state, told until the clock has been asked so often.
fn told_until(system: &System, looks: usize) -> (Deadlock, String) {
    let trace = Trace::finite(Vec::<TransitionId>::new());
    let checked = replay(system, &Property::DeadlockFree, &trace).expect("the trace is right");
    let left = std::cell::Cell::new(looks);
    let has_time = || left.replace(left.get().saturating_sub(1)) > 0;
    let explanation = explain_while(&checked, &Property::DeadlockFree, &SourceText::new("model", ""), &has_time);
    let text = text::explanation(&explanation, Limits::SHORT);
    match explanation.conclusion {
        Conclusion::Deadlock(d) => (d, text),
        other => panic!("a deadlock was found, not {other:?}"),
    }
}

#[test]
fn what_there_was_no_time_for_is_said() {
    let system = pool(5);
    let (d, text) = told_until(&system, 1);
    assert_eq!(d.processes.iter().map(|p| p.left_out).collect::<Vec<_>>(), [false, true, true, true, true]);
    assert_eq!(d.processes.len(), 5);
    assert!(text.contains("P[1] is at `out`\n    what it waits for was not looked at for want of time\n"), "{text}");
    assert!(text.contains("No wait-for cycle was found in the time there was:\n"), "{text}");
    assert!(text.contains("what 4 more processes wait for was not looked at for want of time\n"), "{text}");
    assert!(!text.contains("There is no wait-for cycle"), "{text}");
    let (d, text) = told_until(&system, 2);
    assert_eq!(d.cycle.len(), 2, "two are enough for a circle: {text}");
    let (d, _) = told_until(&system, 0);
    assert!(d.cycle.is_empty() && d.advice.is_none() && d.processes.iter().all(|p| p.left_out && p.waits.is_empty()));
}
