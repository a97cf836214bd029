//! Threads and what they share, written down in Rust. Every step knows the line that it was written on.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::panic::Location;

use explain::SourceText;
use model::{Builder, ChannelType, Domain, Kind, ObjectId, Span, System, Value};

use crate::handles::{Handle, Lock, Queue, Semaphore, Variable};
use crate::subject::{Mistakes, Subject};
use crate::thread::Thread;

/// A model of threads, locks, queues and the like.
///
/// ```
/// use impasse::{Model, assert_deadlock_free};
///
/// let mut model = Model::new("pipeline");
/// let jobs = model.queue("jobs", 2);
/// model.thread("producer", |t| {
///     for _ in 0..3 {
///         t.send(jobs);
///     }
/// });
/// model.thread("consumer", |t| {
///     t.forever(|t| {
///         t.may_stop(); // waiting for jobs that will never come is fine
///         t.receive(jobs);
///     });
/// });
/// assert_deadlock_free!(model);
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    builder: Builder,
    lines: Lines,
    /// What objects are called, and the handles that they have.
    names: Names,
}

/// The names of objects, and the serial numbers of their handles.
pub(crate) type Names = HashMap<ObjectId, (String, u64)>;

/// The lines of one Rust file. Spans are ranges of bytes: here a line is one byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    file: &'static str,
    last: u32,
}

impl Lines {
    /// The line of a caller; nothing if it is in another file.
    pub(crate) fn span(&mut self, caller: &Location<'static>) -> Option<Span> {
        let line = caller.line();
        (caller.file() == self.file).then(|| {
            self.last = self.last.max(line);
            Span { start: line - 1, end: line }
        })
    }

    fn text(&self) -> SourceText {
        SourceText::new(self.file, &"\n".repeat(self.last as usize))
    }
}

impl Model {
    /// An empty model. Steps that are written in the file of this call are shown with their lines.
    #[track_caller]
    pub fn new(name: impl Into<String>) -> Self {
        let lines = Lines { file: Location::caller().file(), last: 0 };
        Self { builder: Builder::new(name), lines, names: Names::new() }
    }

    /// Adds a lock that nobody holds.
    #[track_caller]
    pub fn lock(&mut self, name: impl Into<String>) -> Lock {
        Lock(self.object(name, Kind::Lock, Value::Lock(None), Location::caller()))
    }

    /// Adds a semaphore with this many permits, which is also the most that it can have.
    #[track_caller]
    pub fn semaphore(&mut self, name: impl Into<String>, permits: u32) -> Semaphore {
        let (kind, initial) = (Kind::Semaphore { max: permits }, Value::Int(permits.into()));
        Semaphore(self.object(name, kind, initial, Location::caller()))
    }

    /// Adds an empty queue for this many messages of which nobody reads the contents; with a capacity of 0, who sends waits
    /// for who receives.
    #[track_caller]
    pub fn queue(&mut self, name: impl Into<String>, capacity: u32) -> Queue {
        let kind = Kind::Channel(ChannelType { capacity, lossy: false, fields: Vec::new() });
        let handle = self.object(name, kind, Value::Queue(Vec::new()), Location::caller());
        Queue { handle, numbered: false }
    }

    /// Adds an empty queue for this many messages, each a number of a range.
    #[track_caller]
    pub fn queue_of(&mut self, name: impl Into<String>, capacity: u32, numbers: RangeInclusive<i32>) -> Queue {
        let kind = Kind::Channel(ChannelType { capacity, lossy: false, fields: vec![range(numbers)] });
        let handle = self.object(name, kind, Value::Queue(Vec::new()), Location::caller());
        Queue { handle, numbered: true }
    }

    /// Adds a variable of a range with an initial value. A value outside the range is an error of the model, which every
    /// assertion reports.
    #[track_caller]
    pub fn variable(&mut self, name: impl Into<String>, values: RangeInclusive<i32>, initial: i32) -> Variable {
        let kind = Kind::Variable(range(values));
        Variable(self.object(name, kind, Value::Int(initial.into()), Location::caller()))
    }

    /// Adds a thread that does what `body` says, and is done then.
    #[track_caller]
    pub fn thread(&mut self, name: impl Into<String>, body: impl FnOnce(&mut Thread<'_>)) {
        let span = self.lines.span(Location::caller());
        let process = self.builder.process(name);
        self.builder.process_mut(process).span = span;
        let mut thread = Thread::new(process, &mut self.lines, &self.names);
        body(&mut thread);
        thread.finish(&mut self.builder);
    }

    /// What is below, for what threads cannot say.
    pub fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    fn object(&mut self, name: impl Into<String>, kind: Kind, initial: Value, caller: &Location<'static>) -> Handle {
        let (name, span) = (name.into(), self.lines.span(caller));
        let handle = Handle::new(self.builder.object_with(name.clone(), kind, initial, span));
        self.names.insert(handle.object, (name, handle.serial));
        handle
    }
}

fn range(values: RangeInclusive<i32>) -> Domain {
    Domain::Range { lo: *values.start(), hi: *values.end() }
}

impl Subject for Model {
    fn system(&self) -> Result<System, Mistakes> {
        let source = self.source();
        let system = self.builder.clone().build().map_err(|errors| Mistakes::in_model(&errors, &source))?;
        // Where nobody does anything, nobody is stuck: it is a model that was forgotten, not a deadlock.
        let idle = system.processes().is_empty() && system.transitions().is_empty();
        if idle { Err(Mistakes::no_threads(system.name())) } else { Ok(system) }
    }

    fn source(&self) -> SourceText {
        self.lines.text()
    }
}
