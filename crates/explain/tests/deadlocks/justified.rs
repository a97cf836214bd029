//! Whether one process really waits for another, decided from the parts of a system before they are joined.
//!
//! This shares nothing with the explanations but the question.

use model::{Command, Edge, Expr, Kind, ObjectId, Pattern, ProcessId, System, Target, Value};
use testkit::Blueprint;

/// A state of a system, and what the system was built from.
pub(crate) struct Judge<'a> {
    pub(crate) blueprint: &'a Blueprint,
    pub(crate) system: &'a System,
    pub(crate) state: &'a [u64],
}

impl<'a> Judge<'a> {
    /// Whether `q` could do something that `p` needs: it is another process, and it is a partner that is not ready, or it
    /// writes or holds something that a condition of `p`'s own parts depends on which is false.
    pub(crate) fn justifies(&self, p: ProcessId, q: ProcessId) -> bool {
        let concerns = self.concerns(p);
        let holds = |o: &ObjectId| self.system.value(*o, self.state) == Value::Lock(Some(q));
        p != q && (self.is_missing_partner(p, q) || self.writes(p, q, &concerns) || concerns.iter().any(holds))
    }

    fn is_at(&self, p: ProcessId, l: model::LocationId) -> bool {
        self.system.location(p, self.state) == l
    }

    fn holds(&self, e: &Expr) -> bool {
        self.system.predicate(e).holds(self.system, self.state) != Ok(false)
    }

    fn edges(&self, p: ProcessId) -> impl Iterator<Item = &'a Edge> {
        self.blueprint.edges.iter().filter(move |e| e.process == p)
    }

    fn edges_here(&self, p: ProcessId) -> impl Iterator<Item = &'a Edge> {
        self.edges(p).filter(move |e| self.is_at(p, e.from))
    }

    /// The objects behind what is false or undefined in the parts of a process.
    fn concerns(&self, p: ProcessId) -> Vec<ObjectId> {
        let mut objects = Vec::new();
        let mut note = |guard: &[Expr], command: &[Command]| {
            guard.iter().filter(|e| !self.holds(e)).for_each(|e| read(e, &mut objects));
            for c in command.iter().filter(|c| !self.defined(c)) {
                objects.extend(c.target().into_iter().flat_map(Target::objects));
                c.expressions().iter().for_each(|e| read(e, &mut objects));
            }
        };
        self.edges_here(p).for_each(|e| note(&e.guard, &e.command));
        let whole = self.blueprint.transitions.iter();
        whole.filter(|t| t.part(p).is_some_and(|m| self.is_at(p, m.from))).for_each(|t| note(&t.guard, &t.command));
        // Two ends of a rendezvous that do not fit may be made to by whoever writes what they read.
        for (own, other) in self.edges_here(p).flat_map(|e| self.opposite(e).map(move |f| (e, f))) {
            if !self.fit(own, other) {
                own.command
                    .iter()
                    .chain(&other.command)
                    .flat_map(Command::expressions)
                    .for_each(|e| read(e, &mut objects));
            }
        }
        objects
    }

    fn writes(&self, p: ProcessId, q: ProcessId, objects: &[ObjectId]) -> bool {
        let hits = |t: &Target| t.objects().any(|o| objects.contains(&o));
        let writes = |c: &Command| {
            let binds = match c {
                Command::Receive(_, patterns) => patterns.iter().any(|p| matches!(p, Pattern::Bind(t) if hits(t))),
                _ => false,
            };
            binds || c.target().is_some_and(hits)
        };
        let whole = self.blueprint.transitions.iter().filter(|t| t.part(q).is_some());
        // What happens only in steps that `p` could take from where it is is not waited for.
        let elsewhere = |e: &&Edge| {
            let joint = |f: &&Edge| f.sync.is_some() && f.sync == e.sync;
            !self.edges(p).any(|f| joint(&f)) || self.edges(p).filter(joint).any(|f| !self.is_at(p, f.from))
        };
        self.edges(q).filter(elsewhere).flat_map(|e| &e.command).chain(whole.flat_map(|t| &t.command)).any(writes)
    }

    fn is_missing_partner(&self, p: ProcessId, q: ProcessId) -> bool {
        let action = |e: &Edge| {
            e.sync.is_some_and(|a| {
                self.blueprint.knows(q, a) && !self.edges_here(q).any(|f| f.sync == Some(a) && self.ready(f))
            })
        };
        let meeting = |e: &Edge| {
            let mut others = self.opposite(e).filter(|f| f.process == q).peekable();
            others.peek().is_some() && !others.any(|f| self.is_at(q, f.from) && self.ready(f) && self.fit(e, f))
        };
        let whole = self.blueprint.transitions.iter().filter(|t| t.part(p).is_some_and(|m| self.is_at(p, m.from)));
        let mut absent = whole.filter(|t| t.part(q).is_some_and(|m| !self.is_at(q, m.from)));
        self.edges_here(p).any(|e| action(e) || meeting(e)) || absent.next().is_some()
    }

    fn ready(&self, e: &Edge) -> bool {
        e.guard.iter().all(|g| self.holds(g)) && e.command.iter().all(|c| self.defined(c))
    }

    /// The edges of others with the other end of a rendezvous on the same array.
    fn opposite(&self, e: &'a Edge) -> impl Iterator<Item = &'a Edge> {
        let own = self.end(e);
        self.blueprint.edges.iter().filter(move |f| {
            let (Some((t, sends)), Some((u, other_sends))) = (own, self.end(f)) else { return false };
            f.process != e.process && sends != other_sends && t.objects().any(|o| u.objects().any(|x| x == o))
        })
    }

    fn end<'e>(&self, e: &'e Edge) -> Option<(&'e Target, bool)> {
        e.command.iter().find_map(|c| match c {
            Command::Send(t, _) | Command::Receive(t, _) if self.capacity(t.first) == 0 => {
                Some((t, matches!(c, Command::Send(..))))
            }
            _ => None,
        })
    }

    /// Whether two ends mean the same channel, and the message is accepted.
    fn fit(&self, e: &Edge, f: &Edge) -> bool {
        let same = self.end(e).map(|(t, _)| self.cell(t)) == self.end(f).map(|(t, _)| self.cell(t));
        let (mut values, mut patterns) = (None, None);
        for c in e.command.iter().chain(&f.command) {
            match c {
                Command::Send(t, v) if self.capacity(t.first) == 0 => values = Some(v),
                Command::Receive(t, p) if self.capacity(t.first) == 0 => patterns = Some(p),
                _ => {}
            }
        }
        let (values, patterns) = (values.expect("one end sends"), patterns.expect("one end receives"));
        same && values.iter().zip(patterns).all(|(v, p)| match p {
            Pattern::Match(m) => self.holds(&v.clone().is(m.clone())),
            _ => true,
        })
    }

    fn cell(&self, t: &Target) -> ObjectId {
        let index = t.index.as_deref();
        let meant = |i: &u32| index.is_none_or(|e| self.holds(&e.clone().is(i64::from(*i))));
        ObjectId(t.first.0 + (0..t.len).find(meant).unwrap_or_default())
    }

    fn capacity(&self, channel: ObjectId) -> u32 {
        match &self.system.object(channel).kind {
            Kind::Channel(c) => c.capacity,
            _ => u32::MAX,
        }
    }

    fn defined(&self, c: &Command) -> bool {
        let Some(target) = c.target().filter(|t| self.capacity(t.first) > 0) else { return true };
        let object = self.cell(target);
        match (c, self.system.value(object, self.state)) {
            (Command::Acquire(..), Value::Lock(holder)) => holder.is_none(),
            (Command::Take(_, k), Value::Int(v)) => v >= i64::from(*k),
            (Command::Send(..), Value::Queue(q)) => q.len() < self.capacity(object) as usize,
            (Command::Receive(_, patterns), Value::Queue(q)) => q.first().is_some_and(|m| {
                patterns.iter().zip(m).all(|(p, v)| match p {
                    Pattern::Match(e) => self.holds(&e.clone().is(*v)),
                    _ => true,
                })
            }),
            _ => true,
        }
    }
}

fn read(expr: &Expr, objects: &mut Vec<ObjectId>) {
    expr.walk(&mut |e| objects.extend(e.target().into_iter().flat_map(Target::objects)));
}
