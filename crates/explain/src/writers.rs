//! Who may write what, and what could come of it: the static half of "who can change this?".

use model::{Command, Expr, Joining, Kind, LocationId, ObjectId, ProcessId, Retrieve, System, Target, Transition};
use model::{TransitionId, Value};

use crate::ownership::Write;
use crate::values::resolve;

/// More values of a counter than this are not tried one by one.
const TRIED: i64 = 64;

/// For each object, the operations that may write it; and where each process can still go.
#[derive(Debug)]
pub(crate) struct Writers<'a> {
    system: &'a System,
    state: &'a [u64],
    by_object: Vec<Vec<(TransitionId, usize)>>,
    /// The same of the steps that lose a message: they help nobody, but they may have done harm.
    losing: Vec<Vec<(TransitionId, usize)>>,
    /// Of each process, the locations that its own automaton lets it reach from where it is.
    reach: Vec<Vec<bool>>,
}

impl<'a> Writers<'a> {
    pub(crate) fn new(system: &'a System, state: &'a [u64]) -> Self {
        let mut by_object = vec![Vec::new(); system.objects().len()];
        let mut losing = by_object.clone();
        for id in system.transition_ids() {
            let t = system.transition(id);
            // A step that loses its message writes nothing that its twin does not write.
            let list = if matches!(t.joining, Joining::Lost(_)) { &mut losing } else { &mut by_object };
            for (position, command) in t.command.iter().enumerate() {
                written(command).into_iter().for_each(|o| list[o.index()].push((id, position)));
            }
        }
        Self { system, state, by_object, losing, reach: reach(system, state) }
    }

    /// All operations that may write an object.
    pub(crate) fn of(&self, object: ObjectId) -> impl Iterator<Item = Write<'a>> {
        self.by_object[object.index()].iter().map(|&(id, position)| Write::new(self.system, id, position))
    }

    /// For each transition, whether it may change something that a condition asks about.
    pub(crate) fn touching(&self, condition: &Expr) -> Vec<bool> {
        let mut touching = vec![false; self.system.transitions().len()];
        condition.walk(&mut |e| {
            for object in e.target().into_iter().flat_map(Target::objects) {
                let writes = self.by_object[object.index()].iter().chain(&self.losing[object.index()]);
                writes.for_each(|(id, _)| touching[id.index()] = true);
            }
            if let Expr::At(p, _) = e {
                let moving = self.system.transition_ids().filter(|t| self.system.transition(*t).part(*p).is_some());
                moving.for_each(|t| touching[t.index()] = true);
            }
        });
        touching
    }

    /// Whether a process could still come to a location, as far as its own steps go.
    pub(crate) fn can_reach(&self, process: ProcessId, location: LocationId) -> bool {
        self.reach[process.index()][location.index()]
    }

    /// Whether all processes of a transition could still come to where it starts.
    pub(crate) fn can_happen(&self, t: &Transition) -> bool {
        t.moves.iter().all(|m| self.can_reach(m.process, m.from))
    }

    /// The operations that, perhaps repeated, may make a false condition on these objects true; if it takes several
    /// different ones, all that change anything.
    pub(crate) fn helping(&self, objects: &[ObjectId], condition: &Expr) -> Vec<Write<'a>> {
        let all = || objects.iter().flat_map(|&o| self.of(o).map(move |w| (o, w)));
        let useful: Vec<Write<'a>> =
            all().filter(|(o, w)| self.may_help(w.command(), *o, condition)).map(|(_, w)| w).collect();
        let tokens =
            |o: &ObjectId| matches!(self.system.object(*o).kind, Kind::Counter { .. } | Kind::Semaphore { .. });
        let together = objects.len() > 1 || (objects.iter().all(tokens) && self.both_ways(objects));
        if !useful.is_empty() || !together {
            return useful;
        }
        all().filter(|(o, w)| self.changes(w.command(), *o)).map(|(_, w)| w).collect()
    }

    /// Whether there are steps that add to these counters and steps that take from them.
    fn both_ways(&self, objects: &[ObjectId]) -> bool {
        let any = |f: fn(&Command) -> bool| objects.iter().flat_map(|o| self.of(*o)).any(|w| f(w.command()));
        any(|c| matches!(c, Command::Gain(..))) && any(|c| matches!(c, Command::Take(..)))
    }

    fn changes(&self, command: &Command, object: ObjectId) -> bool {
        let now = self.scalar(object);
        self.outcomes(command, object).is_none_or(|values| values.iter().any(|v| *v != now))
    }

    fn may_help(&self, command: &Command, object: ObjectId, condition: &Expr) -> bool {
        match self.outcomes(command, object) {
            None => true,
            Some(values) => values.into_iter().any(|v| {
                let changed = self.substitute(condition, object, v);
                self.system.predicate(&changed).holds(self.system, self.state) == Ok(true)
            }),
        }
    }

    /// Whether a process that holds a lock can still come to a step that releases it.
    pub(crate) fn can_release(&self, holder: ProcessId, lock: ObjectId) -> bool {
        self.of(lock)
            .any(|w| matches!(w.command(), Command::Release(_, p) if *p == holder) && self.can_happen(w.transition))
    }

    /// The scalar values that an object may have after an operation, perhaps repeated; none if anything is possible.
    fn outcomes(&self, command: &Command, object: ObjectId) -> Option<Vec<i64>> {
        if command.target().is_none_or(|t| !t.objects().any(|o| o == object)) {
            return None;
        }
        let now = self.scalar(object);
        match command {
            Command::Assign(_, Expr::Const(c)) => Some(vec![*c]),
            Command::Gain(_, k) => Some(steps(now, i64::from(*k), self.top(object))),
            Command::Take(_, k) => Some(steps(now, -i64::from(*k), 0)),
            Command::Send(..) | Command::Insert(..) => Some(steps(now, 1, self.top(object))),
            Command::Retrieve(_, _, Retrieve { keep: true, .. }) => Some(vec![now]),
            Command::Receive(..) | Command::Retrieve(..) => Some(steps(now, -1, 0)),
            Command::Release(_, p) if now == i64::from(p.0) + 1 => Some(vec![0]),
            Command::Acquire(_, p) if now == 0 => Some(vec![i64::from(p.0) + 1]),
            Command::Release(..) | Command::Acquire(..) => Some(vec![now]),
            Command::Assign(..) | Command::Assert(_) | Command::Unforeseen(_) => None,
        }
    }

    /// The number behind an object: its value, its holder plus one, its length.
    fn scalar(&self, object: ObjectId) -> i64 {
        match self.system.value(object, self.state) {
            Value::Int(v) => v,
            Value::Lock(holder) => holder.map_or(0, |p| i64::from(p.0) + 1),
            Value::Queue(messages) => messages.len() as i64,
        }
    }

    fn top(&self, object: ObjectId) -> i64 {
        match &self.system.object(object).kind {
            Kind::Variable(d) => d.hi(),
            Kind::Semaphore { max } | Kind::Counter { max } => i64::from(*max),
            Kind::Channel(c) => i64::from(c.capacity),
            Kind::Lock => 0,
        }
    }

    /// The condition with `value` in the place of what it asks about `object`.
    fn substitute(&self, expr: &Expr, object: ObjectId, value: i64) -> Expr {
        if let Some(target) = expr.target()
            && resolve(self.system, target, self.state) == Some(object)
        {
            return Expr::Const(match expr {
                Expr::Free(_) | Expr::Empty(_) => i64::from(value == 0),
                Expr::Full(_) => i64::from(value == self.top(object)),
                // Any message may be the one.
                Expr::Offers(..) => i64::from(value > 0),
                _ => value,
            });
        }
        expr.rebuilt(Target::clone, |e| self.substitute(e, object, value))
    }
}

/// The objects that an operation may write.
pub(crate) fn written(command: &Command) -> Vec<ObjectId> {
    let mut out: Vec<ObjectId> = command.written().flat_map(Target::objects).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// The values after one step, two steps, ... towards a limit.
fn steps(now: i64, by: i64, limit: i64) -> Vec<i64> {
    let within = |v: &i64| if by > 0 { *v <= limit } else { *v >= limit };
    (1..=TRIED).map(|k| now + k * by).take_while(within).collect()
}

/// Where processes can still go. One that is not there comes back only if somebody can still create it.
fn reach(system: &System, state: &[u64]) -> Vec<Vec<bool>> {
    let locations = |p: ProcessId| system.process(p).locations.len();
    let mut reach: Vec<Vec<bool>> = system.process_ids().map(|p| vec![false; locations(p)]).collect();
    let mut next: Vec<Vec<Vec<usize>>> = reach.iter().map(|all| vec![Vec::new(); all.len()]).collect();
    let mut created: Vec<(&Transition, ProcessId)> = Vec::new();
    for t in system.transitions() {
        let others = |p: ProcessId| matches!(t.joining, Joining::Run { by } if by != p);
        for m in &t.moves {
            match others(m.process) {
                true => created.push((t, m.process)),
                false => next[m.process.index()][m.from.index()].push(m.to.index()),
            }
        }
    }
    let mut stack: Vec<(ProcessId, usize)> =
        system.process_ids().map(|p| (p, system.location(p, state).index())).collect();
    while !stack.is_empty() {
        while let Some((p, l)) = stack.pop() {
            if !std::mem::replace(&mut reach[p.index()][l], true) {
                stack.extend(next[p.index()][l].iter().map(|to| (p, *to)));
            }
        }
        created.retain(|(t, p)| {
            let comes = t.moves.iter().all(|m| reach[m.process.index()][m.from.index()]);
            if let Some(m) = t.part(*p).filter(|_| comes) {
                stack.push((*p, m.to.index()));
            }
            !comes
        });
    }
    reach
}
