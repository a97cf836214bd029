//! A thread as a list of steps, with loops and choices.
//!
//! Places between steps are numbered while the thread is written; those that turn out to be one (the end of a loop and its
//! start, the ends of all choices) are merged when it is finished, and then named after what comes next.

use std::collections::{BTreeMap, HashSet};
use std::panic::Location;

use model::{Builder, Command, Edge, Expr, LocationId, ObjectId, Pattern, ProcessId, Span};

use crate::handles::{Handle, Lock, Queue, Semaphore, Variable};
use crate::model::{Lines, Names};
use crate::term::Term;

/// A thread while it is written: each call is a step that comes after the one before.
///
/// A step that cannot happen blocks the thread until it can.
#[derive(Debug)]
pub struct Thread<'m> {
    process: ProcessId,
    lines: &'m mut Lines,
    objects: &'m Names,
    /// Where the thread is.
    here: Point,
    /// For each point the one that it turned out to be.
    same: Vec<Point>,
    steps: Vec<Step>,
    names: BTreeMap<Point, String>,
    ends: HashSet<Point>,
}

/// A place between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Point(usize);

#[derive(Debug)]
struct Step {
    from: Point,
    to: Point,
    what: What,
    guard: Option<Expr>,
    command: Option<Command>,
    span: Option<Span>,
}

/// What a step is called; objects have names only in the builder.
#[derive(Clone, Debug)]
enum What {
    To(&'static str, ObjectId),
    Named(String),
}

impl<'m> Thread<'m> {
    pub(crate) fn new(process: ProcessId, lines: &'m mut Lines, objects: &'m Names) -> Self {
        let start = Point(0);
        let (steps, names, ends) = (Vec::new(), BTreeMap::new(), HashSet::new());
        Self { process, lines, objects, here: start, same: vec![start], steps, names, ends }
    }

    /// Takes a lock; blocks while somebody holds it, also this thread itself.
    #[track_caller]
    pub fn acquire(&mut self, lock: Lock) {
        let lock = self.own(lock.0, "lock");
        let command = Command::Acquire(lock.into(), self.process);
        self.push(What::To("acquire", lock), None, Some(command), Location::caller());
    }

    /// Gives a lock back; an error of the model if this thread does not hold it.
    #[track_caller]
    pub fn release(&mut self, lock: Lock) {
        let lock = self.own(lock.0, "lock");
        let command = Command::Release(lock.into(), self.process);
        self.push(What::To("release", lock), None, Some(command), Location::caller());
    }

    /// Takes a permit; blocks while there is none.
    #[track_caller]
    pub fn take(&mut self, semaphore: Semaphore) {
        self.take_many(semaphore, 1);
    }

    /// Gives a permit back; an error of the model if there are more then than at the beginning.
    #[track_caller]
    pub fn give(&mut self, semaphore: Semaphore) {
        self.give_many(semaphore, 1);
    }

    /// Takes several permits at once; blocks while there are fewer. A semaphore is a read-write lock if readers take one
    /// permit and writers all of them.
    #[track_caller]
    pub fn take_many(&mut self, semaphore: Semaphore, permits: u32) {
        let semaphore = self.own(semaphore.0, "semaphore");
        let command = Command::Take(semaphore.into(), permits);
        self.push(What::To("take", semaphore), None, Some(command), Location::caller());
    }

    /// Gives several permits back.
    #[track_caller]
    pub fn give_many(&mut self, semaphore: Semaphore, permits: u32) {
        let semaphore = self.own(semaphore.0, "semaphore");
        let command = Command::Gain(semaphore.into(), permits);
        self.push(What::To("give", semaphore), None, Some(command), Location::caller());
    }

    /// Sends a message; blocks while the queue is full. For a queue of numbers, use [`send_number`](Self::send_number).
    #[track_caller]
    pub fn send(&mut self, queue: Queue) {
        let object = self.own(queue.handle, "queue");
        assert!(!queue.numbered, "messages of this queue are numbers: use `send_number`");
        self.push(What::To("send", object), None, Some(Command::Send(object.into(), vec![])), Location::caller());
    }

    /// Sends a number; blocks while the queue is full.
    #[track_caller]
    pub fn send_number(&mut self, queue: Queue, number: impl Into<Term>) {
        let (object, number) = (self.own(queue.handle, "queue"), self.own_term(number));
        assert!(queue.numbered, "messages of this queue are no numbers: use `send`, or make it with `queue_of`");
        let command = Command::Send(object.into(), vec![number]);
        self.push(What::To("send", object), None, Some(command), Location::caller());
    }

    /// Receives a message and forgets it; blocks while the queue is empty.
    #[track_caller]
    pub fn receive(&mut self, queue: Queue) {
        let object = self.own(queue.handle, "queue");
        let patterns = if queue.numbered { vec![Pattern::Ignore] } else { vec![] };
        let command = Command::Receive(object.into(), patterns);
        self.push(What::To("receive", object), None, Some(command), Location::caller());
    }

    /// Receives a number into a variable; blocks while the queue is empty.
    #[track_caller]
    pub fn receive_into(&mut self, queue: Queue, variable: Variable) {
        let object = self.own(queue.handle, "queue");
        let variable = self.own(variable.0, "variable");
        assert!(queue.numbered, "messages of this queue are no numbers: make it with `queue_of`");
        let command = Command::Receive(object.into(), vec![Pattern::Bind(variable.into())]);
        self.push(What::To("receive", object), None, Some(command), Location::caller());
    }

    /// Gives a variable a value.
    #[track_caller]
    pub fn set(&mut self, variable: Variable, value: impl Into<Term>) {
        let (variable, value) = (self.own(variable.0, "variable"), self.own_term(value));
        let command = Command::Assign(variable.into(), value);
        self.push(What::To("set", variable), None, Some(command), Location::caller());
    }

    /// Blocks until a condition is true.
    #[track_caller]
    pub fn wait_until(&mut self, condition: impl Into<Term>) {
        let condition = self.own_term(condition);
        self.push(What::Named("wait".to_owned()), Some(condition), None, Location::caller());
    }

    /// Does something that concerns nobody else, and that is always possible.
    #[track_caller]
    pub fn step(&mut self, name: impl Into<String>) {
        self.push(What::Named(name.into()), None, None, Location::caller());
    }

    /// Names the place where the thread is now, so that questions can be about it: `worker at writing`.
    pub fn at(&mut self, name: impl Into<String>) {
        self.names.insert(self.here, name.into());
    }

    /// Here the thread may stay for ever: that is no deadlock.
    pub fn may_stop(&mut self) {
        self.ends.insert(self.here);
    }

    /// Does what `body` says again and again. What comes after it never happens.
    #[track_caller]
    pub fn forever(&mut self, body: impl FnOnce(&mut Self)) {
        let start = self.here;
        body(self);
        assert!(self.here != start, "a loop needs a step");
        self.merge(self.here, start);
        self.here = self.point();
    }

    /// Does one of several things: any whose first step is possible.
    ///
    /// The thread is not stuck while any of them is. What it does not choose itself, such as the outcome of a look-up, begins
    /// with a [named step](Self::step), after which there is no way back.
    ///
    /// ```
    /// # use impasse::{Model, assert_deadlock_free};
    /// # let mut model = Model::new("retry");
    /// let connection = model.semaphore("connection", 1);
    /// model.thread("client", |t| {
    ///     t.forever(|t| {
    ///         t.choose(|c| {
    ///             c.case(|t| {
    ///                 t.take(connection);
    ///                 t.give(connection);
    ///             });
    ///             c.case(|t| t.step("gives up"));
    ///         });
    ///     });
    /// });
    /// # assert_deadlock_free!(model);
    /// ```
    pub fn choose(&mut self, cases: impl FnOnce(&mut Choices<'_, 'm>)) {
        let (start, end) = (self.here, self.point());
        cases(&mut Choices { thread: self, start, end });
        self.here = end;
    }

    /// The object of a handle, which must be one of this model.
    #[track_caller]
    fn own(&self, handle: Handle, kind: &str) -> ObjectId {
        match self.objects.get(&handle.object) {
            Some((_, serial)) if *serial == handle.serial => handle.object,
            _ => panic!("this {kind} belongs to another model than the thread that uses it"),
        }
    }

    /// The expression of a term, all of whose objects must be of this model.
    #[track_caller]
    fn own_term(&self, term: impl Into<Term>) -> Expr {
        let term = term.into();
        for (handle, kind) in term.reads() {
            self.own(handle, kind);
        }
        term.into()
    }

    fn push(&mut self, what: What, guard: Option<Expr>, command: Option<Command>, caller: &Location<'static>) {
        let (from, to, span) = (self.here, self.point(), self.lines.span(caller));
        self.steps.push(Step { from, to, what, guard, command, span });
        self.here = to;
    }

    fn point(&mut self) -> Point {
        let new = Point(self.same.len());
        self.same.push(new);
        new
    }

    fn merge(&mut self, one: Point, other: Point) {
        let (one, other) = (self.root(one), self.root(other));
        // The older one stays, so that the start of the thread stays what it is.
        self.same[one.0.max(other.0)] = one.min(other);
    }

    fn root(&self, mut point: Point) -> Point {
        while self.same[point.0] != point {
            point = self.same[point.0];
        }
        point
    }

    /// Hands the thread to the builder.
    pub(crate) fn finish(mut self, builder: &mut Builder) {
        let left: HashSet<Point> = self.steps.iter().map(|s| self.root(s.from)).collect();
        let mut used: Vec<Point> = self.steps.iter().flat_map(|s| [self.root(s.from), self.root(s.to)]).collect();
        used.push(self.root(Point(0)));
        used.sort_unstable();
        used.dedup();
        // Who has nothing more to do is done.
        self.ends.extend(used.iter().filter(|p| !left.contains(p)));
        let labels: Vec<String> = self.steps.iter().map(|s| s.what.label(self.objects)).collect();
        let names = self.point_names(&used, &labels);
        let ends: HashSet<Point> = self.ends.iter().map(|p| self.root(*p)).collect();
        let locations: BTreeMap<Point, LocationId> = used
            .iter()
            .zip(names)
            .map(|(point, name)| {
                let location = builder.location(self.process, name);
                builder.process_mut(self.process).locations[location.index()].span =
                    self.steps.iter().find(|s| self.root(s.from) == *point).and_then(|s| s.span);
                if ends.contains(point) {
                    builder.end(self.process, location);
                }
                (*point, location)
            })
            .collect();
        for (step, label) in self.steps.iter().zip(labels) {
            let (from, to) = (locations[&self.root(step.from)], locations[&self.root(step.to)]);
            let mut edge = Edge::new(self.process, from, to).label(label);
            edge.guard.extend(step.guard.iter().cloned().flat_map(Expr::conjuncts));
            edge.command.extend(step.command.clone());
            edge.span = step.span;
            builder.edge(edge);
        }
    }

    /// The name that was given, or else what comes next; each once.
    fn point_names(&self, used: &[Point], labels: &[String]) -> Vec<String> {
        let given: BTreeMap<Point, &String> = self.names.iter().map(|(p, name)| (self.root(*p), name)).collect();
        let mut taken: HashSet<String> = HashSet::new();
        let mut name = |point: &Point| {
            let next: Vec<&str> = self
                .steps
                .iter()
                .zip(labels)
                .filter(|(s, _)| self.root(s.from) == *point)
                .map(|(_, label)| &**label)
                .collect();
            let base = match (given.get(point), &next[..]) {
                (Some(name), _) => (*name).clone(),
                (None, []) => "done".to_owned(),
                (None, next) => format!("before {}", next.join(" or ")),
            };
            let again = (2..).map(|n| format!("{base} ({n})"));
            let free = std::iter::once(base.clone()).chain(again).find(|name| !taken.contains(name));
            let free = free.expect("there are more numbers than names");
            taken.insert(free.clone());
            free
        };
        used.iter().map(&mut name).collect()
    }
}

impl What {
    fn label(&self, objects: &Names) -> String {
        match self {
            What::To(verb, object) => format!("{verb} {}", objects[object].0),
            What::Named(name) => name.clone(),
        }
    }
}

/// The cases of a choice while they are written.
#[derive(Debug)]
pub struct Choices<'t, 'm> {
    thread: &'t mut Thread<'m>,
    start: Point,
    end: Point,
}

impl<'m> Choices<'_, 'm> {
    /// One of the cases: it needs a step.
    #[track_caller]
    pub fn case(&mut self, body: impl FnOnce(&mut Thread<'m>)) {
        self.thread.here = self.start;
        body(self.thread);
        assert!(self.thread.here != self.start, "a case needs a step");
        self.thread.merge(self.thread.here, self.end);
    }

    /// A case that is possible only if a condition is true, when it is chosen. A sender that does not wait:
    ///
    /// ```
    /// # use impasse::{Model, assert_deadlock_free};
    /// # let mut model = Model::new("lossy");
    /// # let events = model.queue("events", 1);
    /// # model.thread("source", |t| t.forever(|t| {
    /// t.choose(|c| {
    ///     c.case(|t| t.send(events));
    ///     c.when(events.is_full(), |t| t.step("drops the event"));
    /// });
    /// # }));
    /// # assert_deadlock_free!(model);
    /// ```
    #[track_caller]
    pub fn when(&mut self, condition: impl Into<Term>, body: impl FnOnce(&mut Thread<'m>)) {
        self.thread.here = self.start;
        self.thread.wait_until(condition);
        body(self.thread);
        self.thread.merge(self.thread.here, self.end);
    }
}
