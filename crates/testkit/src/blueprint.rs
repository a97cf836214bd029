//! The parts of a system before they are joined, as plain data: what the builder is given, kept for comparison.

use model::{ActionId, BuildError, Builder, Edge, Object, Process, ProcessId, System, Transition};

/// Everything that is said to a [`Builder`].
#[derive(Clone, Debug, Default)]
pub struct Blueprint {
    /// The processes.
    pub processes: Vec<Process>,
    /// The objects; cells of an array stand one after the other.
    pub objects: Vec<Object>,
    /// The names of the actions.
    pub actions: Vec<String>,
    /// Which process knows which action, besides those of its edges.
    pub alphabets: Vec<(ProcessId, ActionId)>,
    /// The steps of single processes, to be joined.
    pub edges: Vec<Edge>,
    /// Finished transitions.
    pub transitions: Vec<Transition>,
}

impl Blueprint {
    /// The system that the builder makes of it.
    pub fn build(&self) -> Result<System, Vec<BuildError>> {
        let mut builder = Builder::new("blueprint");
        for process in &self.processes {
            let id = builder.process(process.name.clone());
            *builder.process_mut(id) = process.clone();
        }
        for object in &self.objects {
            builder.object_with(object.name.clone(), object.kind.clone(), object.initial.clone(), object.span);
        }
        for action in &self.actions {
            builder.action(action.clone());
        }
        for (process, action) in &self.alphabets {
            builder.alphabet(*process, *action);
        }
        self.edges.iter().for_each(|e| builder.edge(e.clone()));
        self.transitions.iter().for_each(|t| builder.transition(t.clone()));
        builder.build()
    }

    /// Whether a process knows an action: by its declared alphabet or by one of its edges.
    pub fn knows(&self, process: ProcessId, action: ActionId) -> bool {
        self.alphabets.contains(&(process, action))
            || self.edges.iter().any(|e| e.process == process && e.sync == Some(action))
    }
}
