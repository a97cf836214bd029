//! Random edges and finished transitions.
//!
//! Locks follow a plan so that most of them are released by who holds them: every location of a process has a set of
//! locks that it holds there, and an edge acquires and releases the difference.

use std::collections::HashSet;

use model::{ActionId, Binary, Command, Edge, Expr, Joining, Kind, LocationId, Move, ObjectId};
use model::{Pattern, ProcessId, Target, Transition, Value};

use super::Profile;
use super::exprs::Words;
use super::objects::Group;
use crate::{Blueprint, Rng};

/// A step that is being made.
#[derive(Default)]
struct Draft {
    guard: Vec<Expr>,
    command: Vec<Command>,
}

/// Which channels a step may use: the two ends of a rendezvous and losses are made by joining edges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Alone,
    Joint,
    Finished,
}

pub(super) fn steps(rng: &mut Rng, profile: &Profile, groups: &[Group], blueprint: &mut Blueprint) {
    let words = Words::new(profile, groups, &[]);
    for p in (0..blueprint.processes.len()).map(ProcessId::new) {
        let plan = plan(rng, p, blueprint);
        for i in 0..rng.size(&profile.edges) {
            // The first edges lead around all locations, so that few of them are out of reach.
            let (from, round) = (i % plan.len(), i < plan.len());
            let to = if round { (from + 1) % plan.len() } else { rng.below(plan.len()) };
            let mut edge = edge(rng, &words, blueprint, (p, &plan, from, to));
            edge.last_resort = profile.resorts > 0 && rng.chance(profile.resorts);
            blueprint.edges.push(edge);
        }
    }
    for i in 0..rng.size(&profile.transitions) {
        let transition = transition(rng, &words, blueprint, i);
        blueprint.transitions.push(transition);
    }
}

/// The locks that a process holds at each of its locations.
fn plan(rng: &mut Rng, process: ProcessId, blueprint: &Blueprint) -> Vec<HashSet<ObjectId>> {
    let process_data = &blueprint.processes[process.index()];
    let mut plan = vec![HashSet::new(); process_data.locations.len()];
    for (i, object) in blueprint.objects.iter().enumerate().filter(|(_, o)| o.kind == Kind::Lock) {
        for (l, held) in plan.iter_mut().enumerate() {
            let starts = l == process_data.initial.index() && object.initial == Value::Lock(Some(process));
            if starts || (l != process_data.initial.index() && rng.chance(35)) {
                held.insert(ObjectId::new(i));
            }
        }
    }
    plan
}

/// The process of an edge, its plan, and the locations between which it goes.
type Place<'a> = (ProcessId, &'a [HashSet<ObjectId>], usize, usize);

fn edge(rng: &mut Rng, words: &Words<'_>, b: &Blueprint, place: Place<'_>) -> Edge {
    let (process, plan, from, to) = place;
    let mut edge = Edge::new(process, LocationId::new(from), LocationId::new(to));
    if !b.actions.is_empty() && rng.chance(25) {
        edge.sync = Some(ActionId::new(rng.below(b.actions.len())));
    }
    let manner = if edge.sync.is_some() { Manner::Joint } else { Manner::Alone };
    let mut draft = Draft::default();
    let acquired = sorted(plan[to].difference(&plan[from])).map(|o| Command::Acquire(o.into(), process));
    let first = if rng.chance(50) { 0 } else { usize::MAX };
    draft.fill(rng, words, process, manner);
    let at = first.min(draft.command.len());
    draft.command.splice(at..at, acquired);
    draft.command.extend(sorted(plan[from].difference(&plan[to])).map(|o| Command::Release(o.into(), process)));
    (edge.guard, edge.command) = draft.finish(rng);
    edge
}

fn sorted<'a>(objects: impl Iterator<Item = &'a ObjectId>) -> impl Iterator<Item = ObjectId> {
    let mut objects: Vec<ObjectId> = objects.copied().collect();
    objects.sort_unstable();
    objects.into_iter()
}

/// A finished transition of up to two processes.
fn transition(rng: &mut Rng, words: &Words<'_>, b: &Blueprint, number: usize) -> Transition {
    let name = format!("t{number}");
    let mut moves = Vec::new();
    for (p, process) in b.processes.iter().enumerate().filter(|(p, _)| *p < 2) {
        if rng.chance(30) {
            let location = |rng: &mut Rng| LocationId::new(rng.below(process.locations.len()));
            let (from, to) = (location(rng), location(rng));
            moves.push(Move { process: ProcessId::new(p), from, to, label: name.as_str().into() });
        }
    }
    let mut draft = Draft::default();
    draft.fill(rng, words, ProcessId(0), Manner::Finished);
    // Without processes, only objects keep a transition from going on for ever.
    let (guard, command) = draft.finish(rng);
    let label = name.as_str().into();
    Transition { name, label, moves, guard, command, joining: Joining::Plain, last_resort: false, spans: Vec::new() }
}

/// A guard that merely says that an operation is defined.
fn defined(command: &Command) -> Option<Expr> {
    match command {
        Command::Send(t, _) | Command::Insert(t, _) => Some(Expr::Full(t.clone()).negate()),
        Command::Receive(t, _) | Command::Retrieve(t, ..) => Some(Expr::Len(t.clone()).op(Binary::Gt, 0)),
        Command::Take(t, amount) => Some(Expr::Read(t.clone()).op(Binary::Ge, i64::from(*amount))),
        Command::Acquire(t, _) => Some(Expr::Free(t.clone())),
        _ => None,
    }
}

impl Draft {
    fn fill(&mut self, rng: &mut Rng, words: &Words<'_>, process: ProcessId, manner: Manner) {
        for _ in 0..*rng.pick(&[0, 0, 0, 0, 0, 1, 1, 2]) {
            self.guard.push(words.boolean(rng, 2));
        }
        for _ in 0..*rng.pick(&[0, 1, 1, 1, 1, 2, 3]) {
            if !words.groups.is_empty() {
                let group = rng.pick(words.groups).clone();
                self.operation(rng, words, &group, (process, manner));
            }
        }
        if words.wild(rng) {
            let unforeseen = words.is_machine(rng) && rng.chance(30);
            let assertion = |rng: &mut Rng| Command::Assert(words.boolean(rng, 1));
            self.command.push(if unforeseen { Command::Unforeseen(rng.below(3) as u32) } else { assertion(rng) });
        }
        if rng.chance(15) {
            self.guard.splice(0..0, self.command.iter().find_map(defined));
        }
    }

    fn operation(&mut self, rng: &mut Rng, words: &Words<'_>, group: &Group, who: (ProcessId, Manner)) {
        let (process, manner) = who;
        let target = words.target(rng, group);
        match &group.kind {
            Kind::Variable(d) => self.command.push(Command::Assign(target, words.value(rng, d))),
            Kind::Lock => {
                // Beyond the plan; there is no process to hold a lock in a plain net.
                if words.wild(rng) && manner != Manner::Finished {
                    let wild = [Command::Acquire(target.clone(), process), Command::Release(target, process)];
                    self.command.push(rng.pick(&wild).clone());
                }
            }
            Kind::Semaphore { max } | Kind::Counter { max } => self.tokens(rng, words, target, *max),
            Kind::Channel(c) => {
                let rendezvous = c.capacity == 0 && (manner != Manner::Alone || self.meets(words));
                let losing = c.lossy && (manner == Manner::Joint || self.loses(words));
                if c.capacity > 0 && words.is_machine(rng) {
                    self.command.push(words.out_of_order(rng, target, c));
                } else if !rendezvous && rng.chance(50) {
                    let patterns = c.fields.iter().map(|d| pattern(rng, words, d)).collect();
                    self.command.push(Command::Receive(target, patterns));
                } else if !rendezvous && !losing {
                    let fields = c.fields.iter().map(|d| words.value(rng, d)).collect();
                    self.command.push(Command::Send(target, fields));
                }
            }
        }
    }

    fn tokens(&mut self, rng: &mut Rng, words: &Words<'_>, target: Target, max: u32) {
        let amount = if rng.chance(80) { 1 } else { 2 };
        if rng.chance(50) {
            self.command.push(Command::Take(target, amount));
            return;
        }
        if !words.wild(rng) {
            self.guard.push(Expr::Read(target.clone()).op(Binary::Le, i64::from(max) - i64::from(amount)));
        }
        self.command.push(Command::Gain(target, amount));
    }

    fn meets(&self, words: &Words<'_>) -> bool {
        self.command.iter().any(|c| channel_is(words, c, |c| c.capacity == 0))
    }

    fn loses(&self, words: &Words<'_>) -> bool {
        self.command.iter().any(|c| matches!(c, Command::Send(..)) && channel_is(words, c, |c| c.lossy))
    }

    /// The guard and the command, without operations that the builder would refuse.
    fn finish(mut self, rng: &mut Rng) -> (Vec<Expr>, Vec<Command>) {
        if rng.chance(25) {
            rng.shuffle(&mut self.command);
        } else {
            self.command.sort_by_key(|c| !c.is_partial());
        }
        let mut modified = HashSet::new();
        self.command.retain(|c| {
            let keep = !c.is_partial() || uses(c).iter().all(|o| !modified.contains(o));
            if keep {
                modified.extend(modifies(c));
            }
            keep
        });
        (self.guard, self.command)
    }
}

fn channel_is(words: &Words<'_>, command: &Command, test: impl Fn(&model::ChannelType) -> bool) -> bool {
    let Some(target) = command.target() else { return false };
    let group = words.groups.iter().find(|g| g.objects().any(|o| o == target.first));
    matches!(group.map(|g| &g.kind), Some(Kind::Channel(c)) if test(c))
}

/// What an operation depends on, or might.
fn uses(command: &Command) -> Vec<ObjectId> {
    let mut used: Vec<ObjectId> = command.target().into_iter().flat_map(Target::objects).collect();
    for e in command.expressions() {
        e.walk(&mut |e| used.extend(e.target().into_iter().flat_map(Target::objects)));
    }
    used
}

fn modifies(command: &Command) -> Vec<ObjectId> {
    command.written().flat_map(Target::objects).collect()
}

pub(super) fn pattern(rng: &mut Rng, words: &Words<'_>, domain: &model::Domain) -> Pattern {
    let wild = words.wild(rng);
    let takes =
        |k: &Kind| matches!(k, Kind::Variable(d) if wild || (d.contains(domain.lo()) && d.contains(domain.hi())));
    match (rng.below(4), words.pick(rng, takes)) {
        (0 | 1, Some(group)) => Pattern::Bind(words.target(rng, group)),
        (2, _) => Pattern::Match(words.value(rng, domain)),
        _ => Pattern::Ignore,
    }
}
