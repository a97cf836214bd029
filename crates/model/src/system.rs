//! The labelled formal concurrent system of Godefroid's thesis (chapter 2), slightly widened: the one executable
//! semantics. Everything else is a view of it, or a question about it.
//!
//! - A transition moves any number of processes (none, for a plain Petri net) from its preset to its postset.
//! - Its guard is a conjunction, kept split: the smaller the false part, the smaller a necessary enabling set.
//!   Conjuncts are evaluated in order and a fault counts only if all earlier ones hold.
//! - Its command is a sequence of operations, run in order on the state.
//! - Transitions are deterministic, and numbered by their first process, then in the order of declaration, so that
//!   walking the processes in order meets the enabled transitions in order.

use std::sync::Arc;

use crate::compile::Program;
use crate::joints::Joints;
use crate::layout::Layout;
use crate::objects::{ChannelType, Object, Value};
use crate::watch::Watch;
use crate::{Command, Expr, LocationId, ObjectId, Observer, ProcessId, Span, TransitionId};

/// A concurrent system. Made by [`crate::Builder`], immutable afterwards.
#[derive(Clone, Debug)]
pub struct System {
    pub(crate) name: String,
    pub(crate) processes: Vec<Process>,
    pub(crate) objects: Vec<Object>,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) joints: Arc<Joints>,
    pub(crate) layout: Layout,
    pub(crate) program: Program,
    pub(crate) observer: Option<Observer>,
    pub(crate) watch: Option<Watch>,
    /// What must be true, besides, where processes stop for good.
    pub(crate) stop: Vec<Expr>,
    /// What the text of the model calls some conditions.
    pub(crate) sayings: Vec<(Expr, String)>,
}

/// A process: a finite set of locations, one of them current.
#[derive(Clone, Debug)]
pub struct Process {
    /// The name in the model, such as `Phil[2]`.
    pub name: String,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Where it starts.
    pub initial: LocationId,
    /// Where it is declared.
    pub span: Option<Span>,
}

impl Process {
    /// Whether a location is code: one that is written nowhere, where others are, only says that the process is not there.
    pub fn is_code(&self, location: LocationId) -> bool {
        self.locations[location.index()].span.is_some() || self.locations.iter().all(|l| l.span.is_none())
    }
}

/// A location of a process.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its name within the process.
    pub name: String,
    /// Whether the process may stop here for good.
    pub end: bool,
    /// Whether the process goes on alone from here.
    pub hold: Hold,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// Whether a process that arrives at a location has control: whether it goes on alone, nobody else in between. See
/// `control` for the meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Hold {
    /// Everybody may go on.
    #[default]
    No,
    /// The process goes on alone, in any way that it can; if it cannot, it gives up control.
    Atomic,
    /// The process goes on alone, in the first way that it can; if it cannot, that is a model error.
    Step,
}

/// One process' part in a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process.
    pub process: ProcessId,
    /// The location that it must be at.
    pub from: LocationId,
    /// The location that it goes to.
    pub to: LocationId,
    /// What the process calls this step.
    pub label: Arc<str>,
}

/// How processes came to take a transition together, or what became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joining {
    /// An ordinary step.
    Plain,
    /// All processes that know the action take part.
    Action,
    /// A sender and a receiver meet.
    Rendezvous {
        /// The channel, or the first one of an array.
        channel: ObjectId,
        /// Who sends.
        sender: ProcessId,
    },
    /// A process starts others.
    Run {
        /// Who starts them.
        by: ProcessId,
    },
    /// The message sent to this channel is lost.
    Lost(ObjectId),
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// How it is shown, such as `Phil[0].take_left` or `put[1]`.
    pub name: String,
    /// Its label (action) for the alphabet of the system.
    pub label: Arc<str>,
    /// The processes that are active for it, in increasing order.
    pub moves: Vec<Move>,
    /// The conjuncts of its guard.
    pub guard: Vec<Expr>,
    /// Its operations.
    pub command: Vec<Command>,
    /// How it came about.
    pub joining: Joining,
    /// Whether it is possible only where nothing else is.
    pub last_resort: bool,
    /// Whether nobody has control afterwards, even at a location that holds who arrives there.
    pub yields: bool,
    /// Where it is written: one place per process that takes part.
    pub spans: Vec<Span>,
}

impl Transition {
    /// The part of `process` in this transition, if it is active for it.
    pub fn part(&self, process: ProcessId) -> Option<&Move> {
        self.moves.iter().find(|m| m.process == process)
    }

    /// The process that takes the initiative, and that must have control if somebody has: who sends in a rendezvous, who
    /// starts others, or the first that takes part.
    pub fn starter(&self) -> Option<ProcessId> {
        match self.joining {
            Joining::Rendezvous { sender, .. } => Some(sender),
            Joining::Run { by } => Some(by),
            Joining::Plain | Joining::Action | Joining::Lost(_) => self.moves.first().map(|m| m.process),
        }
    }

    /// The part of the process that has control afterwards if it arrives at a location that holds it: who receives in a
    /// rendezvous, or the starter. Nobody if it yields.
    pub fn keeper(&self) -> Option<&Move> {
        match self.joining {
            _ if self.yields => None,
            Joining::Rendezvous { sender, .. } => self.moves.iter().find(|m| m.process != sender),
            _ => self.starter().and_then(|p| self.part(p)),
        }
    }
}

impl System {
    /// The conditions under which processes may stop for good, besides where they are. One that is a fault is not true.
    pub fn stop_conditions(&self) -> &[Expr] {
        &self.stop
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All processes.
    pub fn processes(&self) -> &[Process] {
        &self.processes
    }

    /// All objects.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// All transitions, in order.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// One process.
    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.index()]
    }

    /// One object.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    /// One transition.
    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// The ids of all processes.
    pub fn process_ids(&self) -> impl Iterator<Item = ProcessId> + use<> {
        (0..self.processes.len()).map(ProcessId::new)
    }

    /// The ids of all objects.
    pub fn object_ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.objects.len()).map(ObjectId::new)
    }

    /// The ids of all transitions, in order.
    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.transitions.len()).map(TransitionId::new)
    }

    /// The observer that runs along, if any.
    pub fn observer(&self) -> Option<&Observer> {
        self.observer.as_ref()
    }

    /// The object with this name.
    pub fn find_object(&self, name: &str) -> Option<ObjectId> {
        self.objects.iter().position(|o| o.name == name).map(ObjectId::new)
    }

    /// The process with this name.
    pub fn find_process(&self, name: &str) -> Option<ProcessId> {
        self.processes.iter().position(|p| p.name == name).map(ProcessId::new)
    }

    /// The same system with an observer that moves along; transitions keep their numbers.
    #[must_use]
    pub fn observed_by(&self, observer: &Observer) -> System {
        let mut system = self.clone();
        system.observer = Some(observer.clone());
        system.layout = Layout::new(&system.processes, &system.objects, &system.transitions, system.observer.as_ref());
        system.program = Program::new(&system);
        system
    }

    /// The value of an object as the user writes it.
    pub fn show_value(&self, object: ObjectId, value: &Value) -> String {
        use crate::objects::Kind;
        match (&self.object(object).kind, value) {
            (Kind::Variable(d), Value::Int(v)) => d.show(*v),
            (_, Value::Int(v)) => v.to_string(),
            (_, Value::Lock(None)) => "free".to_owned(),
            (_, Value::Lock(Some(p))) => format!("held by {}", self.process(*p).name),
            (Kind::Channel(c), Value::Queue(q)) => show_queue(c, q),
            (_, Value::Queue(q)) => format!("{q:?}"),
        }
    }
}

/// The most messages of a channel that are shown one by one.
const SHOWN_MESSAGES: usize = 8;

fn show_queue(channel: &ChannelType, queue: &[Vec<i64>]) -> String {
    if channel.fields.is_empty() && !queue.is_empty() {
        return format!("{} message{}", queue.len(), if queue.len() == 1 { "" } else { "s" });
    }
    let message = |m: &Vec<i64>| {
        let fields: Vec<String> = m.iter().zip(&channel.fields).map(|(v, d)| d.show(*v)).collect();
        if fields.len() == 1 { fields[0].clone() } else { format!("({})", fields.join(", ")) }
    };
    let shown: Vec<String> = queue.iter().take(SHOWN_MESSAGES).map(message).collect();
    match queue.len().checked_sub(shown.len()) {
        Some(more) if more > 0 => format!("[{}, and {more} more]", shown.join(", ")),
        _ => format!("[{}]", shown.join(", ")),
    }
}
