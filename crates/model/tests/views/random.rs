//! Random systems of every kind of object, and of counters and locks only, against their views.

use model::{
    Binary, Builder, Command, Domain, Edge, Expr, Kind, Limits, LocationId, ObjectId, Pattern, ProcessId, System,
};
use model::{Retrieve, Target, Unary, Value, Wrap};

use crate::compare::{Counts, compare, count, network, search, token_net};
use crate::models::{channel, range};

/// A small generator of numbers (xorshift), so that a seed is all there is to print.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

/// The objects of a random system.
struct World {
    variables: Vec<ObjectId>,
    /// The first of three cells.
    array: ObjectId,
    locks: Vec<ObjectId>,
    /// Counters and semaphores; the last two are an array.
    tokens: Vec<ObjectId>,
    /// Buffered, lossy; the first two are an array.
    channels: Vec<ObjectId>,
    meeting: ObjectId,
}

fn world(b: &mut Builder, r: &mut Random) -> World {
    let bit = || Kind::Variable(Domain::Bool);
    let start = |r: &mut Random, n| Value::Int(r.below(n) as i64);
    let variables = vec![b.object("b", bit()), b.object("x", range(0, 2)), b.object("y", range(-1, 2))];
    let cells: Vec<_> = (0..3).map(|i| b.object_with(format!("a[{i}]"), range(0, 2), start(r, 3), None)).collect();
    let locks = vec![b.object("l[0]", Kind::Lock), b.object("l[1]", Kind::Lock)];
    let semaphore = b.object_with("s", Kind::Semaphore { max: 2 }, start(r, 3), None);
    let counters = (0..2).map(|i| b.object_with(format!("c[{i}]"), Kind::Counter { max: 3 }, start(r, 4), None));
    let tokens = [semaphore].into_iter().chain(counters).collect();
    let plain = channel(2, false, vec![Domain::Range { lo: 0, hi: 1 }]);
    let lossy = channel(1, true, vec![Domain::Range { lo: 0, hi: 1 }]);
    let channels = vec![b.object("q[0]", plain.clone()), b.object("q[1]", plain), b.object("w", lossy)];
    let meeting = b.object("m", channel(0, false, vec![Domain::Range { lo: 0, hi: 2 }]));
    World { variables, array: cells[0], locks, tokens, channels, meeting }
}

impl World {
    /// A variable, a fixed cell, or one that an index selects.
    fn variable(&self, r: &mut Random) -> Target {
        match r.below(5) {
            0 => Target::cell(self.array, 3, Expr::Read(r.pick(&self.variables).into())),
            1 => {
                let inner = Target::cell(self.array, 3, Expr::read(self.variables[1]));
                Target::cell(self.array, 3, Expr::Read(inner))
            }
            2 => ObjectId(self.array.0 + r.below(3) as u32).into(),
            _ => r.pick(&self.variables).into(),
        }
    }

    fn token(&self, r: &mut Random) -> Target {
        if r.chance(20) {
            return Target::cell(self.tokens[1], 2, Expr::Read(r.pick(&self.variables).into()));
        }
        r.pick(&self.tokens).into()
    }

    fn channel(&self, r: &mut Random) -> Target {
        if r.chance(30) {
            return Target::cell(self.channels[0], 2, Expr::Read(r.pick(&self.variables).into()));
        }
        r.pick(&self.channels).into()
    }

    fn lock(&self, r: &mut Random) -> Target {
        if r.chance(20) {
            return Target::cell(self.locks[0], 2, Expr::Read(r.pick(&self.variables).into()));
        }
        r.pick(&self.locks).into()
    }

    fn expr(&self, r: &mut Random, depth: usize) -> Expr {
        if depth == 0 || r.chance(30) {
            return match r.below(9) {
                8 => Expr::Offers(self.channel(r), vec![self.pattern(r)], r.chance(50)),
                0 => Expr::Read(self.token(r)),
                1 => Expr::Len(self.channel(r)),
                2 => Expr::Free(self.lock(r)),
                3 | 4 => Expr::Const(r.below(3) as i64),
                _ => Expr::Read(self.variable(r)),
            };
        }
        let operators =
            [Binary::Add, Binary::Sub, Binary::Rem, Binary::Div, Binary::Eq, Binary::Lt, Binary::Or, Binary::Min];
        let bits = [Binary::BitAnd, Binary::BitOr, Binary::BitXor, Binary::ShiftLeft, Binary::ShiftRight];
        let (a, b) = (self.expr(r, depth - 1), self.expr(r, depth - 1));
        if r.chance(20) {
            let wrap = Wrap { bits: 1 + r.below(3) as u8, signed: r.chance(50) };
            Expr::Unary(r.pick(&[Unary::BitNot, Unary::Wrap(wrap)]), Box::new(a.op(r.pick(&bits), b)))
        } else if r.chance(10) {
            Expr::If(Box::new(self.expr(r, 0)), Box::new(a), Box::new(b))
        } else {
            a.op(r.pick(&operators), b)
        }
    }

    /// A value that is mostly in range.
    fn value(&self, r: &mut Random) -> Expr {
        if r.chance(50) { Expr::Const(r.below(2) as i64) } else { self.expr(r, 1) }
    }

    fn condition(&self, r: &mut Random) -> Expr {
        let depth = 1 + r.below(2);
        self.expr(r, depth)
            .op(r.pick(&[Binary::Eq, Binary::Ne, Binary::Le, Binary::Gt]), Expr::Const(r.below(3) as i64))
    }

    fn pattern(&self, r: &mut Random) -> Pattern {
        match r.below(3) {
            0 => Pattern::Ignore,
            1 => Pattern::Match(self.value(r)),
            _ => Pattern::Bind(self.variable(r)),
        }
    }

    /// An operation that may have to wait.
    fn partial(&self, r: &mut Random, p: ProcessId) -> Command {
        match r.below(8) {
            6 => Command::Insert(self.channels[r.below(2)].into(), vec![self.value(r)]),
            7 => {
                let how = Retrieve { anywhere: r.chance(60), keep: r.chance(30) };
                Command::Retrieve(self.channel(r), vec![self.pattern(r)], how)
            }
            0 => Command::Acquire(self.lock(r), p),
            1 => Command::Take(self.token(r), 1 + r.below(2) as u32),
            2 => Command::Send(self.channel(r), vec![self.value(r)]),
            3 => Command::Receive(self.channel(r), vec![self.pattern(r)]),
            4 => Command::Send(self.meeting.into(), vec![self.value(r)]),
            _ => Command::Receive(self.meeting.into(), vec![self.pattern(r)]),
        }
    }

    fn total(&self, r: &mut Random, p: ProcessId) -> Command {
        match r.below(14) {
            0 => Command::Release(self.lock(r), p),
            1 => Command::Gain(self.token(r), 1),
            2 => Command::Assert(self.condition(r)),
            _ => Command::Assign(self.variable(r), self.value(r)),
        }
    }

    fn edge(&self, r: &mut Random, mut edge: Edge) -> Edge {
        let p = edge.process;
        if r.chance(25) {
            return edge.run(Command::Assign(r.pick(&self.variables).into(), Expr::Const(r.below(2) as i64)));
        }
        for _ in 0..r.below(5) / 2 {
            edge = edge.when(self.condition(r));
        }
        if r.chance(50) {
            edge = edge.run(self.partial(r, p));
        }
        for _ in 0..r.below(3) {
            edge = edge.run(self.total(r, p));
        }
        edge
    }
}

fn skeleton(b: &mut Builder, r: &mut Random) -> Vec<Edge> {
    let mut edges = Vec::new();
    for p in 0..2 + r.below(2) {
        let (p, n) = (b.process(format!("P{p}")), 2 + r.below(2));
        let locations: Vec<LocationId> = (0..n).map(|l| b.location(p, format!("l{l}"))).collect();
        if r.chance(50) {
            b.end(p, r.pick(&locations));
        }
        for k in 0..n + 1 + r.below(4) {
            edges.push(Edge::new(p, locations[k % n], locations[(k + 1 + r.below(3)) % n]));
        }
    }
    edges
}

/// A random system with all kinds of objects; nothing if its steps happen to break a rule of the builder.
fn any_system(seed: u64) -> Option<System> {
    let (mut r, mut b) = (Random::new(seed), Builder::new(format!("seed {seed}")));
    let world = world(&mut b, &mut r);
    let action = b.action("go");
    for edge in skeleton(&mut b, &mut r) {
        let joins = r.chance(15);
        let edge = world.edge(&mut r, edge);
        let meets = edge.command.iter().any(|c| c.target() == Some(&world.meeting.into()));
        b.edge(if joins && !meets { edge.sync(action) } else { edge });
    }
    b.build().ok()
}

/// A random system of counters, semaphores and locks, with bounds as guards.
fn token_system(seed: u64) -> Option<System> {
    let (mut r, mut b) = (Random::new(seed), Builder::new(format!("seed {seed}")));
    let max = 1 + r.below(4) as u32;
    let mut tokens = Vec::new();
    for i in 0..2 {
        let initial = Value::Int(r.below(max as usize + 1) as i64);
        tokens.push(b.object_with(format!("c{i}"), Kind::Counter { max }, initial, None));
    }
    tokens.push(b.object_with("s", Kind::Semaphore { max: 1 }, Value::Int(1), None));
    let locks = [b.object("l", Kind::Lock), b.object("m", Kind::Lock)];
    for mut edge in skeleton(&mut b, &mut r) {
        let p = edge.process;
        for _ in 0..r.below(5) / 2 {
            edge = edge.when(bound(&mut r, &tokens, &locks));
        }
        let take = Command::Take(r.pick(&tokens).into(), 1 + r.below(2) as u32);
        let acquire = Command::Acquire(r.pick(&locks).into(), p);
        let release = Command::Release(r.pick(&locks).into(), p);
        let gain = Command::Gain(r.pick(&tokens).into(), 1 + r.below(3) as u32);
        for (command, percent) in [(take, 35), (acquire, 15), (release, 8), (gain, 25)] {
            edge = if r.chance(percent) { edge.run(command) } else { edge };
        }
        b.edge(edge);
    }
    b.build().ok()
}

fn bound(r: &mut Random, tokens: &[ObjectId], locks: &[ObjectId]) -> Expr {
    if r.chance(20) {
        let free = Expr::Free(r.pick(locks).into());
        return if r.chance(50) { free } else { free.negate() };
    }
    let object = r.pick(tokens);
    let comparison = |r: &mut Random| {
        let operators = [Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge];
        let (value, constant) = (Expr::read(object), Expr::Const(r.below(6) as i64 - 1));
        if r.chance(50) { value.op(r.pick(&operators), constant) } else { constant.op(r.pick(&operators), value) }
    };
    let (a, b) = (comparison(r), comparison(r));
    match r.below(5) {
        0 => a.negate(),
        1 => a.op(Binary::Or, b),
        2 => a.op(Binary::Implies, b).op(Binary::Or, 0),
        3 => Expr::read(object),
        _ => a,
    }
}

/// How much a series of random systems covered, so that a generator that makes only trivial ones is noticed.
#[derive(Debug, Default)]
struct Coverage {
    systems: usize,
    sizeable: usize,
    deadlocks: usize,
    faulty: usize,
}

impl Coverage {
    fn add(&mut self, system: &System) {
        self.systems += 1;
        let states = search(system, 2000);
        self.sizeable += usize::from(states.len() > 10);
        self.deadlocks += usize::from(states.values().any(Vec::is_empty));
        self.faulty += usize::from(states.values().flatten().any(|(_, next)| next.is_none()));
    }
}

#[test]
fn random_systems_equal_their_networks() {
    let mut coverage = Coverage::default();
    for seed in 0..400 {
        let Some(system) = any_system(seed) else { continue };
        network(&system);
        coverage.add(&system);
    }
    assert!(coverage.systems > 350 && coverage.sizeable > 100, "{coverage:?}");
    assert!(coverage.deadlocks > 25 && coverage.faulty > 100, "{coverage:?}");
}

#[test]
fn random_systems_of_counters_and_locks_equal_their_nets() {
    let mut coverage = Coverage::default();
    for seed in 0..400 {
        let Some(system) = token_system(seed) else { continue };
        token_net(&system);
        network(&system);
        coverage.add(&system);
    }
    assert!(coverage.systems > 350 && coverage.sizeable > 100, "{coverage:?}");
    assert!(coverage.deadlocks > 25 && coverage.faulty > 100, "{coverage:?}");
}

#[test]
fn a_net_made_a_system_again_is_the_same() {
    let mut compared = 0;
    for seed in 0..150 {
        let Some(system) = token_system(seed) else { continue };
        let net = system.net(&Limits::default()).expect("the net can be built");
        let again = net.to_system(|_| 8).expect("small numbers");
        if search(&system, 1000).len() < 1000 {
            let strip = |c: Counts| (c.states, c.transitions);
            assert_eq!(strip(count(&net)), strip(count(&again)), "{}", system.name());
            let network = again.network(&Limits::default()).expect("the network can be built");
            compare(&again, &network, 500).unwrap_or_else(|e| panic!("{}: {e}", system.name()));
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}
