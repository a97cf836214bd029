//! Checks a model before it is built: whatever passes here can be compiled, and faults only where faults are defined.

use std::collections::HashSet;

use crate::objects::{Kind, Value};
use crate::system::Joining;
use crate::{BuildError, Builder, Command, Edge, Expr, ObjectId, Pattern, ProcessId, Span, Target, Transition, Unary};

/// The deepest expression that is accepted: evaluation recurses.
const MAX_DEPTH: usize = 256;

/// All mistakes in the objects, processes and edges of a model.
pub(crate) fn validate(builder: &Builder) -> Vec<BuildError> {
    let mut v = Validator { builder, errors: Vec::new(), span: None, joint: None };
    v.objects();
    v.processes();
    for edge in &builder.edges {
        v.span = edge.span;
        v.location(edge.process, edge.from.index());
        v.location(edge.process, edge.to.index());
        if edge.sync.is_some_and(|a| a.index() >= builder.actions.len()) {
            v.error("the edge synchronises on an action that was not declared".to_owned());
        }
        v.step(&edge.guard, &edge.command);
        v.joining(edge.sync.is_some(), &edge.command);
    }
    for t in &builder.transitions {
        v.span = t.spans.first().copied();
        for m in &t.moves {
            v.location(m.process, m.from.index());
            v.location(m.process, m.to.index());
        }
        if !t.moves.is_sorted_by(|a, b| a.process < b.process) {
            v.error(format!("the processes of `{}` are not in increasing order", t.name));
        }
        v.step(&t.guard, &t.command);
        v.lossy(&t.command);
        match t.joining {
            Joining::Rendezvous { sender: p, .. } | Joining::Run { by: p } if t.part(p).is_none() => {
                v.error(format!("who starts `{}` takes no part in it", t.name));
            }
            Joining::Rendezvous { .. } if t.moves.len() != 2 => {
                v.error(format!("`{}` is a rendezvous of other than two processes", t.name));
            }
            _ => {}
        }
        if matches!(t.joining, Joining::Action | Joining::Lost(_))
            || t.command.iter().any(|c| v.rendezvous(c).is_some())
        {
            v.error(format!("`{}` must be given as edges, to be joined", t.name));
        }
    }
    v.span = None;
    builder.stop.iter().for_each(|e| v.expr(e));
    v.errors
}

/// What can only be wrong once edges are joined: the operations of several processes in one command.
pub(crate) fn validate_joined(builder: &Builder, transitions: &[Transition]) -> Vec<BuildError> {
    let mut v = Validator { builder, errors: Vec::new(), span: None, joint: None };
    for t in transitions.iter().filter(|t| t.moves.len() > 1) {
        v.joint = Some(t);
        v.span = t.spans.first().copied();
        v.step(&t.guard, &t.command);
        v.lossy(&t.command);
        if !v.errors.is_empty() {
            break;
        }
    }
    v.errors
}

struct Validator<'a> {
    builder: &'a Builder,
    errors: Vec<BuildError>,
    span: Option<Span>,
    /// The transition, if it was joined of several edges.
    joint: Option<&'a Transition>,
}

impl<'a> Validator<'a> {
    fn error(&mut self, message: String) {
        self.errors.push(BuildError { message, span: self.span });
    }

    fn objects(&mut self) {
        for object in &self.builder.objects {
            self.span = object.span;
            if let Kind::Variable(d) = &object.kind
                && d.lo() > d.hi()
            {
                self.error(format!("the domain of `{}` is empty", object.name));
            } else if let Kind::Channel(c) = &object.kind
                && c.fields.iter().any(|d| d.lo() > d.hi())
            {
                self.error(format!("a message field of `{}` has an empty domain", object.name));
            } else if matches!(&object.kind, Kind::Channel(c) if c.capacity == 0 && c.lossy) {
                self.error(format!("`{}` cannot be lossy: in a rendezvous nothing is under way", object.name));
            } else if matches!(object.initial, Value::Lock(Some(p)) if p.index() >= self.builder.processes.len()) {
                self.error(format!("`{}` is held by a process that does not exist", object.name));
            } else if !object.kind.admits(&object.initial) {
                self.error(format!("the initial value of `{}` is outside its range", object.name));
            }
        }
    }

    fn processes(&mut self) {
        for process in &self.builder.processes {
            self.span = process.span;
            if process.locations.is_empty() {
                self.error(format!("the process `{}` has no states", process.name));
            } else if process.initial.index() >= process.locations.len() {
                self.error(format!("the process `{}` starts nowhere", process.name));
            }
            let mut names = HashSet::new();
            for location in &process.locations {
                if !names.insert(&location.name) {
                    self.span = location.span.or(process.span);
                    self.error(format!("the process `{}` has two states `{}`", process.name, location.name));
                }
            }
        }
    }

    fn location(&mut self, process: ProcessId, location: usize) {
        match self.builder.processes.get(process.index()) {
            None => self.error(format!("there is no process {process:?}")),
            Some(p) if location >= p.locations.len() => {
                self.error(format!("the process `{}` has no state number {location}", p.name));
            }
            Some(_) => {}
        }
    }

    fn step(&mut self, guard: &[Expr], command: &[Command]) {
        for e in guard {
            self.expr(e);
        }
        let mut modified = HashSet::new();
        for c in command {
            self.command(c);
            if c.is_partial() {
                self.not_modified(c, &modified);
            }
            modified.extend(c.written().flat_map(Target::objects));
        }
    }

    /// A partial operation is tested before the step: what it depends on must be as it was then.
    fn not_modified(&mut self, command: &Command, modified: &HashSet<ObjectId>) {
        let mut used: Vec<ObjectId> = command.target().into_iter().flat_map(Target::objects).collect();
        // A buffered send evaluates its fields when it runs; all else is needed to decide whether it can run.
        let decides = match command {
            Command::Insert(t, _) => t.index.as_deref().into_iter().collect(),
            Command::Send(t, _) if self.rendezvous(command).is_none() => t.index.as_deref().into_iter().collect(),
            Command::Receive(t, patterns) | Command::Retrieve(t, patterns, _) => {
                t.index.as_deref().into_iter().chain(patterns.iter().filter_map(Pattern::matched)).collect()
            }
            _ => command.expressions(),
        };
        for e in decides {
            e.walk(&mut |e| used.extend(e.target().into_iter().flat_map(Target::objects)));
        }
        let Some(o) = used.iter().find(|o| modified.contains(o)) else { return };
        let name = self.builder.objects.get(o.index()).map_or("?", |o| &o.name);
        if let Some(joint) = self.joint
            && let Some((by, user)) = self.parties(joint, *o, command)
        {
            let process = |e: &Edge| self.builder.processes[e.process.index()].name.as_str();
            let message = format!(
                "in the joint step `{}`, `{name}` is modified by {} first, and {} must know beforehand whether its \
                 operation can happen: one of them must do it in another step",
                joint.name,
                process(by),
                process(user)
            );
            self.errors.push(BuildError { message, span: user.span.or(self.span) });
            return;
        }
        self.error(format!(
            "`{name}` is modified earlier in this step, and the operation must know beforehand whether it can happen: \
             split the step in two"
        ));
    }

    /// The edge that modifies the object in a joint step, and the later one that `command` belongs to.
    fn parties(&self, t: &Transition, object: ObjectId, command: &Command) -> Option<(&'a Edge, &'a Edge)> {
        let takes_part = |e: &&Edge| {
            t.spans.iter().any(|s| e.span == Some(*s))
                && t.part(e.process).is_some_and(|m| (m.from, m.to) == (e.from, e.to))
        };
        let edges = || self.builder.edges.iter().filter(takes_part);
        let writes = |c: &Command| c.written().any(|t| t.objects().any(|o| o == object));
        // No edge is at odds with itself, or it would have been refused by itself.
        let user = edges().rfind(|e| e.command.contains(command))?;
        let by = edges().find(|e| e.process != user.process && e.command.iter().any(writes))?;
        Some((by, user))
    }

    fn command(&mut self, command: &Command) {
        if let Some(target) = command.target() {
            self.target(target);
        }
        if !self.errors.is_empty() {
            return;
        }
        let kind = command.target().map(|t| self.builder.objects[t.first.index()].kind.clone());
        let fits = match (command, &kind) {
            (Command::Assert(_) | Command::Unforeseen(_), _)
            | (Command::Assign(..), Some(Kind::Variable(_)))
            | (Command::Gain(..) | Command::Take(..), Some(Kind::Counter { .. } | Kind::Semaphore { .. })) => true,
            (Command::Acquire(_, p) | Command::Release(_, p), Some(Kind::Lock)) => {
                p.index() < self.builder.processes.len()
            }
            (Command::Send(_, values), Some(Kind::Channel(c))) => values.len() == c.fields.len(),
            (Command::Receive(_, patterns), Some(Kind::Channel(c))) => patterns.len() == c.fields.len(),
            (Command::Insert(_, values), Some(Kind::Channel(c))) => {
                values.len() == c.fields.len() && c.capacity > 0 && !c.lossy
            }
            (Command::Retrieve(_, patterns, _), Some(Kind::Channel(c))) => {
                patterns.len() == c.fields.len() && c.capacity > 0
            }
            _ => false,
        };
        if !fits {
            let what = kind.map_or("nothing", |k| k.noun());
            self.error(format!("the operation does not fit a {what}, or has the wrong number of fields"));
        }
        for e in command.expressions() {
            self.expr(e);
        }
        for t in command.binds() {
            self.target(t);
            if !matches!(self.kind(t), Some(Kind::Variable(_))) {
                self.error("only a variable can take a received value".to_owned());
            }
        }
    }

    fn kind(&self, target: &Target) -> Option<&Kind> {
        self.builder.objects.get(target.first.index()).map(|o| &o.kind)
    }

    fn target(&mut self, target: &Target) {
        let last = target.first.index() + target.len as usize;
        let Some(cells) = self.builder.objects.get(target.first.index()..last).filter(|c| !c.is_empty()) else {
            return self.error("an operation names an object that was not declared".to_owned());
        };
        if target.index.is_none() && target.len != 1 {
            self.error(format!("`{}` is an array and needs an index", cells[0].name));
        } else if cells.iter().any(|c| c.kind != cells[0].kind) {
            self.error(format!("the cells of `{}` are of different kinds", cells[0].name));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if depth(expr) > MAX_DEPTH {
            return self.error(format!("the expression is nested deeper than {MAX_DEPTH} levels"));
        }
        let mut problems = Vec::new();
        let mut targets = Vec::new();
        expr.walk(&mut |e| {
            if let Some(target) = e.target() {
                targets.push(target.clone());
            }
            let fits = match (e, e.target().and_then(|t| self.kind(t))) {
                (Expr::At(..), _) => {
                    problems.push("only properties may ask where a process is");
                    true
                }
                (Expr::Read(_), Some(Kind::Lock | Kind::Channel(_)))
                | (Expr::Free(_), Some(Kind::Variable(_) | Kind::Semaphore { .. } | Kind::Counter { .. }))
                | (Expr::Free(_), Some(Kind::Channel(_))) => false,
                (Expr::Len(_) | Expr::Empty(_) | Expr::Full(_), Some(k)) => {
                    matches!(k, Kind::Channel(c) if c.capacity > 0 || self.joint.is_some())
                }
                (Expr::Offers(_, patterns, _), k) => {
                    matches!(k, Some(Kind::Channel(c)) if c.capacity > 0 && c.fields.len() == patterns.len())
                }
                (Expr::Unary(Unary::Wrap(wrap), _), _) if !(1..64).contains(&wrap.bits) => {
                    problems.push("a number can be cut down to 1 to 63 bits only");
                    true
                }
                _ => true,
            };
            if !fits {
                problems.push("the test does not fit the object");
            }
        });
        problems.into_iter().for_each(|p| self.error(p.to_owned()));
        targets.iter().for_each(|t| self.target(t));
    }

    /// The channel, if the command is one end of a rendezvous.
    fn rendezvous<'t>(&self, command: &'t Command) -> Option<&'t Target> {
        match command {
            Command::Send(t, _) | Command::Receive(t, _) => {
                matches!(self.kind(t), Some(Kind::Channel(c)) if c.capacity == 0).then_some(t)
            }
            _ => None,
        }
    }

    fn joining(&mut self, sync: bool, command: &[Command]) {
        let meetings = command.iter().filter(|c| self.rendezvous(c).is_some()).count();
        if meetings > 1 || (meetings == 1 && sync) {
            self.error("a step can take part in one rendezvous or in one action, not in both or several".to_owned());
        }
        self.lossy(command);
    }

    fn lossy(&mut self, command: &[Command]) {
        let lossy = |c: &&Command| matches!(c, Command::Send(t, _) if matches!(self.kind(t), Some(Kind::Channel(c)) if c.lossy));
        if command.iter().filter(lossy).count() > 1 {
            self.error("a step can send to one lossy channel only: split the step".to_owned());
        }
    }
}

/// The height of an expression, found without recursion.
fn depth(expr: &Expr) -> usize {
    let mut deepest = 0;
    let mut stack = vec![(expr, 1)];
    while let Some((e, d)) = stack.pop() {
        deepest = deepest.max(d);
        match e {
            Expr::Unary(_, a) => stack.push((a, d + 1)),
            Expr::Binary(_, a, b) => stack.extend([(&**a, d + 1), (&**b, d + 1)]),
            Expr::If(c, a, b) => stack.extend([(&**c, d + 1), (&**a, d + 1), (&**b, d + 1)]),
            Expr::Offers(t, patterns, _) => {
                let below = t.index.as_deref().into_iter().chain(patterns.iter().filter_map(Pattern::matched));
                stack.extend(below.map(|e| (e, d + 1)));
            }
            e => stack.extend(e.target().and_then(|t| t.index.as_deref()).map(|i| (i, d + 1))),
        }
    }
    deepest
}
