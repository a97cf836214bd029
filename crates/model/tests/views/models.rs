//! Systems built by hand.

use model::{Binary, Builder, ChannelType, Command, Domain, Edge, Expr, Kind, LocationId, ObjectId, Pattern, System};
use model::{ProcessId, Target, Value};

pub(crate) fn range(lo: i32, hi: i32) -> Kind {
    Kind::Variable(Domain::Range { lo, hi })
}

pub(crate) fn channel(capacity: u32, lossy: bool, fields: Vec<Domain>) -> Kind {
    Kind::Channel(ChannelType { capacity, lossy, fields })
}

/// A process with locations `0`, `1`, ...
pub(crate) fn process(b: &mut Builder, name: &str, locations: usize) -> ProcessId {
    let p = b.process(name);
    (0..locations).for_each(|l| _ = b.location(p, l.to_string()));
    p
}

pub(crate) fn edge(p: ProcessId, from: u32, to: u32) -> Edge {
    Edge::new(p, LocationId(from), LocationId(to))
}

pub(crate) fn assign(o: ObjectId, e: impl Into<Expr>) -> Command {
    Command::Assign(o.into(), e.into())
}

/// Everybody takes the left fork first; forks are locks.
pub(crate) fn philosophers_with_locks(n: usize) -> System {
    let mut b = Builder::new("philosophers with locks");
    let forks: Vec<ObjectId> = (0..n).map(|i| b.object(format!("fork[{i}]"), Kind::Lock)).collect();
    for i in 0..n {
        let p = process(&mut b, &format!("Phil[{i}]"), 4);
        let (left, right) = (forks[i], forks[(i + 1) % n]);
        b.edge(edge(p, 0, 1).run(Command::Acquire(left.into(), p)));
        b.edge(edge(p, 1, 2).run(Command::Acquire(right.into(), p)));
        b.edge(edge(p, 2, 3).run(Command::Release(left.into(), p)));
        b.edge(edge(p, 3, 0).run(Command::Release(right.into(), p)));
    }
    b.build().expect("a good model")
}

/// The same with booleans.
pub(crate) fn philosophers_with_booleans(n: usize) -> System {
    let mut b = Builder::new("philosophers with booleans");
    let forks: Vec<ObjectId> = (0..n).map(|i| b.object(format!("f[{i}]"), Kind::Variable(Domain::Bool))).collect();
    for i in 0..n {
        let p = process(&mut b, &format!("Phil[{i}]"), 4);
        let (left, right) = (forks[i], forks[(i + 1) % n]);
        b.edge(edge(p, 0, 1).when(Expr::read(left).is(0)).run(assign(left, 1)));
        b.edge(edge(p, 1, 2).when(Expr::read(right).is(0)).run(assign(right, 1)));
        b.edge(edge(p, 2, 3).run(assign(left, 0)));
        b.edge(edge(p, 3, 0).run(assign(right, 0)));
    }
    b.build().expect("a good model")
}

/// Milner's scheduler: joint actions `c[i]` between neighbours.
pub(crate) fn milner(n: usize) -> System {
    let mut b = Builder::new("Milner's scheduler");
    let actions: Vec<_> = (0..n).map(|i| b.action(format!("c[{i}]"))).collect();
    for i in 0..n {
        let p = process(&mut b, &format!("Cell[{i}]"), 5);
        let (mine, next) = (actions[i], actions[(i + 1) % n]);
        b.edge(edge(p, 0, 1).sync(mine));
        b.edge(edge(p, 1, 2).label("a"));
        b.edge(edge(p, 2, 3).label("b"));
        b.edge(edge(p, 3, 0).sync(next));
        b.edge(edge(p, 2, 4).sync(next));
        b.edge(edge(p, 4, 0).label("b"));
        b.process_mut(p).initial = LocationId(u32::from(i == 0));
    }
    b.build().expect("a good model")
}

/// A producer, a lossy channel of records, a consumer that takes some kinds of messages only, and declared ends.
pub(crate) fn lossy_channel() -> System {
    let mut b = Builder::new("lossy channel");
    let q = b.object("q", channel(3, true, vec![Domain::Bool, Domain::Range { lo: 3, hi: 100_000 }]));
    let (x, n) = (b.object("x", range(3, 100_000)), b.object("n", range(0, 2)));
    let (p, c) = (process(&mut b, "P", 2), process(&mut b, "C", 2));
    let message = |kind: i64, load: i64| Command::Send(q.into(), vec![kind.into(), load.into()]);
    b.edge(edge(p, 0, 0).run(message(0, 7)));
    b.edge(edge(p, 0, 1).when(Expr::read(n).is(2)).run(message(1, 9)));
    let take = |kind: i64| Command::Receive(q.into(), vec![Pattern::Match(kind.into()), Pattern::Bind(x.into())]);
    b.edge(edge(c, 0, 0).run(take(0)).run(assign(n, Expr::read(n).op(Binary::Add, 1).op(Binary::Rem, 3))));
    b.edge(edge(c, 0, 1).when(Expr::read(x).op(Binary::Gt, 3)).run(take(1)));
    b.end(p, LocationId(1));
    b.end(c, LocationId(1));
    b.build().expect("a good model")
}

/// A rendezvous that hands over values, on an array of channels with an index.
pub(crate) fn rendezvous() -> System {
    let mut b = Builder::new("rendezvous");
    let kind = channel(0, false, vec![Domain::Range { lo: 0, hi: 2 }]);
    let first = b.object("r[0]", kind.clone());
    b.object("r[1]", kind);
    let (i, x, y) = (b.object("i", range(0, 1)), b.object("x", range(0, 2)), b.object("y", range(0, 2)));
    let (s, r) = (process(&mut b, "S", 1), process(&mut b, "R", 2));
    let target = Target::cell(first, 2, Expr::read(i));
    b.edge(edge(s, 0, 0).run(Command::Send(target, vec![Expr::read(x)])).run(assign(i, Expr::Const(1))));
    b.edge(edge(s, 0, 0).when(Expr::read(x).op(Binary::Lt, 2)).run(assign(x, Expr::read(x).op(Binary::Add, 1))));
    for k in 0..2 {
        let end = Target::fixed(ObjectId(first.0 + k));
        b.edge(edge(r, k, 1 - k).run(Command::Receive(end, vec![Pattern::Bind(y.into())])));
    }
    b.build().expect("a good model")
}

/// Dynamic indices, nested ones too, one read after it was modified in the same step, one out of range.
/// Indices that are constant without being written as constants: inside the array, and outside it.
pub(crate) fn constant_indices() -> System {
    let mut b = Builder::new("constant indices");
    let a = b.object("a[0]", range(0, 2));
    b.object_with("a[1]", range(0, 2), Value::Int(1), None);
    let choice = |c: i64| Expr::If(Box::new(Expr::Const(c)), Box::new(Expr::Const(1)), Box::new(Expr::Const(0)));
    let cell = |index: Expr| Target::cell(a, 2, index);
    let p = process(&mut b, "P", 4);
    b.edge(edge(p, 0, 1).when(Expr::Read(cell(choice(1))).is(1)).run(Command::Assign(cell(choice(0)), Expr::Const(2))));
    b.edge(edge(p, 1, 2).when(Expr::Read(cell(choice(0))).is(2)));
    b.edge(edge(p, 1, 3).when(Expr::Read(cell(choice(1))).is(2)));
    b.edge(edge(p, 2, 0).run(Command::Assign(cell(choice(1).op(Binary::Add, 1)), Expr::Const(0))));
    b.build().expect("the model is right")
}

pub(crate) fn dynamic_indices() -> System {
    let mut b = Builder::new("dynamic indices");
    let a = b.object("a[0]", range(0, 2));
    b.object_with("a[1]", range(0, 2), Value::Int(1), None);
    b.object_with("a[2]", range(0, 2), Value::Int(2), None);
    let i = b.object("i", range(0, 3));
    let q = b.object("q[0]", channel(1, false, vec![Domain::Bool]));
    b.object("q[1]", channel(1, false, vec![Domain::Bool]));
    let cell = |index: Expr| Target::cell(a, 3, index);
    let (p, r) = (process(&mut b, "P", 3), process(&mut b, "R", 1));
    let nested = cell(Expr::Read(cell(Expr::read(i))));
    b.edge(
        edge(p, 0, 1)
            .when(Expr::read(i).op(Binary::Lt, 3))
            .run(Command::Assign(nested, Expr::read(i).op(Binary::Rem, 3))),
    );
    let up = assign(i, Expr::read(i).op(Binary::Add, 1).op(Binary::Rem, 4));
    b.edge(edge(p, 1, 2).run(up.clone()).run(Command::Assign(cell(Expr::read(i)), Expr::Const(0))));
    b.edge(edge(p, 1, 0).when(Expr::read(i).op(Binary::Ne, 3)).when(Expr::Read(cell(Expr::read(i))).is(0)).run(up));
    let channel = |index: Expr| Target::cell(q, 2, index);
    b.edge(edge(p, 2, 0).run(Command::Send(channel(Expr::Read(cell(Expr::Const(1)))), vec![Expr::read(i).is(2)])));
    b.edge(
        edge(r, 0, 0).run(Command::Receive(
            channel(Expr::read(i).op(Binary::Rem, 2)),
            vec![Pattern::Bind(cell(Expr::Const(2)))],
        )),
    );
    b.build().expect("a good model")
}

/// Indices that depend on what the same step wrote: a bind that selects the cell of the next bind, and a cell that is
/// read before and after an assignment which may or may not have changed it.
pub(crate) fn indices_written_in_the_step() -> System {
    let mut b = Builder::new("indices written in the step");
    let bit = Domain::Range { lo: 0, hi: 1 };
    let q = b.object("q", channel(1, false, vec![bit.clone(), bit]));
    let i = b.object("i", range(0, 1));
    let cells: Vec<ObjectId> = ["a[0]", "a[1]", "c[0]", "c[1]"].iter().map(|n| b.object(*n, range(0, 1))).collect();
    let (a, c) = (|e: Expr| Target::cell(cells[0], 2, e), |e: Expr| Target::cell(cells[2], 2, e));
    let (p, r) = (process(&mut b, "P", 1), process(&mut b, "R", 1));
    for k in 0..4 {
        b.edge(edge(p, 0, 0).run(Command::Send(q.into(), vec![(k % 2).into(), (k / 2).into()])));
    }
    let binds = vec![Pattern::Bind(i.into()), Pattern::Bind(a(Expr::read(i)))];
    let old = Expr::Read(a(Expr::read(i))).op(Binary::Le, 1);
    b.edge(edge(r, 0, 0).when(old).run(Command::Receive(q.into(), binds)));
    let first = || Expr::read(cells[0]);
    let through = edge(r, 0, 0).run(Command::Assign(c(first()), Expr::Const(1)));
    let through = through.run(Command::Assign(a(Expr::read(i)), Expr::read(i).is(0)));
    b.edge(through.run(Command::Assign(c(first()), Expr::Const(0))));
    b.build().expect("a good model")
}

/// Tests whose faults count only if earlier tests of other objects hold, and faulty operations of two objects.
pub(crate) fn faults() -> System {
    let mut b = Builder::new("faults");
    let (x, y, z) = (b.object("x", range(0, 3)), b.object("y", range(0, 3)), b.object("z", range(0, 3)));
    let (p, q) = (process(&mut b, "P", 2), process(&mut b, "Q", 1));
    let ten_by = |o: ObjectId| Expr::Const(10).op(Binary::Div, Expr::read(o));
    let quotient = |o: ObjectId| ten_by(o).op(Binary::Gt, 3);
    b.edge(edge(p, 0, 1).when(Expr::read(x).op(Binary::Gt, 1)).when(quotient(y)).when(quotient(z)));
    b.edge(
        edge(p, 1, 0)
            .when(Expr::read(z).op(Binary::Ne, 2))
            .run(assign(x, Expr::read(x).op(Binary::Add, 2)))
            .run(assign(y, 3)),
    );
    for o in [x, y, z] {
        let up = Expr::read(o).op(Binary::Add, 1);
        b.edge(edge(q, 0, 0).when(Expr::read(o).op(Binary::Lt, 3)).run(assign(o, up)));
    }
    b.edge(edge(q, 0, 0).run(Command::Assert(Expr::read(x).op(Binary::Ge, Expr::read(y)))));
    b.edge(edge(q, 0, 0).when(Expr::read(z).is(3)).run(Command::Assert(Expr::Const(0))));
    b.build().expect("a good model")
}

/// Counters and semaphores with every form of bound, overflows, and locks that may be released by the wrong process.
pub(crate) fn counters() -> System {
    let mut b = Builder::new("counters");
    let c = b.object_with("c", Kind::Counter { max: 4 }, Value::Int(1), None);
    let s = b.object_with("s", Kind::Semaphore { max: 2 }, Value::Int(2), None);
    let big = b.object("big", Kind::Counter { max: u32::MAX });
    let m = b.object("m", Kind::Lock);
    let (p, q) = (process(&mut b, "P", 3), process(&mut b, "Q", 2));
    let value = || Expr::read(c);
    b.edge(edge(p, 0, 1).when(value().op(Binary::Ne, 2)).run(Command::Gain(c.into(), 2)));
    b.edge(
        edge(p, 1, 2)
            .when(value().op(Binary::Le, 3).negate())
            .run(Command::Take(c.into(), 3))
            .run(Command::Gain(c.into(), 1)),
    );
    b.edge(edge(p, 1, 0).when(Expr::Const(2).op(Binary::Gt, Expr::read(s))).run(Command::Acquire(m.into(), p)));
    b.edge(edge(p, 2, 0).when(Expr::Free(m.into()).negate()).run(Command::Take(c.into(), 1)));
    b.edge(edge(p, 2, 2).when(value().is(1).op(Binary::Or, value().is(3))));
    b.edge(edge(q, 0, 1).run(Command::Take(s.into(), 1)));
    b.edge(edge(q, 1, 0).run(Command::Gain(s.into(), 1)).run(Command::Release(m.into(), q)));
    b.edge(
        edge(q, 1, 0).when(value().op(Binary::Lt, 4)).run(Command::Gain(s.into(), 1)).run(Command::Gain(c.into(), 1)),
    );
    b.edge(edge(q, 0, 0).when(Expr::read(big).op(Binary::Lt, 2)).run(Command::Gain(big.into(), 1)));
    b.edge(edge(q, 0, 0).when(Expr::Const(0).op(Binary::Div, 1)));
    b.build().expect("a good model")
}
