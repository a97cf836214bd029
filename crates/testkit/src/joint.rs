//! What the edges of processes mean together, interpreted without joining them into transitions first.
//!
//! This is the oracle for the elaboration: the documented meaning of actions, rendezvous and lossy channels, applied
//! to one state at a time.

use model::{ActionId, Command, Edge, Expr, Fault, Kind, LocationId, Pattern, ProcessId, Target};

use crate::blueprint::Blueprint;
use crate::naive::{Semantics, State, bind, compose, defined, eval, guard, operate, resolve};

/// A move of one process.
pub type Part = (ProcessId, LocationId, LocationId);

/// Something that can happen: who moves, and the state reached, or `None` for a fault.
pub type Happening = (Vec<Part>, Option<State>);

/// Steps of some processes that may be taken as one.
struct Candidate {
    parts: Vec<Part>,
    guard: Vec<Expr>,
    meeting: Option<Meeting>,
    command: Vec<Command>,
}

/// A message that is handed over.
struct Meeting {
    out: Target,
    values: Vec<Expr>,
    into: Target,
    patterns: Vec<Pattern>,
}

/// All that can happen in a state, sorted.
pub fn happenings(blueprint: &Blueprint, state: &State) -> Vec<Happening> {
    let mut all = Vec::new();
    for candidate in candidates(blueprint).into_iter().chain(finished(blueprint)) {
        let lossy = candidate.command.iter().position(|c| is_lossy(blueprint, c));
        for lost in std::iter::once(None).chain(lossy.map(Some)) {
            match candidate.happen(blueprint, lost, state) {
                Ok(None) => {}
                Ok(Some(next)) => all.push((candidate.parts.clone(), Some(next))),
                Err(_) => all.push((candidate.parts.clone(), None)),
            }
        }
    }
    all.sort();
    all
}

/// The same for a semantics of the joined system.
pub fn joined<M: Semantics<State = State>>(model: &M, system: &model::System, state: &State) -> Vec<Happening> {
    let parts = |t: model::TransitionId| system.transition(t).moves.iter().map(|m| (m.process, m.from, m.to)).collect();
    let mut all: Vec<Happening> = model.steps(state).into_iter().map(|(t, next)| (parts(t), next.ok())).collect();
    all.sort();
    all
}

impl Candidate {
    /// The state reached; `None` if it cannot happen now.
    fn happen(&self, b: &Blueprint, lost: Option<usize>, state: &State) -> Result<Option<State>, Fault> {
        let objects = &b.objects;
        let kept: Vec<Command> =
            self.command.iter().enumerate().filter(|(i, _)| Some(*i) != lost).map(|(_, c)| c.clone()).collect();
        let there = self.parts.iter().all(|(p, from, _)| state.locations[p.index()] == *from);
        if !there || !guard(objects, &self.guard, state)? {
            return Ok(None);
        }
        if let Some(meeting) = &self.meeting
            && !meeting.possible(b, state)?
        {
            return Ok(None);
        }
        if !defined(objects, &kept, state)? {
            return Ok(None);
        }
        let mut next = state.clone();
        for (p, _, to) in &self.parts {
            next.locations[p.index()] = *to;
        }
        if let Some(meeting) = &self.meeting {
            let channel = resolve(objects, &meeting.out, state)?;
            let message = compose(objects, channel, &meeting.values, state)?;
            bind(objects, &meeting.patterns, &message, &mut next)?;
        }
        for (i, operation) in self.command.iter().enumerate() {
            match operation {
                // Where the message goes does not matter any more, but it must be one.
                Command::Send(t, values) if Some(i) == lost => drop(compose(objects, t.first, values, &next)?),
                operation => operate(objects, operation, &mut next)?,
            }
        }
        Ok(Some(next))
    }
}

impl Meeting {
    /// Whether both ends mean the same channel and the message is one that the receiver asks for.
    fn possible(&self, b: &Blueprint, state: &State) -> Result<bool, Fault> {
        let objects = &b.objects;
        if resolve(objects, &self.out, state)? != resolve(objects, &self.into, state)? {
            return Ok(false);
        }
        for (value, pattern) in self.values.iter().zip(&self.patterns) {
            if let Pattern::Match(e) = pattern
                && eval(objects, value, state)? != eval(objects, e, state)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn candidates(b: &Blueprint) -> Vec<Candidate> {
    let mut all = Vec::new();
    let alone = |e: &&Edge| e.sync.is_none() && meeting_at(b, e).is_none();
    all.extend(b.edges.iter().filter(alone).map(|e| together(&[e])));
    for sender in &b.edges {
        all.extend(b.edges.iter().filter_map(|receiver| meet(b, sender, receiver)));
    }
    for action in (0..b.actions.len()).map(ActionId::new) {
        all.extend(combinations(b, action).iter().map(|edges| together(edges)));
    }
    all
}

fn part(e: &Edge) -> Part {
    (e.process, e.from, e.to)
}

fn together(edges: &[&Edge]) -> Candidate {
    Candidate {
        parts: edges.iter().map(|e| part(e)).collect(),
        guard: edges.iter().flat_map(|e| e.guard.clone()).collect(),
        meeting: None,
        command: edges.iter().flat_map(|e| e.command.clone()).collect(),
    }
}

/// One edge with the action for every process that knows it, in all ways.
fn combinations(b: &Blueprint, action: ActionId) -> Vec<Vec<&Edge>> {
    let mut all = vec![Vec::new()];
    for process in (0..b.processes.len()).map(ProcessId::new).filter(|p| b.knows(*p, action)) {
        let choices = || b.edges.iter().filter(|e| e.process == process && e.sync == Some(action));
        all = all.into_iter().flat_map(|c| choices().map(move |e| [&c[..], &[e]].concat())).collect();
    }
    all.retain(|c: &Vec<&Edge>| !c.is_empty());
    all
}

fn meet(b: &Blueprint, sender: &Edge, receiver: &Edge) -> Option<Candidate> {
    let (at, end) = (meeting_at(b, sender)?, meeting_at(b, receiver)?);
    let (Command::Send(out, values), Command::Receive(into, patterns)) = (&sender.command[at], &receiver.command[end])
    else {
        return None;
    };
    if sender.process == receiver.process || !out.objects().any(|o| into.objects().any(|p| o == p)) {
        return None;
    }
    let others = |e: &Edge, at: usize| [&e.command[..at], &e.command[at + 1..]].concat();
    let mut parts = vec![part(sender), part(receiver)];
    parts.sort();
    Some(Candidate {
        parts,
        guard: [&sender.guard[..], &receiver.guard[..]].concat(),
        meeting: Some(Meeting {
            out: out.clone(),
            values: values.clone(),
            into: into.clone(),
            patterns: patterns.clone(),
        }),
        command: [others(sender, at), others(receiver, end)].concat(),
    })
}

/// Finished transitions need no joining, but lose messages as edges do.
fn finished(b: &Blueprint) -> impl Iterator<Item = Candidate> {
    b.transitions.iter().map(|t| {
        let parts = t.moves.iter().map(|m| (m.process, m.from, m.to)).collect();
        Candidate { parts, guard: t.guard.clone(), meeting: None, command: t.command.clone() }
    })
}

/// The position of an edge's end of a rendezvous.
fn meeting_at(b: &Blueprint, edge: &Edge) -> Option<usize> {
    edge.command.iter().position(|c| match c {
        Command::Send(t, _) | Command::Receive(t, _) => channel(b, t).capacity == 0,
        _ => false,
    })
}

fn is_lossy(b: &Blueprint, command: &Command) -> bool {
    matches!(command, Command::Send(t, _) if channel(b, t).lossy)
}

fn channel<'a>(b: &'a Blueprint, target: &Target) -> &'a model::ChannelType {
    match &b.objects[target.first.index()].kind {
        Kind::Channel(c) => c,
        kind => panic!("validation lets only channels be sent to, not a {}", kind.noun()),
    }
}
