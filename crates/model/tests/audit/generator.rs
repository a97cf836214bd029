//! Small random systems in which every kind of object is fought over.

use std::sync::Arc;

use model::{
    ActionId, Binary, Builder, ChannelType, Command, Domain, Edge, Expr, Joining, Kind, LocationId, ObjectId, Observer,
    ObserverEdge, ObserverLocation, Pattern, ProcessId, Retrieve, System, Target, Transition, Unary, Value, Wrap,
};

use crate::random::Random;

/// The objects of a random system. Few of each kind, so that transitions meet.
struct Objects {
    bit: ObjectId,
    number: ObjectId,
    index: ObjectId,
    /// Cells `0..3` of a small range.
    array: ObjectId,
    lock: ObjectId,
    locks: ObjectId,
    semaphore: ObjectId,
    counter: ObjectId,
    queue: ObjectId,
    /// Two channels of capacity one.
    queues: ObjectId,
    signal: ObjectId,
    lossy: ObjectId,
    meeting: ObjectId,
}

impl Objects {
    fn declare(b: &mut Builder) -> Self {
        let range = |lo, hi| Kind::Variable(Domain::Range { lo, hi });
        let channel = |capacity, lossy, fields| Kind::Channel(ChannelType { capacity, lossy, fields });
        let bits = || vec![Domain::Bool];
        let array = |b: &mut Builder, name: &str, len: usize, kind: Kind| {
            let cells: Vec<ObjectId> = (0..len).map(|i| b.object(format!("{name}[{i}]"), kind.clone())).collect();
            cells[0]
        };
        Self {
            bit: b.object("bit", Kind::Variable(Domain::Bool)),
            number: b.object("number", range(-1, 3)),
            index: b.object_with("index", range(0, 3), Value::Int(1), None),
            array: array(b, "array", 3, range(0, 2)),
            lock: b.object("lock", Kind::Lock),
            locks: array(b, "locks", 2, Kind::Lock),
            semaphore: b.object_with("semaphore", Kind::Semaphore { max: 2 }, Value::Int(1), None),
            counter: b.object_with("counter", Kind::Counter { max: 5 }, Value::Int(3), None),
            queue: b.object_with("queue", channel(3, false, bits()), Value::Queue(vec![vec![1], vec![0]]), None),
            queues: array(b, "queues", 2, channel(1, false, bits())),
            signal: b.object("signal", channel(2, false, Vec::new())),
            lossy: b.object("lossy", channel(1, true, bits())),
            meeting: b.object("meeting", channel(0, false, vec![Domain::Range { lo: 0, hi: 2 }])),
        }
    }
}

/// A random system with some process families, joint actions and transitions without process.
pub(crate) fn system(seed: u64) -> System {
    for attempt in 0.. {
        if let Ok(system) = attempt_system(&mut Random(seed.wrapping_mul(1_000_003).wrapping_add(attempt))) {
            return system;
        }
    }
    unreachable!("some attempt gives a valid system")
}

fn attempt_system(random: &mut Random) -> Result<System, Vec<model::BuildError>> {
    let mut b = Builder::new("random");
    let objects = Objects::declare(&mut b);
    // A narrow choice of operations makes it likely that transitions meet on an object.
    let subjects: Vec<usize> = (0..3).map(|_| random.below(Maker::SUBJECTS)).collect();
    let mut maker = Maker { objects, random, subjects };
    let action = b.action("together");
    for p in 0..3 {
        let process = b.process(format!("P{p}"));
        for l in 0..3 {
            b.location(process, format!("l{l}"));
        }
        for _ in 0..4 {
            b.edge(maker.edge(process, action));
        }
    }
    for t in 0..maker.random.below(3) {
        b.transition(maker.free_transition(t));
    }
    b.build()
}

struct Maker<'r> {
    objects: Objects,
    random: &'r mut Random,
    subjects: Vec<usize>,
}

impl Maker<'_> {
    /// The kinds of subjects that `condition` and `command` know.
    const SUBJECTS: usize = 13;

    fn edge(&mut self, process: ProcessId, action: ActionId) -> Edge {
        let (from, to) = (LocationId(self.random.below(3) as u32), LocationId(self.random.below(3) as u32));
        let mut edge = Edge::new(process, from, to);
        if self.random.one_in(10) {
            edge = edge.sync(action);
        }
        for _ in 0..self.random.below(3) {
            edge = edge.when(self.condition());
        }
        for _ in 0..self.random.below(3) {
            edge.command.extend(self.command(process));
        }
        edge
    }

    fn free_transition(&mut self, number: usize) -> Transition {
        let label: Arc<str> = format!("free{number}").into();
        let (name, joining) = (label.to_string(), Joining::Plain);
        let command = [self.tokens(), self.tokens()].concat();
        Transition {
            name,
            label,
            moves: Vec::new(),
            guard: Vec::new(),
            command,
            joining,
            last_resort: false,
            spans: Vec::new(),
        }
    }

    fn cell(&mut self, first: ObjectId, len: u32) -> Target {
        let index = Expr::read(self.objects.index);
        match self.random.below(4) {
            0 => Target::cell(first, len, index),
            1 => Target::cell(first, len, index.op(Binary::Rem, i64::from(len))),
            _ => Target::cell(first, len, Expr::Const(self.random.between(0, i64::from(len) - 1))),
        }
    }

    fn variable(&mut self) -> Target {
        match self.random.below(4) {
            0 => self.objects.bit.into(),
            1 => self.objects.number.into(),
            2 => self.objects.index.into(),
            _ => self.cell(self.objects.array, 3),
        }
    }

    fn comparison(&mut self, left: Expr) -> Expr {
        let all = [Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge];
        let (op, constant) = (self.random.pick(&all), self.random.between(-1, 3));
        if self.random.one_in(3) { Expr::Const(constant).op(op, left) } else { left.op(op, constant) }
    }

    fn condition(&mut self) -> Expr {
        let condition = match self.random.pick(&self.subjects) {
            0 => Expr::read(self.objects.bit),
            1 => self.comparison(Expr::read(self.objects.number)),
            2 => self.comparison(Expr::read(self.objects.index)),
            3 | 4 => {
                let cell = self.cell(self.objects.array, 3);
                self.comparison(Expr::Read(cell))
            }
            5 => Expr::Free(self.objects.lock.into()),
            6 => Expr::Free(self.cell(self.objects.locks, 2)),
            7 => self.comparison(Expr::read(self.objects.counter)),
            8 => self.comparison(Expr::read(self.objects.semaphore)),
            9 => self.channel_test(self.objects.queue.into()),
            10 => {
                let cell = self.cell(self.objects.queues, 2);
                self.channel_test(cell)
            }
            11 => self.channel_test(self.objects.lossy.into()),
            _ => self.mixed(),
        };
        if self.random.one_in(4) { condition.negate() } else { condition }
    }

    fn channel_test(&mut self, channel: Target) -> Expr {
        match self.random.below(6) {
            0 => Expr::Empty(channel),
            1 => Expr::Full(channel),
            2 | 3 => {
                let pattern = self.pattern();
                Expr::Offers(channel, vec![pattern], self.random.one_in(2))
            }
            _ => self.comparison(Expr::Len(channel)),
        }
    }

    /// A condition on several objects, or one that may be a fault.
    fn mixed(&mut self) -> Expr {
        let (bit, number, index) = (self.objects.bit, self.objects.number, self.objects.index);
        let number = Expr::read(number);
        match self.random.below(6) {
            0 => Expr::read(bit).op(Binary::Or, self.comparison(number)),
            4 => self.bits(number).op(Binary::BitAnd, self.random.between(1, 3)),
            5 => number.op(self.random.pick(&[Binary::ShiftLeft, Binary::ShiftRight]), Expr::read(bit)),
            1 => number.op(Binary::Lt, Expr::read(index)),
            2 => number.op(Binary::Div, Expr::read(index)).is(0),
            _ => {
                Expr::If(Box::new(Expr::read(bit)), Box::new(number), Box::new(Expr::Empty(self.objects.queue.into())))
            }
        }
    }

    /// The operators of machine integers.
    fn bits(&mut self, e: Expr) -> Expr {
        let wrap = Wrap { bits: self.random.between(1, 3) as u8, signed: self.random.one_in(2) };
        let op = self.random.pick(&[Unary::BitNot, Unary::Wrap(wrap)]);
        Expr::Unary(op, Box::new(e))
    }

    fn value(&mut self, target: &Target) -> Expr {
        let itself = || Expr::Read(target.clone());
        match self.random.below(9) {
            7 => self.bits(itself().op(Binary::Add, 1)),
            8 => itself().op(Binary::BitXor, self.random.between(0, 3)),
            0 => itself().op(Binary::Add, self.random.between(-2, 2)),
            1 => itself().op(Binary::Sub, 1),
            2 => itself().negate(),
            3 => Expr::Const(1).op(Binary::Sub, itself()),
            4 => Expr::Read(self.variable()),
            _ => Expr::Const(self.random.between(0, 2)),
        }
    }

    fn command(&mut self, process: ProcessId) -> Vec<Command> {
        let one = match self.random.pick(&self.subjects) {
            subject @ 0..=3 => {
                let variables = [self.objects.bit, self.objects.number, self.objects.index];
                let target = variables.get(subject).map_or_else(|| self.cell(self.objects.array, 3), |o| (*o).into());
                let value = self.value(&target);
                Command::Assign(target, value)
            }
            4 => {
                let target = self.variable();
                let value = self.value(&target);
                Command::Assign(target, value)
            }
            5 => self.hold(self.objects.lock.into(), process),
            6 => {
                let cell = self.cell(self.objects.locks, 2);
                self.hold(cell, process)
            }
            7 | 8 => return self.tokens(),
            9 => self.message(self.objects.queue.into()),
            10 => {
                let cell = self.cell(self.objects.queues, 2);
                self.message(cell)
            }
            11 => self.message(self.objects.lossy.into()),
            _ => match self.random.below(4) {
                0 => Command::Send(self.objects.signal.into(), Vec::new()),
                1 => Command::Receive(self.objects.signal.into(), Vec::new()),
                2 => Command::Assert(self.condition()),
                _ => self.message(self.objects.meeting.into()),
            },
        };
        vec![one]
    }

    fn hold(&mut self, lock: Target, process: ProcessId) -> Command {
        if self.random.one_in(2) { Command::Acquire(lock, process) } else { Command::Release(lock, process) }
    }

    fn tokens(&mut self) -> Vec<Command> {
        let object = self.random.pick(&[self.objects.counter, self.objects.counter, self.objects.semaphore]);
        let amount = self.random.between(1, 2) as u32;
        match self.random.below(5) {
            0 | 1 => vec![Command::Gain(object.into(), amount)],
            2 | 3 => vec![Command::Take(object.into(), amount)],
            _ => vec![Command::Take(object.into(), amount), Command::Gain(object.into(), amount)],
        }
    }

    /// Sending and receiving, in order or not. Rendezvous and lossy channels know order only.
    fn message(&mut self, channel: Target) -> Command {
        let ordered = channel.first == self.objects.meeting || self.random.one_in(2);
        if self.random.one_in(2) {
            let value =
                if self.random.one_in(3) { Expr::Read(self.variable()) } else { Expr::from(self.random.one_in(2)) };
            return match ordered || channel.first == self.objects.lossy {
                true => Command::Send(channel, vec![value]),
                false => Command::Insert(channel, vec![value]),
            };
        }
        let how = Retrieve { anywhere: self.random.one_in(2), keep: self.random.one_in(2) };
        match (self.pattern(), ordered) {
            (pattern, true) => Command::Receive(channel, vec![pattern]),
            (pattern, false) => Command::Retrieve(channel, vec![pattern], how),
        }
    }

    fn pattern(&mut self) -> Pattern {
        match self.random.below(4) {
            0 => Pattern::Ignore,
            1 => Pattern::Match(Expr::from(self.random.one_in(2))),
            2 => Pattern::Match(Expr::read(self.objects.bit)),
            _ => Pattern::Bind(self.variable()),
        }
    }
}

/// The system of a seed, with an observer, and with watchers for a predicate.
pub(crate) fn watched(seed: u64) -> System {
    let system = system(seed);
    let random = &mut Random(seed ^ 0x0b5e_77ed);
    let names = ["quiet", "alert", "error"];
    let locations = names.map(|name| ObserverLocation { name: name.to_owned(), error: name == "error" }).into();
    let edges = (0..1 + random.below(3)).map(|_| observer_edge(&system, random)).collect();
    let observed = system.observed_by(&Observer { locations, initial: LocationId(0), edges });
    let goal = predicate(&system, random);
    observed.watching([(&goal, true)], random.one_in(2))
}

fn observer_edge(system: &System, random: &mut Random) -> ObserverEdge {
    let on = system.transition_ids().filter(|_| random.one_in(4)).collect();
    ObserverEdge {
        from: LocationId::new(random.below(3)),
        to: LocationId::new(random.below(3)),
        on: if random.one_in(5) { None } else { Some(on) },
        when: if random.one_in(2) { Expr::TRUE } else { predicate(system, random) },
        span: None,
    }
}

/// A process at a location, perhaps together with a variable that is not zero.
fn predicate(system: &System, random: &mut Random) -> Expr {
    let process = ProcessId::new(random.below(system.processes().len()));
    let at = Expr::At(process, LocationId::new(random.below(system.process(process).locations.len())));
    let is_variable = |o: &ObjectId| matches!(system.object(*o).kind, Kind::Variable(_));
    let variables: Vec<ObjectId> = system.object_ids().filter(is_variable).collect();
    match variables.is_empty() || random.one_in(2) {
        true => at,
        false => at.op(Binary::And, Expr::read(random.pick(&variables)).op(Binary::Ne, 0)),
    }
}
