//! Live variables: a value that nobody will read is forgotten, so that states that differ in nothing else are one.
//!
//! A variable *belongs* to a process that takes part in every transition that uses it. Where the process is then tells
//! whether the variable is *live*: whether some way from there leads to a transition that reads it, with none before that
//! writes it (Bozga, Fernandez and Ghirvu, SAS 1999). A transition after which it no longer is gives it its initial value
//! besides. Variables that are not live have that value everywhere, in the beginning as well, and no guard and no command
//! ever looks at it: the systems are bisimilar, transition by transition, and in every predicate without such variables.
//! Transitions keep their numbers, so that a run of the one is a run of the other. Those that write more now have the
//! process in common with whoever uses what they write.
//!
//! A variable that no transition reads, whoever it belongs to, is not written at all, or, where to write it may be a model
//! error, gets its initial value again at once.

use crate::compile::Program;
use crate::known::Known;
use crate::lawful::is_lawful_operation;
use crate::objects::{Kind, Value};
use crate::{Command, Expr, ObjectId, ProcessId, System, Target, Transition};

/// A transition forgets at most so many variables: forgetting takes time, too.
const MOST: usize = 64;

/// Variables by number, as bits.
type Set = Vec<u64>;

impl System {
    /// The same system without values that nobody will read, for a question about these predicates and finite runs;
    /// nothing if it has none. A cycle of it need not be one of this system.
    pub fn with_live_values<'p>(&self, predicates: impl IntoIterator<Item = &'p Expr>) -> Option<System> {
        if self.observer.is_some() || self.watch.is_some() {
            return None;
        }
        let uses: Vec<Uses> = self.transitions.iter().map(|t| Uses::new(self, t)).collect();
        let mut seen = vec![false; self.objects.len()];
        let mut see = |e: &Expr| targets(e, &mut |o| seen[o.index()] = true);
        predicates.into_iter().for_each(&mut see);
        self.stop_conditions().iter().for_each(&mut see);
        let mut unread: Vec<bool> =
            self.objects.iter().zip(&seen).map(|(o, seen)| !seen && matches!(o.kind, Kind::Variable(_))).collect();
        uses.iter().flat_map(|uses| &uses.reads).for_each(|o| unread[o.index()] = false);
        let mut own: Vec<Vec<ObjectId>> = vec![Vec::new(); self.processes.len()];
        for (o, owner) in self.object_ids().zip(self.owners(&uses)) {
            if let Some(p) = owner.filter(|_| !seen[o.index()] && !unread[o.index()]) {
                own[p.index()].push(o);
            }
        }
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); self.processes.len()];
        for (t, transition) in self.transitions.iter().enumerate() {
            transition.moves.iter().for_each(|m| parts[m.process.index()].push(t));
        }
        let mut forgotten: Vec<Vec<ObjectId>> = vec![Vec::new(); self.transitions.len()];
        for p in self.process_ids().filter(|p| !own[p.index()].is_empty()) {
            self.forget(p, &own[p.index()], &parts[p.index()], &uses, &mut forgotten);
        }
        let wasted = uses.iter().flat_map(|uses| &uses.writes).any(|o| unread[o.index()]);
        if !wasted && forgotten.iter().all(Vec::is_empty) {
            return None;
        }
        let mut system = self.clone();
        for (transition, forgotten) in system.transitions.iter_mut().zip(forgotten) {
            if wasted {
                let command = std::mem::take(&mut transition.command);
                transition.command = command.into_iter().flat_map(|c| self.unwritten(c, &unread)).collect();
            }
            let forgotten = forgotten.into_iter().take(MOST);
            transition.command.extend(forgotten.map(|o| self.reset(Target::fixed(o))));
        }
        system.program = Program::new(&system);
        Some(system)
    }

    /// Gives a variable its initial value.
    fn reset(&self, target: Target) -> Command {
        let Value::Int(value) = self.object(target.first).initial else { unreachable!("variables are numbers") };
        Command::Assign(target, Expr::Const(value))
    }

    /// An operation that leaves variables that nobody reads as they were in the beginning.
    fn unwritten(&self, command: Command, unread: &[bool]) -> Vec<Command> {
        let is_unread =
            |target: &&Target| target.objects().all(|o| unread[o.index()] && self.starts_as(o, target.first));
        let written: Vec<Target> = match &command {
            Command::Assign(target, _) => Some(target).filter(is_unread).into_iter().cloned().collect(),
            // An index may be another one after the message is received.
            _ => command.binds().filter(|t| t.index.is_none()).filter(is_unread).cloned().collect(),
        };
        let wasted = matches!(command, Command::Assign(..)) && !written.is_empty();
        if wasted && is_lawful_operation(&command, &self.objects, &Known::new()) {
            return Vec::new();
        }
        std::iter::once(command).chain(written.into_iter().map(|target| self.reset(target))).collect()
    }

    /// Whether two variables have the same value in the beginning.
    fn starts_as(&self, a: ObjectId, b: ObjectId) -> bool {
        self.object(a).initial == self.object(b).initial
    }

    /// By object, a process that takes part in every transition that uses it, if it is a variable.
    fn owners(&self, uses: &[Uses]) -> Vec<Option<ProcessId>> {
        let mut sharers: Vec<Option<Vec<ProcessId>>> = vec![None; self.objects.len()];
        for (transition, uses) in self.transitions.iter().zip(uses) {
            for o in uses.reads.iter().chain(&uses.writes) {
                let takes_part = |p: &ProcessId| transition.part(*p).is_some();
                match &mut sharers[o.index()] {
                    Some(sharers) => sharers.retain(takes_part),
                    none => *none = Some(transition.moves.iter().map(|m| m.process).collect()),
                }
            }
        }
        let owner = |(o, sharers): (&crate::Object, Option<Vec<ProcessId>>)| match o.kind {
            Kind::Variable(_) => sharers?.first().copied(),
            _ => None,
        };
        self.objects.iter().zip(sharers).map(owner).collect()
    }

    /// Notes which of a process' own variables its transitions should forget.
    fn forget(
        &self,
        p: ProcessId,
        own: &[ObjectId],
        transitions: &[usize],
        uses: &[Uses],
        forgotten: &mut [Vec<ObjectId>],
    ) {
        let number = |o: &ObjectId| own.binary_search(o).ok();
        let words = own.len().div_ceil(64);
        let set = |objects: &[ObjectId]| {
            let mut bits = vec![0_u64; words];
            objects.iter().filter_map(number).for_each(|i| bits[i / 64] |= 1 << (i % 64));
            bits
        };
        // The transitions of the process: from where to where, what they need and what they surely write.
        let steps: Vec<(usize, usize, usize, Set, Set)> = (transitions.iter())
            .filter_map(|&t| {
                let part = self.transitions[t].part(p)?;
                let Uses { needs, kills, .. } = &uses[t];
                Some((t, part.from.index(), part.to.index(), set(needs), set(kills)))
            })
            .collect();
        let mut live: Vec<Set> = vec![vec![0; words]; self.process(p).locations.len()];
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for (_, from, to, needs, kills) in steps.iter().rev() {
                for word in 0..words {
                    let needed = needs[word] | (live[*to][word] & !kills[word]);
                    grows |= needed & !live[*from][word] != 0;
                    live[*from][word] |= needed;
                }
            }
        }
        for (t, from, to, _, _) in &steps {
            let written = set(&uses[*t].writes);
            for (i, &o) in own.iter().enumerate() {
                let has = |set: &Set| set[i / 64] >> (i % 64) & 1 == 1;
                if (has(&live[*from]) || has(&written)) && !has(&live[*to]) {
                    forgotten[*t].push(o);
                }
            }
        }
    }
}

/// What a transition does with objects.
struct Uses {
    /// Those whose value it looks at.
    reads: Vec<ObjectId>,
    /// Those whose value before it may matter.
    needs: Vec<ObjectId>,
    /// Those that it may write.
    writes: Vec<ObjectId>,
    /// Variables that it surely writes before it reads them.
    kills: Vec<ObjectId>,
}

impl Uses {
    fn new(system: &System, transition: &Transition) -> Self {
        let (mut reads, mut writes, mut kills): (Vec<ObjectId>, Vec<ObjectId>, Vec<ObjectId>) = Default::default();
        for e in &transition.guard {
            targets(e, &mut |o| reads.push(o));
        }
        let mut needs = reads.clone();
        for command in &transition.command {
            let mut read = |o: ObjectId| {
                reads.push(o);
                if !kills.contains(&o) {
                    needs.push(o);
                }
            };
            command.expressions().into_iter().for_each(|e| targets(e, &mut read));
            let assigns = matches!(command, Command::Assign(..));
            // Other operations depend on the value that is there.
            command.target().filter(|_| !assigns).into_iter().flat_map(Target::objects).for_each(&mut read);
            let assigned = command.target().filter(|_| assigns).into_iter().chain(command.binds());
            for target in assigned.filter(|target| target.index.is_none()) {
                let variable = target.first;
                if matches!(system.object(variable).kind, Kind::Variable(_)) && !needs.contains(&variable) {
                    kills.push(variable);
                }
            }
            writes.extend(command.written().flat_map(Target::objects));
        }
        Self { reads, needs, writes, kills }
    }
}

/// The objects whose values an expression looks at.
fn targets(e: &Expr, found: &mut impl FnMut(ObjectId)) {
    e.walk(&mut |e| e.target().into_iter().flat_map(Target::objects).for_each(&mut *found));
}
