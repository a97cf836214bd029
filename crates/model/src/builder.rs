//! Builds a [`System`] part by part: the way in for every front end and for Rust code.
//!
//! Processes are given as *edges*, each belonging to one process. `build` joins them into transitions (see
//! `elaborate`): edges with a shared action, and the two ends of a rendezvous, become joint transitions; sending on a
//! lossy channel becomes two transitions, one of which loses the message.

use std::collections::{BTreeSet, HashMap};

use crate::compile::Program;
use crate::elaborate::elaborate;
use crate::layout::Layout;
use crate::objects::{Kind, Object, Value};
use crate::system::{Hold, Location, Process};
use crate::validate::{validate, validate_joined};
use crate::{ActionId, Command, Expr, LocationId, ObjectId, ProcessId, Span, System, Transition};

/// The most transitions a system may have: a bomb is refused, a real model is far below.
pub const MAX_TRANSITIONS: usize = 1 << 20;
/// The most bits a state may have: enough for half a million places of a net, whatever their tokens.
pub const MAX_STATE_BITS: u64 = 1 << 24;

/// What is wrong with a model that was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// The mistake, in the model's own names.
    pub message: String,
    /// Where it is, if the builder was told.
    pub span: Option<Span>,
}

/// A step of one process.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The process.
    pub process: ProcessId,
    /// Where it starts.
    pub from: LocationId,
    /// Where it ends.
    pub to: LocationId,
    /// What the user calls it, if anything.
    pub label: Option<String>,
    /// The action on which the process synchronises.
    pub sync: Option<ActionId>,
    /// The conjuncts of the guard.
    pub guard: Vec<Expr>,
    /// The operations.
    pub command: Vec<Command>,
    /// Whether it is possible only where nothing else is.
    pub last_resort: bool,
    /// Whether the process does not have control afterwards, even at a location that holds who arrives there.
    pub yields: bool,
    /// Where it is written.
    pub span: Option<Span>,
}

impl Edge {
    /// A step that is always possible and does nothing else.
    pub fn new(process: ProcessId, from: LocationId, to: LocationId) -> Self {
        let (label, sync, span) = (None, None, None);
        let (guard, command, last_resort, yields) = (Vec::new(), Vec::new(), false, false);
        Self { process, from, to, label, sync, guard, command, last_resort, yields, span }
    }

    /// Names the step.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Makes it a part of a shared action.
    #[must_use]
    pub fn sync(mut self, action: ActionId) -> Self {
        self.sync = Some(action);
        self
    }

    /// Adds a condition; conjunctions are split.
    #[must_use]
    pub fn when(mut self, condition: Expr) -> Self {
        self.guard.extend(condition.conjuncts());
        self
    }

    /// Makes it possible only where nothing else is.
    #[must_use]
    pub fn last_resort(mut self) -> Self {
        self.last_resort = true;
        self
    }

    /// Adds an operation.
    #[must_use]
    pub fn run(mut self, command: Command) -> Self {
        self.command.push(command);
        self
    }
}

/// A model under construction.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    pub(crate) name: String,
    pub(crate) processes: Vec<Process>,
    pub(crate) objects: Vec<Object>,
    /// The names of the actions on which processes synchronise.
    pub(crate) actions: Vec<String>,
    /// The actions that each process knows, whether or not it has an edge with them.
    pub(crate) alphabets: Vec<BTreeSet<ActionId>>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) transitions: Vec<Transition>,
    /// What must be true, besides, where processes stop for good.
    pub(crate) stop: Vec<Expr>,
}

impl Builder {
    /// An empty model.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a process without locations.
    pub fn process(&mut self, name: impl Into<String>) -> ProcessId {
        let id = ProcessId::new(self.processes.len());
        let (locations, initial) = (Vec::new(), LocationId(0));
        self.processes.push(Process { name: name.into(), locations, initial, span: None });
        self.alphabets.push(BTreeSet::new());
        id
    }

    /// Adds a location to a process; the first one is where it starts.
    pub fn location(&mut self, process: ProcessId, name: impl Into<String>) -> LocationId {
        let locations = &mut self.processes[process.index()].locations;
        locations.push(Location { name: name.into(), end: false, hold: Hold::No, span: None });
        LocationId::new(locations.len() - 1)
    }

    /// Access to a process that was added, to set its start, its spans or its end locations.
    pub fn process_mut(&mut self, process: ProcessId) -> &mut Process {
        &mut self.processes[process.index()]
    }

    /// Declares that a process may stop for good at a location.
    pub fn end(&mut self, process: ProcessId, location: LocationId) {
        self.processes[process.index()].locations[location.index()].end = true;
    }

    /// Declares that a process that arrives at a location goes on alone.
    pub fn hold(&mut self, process: ProcessId, location: LocationId, hold: Hold) {
        self.processes[process.index()].locations[location.index()].hold = hold;
    }

    /// Adds an object with its kind's default value. Cells of an array are added one after the other.
    pub fn object(&mut self, name: impl Into<String>, kind: Kind) -> ObjectId {
        let initial = kind.default_value();
        self.object_with(name, kind, initial, None)
    }

    /// Adds an object with an initial value.
    pub fn object_with(&mut self, name: impl Into<String>, kind: Kind, initial: Value, span: Option<Span>) -> ObjectId {
        self.objects.push(Object { name: name.into(), kind, initial, span });
        ObjectId::new(self.objects.len() - 1)
    }

    /// Adds an action on which processes synchronise.
    pub fn action(&mut self, name: impl Into<String>) -> ActionId {
        self.actions.push(name.into());
        ActionId::new(self.actions.len() - 1)
    }

    /// Declares that a process takes part in an action, even if it has no edge with it.
    pub fn alphabet(&mut self, process: ProcessId, action: ActionId) {
        self.alphabets[process.index()].insert(action);
    }

    /// Adds a step of one process.
    pub fn edge(&mut self, edge: Edge) {
        if let Some(action) = edge.sync {
            self.alphabet(edge.process, action);
        }
        self.edges.push(edge);
    }

    /// Adds a finished transition, with any number of processes.
    pub fn transition(&mut self, transition: Transition) {
        self.transitions.push(transition);
    }

    /// Declares that processes may stop for good only if a condition is true besides.
    pub fn stop_only_if(&mut self, condition: Expr) {
        self.stop.extend(condition.conjuncts());
    }

    /// Joins the edges, checks the whole and compiles it.
    pub fn build(self) -> Result<System, Vec<BuildError>> {
        let mut errors = self.duplicates();
        errors.extend(validate(&self));
        if !errors.is_empty() {
            return Err(errors);
        }
        let (transitions, joints) = elaborate(&self)?;
        let errors = validate_joined(&self, &transitions);
        if !errors.is_empty() {
            return Err(errors);
        }
        let layout = Layout::new(&self.processes, &self.objects, &transitions, None);
        if layout.bits() > MAX_STATE_BITS {
            let message = format!("a state would take {} bits; at most {MAX_STATE_BITS} are supported", layout.bits());
            return Err(vec![BuildError { message, span: None }]);
        }
        let (name, processes, objects, stop) = (self.name, self.processes, self.objects, self.stop);
        let program = Program::default();
        let mut system = System {
            name,
            processes,
            objects,
            transitions,
            joints,
            layout,
            program,
            observer: None,
            watch: None,
            stop,
            sayings: Vec::new(),
        };
        system.program = Program::new(&system);
        Ok(system)
    }

    fn duplicates(&self) -> Vec<BuildError> {
        let mut seen = HashMap::new();
        let processes = self.processes.iter().map(|p| (&p.name, p.span, "process"));
        let objects = self.objects.iter().map(|o| (&o.name, o.span, "object"));
        let mut errors = Vec::new();
        for (name, span, what) in processes.chain(objects) {
            if seen.insert(name.as_str(), ()).is_some() {
                errors.push(BuildError { message: format!("the {what} name `{name}` is used twice"), span });
            }
        }
        errors
    }
}
