//! Actions and rendezvous: every process answers for its own part only.

use model::{Builder, ChannelType, Command, Domain, Edge, Expr, Kind, ObjectId, Pattern, Target};

use crate::support::{cycle, deadlock_of, process, reasons};

const START_AND_DONE: [&str; 2] = ["start", "done"];

fn rendezvous(b: &mut Builder, name: &str) -> ObjectId {
    let fields = vec![Domain::Range { lo: 0, hi: 3 }];
    b.object(name, Kind::Channel(ChannelType { capacity: 0, lossy: false, fields }))
}

fn send(channel: impl Into<Target>, value: i64) -> Command {
    Command::Send(channel.into(), vec![value.into()])
}

/// One step from `start` to `done`, where it may stop.
fn once(b: &mut Builder, name: &str, step: impl FnOnce(Edge) -> Edge) {
    let (p, l) = process(b, name, &START_AND_DONE);
    b.end(p, l[1]);
    b.edge(step(Edge::new(p, l[0], l[1])));
}

/// A waits for what C does in the very same step: nobody else has anything to do with it.
#[test]
fn an_action_that_blocks_itself() {
    let mut b = Builder::new("itself");
    let go = b.action("go");
    let s = b.object("s", Kind::Semaphore { max: 1 });
    once(&mut b, "A", |e| e.sync(go).run(Command::Take(s.into(), 1)));
    once(&mut b, "B", |e| e.sync(go));
    once(&mut b, "C", |e| e.sync(go).run(Command::Gain(s.into(), 1)));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert!(d.cycle.is_empty(), "{:?}", d.cycle);
    assert_eq!(
        d.no_cycle,
        [
            "A: `wait s` cannot happen: s is 0; only C could change this, and only together with A",
            "B waits for A to take part in `go`",
            "C waits for A to take part in `go`",
        ]
    );
    let not_ready = "waits for A to take part in `go`; A is not ready: `wait s` cannot happen: s is 0";
    assert_eq!(reasons(&d, 1), [not_ready]);
    assert_eq!(d.processes[1].waits[0].blockers[0].helpers, ["A"]);
}

/// A wants a free lock for the step in which B would release it.
#[test]
fn a_partners_guard_is_the_partners() {
    let mut b = Builder::new("guards");
    let go = b.action("go");
    let m = b.object("m", Kind::Lock);
    once(&mut b, "A", |e| e.sync(go).when(Expr::Free(m.into())));
    let (p, l) = process(&mut b, "B", &["start", "in", "done"]);
    b.edge(Edge::new(p, l[0], l[1]).run(Command::Acquire(m.into(), p)));
    b.edge(Edge::new(p, l[1], l[2]).sync(go).run(Command::Release(m.into(), p)));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert!(d.cycle.is_empty(), "{:?}", d.cycle);
    assert_eq!(
        reasons(&d, 0),
        ["`free(m)` is false: m is held by B (only B could change this, and only together with A)"]
    );
    assert_eq!(d.no_cycle[1], "B waits for A to take part in `go`");
}

/// The sender is an onlooker: the receiver and a third one wait for each other.
#[test]
fn a_receivers_guard_is_the_receivers() {
    let mut b = Builder::new("onlooker");
    let c = rendezvous(&mut b, "c");
    let [open, got] = ["open", "got"].map(|n| b.object(n, Kind::Variable(Domain::Bool)));
    once(&mut b, "P", |e| e.run(send(c, 1)));
    let receive = Command::Receive(c.into(), vec![Pattern::Ignore]);
    once(&mut b, "Q", |e| e.when(Expr::read(open)).run(receive).run(Command::Assign(got.into(), Expr::TRUE)));
    once(&mut b, "O", |e| e.when(Expr::read(got)).run(Command::Assign(open.into(), Expr::TRUE)));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(
        cycle(&d),
        ["Q waits for `open`, which O could make true", "O waits for `got`, which Q could make true"]
    );
    assert_eq!(reasons(&d, 0), ["waits for Q to receive on `c`; Q is not ready: `open` is false"]);
    assert_eq!(reasons(&d, 2), ["`got` is false (Q could change this)"]);
}

/// The message is handed over into the receiver's variable: that is the receiver's doing, whoever has the lower number.
#[test]
fn what_is_received_is_written_by_the_receiver() {
    let mut b = Builder::new("handed-over");
    let (c, x) = (rendezvous(&mut b, "c"), b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 3 })));
    let held = b.object_with("held", Kind::Lock, model::Value::Lock(Some(model::ProcessId(2))), None);
    once(&mut b, "Receiver", |e| {
        let p = e.process;
        e.run(Command::Receive(c.into(), vec![Pattern::Bind(x.into())])).run(Command::Acquire(held.into(), p))
    });
    once(&mut b, "Sender", |e| e.run(send(c, 2)));
    once(&mut b, "Reader", |e| e.when(Expr::read(x).is(2)));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(
        cycle(&d),
        ["Receiver waits for held, held by Reader", "Reader waits for `x == 2`, which Receiver could make true"]
    );
    assert_eq!(reasons(&d, 1)[0].split(';').next(), Some("waits for Receiver to receive on `c`"));
}

/// A server answers on the channel of the client that asked, who listens to another one.
#[test]
fn a_computed_channel_is_named_as_it_is_now() {
    let mut b = Builder::new("wrong-channel");
    let first = rendezvous(&mut b, "answer[0]");
    rendezvous(&mut b, "answer[1]");
    let who = b.object("S.who", Kind::Variable(Domain::Range { lo: 0, hi: 1 }));
    once(&mut b, "C", |e| e.run(Command::Receive(first.into(), vec![Pattern::Ignore])));
    let (s, l) = process(&mut b, "S", &["idle", "busy"]);
    b.edge(Edge::new(s, l[0], l[1]).run(Command::Assign(who.into(), 1.into())));
    b.edge(Edge::new(s, l[0], l[1]).run(Command::Assign(who.into(), 0.into())));
    b.edge(Edge::new(s, l[1], l[0]).run(send(Target::cell(first, 2, Expr::read(who)), 3)));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert!(d.cycle.is_empty(), "{:?}", d.cycle);
    assert_eq!(reasons(&d, 0), ["waits for S to send on `answer[0]`; S is at a send on answer[1]"]);
    let nobody = "waits for somebody to receive on `answer[1]`; nobody else is at a receive on it";
    assert_eq!(reasons(&d, 1), [format!("{nobody} (C is at one on answer[0])")]);
    assert_eq!(d.no_cycle, ["C waits for S to send on `answer[0]`", &format!("S {nobody}; C is at one on answer[0]")]);
}

#[test]
fn a_message_that_is_not_accepted_is_said_in_words() {
    let mut b = Builder::new("mismatch");
    let c = rendezvous(&mut b, "c");
    once(&mut b, "P", |e| e.run(send(c, 1)));
    once(&mut b, "Q", |e| e.run(Command::Receive(c.into(), vec![Pattern::Match(2.into())])));
    let system = b.build().expect("a model");
    let (d, _) = deadlock_of(&system);
    assert_eq!(d.no_cycle, ["P sends 1 on `c`, Q accepts only 2"]);
    assert_eq!((reasons(&d, 0), reasons(&d, 1)), (d.no_cycle.clone(), d.no_cycle.clone()));
    let why = explain::why_disabled(&system, model::TransitionId(0), &system.initial_state());
    assert_eq!(why, ["P sends 1, Q accepts only 2"]);
}

/// R may change what P sends, and waits for P: the two that meet do not wait for each other.
#[test]
fn somebody_else_may_make_a_message_fit() {
    let mut b = Builder::new("third");
    let (c, x) = (rendezvous(&mut b, "c"), b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 3 })));
    let s = b.object("s", Kind::Semaphore { max: 1 });
    once(&mut b, "P", |e| e.run(Command::Send(c.into(), vec![Expr::read(x)])).run(Command::Gain(s.into(), 1)));
    once(&mut b, "Q", |e| e.run(Command::Receive(c.into(), vec![Pattern::Match(2.into())])));
    once(&mut b, "R", |e| e.run(Command::Take(s.into(), 1)).run(Command::Assign(x.into(), 2.into())));
    let (d, _) = deadlock_of(&b.build().expect("a model"));
    assert_eq!(cycle(&d), ["P waits for `x == 2`, which R could make true", "R waits for s, which P could signal"]);
    assert_eq!(reasons(&d, 1), ["waits for P to send on `c`; P sends 0, Q accepts only 2"]);
}

#[test]
fn a_step_that_never_has_a_partner_is_named_with_whoever_blocks_it() {
    let mut b = Builder::new("alone");
    let (stop, c) = (b.action("stop"), rendezvous(&mut b, "c"));
    let (blocker, l) = process(&mut b, "C", &["start"]);
    b.end(blocker, l[0]);
    b.alphabet(blocker, stop);
    once(&mut b, "D", |e| e.sync(stop));
    let (p, k) = process(&mut b, "P", &START_AND_DONE);
    b.edge(Edge::new(p, k[0], k[1]).label("tell").run(send(c, 1)));
    b.edge(Edge::new(p, k[0], k[1]).label("hear").run(Command::Receive(c.into(), vec![Pattern::Ignore])));
    let (d, text) = deadlock_of(&b.build().expect("a model"));
    let reason = "C knows `stop` (uses) and has no step with it";
    assert_eq!((&*d.processes[1].waits[0].step, reasons(&d, 1)), ("stop", vec![reason.to_owned()]));
    assert_eq!(
        d.no_cycle,
        [
            "D cannot take part in `stop`: C knows `stop` (uses) and has no step with it",
            "P waits for somebody to receive on `c`; nobody else is at a receive on it; no other process has one",
            "P waits for somebody to send on `c`; nobody else is at a send on it; no other process has one",
        ]
    );
    assert_eq!(d.processes[2].waits.iter().map(|w| &*w.step).collect::<Vec<_>>(), ["tell", "hear"]);
    assert!(!text.contains("no step leaves"), "{text}");
}
