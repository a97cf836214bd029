//! Control as SPIN has it: small programs with `atomic` and `timeout`, and the numbers of states that SPIN 6.5.2 stores
//! for them with all its reductions off. A process dies when it is the last one, as there.

use model::{
    Binary, Builder, ChannelType, Command, Domain, Edge, Expr, Fault, Hold, Kind, ObjectId, Pattern, ProcessId,
};
use model::{System, Value};
use testkit::compare::semantics;
use testkit::naive::explore;
use testkit::packed::Packed;

/// A statement, and the hold of the location after it.
type Line = (Statement, Hold);

#[derive(Clone, Copy)]
enum Statement {
    Add(usize, i64),
    Set(usize, i64),
    Is(usize, i64),
    Send,
    Receive,
    Timeout,
}

use Hold::{Atomic, No, Step};
use Statement::{Add, Is, Receive, Send, Set, Timeout};

const BYTE: Domain = Domain::Range { lo: 0, hi: 255 };

struct Program {
    builder: Builder,
    variables: [ObjectId; 2],
    channel: ObjectId,
    alive: ObjectId,
}

fn system(bodies: &[&[Line]]) -> System {
    let mut builder = Builder::new("program");
    let variables = ["x", "y"].map(|name| builder.object(name, Kind::Variable(BYTE)));
    let channel = builder.object("c", Kind::Channel(ChannelType { capacity: 0, lossy: false, fields: vec![BYTE] }));
    let alive = Value::Int(bodies.len() as i64);
    let alive = builder.object_with("alive", Kind::Variable(BYTE), alive, None);
    let mut program = Program { builder, variables, channel, alive };
    bodies.iter().enumerate().for_each(|(i, body)| program.process(i, body));
    program.builder.build().expect("the program is right")
}

impl Program {
    fn process(&mut self, number: usize, body: &[Line]) {
        let b = &mut self.builder;
        let p = b.process(format!("P{number}"));
        let mut at = b.location(p, "0");
        for (i, (statement, hold)) in body.iter().enumerate() {
            let to = self.builder.location(p, (i + 1).to_string());
            self.builder.hold(p, to, *hold);
            let edge = self.edge(Edge::new(p, at, to), *statement);
            self.builder.edge(edge);
            at = to;
        }
        let b = &mut self.builder;
        let dead = b.location(p, "dead");
        b.end(p, at);
        b.end(p, dead);
        let last = Expr::read(self.alive).is(number as i64 + 1);
        b.edge(Edge::new(p, at, dead).when(last).run(Command::Assign(self.alive.into(), (number as i64).into())));
    }

    fn edge(&self, edge: Edge, statement: Statement) -> Edge {
        let (channel, read) = (self.channel.into(), |v: usize| Expr::read(self.variables[v]));
        let write = |v: usize, e: Expr| Command::Assign(self.variables[v].into(), e);
        match statement {
            Add(v, k) => edge.run(write(v, read(v).op(Binary::Add, k))),
            Set(v, k) => edge.run(write(v, k.into())),
            Is(v, k) => edge.when(read(v).is(k)),
            Send => edge.run(Command::Send(channel, vec![1.into()])),
            Receive => edge.run(Command::Receive(channel, vec![Pattern::Ignore])),
            Timeout => edge.last_resort(),
        }
    }
}

/// The states in which nobody has control, and all.
fn states(bodies: &[&[Line]]) -> (usize, usize) {
    let system = system(bodies);
    semantics(&system, 10_000).expect("the program is small").expect("the oracle agrees");
    let graph = explore(&Packed(&system), 10_000).expect("the program is small");
    (graph.states.iter().filter(|s| system.control(s).is_none()).count(), graph.states.len())
}

const OTHER: &[Line] = &[(Set(0, 100), No), (Set(1, 100), No)];

/// `atomic { c!1; x++; x++; x++ }` and `atomic { c?_; y++; y++; y++ }`, or without the `atomic`.
fn meeting(sender: Hold, receiver: Hold) -> usize {
    let sends = [(Send, sender), (Add(0, 1), sender), (Add(0, 1), sender), (Add(0, 1), No)];
    let receives = [(Receive, receiver), (Add(1, 1), receiver), (Add(1, 1), receiver), (Add(1, 1), No)];
    states(&[&sends, &receives, OTHER]).0
}

#[test]
fn the_receiver_of_a_rendezvous_goes_on() {
    assert_eq!(meeting(Atomic, Atomic), 27);
    assert_eq!(meeting(Atomic, No), 104);
    assert_eq!(meeting(No, Atomic), 65);
}

#[test]
fn who_is_blocked_gives_up_control_and_comes_back() {
    let blocked = [(Add(0, 1), Atomic), (Is(1, 1), Atomic), (Add(0, 1), Atomic), (Add(0, 1), No)];
    let other = [(Add(1, 1), No), (Set(1, 0), No), (Add(1, 1), No)];
    let (free, all) = states(&[&blocked, &other]);
    assert_eq!(free, 15);
    assert!(all > free);
}

#[test]
fn a_last_resort_in_the_middle_waits_until_nothing_else_is_left() {
    let waiting = [(Add(0, 1), Atomic), (Timeout, Atomic), (Set(0, 7), Atomic), (Set(0, 8), No)];
    let other = [(Add(1, 1), No), (Is(0, 8), No), (Set(1, 9), No)];
    assert_eq!(states(&[&waiting, &other]).0, 9);
}

#[test]
fn a_deterministic_step_that_is_blocked_is_a_model_error() {
    let system = system(&[&[(Set(0, 1), Step), (Is(0, 2), Step), (Set(0, 3), No)]]);
    let initial = system.initial_state();
    let t = system.enabled(&initial).next().expect("the first statement is enabled").expect("its guard is no fault");
    let fault = system.fire(t, &initial, &mut vec![0; system.words()]);
    assert_eq!(fault, Err(Fault::Blocked { process: ProcessId(0) }));
    assert!(Fault::Blocked { process: ProcessId(0) }.show(&system).contains("`P0` is blocked"));
}

#[test]
fn views_are_refused_where_somebody_goes_on_alone() {
    let held = system(&[&[(Set(0, 1), Atomic), (Set(0, 3), No)]]);
    let resort = system(&[&[(Timeout, No)]]);
    let limits = model::Limits::default();
    for (system, word) in [(held, "goes on alone"), (resort, "only where nothing else is")] {
        let refusals = [system.network(&limits).map(|_| ()), system.net(&limits).map(|_| ())];
        assert!(refusals.iter().all(|r| r.as_ref().is_err_and(|e| e.message.contains(word))), "{refusals:?}");
    }
}

/// A process that may stop anywhere, and counts up to 3.
fn counter(stop: Option<Expr>) -> System {
    let mut b = Builder::new("counter");
    let x = b.object("x", Kind::Variable(BYTE));
    let p = b.process("P");
    let at = b.location(p, "at");
    b.end(p, at);
    let command = vec![Command::Assign(x.into(), Expr::read(x).op(Binary::Add, 1))];
    b.edge(Edge { guard: vec![Expr::read(x).op(Binary::Lt, 3)], command, ..Edge::new(p, at, at) });
    stop.into_iter().for_each(|e| b.stop_only_if(e));
    b.build().expect("the system is right")
}

#[test]
fn where_processes_may_stop_may_depend_on_objects() {
    let x = || Expr::read(ObjectId(0));
    let between = x().op(Binary::Gt, 0).op(Binary::And, x().op(Binary::Lt, 3));
    // A condition that is a fault is not true.
    let divided = Expr::Const(6).op(Binary::Div, x()).op(Binary::Ge, 3);
    for (stop, expected) in [
        (None, [true, true, true, true]),
        (Some(between), [false, true, true, false]),
        (Some(divided), [false, true, true, false]),
    ] {
        let system = counter(stop);
        assert_eq!(semantics(&system, 10), Some(Ok(())));
        let graph = explore(&Packed(&system), 10).expect("four states");
        assert_eq!(graph.states.iter().map(|s| system.at_end(s)).collect::<Vec<_>>(), expected);
    }
    let refused = counter(Some(x())).network(&model::Limits::default()).map(|_| ());
    assert!(refused.is_err_and(|e| e.message.contains("depends on its objects")));
}
