//! Steps that a process takes alone, and the plain cases of meeting.

use check::replay;
use evidence::Trace;
use explain::text::{self, Limits};
use explain::{Deadlock, SourceText, explain};
use model::{Binary, Builder, ChannelType, Command, Domain, Edge, Expr, Kind, ObjectId, Pattern, Property, Value};

use crate::support::{cycle, deadlock_of, path_to_deadlock, process};

#[test]
fn philosophers_hold_each_others_forks() {
    let n = 3;
    let mut b = Builder::new("philosophers");
    let forks: Vec<ObjectId> = (0..n).map(|i| b.object(format!("fork[{i}]"), Kind::Lock)).collect();
    for i in 0..n {
        let (p, l) = process(&mut b, &format!("Phil[{i}]"), &["thinking", "hungry", "eating"]);
        let (left, right) = (forks[i], forks[(i + 1) % n]);
        b.edge(Edge::new(p, l[0], l[1]).run(Command::Acquire(left.into(), p)));
        b.edge(Edge::new(p, l[1], l[2]).run(Command::Acquire(right.into(), p)));
        let back = Edge::new(p, l[2], l[0]).run(Command::Release(left.into(), p));
        b.edge(back.run(Command::Release(right.into(), p)));
    }
    let (d, text) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(
        cycle(&d),
        [
            "Phil[0] waits for fork[1], held by Phil[1]",
            "Phil[1] waits for fork[2], held by Phil[2]",
            "Phil[2] waits for fork[0], held by Phil[0]"
        ]
    );
    assert_eq!(d.processes[1].waits[0].blockers[0].text, "`acquire fork[2]` cannot happen: fork[2] is held by Phil[2]");
    assert_eq!(d.processes[1].waits[0].blockers[0].helpers, ["Phil[2]"]);
    assert!(text.starts_with("3 steps lead to a deadlock:\n"), "{text}");
    assert!(text.contains("Phil[0]: thinking -> hungry, fork[0]: free -> held by Phil[0]"), "{text}");
}

/// Section 2.3 of Godefroid's thesis: forks are boolean variables, 1 while taken.
#[test]
fn booleans_used_as_locks_show_their_cycle() {
    let mut b = Builder::new("thesis-2.3");
    let domain = Domain::Range { lo: 0, hi: 1 };
    let f1 = b.object("f1", Kind::Variable(domain.clone()));
    let f2 = b.object("f2", Kind::Variable(domain));
    let take = |p, from, to, f: ObjectId| {
        Edge::new(p, from, to).when(Expr::read(f).is(0)).run(Command::Assign(f.into(), Expr::Const(1)))
    };
    let give = |p, from, to| {
        let edge = Edge::new(p, from, to).run(Command::Assign(f1.into(), Expr::Const(0)));
        edge.run(Command::Assign(f2.into(), Expr::Const(0)))
    };
    for (name, first, second) in [("A", f1, f2), ("B", f2, f1)] {
        let (p, l) = process(&mut b, name, &["0", "1", "2"]);
        b.edge(take(p, l[0], l[1], first));
        b.edge(take(p, l[1], l[2], second));
        b.edge(give(p, l[2], l[0]));
    }
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(
        cycle(&d),
        ["A waits for `f2 == 0`, made false by B in step 2", "B waits for `f1 == 0`, made false by A in step 1"]
    );
    assert_eq!(d.processes[0].waits[0].blockers[0].text, "`f2 == 0` is false: f2 is 1");
}

#[test]
fn a_partner_that_is_elsewhere_is_named() {
    let mut b = Builder::new("rendezvous");
    let channel = |b: &mut Builder, name: &str| {
        b.object(name, Kind::Channel(ChannelType { capacity: 0, lossy: false, fields: vec![Domain::Bool] }))
    };
    let (c, d) = (channel(&mut b, "c"), channel(&mut b, "d"));
    let (p, l) = process(&mut b, "Client", &["asking", "waiting"]);
    let (q, m) = process(&mut b, "Server", &["busy", "idle"]);
    b.edge(Edge::new(p, l[0], l[1]).run(Command::Send(c.into(), vec![Expr::Const(1)])));
    b.edge(Edge::new(p, l[1], l[0]).run(Command::Receive(d.into(), vec![Pattern::Ignore])));
    b.edge(Edge::new(q, m[1], m[0]).run(Command::Receive(c.into(), vec![Pattern::Ignore])));
    b.edge(Edge::new(q, m[0], m[1]).run(Command::Send(d.into(), vec![Expr::Const(0)])));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(d.processes[0].waits[0].blockers[0].text, "waits for Server to receive on `c`; Server is at `busy`");
    assert_eq!(cycle(&d), ["Client waits for Server to receive on `c`", "Server waits for Client to receive on `d`"]);
}

#[test]
fn joint_actions_are_one_step_whatever_the_partner_offers() {
    let mut b = Builder::new("joint");
    let (go, stop) = (b.action("go"), b.action("stop"));
    let (p, l) = process(&mut b, "P", &["a", "b"]);
    let (q, m) = process(&mut b, "Q", &["x", "y", "z"]);
    b.edge(Edge::new(p, l[0], l[1]).sync(go));
    b.edge(Edge::new(p, l[1], l[0]).sync(stop));
    b.edge(Edge::new(q, m[0], m[1]).sync(stop));
    b.edge(Edge::new(q, m[1], m[0]).sync(go));
    b.edge(Edge::new(q, m[2], m[0]).sync(go));
    b.edge(Edge::new(q, m[1], m[2]));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(d.processes[0].waits.len(), 1, "two transitions with `go`, one step");
    assert_eq!(cycle(&d), ["P waits for Q to take part in `go`", "Q waits for P to take part in `stop`"]);
}

#[test]
fn what_nobody_ever_does_is_said() {
    let mut b = Builder::new("silence");
    let q = b.object("q", Kind::Channel(ChannelType { capacity: 2, lossy: false, fields: vec![] }));
    let s = b.object("s", Kind::Semaphore { max: 3 });
    let c = b.object_with("c", Kind::Counter { max: 9 }, Value::Int(1), None);
    for (name, command) in [
        ("Reader", Command::Receive(q.into(), vec![])),
        ("Waiter", Command::Take(s.into(), 1)),
        ("Taker", Command::Take(c.into(), 2)),
    ] {
        let (p, l) = process(&mut b, name, &["start", "end"]);
        b.edge(Edge::new(p, l[0], l[1]).run(command));
    }
    let (p, l) = process(&mut b, "Done", &["end"]);
    b.end(p, l[0]);
    let (d, text) = deadlock_of(&b.build().expect("a model"));
    assert!(d.cycle.is_empty());
    assert_eq!(
        d.no_cycle,
        [
            "Reader: `q?()` cannot happen: q is empty; no process ever sends to q",
            "Waiter: `wait s` cannot happen: s is 0; no process ever signals s",
            "Taker: `c -= 2` cannot happen: c is 1; no process ever adds enough to c"
        ]
    );
    assert!(d.processes[3].may_stop);
    assert!(text.contains("Done is at `end`, where it may stop"), "{text}");
    assert!(text.contains("There is no wait-for cycle"), "{text}");
}

#[test]
fn full_channels_wait_for_their_readers_and_stopped_readers_are_not_blamed() {
    let build = |reader_stops: bool| {
        let mut b = Builder::new("pipeline");
        let q = b.object("q", Kind::Channel(ChannelType { capacity: 1, lossy: false, fields: vec![Domain::Bool] }));
        let r = b.object("r", Kind::Channel(ChannelType { capacity: 1, lossy: false, fields: vec![Domain::Bool] }));
        let (w, l) = process(&mut b, "Writer", &["write", "answer"]);
        b.edge(Edge::new(w, l[0], l[0]).run(Command::Send(q.into(), vec![Expr::Const(1)])));
        let (p, m) = process(&mut b, "Reader", &["reply", "read", "off"]);
        b.edge(Edge::new(p, m[0], m[1]).run(Command::Receive(r.into(), vec![Pattern::Match(Expr::Const(1))])));
        b.edge(Edge::new(p, m[1], m[0]).run(Command::Receive(q.into(), vec![Pattern::Ignore])));
        if reader_stops {
            b.process_mut(p).initial = m[2];
        }
        b.edge(Edge::new(w, l[1], l[0]).run(Command::Send(r.into(), vec![Expr::Const(0)])));
        deadlock_of(&b.build().expect("a model")).0
    };
    let blocker = |d: &Deadlock| d.processes[0].waits[0].blockers[0].clone();
    let waiting = build(false);
    assert_eq!(blocker(&waiting).text, "`q!true` cannot happen: q is full: [true]");
    assert_eq!(blocker(&waiting).helpers, ["Reader"]);
    let stopped = build(true);
    assert_eq!(blocker(&stopped).advice.as_deref(), Some("nobody can change this any more"));
    assert!(stopped.no_cycle.contains(&"Reader has no step that leaves `off`".to_owned()));
}

#[test]
fn a_message_in_the_way_is_shown() {
    let mut b = Builder::new("mismatch");
    let kind = Kind::Channel(ChannelType { capacity: 1, lossy: false, fields: vec![Domain::Bool, Domain::Bool] });
    let q = b.object_with("q", kind, Value::Queue(vec![vec![0, 1]]), None);
    let (p, l) = process(&mut b, "P", &["a"]);
    let patterns = vec![Pattern::Match(Expr::Const(1)), Pattern::Ignore];
    b.edge(Edge::new(p, l[0], l[0]).run(Command::Receive(q.into(), patterns)));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    let blocker = &d.processes[0].waits[0].blockers[0];
    assert_eq!(blocker.text, "`q?(true, _)` cannot happen: the first message of q is (false, true)");
    assert_eq!(blocker.advice.as_deref(), Some("no process takes that message from q"));
}

#[test]
fn a_lock_that_one_holds_oneself_is_no_cycle() {
    let mut b = Builder::new("self");
    let m = b.object("m", Kind::Lock);
    let (p, l) = process(&mut b, "P", &["out", "in", "deep"]);
    b.edge(Edge::new(p, l[0], l[1]).run(Command::Acquire(m.into(), p)));
    b.edge(Edge::new(p, l[1], l[2]).run(Command::Acquire(m.into(), p)));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert!(d.cycle.is_empty(), "nobody waits for himself");
    assert_eq!(d.no_cycle, ["P: `acquire m` cannot happen: m is held by P; nobody else can release it"]);
}

#[test]
fn only_conjuncts_that_are_false_are_blamed_and_only_on_those_who_can_help() {
    let mut b = Builder::new("conjuncts");
    let x = b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 3 }));
    let y = b.object_with("y", Kind::Variable(Domain::Range { lo: 0, hi: 3 }), Value::Int(2), None);
    let (p, l) = process(&mut b, "P", &["a"]);
    let guard = Expr::read(y).is(2).op(Binary::And, Expr::read(x).op(Binary::Ge, 2));
    b.edge(Edge::new(p, l[0], l[0]).when(guard));
    for (name, value) in [("Low", 1), ("High", 3)] {
        let (q, m) = process(&mut b, name, &["a"]);
        let never = Expr::read(y).is(0);
        b.edge(Edge::new(q, m[0], m[0]).when(never).run(Command::Assign(x.into(), Expr::Const(value))));
    }
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    let blockers = &d.processes[0].waits[0].blockers;
    assert_eq!(blockers.len(), 1, "`y == 2` is true");
    assert_eq!(blockers[0].text, "`x >= 2` is false: x is 0");
    assert_eq!(blockers[0].helpers, ["High"], "writing 1 would not help");
}

/// Two readers who both want to upgrade: the one who came second made it impossible for the first.
#[test]
fn whoever_made_a_condition_false_is_blamed_not_whoever_wrote_last() {
    let mut b = Builder::new("upgrade");
    let readers = b.object("readers", Kind::Variable(Domain::Range { lo: 0, hi: 3 }));
    let add = |k: i64| Command::Assign(readers.into(), Expr::read(readers).op(Binary::Add, k));
    for i in 0..3 {
        let (p, l) = process(&mut b, &format!("R{i}"), &["out", "in"]);
        b.edge(Edge::new(p, l[0], l[1]).run(add(1)));
        b.edge(Edge::new(p, l[1], l[0]).when(Expr::read(readers).is(1)).run(add(-1)));
    }
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    let advice = |p: usize| d.processes[p].waits[0].blockers[0].advice.as_deref();
    assert_eq!(advice(0), Some("since step 2 of R1, who could undo it"), "step 3 changed nothing about it");
    assert_eq!(advice(1), Some("R0, R2 could change this"), "nobody is told to wait for himself");
    assert_eq!(d.cycle[0].text, "R0 waits for `readers == 1`, made false by R1 in step 2");
}

/// Who simply ends without being allowed to is told how to allow it, in the language in which that can be said.
#[test]
fn a_forgotten_end_is_suggested() {
    let advice = |waits: bool, native: bool| {
        let mut b = Builder::new("ends");
        let (p, l) = process(&mut b, "P", &["work", "gone"]);
        b.edge(Edge::new(p, l[0], l[1]));
        let (q, k) = process(&mut b, "Q", &["idle", "served"]);
        if waits {
            b.edge(Edge::new(q, k[0], k[1]).when(Expr::Const(0)));
        } else {
            b.end(q, k[0]);
        }
        let system = b.build().expect("a model");
        let trace = Trace::finite(path_to_deadlock(&system).expect("a deadlock"));
        let checked = replay(&system, &Property::DeadlockFree, &trace).expect("the trace is right");
        let source = SourceText::new("m.imp", "");
        let source = if native { source.in_native_language() } else { source };
        text::explanation(&explain(&checked, &Property::DeadlockFree, &source), Limits::SHORT)
    };
    let end = "There is no wait-for cycle: no step is left.\n  P has no step that leaves `gone`\n";
    let plain = advice(false, true);
    assert!(plain.ends_with(&format!("{end}If it may stop here, say so: `end gone`.\n")), "{plain}");
    assert!(advice(false, false).ends_with(end), "other languages say it otherwise");
    let waiting = advice(true, true);
    assert!(waiting.contains("will never come") && !waiting.contains("may stop"), "{waiting}");
}
