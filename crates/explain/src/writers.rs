//! Who may write what, and what could come of it: the static half of "who can change this?".

use model::{Command, Expr, Kind, ObjectId, Pattern, ProcessId, System, Target, Transition, TransitionId, Value};

use crate::values::resolve;

/// More values of a counter than this are not tried one by one.
const TRIED: i64 = 64;

/// For each object, the transitions and operations that may write it; and where each process can still go.
#[derive(Debug)]
pub(crate) struct Writers<'a> {
    system: &'a System,
    state: &'a [u64],
    by_object: Vec<Vec<(TransitionId, &'a Command)>>,
    /// Of each process, the locations that its own automaton lets it reach from where it is.
    reach: Vec<Vec<bool>>,
}

/// An operation that could bring a condition about, and the processes that would perform it.
pub(crate) type Write<'a> = (&'a Transition, &'a Command);

impl<'a> Writers<'a> {
    pub(crate) fn new(system: &'a System, state: &'a [u64]) -> Self {
        let mut by_object = vec![Vec::new(); system.objects().len()];
        for id in system.transition_ids() {
            for command in &system.transition(id).command {
                for object in written(command) {
                    by_object[object.index()].push((id, command));
                }
            }
        }
        Self { system, state, by_object, reach: reach(system, state) }
    }

    /// All operations that may write an object.
    pub(crate) fn of(&self, object: ObjectId) -> impl Iterator<Item = Write<'a>> {
        self.by_object[object.index()].iter().map(|(t, c)| (self.system.transition(*t), *c))
    }

    /// Whether a process could still come to a location, as far as its own steps go.
    pub(crate) fn can_reach(&self, process: ProcessId, location: model::LocationId) -> bool {
        self.reach[process.index()][location.index()]
    }

    /// Whether all processes of a transition could still come to where it starts.
    pub(crate) fn can_happen(&self, t: &Transition) -> bool {
        t.moves.iter().all(|m| self.can_reach(m.process, m.from))
    }

    /// Whether the operation, perhaps repeated, may make a false condition on `object` true.
    pub(crate) fn may_help(&self, write: Write<'a>, object: ObjectId, condition: &Expr) -> bool {
        match self.outcomes(write.1, object) {
            None => true,
            Some(values) => values.into_iter().any(|v| {
                let changed = self.substitute(condition, object, v);
                self.system.predicate(&changed).holds(self.system, self.state) == Ok(true)
            }),
        }
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
            Command::Send(..) => Some(steps(now, 1, self.top(object))),
            Command::Receive(..) => Some(steps(now, -1, 0)),
            Command::Release(_, p) if now == i64::from(p.0) + 1 => Some(vec![0]),
            Command::Release(..) | Command::Acquire(..) => Some(vec![now]),
            Command::Assign(..) | Command::Assert(_) => None,
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
        let again = |e: &Expr| Box::new(self.substitute(e, object, value));
        if let Some(target) = expr.target()
            && resolve(self.system, target, self.state) == Some(object)
        {
            return Expr::Const(match expr {
                Expr::Free(_) | Expr::Empty(_) => i64::from(value == 0),
                Expr::Full(_) => i64::from(value == self.top(object)),
                _ => value,
            });
        }
        match expr {
            Expr::Unary(op, a) => Expr::Unary(*op, again(a)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, again(a), again(b)),
            Expr::If(c, a, b) => Expr::If(again(c), again(a), again(b)),
            other => other.clone(),
        }
    }
}

/// The objects that an operation may write.
pub(crate) fn written(command: &Command) -> Vec<ObjectId> {
    let mut out: Vec<ObjectId> = command.target().into_iter().flat_map(Target::objects).collect();
    if let Command::Receive(_, patterns) = command {
        for pattern in patterns {
            if let Pattern::Bind(t) = pattern {
                out.extend(t.objects());
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The values after one step, two steps, ... towards a limit.
fn steps(now: i64, by: i64, limit: i64) -> Vec<i64> {
    let within = |v: &i64| if by > 0 { *v <= limit } else { *v >= limit };
    (1..=TRIED).map(|k| now + k * by).take_while(within).collect()
}

fn reach(system: &System, state: &[u64]) -> Vec<Vec<bool>> {
    let locations = |p: ProcessId| system.process(p).locations.len();
    let mut next: Vec<Vec<Vec<usize>>> = system.process_ids().map(|p| vec![Vec::new(); locations(p)]).collect();
    for m in system.transitions().iter().flat_map(|t| &t.moves) {
        next[m.process.index()][m.from.index()].push(m.to.index());
    }
    let from = |p: ProcessId| {
        let mut seen = vec![false; locations(p)];
        let mut stack = vec![system.location(p, state).index()];
        while let Some(l) = stack.pop() {
            if !std::mem::replace(&mut seen[l], true) {
                stack.extend(&next[p.index()][l]);
            }
        }
        seen
    };
    system.process_ids().map(from).collect()
}
