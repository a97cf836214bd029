//! Concurrent programs in small: a few processes that run short sequences, some of them in a loop, on a few shared
//! objects, and wait for each other. They have many interleavings, many deadlocks and no model errors: what a selective
//! search must get right.

use model::{
    Binary, Builder, ChannelType, Command, Domain, Edge, Expr, Kind, LocationId, ObjectId, Pattern, ProcessId,
};
use model::{Observer, ObserverEdge, ObserverLocation, Property, System, TransitionId, Value};

use crate::rng::Rng;

/// The shared objects of a program.
pub(super) struct Shared {
    pub(super) flags: [ObjectId; 3],
    number: ObjectId,
    locks: [ObjectId; 2],
    tokens: ObjectId,
    queue: ObjectId,
}

impl Shared {
    pub(super) fn new(b: &mut Builder) -> Self {
        let range = Domain::Range { lo: 0, hi: 2 };
        let queue = ChannelType { capacity: 2, lossy: false, fields: vec![Domain::Bool] };
        Self {
            flags: ["f", "g", "h"].map(|n| b.object(n, Kind::Variable(Domain::Bool))),
            number: b.object("n", Kind::Variable(range)),
            locks: ["m", "l"].map(|n| b.object(n, Kind::Lock)),
            tokens: b.object_with("c", Kind::Counter { max: 40 }, Value::Int(1), None),
            queue: b.object("q", Kind::Channel(queue)),
        }
    }
}

/// The program of a seed.
pub fn chains(seed: u64) -> System {
    let mut rng = Rng::new(seed);
    let mut b = Builder::new(format!("chains {seed}"));
    let shared = Shared::new(&mut b);
    let go = b.action("go");
    for p in 0..2 + rng.below(3) {
        let process = b.process(format!("P{p}"));
        let length = 1 + rng.below(3);
        let places: Vec<LocationId> = (0..=length).map(|i| b.location(process, format!("s{i}"))).collect();
        let loops = rng.below(3) == 0;
        for i in 0..length + usize::from(loops) {
            let (from, to) = (places[i % (length + 1)], places[(i + 1) % (length + 1)]);
            for _ in 0..1 + usize::from(rng.below(4) == 0) {
                let edge = step(&mut rng, &shared, Edge::new(process, from, to));
                b.edge(if rng.below(12) == 0 { edge.sync(go) } else { edge });
            }
        }
        if rng.below(3) == 0 {
            b.end(process, places[length]);
        }
    }
    match b.build() {
        Ok(system) => system,
        // Two parts of the joint action may wait for what the other modifies.
        Err(_) => chains(seed.wrapping_add(0x5851_f42d_4c95_7f2d)),
    }
}

/// Questions about a program: about local states, about two processes at once, about values, and about the order in
/// which steps come.
pub fn questions(system: &System, seed: u64) -> Vec<Property> {
    let mut rng = Rng::new(seed ^ 0x7175_6573);
    let rng = &mut rng;
    let both = at(rng, system).op(Binary::And, at(rng, system));
    let mixed = at(rng, system).op(Binary::And, value(rng));
    let either = at(rng, system).op(Binary::Or, mixed.clone());
    vec![
        Property::DeadlockFree,
        Property::Reachable(at(rng, system)),
        Property::Invariant(both.negate()),
        Property::Reachable(mixed),
        Property::Reachable(either.op(Binary::And, value(rng))),
        Property::Invariant(value(rng).op(Binary::Implies, value(rng))),
        Property::Safety(observer(rng, system)),
    ]
}

fn at(rng: &mut Rng, system: &System) -> Expr {
    let process = ProcessId::new(rng.below(system.processes().len()));
    Expr::At(process, LocationId::new(rng.below(system.process(process).locations.len())))
}

/// The objects of a program have the numbers in which [`Shared`] declares them.
fn value(rng: &mut Rng) -> Expr {
    let (flag, number, queue) = (ObjectId::new(rng.below(3)), ObjectId(3), ObjectId(7));
    match rng.below(4) {
        0 => Expr::read(flag),
        1 => Expr::read(flag).negate(),
        2 => Expr::read(number).op(Binary::Eq, rng.below(3) as i64),
        _ => Expr::Full(queue.into()),
    }
}

/// Two steps that must not come in this order, the second perhaps only in certain states.
fn observer(rng: &mut Rng, system: &System) -> Observer {
    let location = |name: &str, error| ObserverLocation { name: name.to_owned(), error };
    let locations = vec![location("first", false), location("second", false), location("error", true)];
    let mut edge = |from: usize, when| {
        let on = Some(vec![TransitionId::new(rng.below(system.transitions().len()))]);
        ObserverEdge { from: LocationId::new(from), to: LocationId::new(from + 1), on, when, span: None }
    };
    let mut edges = vec![edge(0, Expr::TRUE), edge(1, Expr::TRUE)];
    if rng.chance(50) {
        edges[1].when = if rng.chance(50) { value(rng) } else { at(rng, system) };
    }
    Observer { locations, initial: LocationId(0), edges }
}

pub(super) fn step(rng: &mut Rng, shared: &Shared, edge: Edge) -> Edge {
    let edge = if rng.below(2) == 0 { edge.when(test(rng, shared)) } else { edge };
    match rng.below(6) {
        0 => edge,
        _ => {
            let command = operation(rng, shared, edge.process);
            edge.run(command)
        }
    }
}

fn test(rng: &mut Rng, shared: &Shared) -> Expr {
    let flag = Expr::read(shared.flags[rng.below(3)]);
    match rng.below(7) {
        0 => flag,
        1 => flag.negate(),
        2 => Expr::read(shared.number).op(Binary::Lt, 1 + rng.below(2) as i64),
        3 => Expr::read(shared.number).op(Binary::Ne, Expr::read(shared.flags[0])),
        4 => Expr::Empty(shared.queue.into()),
        5 => Expr::Full(shared.queue.into()).negate(),
        _ => flag.op(Binary::Or, Expr::Free(shared.locks[0].into())),
    }
}

fn operation(rng: &mut Rng, shared: &Shared, process: ProcessId) -> Command {
    let flag = shared.flags[rng.below(3)];
    match rng.below(9) {
        0 => Command::Assign(flag.into(), true.into()),
        1 => Command::Assign(flag.into(), false.into()),
        2 => Command::Assign(flag.into(), Expr::read(flag).negate()),
        3 => Command::Assign(shared.number.into(), (rng.below(3) as i64).into()),
        4 => Command::Acquire(shared.locks[rng.below(2)].into(), process),
        5 => Command::Take(shared.tokens.into(), 1),
        6 => Command::Assign(flag.into(), Expr::read(shared.flags[rng.below(3)])),
        7 => Command::Send(shared.queue.into(), vec![Expr::read(flag)]),
        _ => Command::Receive(shared.queue.into(), vec![pattern(rng, flag)]),
    }
}

fn pattern(rng: &mut Rng, flag: ObjectId) -> Pattern {
    match rng.below(3) {
        0 => Pattern::Ignore,
        1 => Pattern::Bind(flag.into()),
        _ => Pattern::Match(1.into()),
    }
}
