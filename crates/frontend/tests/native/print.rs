//! Printed models read back to the same state space.

use crate::support::{Sample, layers, samples};
use frontend::native::{load, print, unsayable};
use model::{Builder, ChannelType, Command, Domain, Edge, Expr, Joining, Kind, LocationId, Property, System};
use model::{Pattern, Target, Transition, Value};

fn reread(name: &str, system: &System, properties: &[(String, Property)]) -> (System, Vec<String>) {
    let text = print(system, properties);
    let loaded = load("again", &text, &[]).unwrap_or_else(|d| panic!("{name}\n{text}\n{d:#?}"));
    (loaded.system, loaded.properties.into_iter().map(|p| p.name).collect())
}

fn roundtrip(sample: &Sample) {
    let loaded = load("once", &sample.text, &[]).expect("a sample loads");
    let properties: Vec<(String, Property)> =
        loaded.properties.iter().map(|p| (p.name.clone(), p.property.clone())).collect();
    let (again, names) = reread(&sample.name, &loaded.system, &properties);
    assert_eq!(again.transitions().len(), loaded.system.transitions().len(), "{}", sample.name);
    assert_eq!(layers(&again, 3_000), layers(&loaded.system, 3_000), "{}", sample.name);
    assert_eq!(names, properties.iter().map(|(n, _)| n.clone()).collect::<Vec<_>>());
    // Observers add their state: they must watch the same steps.
    for ((_, before), after) in
        properties.iter().zip(&load("x", &print(&loaded.system, &properties), &[]).unwrap().properties)
    {
        if let (Property::Safety(a), Property::Safety(b)) = (before, &after.property) {
            let (a, b) = (loaded.system.observed_by(a), again.observed_by(b));
            assert_eq!(layers(&a, 3_000), layers(&b, 3_000), "{}", sample.name);
        }
        if let (Property::Temporal(a), Property::Temporal(b)) = (before, &after.property) {
            assert_eq!(format!("{a:?}").matches("Always").count(), format!("{b:?}").matches("Always").count());
        }
    }
}

#[test]
fn samples_read_back() {
    samples().iter().for_each(roundtrip);
}

/// What the language cannot say directly: steps without process, held locks, numbers as conditions, odd names.
fn foreign() -> System {
    let mut b = Builder::new("foreign");
    let (p, q) = (b.process("left side"), b.process("true"));
    let (l0, l1) = (b.location(p, "0"), b.location(p, "s-1"));
    let k0 = b.location(q, "when");
    let lock = b.object_with("held", Kind::Lock, Value::Lock(Some(p)), None);
    let other = b.object("m", Kind::Lock);
    let bit = b.object("bit", Kind::Variable(Domain::Bool));
    let s = b.object("s", Kind::Semaphore { max: 4 });
    let cells: Vec<_> =
        (0..4).map(|i| b.object(format!("cell{i}"), Kind::Variable(Domain::Range { lo: 0, hi: 3 }))).collect();
    let kind = Kind::Channel(ChannelType { capacity: 2, lossy: true, fields: vec![Domain::Bool] });
    let channel = b.object("a channel", kind);
    let low = |i: Expr| Target::cell(cells[0], 2, i);
    b.edge(Edge::new(p, l0, l1).run(Command::Release(lock.into(), p)).run(Command::Gain(s.into(), 2)));
    b.edge(
        Edge::new(p, l1, l0).label("send it").when(Expr::read(bit)).run(Command::Send(channel.into(), vec![1.into()])),
    );
    b.edge(Edge::new(q, k0, k0).when(Expr::read(s).is(2)).run(Command::Take(s.into(), 1)));
    b.edge(Edge::new(q, k0, k0).run(Command::Receive(channel.into(), vec![Pattern::Match(Expr::read(bit))])));
    b.edge(Edge::new(q, k0, k0).run(Command::Assign(low(Expr::read(cells[3])), Expr::read(bit))));
    b.edge(Edge::new(q, k0, k0).run(Command::Assign(cells[3].into(), 5.into())).when(Expr::read(s).is(4)));
    let part = |from: LocationId, to: LocationId| model::Move { process: p, from, to, label: "x".into() };
    let nobody = Transition {
        name: "net".into(),
        label: "net".into(),
        moves: Vec::new(),
        guard: vec![Expr::Free(lock.into())],
        command: vec![Command::Assign(bit.into(), Expr::read(bit).negate())],
        joining: Joining::Plain,
        last_resort: false,
        spans: Vec::new(),
    };
    // The second process acquires before the first one does.
    let acquire = vec![Command::Acquire(other.into(), q), Command::Acquire(lock.into(), p)];
    let moves = vec![part(l1, l1), model::Move { process: q, from: k0, to: k0, label: "y".into() }];
    b.transition(Transition { moves, command: acquire, guard: Vec::new(), ..nobody.clone() });
    b.transition(nobody);
    b.build().expect("a system")
}

#[test]
fn systems_of_other_origin_read_back() {
    let mut system = foreign();
    // Writing 5 into 0..3 is a fault for certain, and the language refuses that when it reads.
    let text = print(&system, &[]);
    let refused = load("again", &text, &[]).map(|_| ()).expect_err("a certain fault");
    assert!(refused[0].message.contains("outside"), "{text}\n{refused:#?}");
    system = load("again", &text.replace(":= 5", ":= 2"), &[]).expect("without the fault").system;
    let (again, _) = reread("foreign", &system, &[]);
    assert_eq!(layers(&again, 3_000), layers(&system, 3_000));
    assert!(layers(&system, 3_000).len() > 4, "it does something");
}

#[test]
fn the_comparison_notices_a_step_that_is_missing() {
    let sample = samples().into_iter().find(|s| s.name.ends_with("philosophers.imp")).expect("a sample");
    let system = load("once", &sample.text, &[]).expect("a model").system;
    let text = print(&system, &[]);
    let broken = text.replacen("do release fork[0]", "", 1);
    assert_ne!(text, broken);
    let broken = load("broken", &broken, &[]).expect("still a model").system;
    assert_ne!(layers(&broken, 3_000), layers(&system, 3_000));
}

#[test]
fn what_has_no_words_is_left_out() {
    let properties =
        [("silent".to_owned(), Property::DivergenceFree("tau".into())), ("stuck".to_owned(), Property::DeadlockFree)];
    let system = load("once", "process P {\n  states s\n  s -> s\n}\n", &[]).expect("it loads").system;
    let (_, names) = reread("silent", &system, &properties);
    assert_eq!(names, ["stuck"]);
}

/// Machine integers and channels out of order have no words; everything that the language can say itself has.
#[test]
fn what_has_no_words_is_named() {
    let mut b = Builder::new("machine");
    let process = b.process("P");
    let here = b.location(process, "here");
    let x = b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 3 }));
    let fields = vec![Domain::Bool];
    let q = b.object("q", Kind::Channel(ChannelType { capacity: 2, lossy: false, fields }));
    let plain = b.clone();
    let named = |e: Edge| {
        let mut b = plain.clone();
        b.edge(e);
        unsayable(&b.build().expect("the model is right"), &[])
    };
    let edge = || Edge::new(process, here, here);
    let masked = Expr::read(x).op(model::Binary::BitAnd, 1);
    assert_eq!(named(edge().when(Expr::read(x))), None);
    assert_eq!(named(edge().when(masked.clone())), Some("`x & 1`".to_owned()));
    assert_eq!(
        named(edge().run(Command::Assign(x.into(), masked.clone()))),
        Some("`x := x & 1` in `P.here->here`".to_owned())
    );
    let sorted = Command::Insert(q.into(), vec![1.into()]);
    assert_eq!(named(edge().run(sorted)), Some("`q!!true` in `P.here->here`".to_owned()));
    let byte = model::Unary::Wrap(model::Wrap { bits: 1, signed: false });
    let wrapped = Expr::Unary(byte, Box::new(Expr::read(x).op(model::Binary::Add, 1)));
    assert_eq!(named(edge().when(wrapped)), Some("numbers that wrap around, as in `x + 1`".to_owned()));
    let property = [("p".to_owned(), Property::Invariant(masked))];
    let system = plain.build().expect("the model is right");
    assert_eq!(unsayable(&system, &property), Some("`x & 1`".to_owned()));
    assert_eq!(unsayable(&system, &[]), None);
}
