//! What transitions use, and what follows for the examples of the thesis.

use model::objects::{Comparison, Operation};
use model::{
    Binary, Builder, ChannelType, Command, Dependency, Domain, Edge, Expr, Kind, LocationId, ObjectId, Pattern,
    ProcessId, Relation, Retrieve, Role, System, Target, TransitionId, Value,
};

/// One process with one location, and these objects: bit, number, cell[0..3], counter, queue.
struct Bench {
    builder: Builder,
    process: ProcessId,
    bit: ObjectId,
    number: ObjectId,
    cells: ObjectId,
    counter: ObjectId,
    queue: ObjectId,
}

fn bench() -> Bench {
    let mut b = Builder::new("bench");
    let process = b.process("P");
    b.location(process, "l");
    let bit = b.object("bit", Kind::Variable(Domain::Bool));
    let number = b.object("number", Kind::Variable(Domain::Range { lo: 0, hi: 5 }));
    let cells = b.object("cell[0]", Kind::Variable(Domain::Range { lo: 0, hi: 5 }));
    b.object("cell[1]", Kind::Variable(Domain::Range { lo: 0, hi: 5 }));
    b.object("cell[2]", Kind::Variable(Domain::Range { lo: 0, hi: 5 }));
    let counter = b.object("counter", Kind::Counter { max: 9 });
    let queue = b.object("queue", fifo(4));
    Bench { builder: b, process, bit, number, cells, counter, queue }
}

fn fifo(capacity: u32) -> Kind {
    Kind::Channel(ChannelType { capacity, lossy: false, fields: vec![Domain::Range { lo: 0, hi: 2 }] })
}

impl Bench {
    fn step(&self) -> Edge {
        Edge::new(self.process, LocationId(0), LocationId(0))
    }

    /// What a step uses: the object, the operation, what for.
    fn uses(&self, edge: Edge) -> Vec<(ObjectId, Operation, Role)> {
        let mut builder = self.builder.clone();
        builder.edge(edge);
        let system = builder.build().expect("the step is valid");
        Dependency::new(&system).uses(TransitionId(0)).iter().map(|u| (u.first, u.operation, u.role)).collect()
    }

    fn operations(&self, edge: Edge) -> Vec<Operation> {
        self.uses(edge).into_iter().map(|(_, op, _)| op).collect()
    }
}

#[test]
fn conditions_are_recognised_as_tests() {
    let b = bench();
    let test = |c: Comparison, k: i64| vec![Operation::test(c, k)];
    let when = |e: Expr| b.operations(b.step().when(e));
    assert_eq!(when(Expr::read(b.number).is(3)), test(Comparison::Eq, 3));
    assert_eq!(when(Expr::Const(3).op(Binary::Lt, Expr::read(b.number))), test(Comparison::Gt, 3));
    assert_eq!(when(Expr::read(b.number).op(Binary::Le, 3).negate()), test(Comparison::Gt, 3));
    assert_eq!(when(Expr::read(b.bit)), test(Comparison::Ne, 0));
    assert_eq!(when(Expr::read(b.bit).negate()), test(Comparison::Eq, 0));
    assert_eq!(when(Expr::Empty(b.queue.into())), vec![Operation::EMPTY]);
    assert_eq!(when(Expr::Full(b.queue.into())), vec![Operation::full(4)]);
    assert_eq!(when(Expr::Len(b.queue.into()).op(Binary::Ge, 2)), test(Comparison::Ge, 2));
    assert_eq!(when(Expr::read(b.number).op(Binary::Add, 1).is(3)), vec![Operation::Read]);
    let either = Expr::read(b.bit).op(Binary::Or, Expr::read(b.number).is(3));
    assert_eq!(when(either), [test(Comparison::Ne, 0), test(Comparison::Eq, 3)].concat());
}

#[test]
fn assignments_are_recognised_as_updates() {
    let b = bench();
    let assign = |o: ObjectId, e: Expr| b.operations(b.step().run(Command::Assign(o.into(), e)));
    assert_eq!(assign(b.number, Expr::Const(3)), vec![Operation::Assign(3)]);
    assert_eq!(assign(b.number, Expr::read(b.number).op(Binary::Add, 2)), vec![Operation::Add(2)]);
    assert_eq!(assign(b.number, Expr::Const(2).op(Binary::Add, Expr::read(b.number))), vec![Operation::Add(2)]);
    assert_eq!(assign(b.number, Expr::read(b.number).op(Binary::Sub, 1)), vec![Operation::Add(-1)]);
    assert_eq!(assign(b.bit, Expr::read(b.bit).negate()), vec![Operation::Complement]);
    assert_eq!(assign(b.bit, Expr::Const(1).op(Binary::Sub, Expr::read(b.bit))), vec![Operation::Complement]);
    let negated = vec![Operation::test(Comparison::Eq, 0), Operation::Write];
    assert_eq!(assign(b.number, Expr::read(b.number).negate()), negated, "six values are not two");
    assert_eq!(assign(b.number, Expr::read(b.bit)), vec![Operation::Read, Operation::Write]);
}

#[test]
fn what_is_used_after_being_modified_may_be_anything() {
    let b = bench();
    let set = |o: ObjectId, e: Expr| Command::Assign(o.into(), e);
    let step = b.step().run(set(b.bit, Expr::Const(1))).run(set(b.number, Expr::read(b.bit)));
    let (first, later) = (Role::Effect(0), Role::Effect(1));
    let expected =
        vec![(b.bit, Operation::Assign(1), first), (b.bit, Operation::Any, later), (b.number, Operation::Write, later)];
    assert_eq!(b.uses(step), expected);
    let step = b.step().run(set(b.number, Expr::read(b.bit))).run(set(b.bit, Expr::Const(1)));
    assert_eq!(b.operations(step), vec![Operation::Read, Operation::Assign(1), Operation::Write]);
}

#[test]
fn a_cell_is_found_in_the_state_unless_its_index_changes() {
    let b = bench();
    let cell = || Target::cell(b.cells, 3, Expr::read(b.number));
    let write = Command::Assign(cell(), Expr::Const(1));
    let step = |c: Vec<Command>| c.into_iter().fold(b.step(), Edge::run);
    for (edge, found) in [
        (step(vec![write.clone()]), Some(b.cells)),
        (step(vec![Command::Assign(b.number.into(), Expr::Const(2)), write]), None),
    ] {
        let mut builder = b.builder.clone();
        builder.edge(edge);
        let system = builder.build().expect("the step is valid");
        let d = Dependency::new(&system);
        let usage = d.uses(TransitionId(0)).iter().find(|u| u.len == 3).expect("the array is used");
        assert_eq!(d.object_in(usage, &system.initial_state()), found);
    }
}

#[test]
fn conditions_that_repeat_definedness_are_absorbed() {
    let b = bench();
    let (full, empty) = (|| Expr::Full(b.queue.into()), || Expr::Empty(b.queue.into()));
    let send = || Command::Send(b.queue.into(), vec![Expr::Const(1)]);
    let receive = || Command::Receive(b.queue.into(), vec![Pattern::Match(Expr::Const(1))]);
    let take = |k: u32| Command::Take(b.counter.into(), k);
    assert_eq!(b.operations(b.step().when(full().negate()).run(send())), vec![Operation::Send]);
    let shorter = Expr::Len(b.queue.into()).op(Binary::Lt, 4);
    assert_eq!(b.operations(b.step().when(shorter).run(send())), vec![Operation::Send]);
    assert_eq!(b.operations(b.step().when(empty().negate()).run(receive())), vec![Operation::Receive]);
    let enough = || Expr::read(b.counter).op(Binary::Ge, 2);
    assert_eq!(b.operations(b.step().when(enough()).run(take(2))), vec![Operation::Take(2)]);
    // These say something else.
    assert_eq!(b.operations(b.step().when(empty()).run(send())).len(), 2);
    assert_eq!(b.operations(b.step().when(enough()).run(take(1))).len(), 2);
}

/// Sorted sends and receives from the middle may do anything; looks are reads, and those for any message mere tests.
#[test]
fn channels_out_of_order_are_used_with_care() {
    let b = bench();
    let wanted = || vec![Pattern::Match(Expr::read(b.number))];
    let retrieve = |p: Vec<Pattern>, anywhere, keep| {
        b.uses(b.step().run(Command::Retrieve(b.queue.into(), p, Retrieve { anywhere, keep })))
    };
    let used = |op: Operation| vec![(b.number, Operation::Read, Role::Defined(0)), (b.queue, op, Role::Defined(0))];
    assert_eq!(retrieve(wanted(), true, false), used(Operation::Any));
    assert_eq!(retrieve(wanted(), false, false), used(Operation::Receive));
    assert_eq!(retrieve(wanted(), true, true), used(Operation::Read));
    let first = retrieve(vec![Pattern::Ignore], true, false);
    assert_eq!(first, vec![(b.queue, Operation::Receive, Role::Defined(0))]);
    let insert = b.uses(b.step().run(Command::Insert(b.queue.into(), vec![Expr::read(b.number)])));
    let expected = vec![(b.number, Operation::Read, Role::Effect(0)), (b.queue, Operation::Any, Role::Defined(0))];
    assert_eq!(insert, expected);
    let offers = |p: Vec<Pattern>| b.operations(b.step().when(Expr::Offers(b.queue.into(), p, false)));
    assert_eq!(offers(wanted()), vec![Operation::Read, Operation::Read]);
    assert_eq!(offers(vec![Pattern::Bind(b.number.into())]), vec![Operation::test(Comparison::Ne, 0)]);
    assert_eq!(b.operations(b.step().run(Command::Unforeseen(1))), Vec::new());
}

#[test]
fn tokens_that_are_given_back_are_only_tested() {
    let b = bench();
    let (take, gain) = (|k| Command::Take(b.counter.into(), k), |k| Command::Gain(b.counter.into(), k));
    let read_arc = vec![(b.counter, Operation::test(Comparison::Ge, 2), Role::Defined(0))];
    assert_eq!(b.uses(b.step().run(take(2)).run(gain(2))), read_arc);
    assert_eq!(b.operations(b.step().run(take(2)).run(gain(1))), vec![Operation::Take(2), Operation::Any]);
    let looked_at = b.step().run(take(2)).run(Command::Assert(Expr::read(b.counter).is(1))).run(gain(2));
    assert_eq!(b.operations(looked_at), vec![Operation::Take(2), Operation::Any, Operation::Any]);
}

/// The transitions in a relation with some use of `t`, other than itself.
fn related(d: &Dependency<'_>, t: TransitionId, relation: Relation<'_>) -> Vec<u32> {
    let mut found = Vec::new();
    d.uses(t).iter().for_each(|usage| d.related(usage, relation, |u| found.push(u.0)));
    found.sort_unstable();
    found.dedup();
    found.retain(|u| *u != t.0);
    found
}

/// Example 4.30: A receives and clears x; B sets x and asks whether the channel is empty. Three messages of five.
fn example_4_30() -> System {
    let mut b = Builder::new("4.30");
    let (pa, pb) = (b.process("A"), b.process("B"));
    for i in 0..2 {
        b.location(pa, format!("a{i}"));
    }
    for i in 0..4 {
        b.location(pb, format!("b{i}"));
    }
    let three = Value::Queue(vec![vec![0], vec![1], vec![2]]);
    let q = b.object_with("q", fifo(5), three, None);
    let x = b.object("x", Kind::Variable(Domain::Bool));
    let at = |p, from, to| Edge::new(p, LocationId(from), LocationId(to));
    let set = |v: i64| Command::Assign(x.into(), Expr::Const(v));
    b.edge(at(pa, 0, 1).run(Command::Receive(q.into(), vec![Pattern::Ignore])));
    b.edge(at(pa, 1, 0).run(set(0)));
    b.edge(at(pb, 0, 1).run(set(1)));
    b.edge(at(pb, 1, 2).when(Expr::Empty(q.into())));
    b.edge(at(pb, 1, 3).when(Expr::Empty(q.into()).negate()));
    b.build().expect("the example is valid")
}

#[test]
fn example_4_30_needs_the_finest_relation() {
    let system = example_4_30();
    let d = Dependency::new(&system);
    let [t1, t2, t3, t4, t5] = [0, 1, 2, 3, 4].map(TransitionId);
    let mut state = system.initial_state();
    assert_eq!(related(&d, t1, Relation::DoNotAccord), vec![3, 4]);
    assert_eq!(related(&d, t1, Relation::MayInterfereFirst(&state)), Vec::<u32>::new());
    assert!(d.independent_in(t1, t4, &state) && d.do_not_accord(t1, t4) && d.do_not_accord(t2, t3));
    assert!(!d.uniformly_independent_in(t1, t5, &state), "Receive and Empty, for n > 0");
    for t in [t1, t2, t1, t2] {
        let mut next = state.clone();
        system.fire(t, &state, &mut next).expect("no fault");
        state = next;
    }
    assert_eq!(related(&d, t1, Relation::MayInterfereFirst(&state)), vec![3, 4], "one message is left");
    assert!(!d.independent_in(t1, t4, &state));
}

/// Example 8.1: a producer and a consumer that ask before they send and receive.
#[test]
fn example_8_1_is_free_of_interference() {
    let mut b = Builder::new("8.1");
    let q = b.object("q", fifo(1000));
    let (p, c) = (b.process("P"), b.process("C"));
    b.location(p, "p0");
    b.location(c, "c0");
    let send = Command::Send(q.into(), vec![Expr::Const(1)]);
    let receive = Command::Receive(q.into(), vec![Pattern::Ignore]);
    b.edge(Edge::new(p, LocationId(0), LocationId(0)).when(Expr::Full(q.into()).negate()).run(send));
    b.edge(Edge::new(c, LocationId(0), LocationId(0)).when(Expr::Empty(q.into()).negate()).run(receive));
    let system = b.build().expect("the example is valid");
    let d = Dependency::new(&system);
    let (t1, t2) = (TransitionId(0), TransitionId(1));
    assert!(!d.do_not_accord(t1, t2) && d.can_be_dependent(t1, t2));
    let empty = system.initial_state();
    assert!(!d.independent_in(t1, t2, &empty), "sending enables receiving");
    assert_eq!(related(&d, t1, Relation::MayInterfereFirst(&empty)), Vec::<u32>::new());
    assert_eq!(related(&d, t2, Relation::MayInterfereFirst(&empty)), vec![0]);
    let mut one = empty.clone();
    system.fire(t1, &empty, &mut one).expect("no fault");
    assert!(d.independent_in(t1, t2, &one));
    assert_eq!(related(&d, t2, Relation::MayInterfereFirst(&one)), Vec::<u32>::new());
}
