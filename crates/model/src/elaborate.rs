//! Joins the edges of processes into transitions.
//!
//! - An edge with an action is joined with one edge of *every* process that knows the action: all combinations.
//! - The two ends of a rendezvous are joined in all pairs of different processes: the message is handed over first,
//!   then the sender's other operations run, then the receiver's.
//! - Sending to a lossy channel gives a second transition in which the message is lost.

use std::collections::HashMap;
use std::sync::Arc;

use crate::bounds::bounds;
use crate::joints::Joints;
use crate::messages;
use crate::objects::Kind;
use crate::system::{Joining, Move};
use crate::{ActionId, Binary, BuildError, Builder, Command, Edge, Expr, MAX_TRANSITIONS, ObjectId, Pattern};
use crate::{Target, Transition};

/// The transitions of the model, in their final order, and what they were joined from.
pub(crate) fn elaborate(builder: &Builder) -> Result<(Vec<Transition>, Arc<Joints>), Vec<BuildError>> {
    let mut joiner = Joiner { builder, keyed: Vec::new() };
    joiner.singles()?;
    joiner.rendezvous()?;
    joiner.actions()?;
    for (i, transition) in builder.transitions.iter().enumerate() {
        joiner.push_with_loss(vec![builder.edges.len() + i], transition.clone())?;
    }
    let mut keyed = std::mem::take(&mut joiner.keyed);
    let first = |t: &Transition| t.moves.first().map_or(u32::MAX, |m| m.process.0);
    keyed.sort_by(|(k1, t1), (k2, t2)| (first(t1), k1).cmp(&(first(t2), k2)));
    let (origins, transitions): (Vec<_>, Vec<_>) = keyed.into_iter().unzip();
    let label = |e: &Edge| joiner.needs_others(e).then(|| joiner.label(e));
    Ok((transitions, Joints::new(builder, label, origins.into_iter())))
}

struct Joiner<'a> {
    builder: &'a Builder,
    /// Transitions with their sort keys: the numbers of the edges that they were made of, the leading one first.
    keyed: Vec<(Vec<usize>, Transition)>,
}

impl Joiner<'_> {
    fn push(&mut self, key: Vec<usize>, transition: Transition) -> Result<(), Vec<BuildError>> {
        if self.keyed.len() >= MAX_TRANSITIONS {
            let message = format!("the model has more than {MAX_TRANSITIONS} transitions");
            return Err(vec![BuildError { message, span: transition.spans.first().copied() }]);
        }
        self.keyed.push((key, transition));
        Ok(())
    }

    fn channel(&self, target: &Target) -> Option<&crate::ChannelType> {
        match &self.builder.objects[target.first.index()].kind {
            Kind::Channel(c) => Some(c),
            _ => None,
        }
    }

    fn label(&self, edge: &Edge) -> Arc<str> {
        if let Some(label) = &edge.label {
            return label.as_str().into();
        }
        if let Some(action) = edge.sync {
            return self.builder.actions[action.index()].as_str().into();
        }
        let locations = &self.builder.processes[edge.process.index()].locations;
        format!("{}->{}", locations[edge.from.index()].name, locations[edge.to.index()].name).into()
    }

    fn part(&self, edge: &Edge) -> Move {
        Move { process: edge.process, from: edge.from, to: edge.to, label: self.label(edge) }
    }

    fn name(&self, edge: &Edge) -> String {
        format!("{}.{}", self.builder.processes[edge.process.index()].name, self.label(edge))
    }

    /// The end of a rendezvous in an edge's command: its position.
    fn meeting(&self, edge: &Edge) -> Option<usize> {
        edge.command.iter().position(|c| match c {
            Command::Send(t, _) | Command::Receive(t, _) => self.channel(t).is_some_and(|c| c.capacity == 0),
            _ => false,
        })
    }

    fn needs_others(&self, edge: &Edge) -> bool {
        edge.sync.is_some() || self.meeting(edge).is_some()
    }

    /// Edges that are transitions by themselves.
    fn singles(&mut self) -> Result<(), Vec<BuildError>> {
        for (i, edge) in self.builder.edges.iter().enumerate() {
            if self.needs_others(edge) {
                continue;
            }
            let transition = Transition {
                name: self.name(edge),
                label: self.label(edge),
                moves: vec![self.part(edge)],
                guard: edge.guard.clone(),
                command: edge.command.clone(),
                joining: Joining::Plain,
                last_resort: edge.last_resort,
                yields: edge.yields,
                spans: edge.span.into_iter().collect(),
            };
            self.push_with_loss(vec![i], transition)?;
        }
        Ok(())
    }

    fn push_with_loss(&mut self, key: Vec<usize>, transition: Transition) -> Result<(), Vec<BuildError>> {
        let lossy = transition.command.iter().position(
            |c| matches!(c, Command::Send(t, _) if self.channel(t).is_some_and(|c| c.lossy && c.capacity > 0)),
        );
        let lost = lossy.map(|at| {
            let mut lost = transition.clone();
            let Command::Send(target, values) = lost.command.remove(at) else { unreachable!("found as a send") };
            // A message that is lost is computed all the same: its fields must be in range.
            for assert in self.in_range(&target, &values) {
                lost.command.insert(at, assert);
            }
            lost.name.push_str(" (message lost)");
            lost.joining = Joining::Lost(target.first);
            lost
        });
        self.push(key.clone(), transition)?;
        lost.map_or(Ok(()), |t| self.push(key, t))
    }

    /// Assertions that the fields of a message are in their domains, where that is not certain.
    fn in_range(&self, channel: &Target, values: &[Expr]) -> Vec<Command> {
        let fields = self.channel(channel).map_or(&[][..], |c| &c.fields[..]);
        let mut asserts = Vec::new();
        for (value, domain) in values.iter().zip(fields) {
            let range = bounds(value, &self.builder.objects);
            if !range.is_some_and(|(lo, hi)| domain.contains(lo) && domain.contains(hi)) {
                asserts.push(messages::check(value, domain));
            }
        }
        asserts
    }

    fn rendezvous(&mut self) -> Result<(), Vec<BuildError>> {
        let ends: Vec<(usize, usize)> = (0..self.builder.edges.len())
            .filter_map(|i| self.meeting(&self.builder.edges[i]).map(|at| (i, at)))
            .collect();
        // By array: the receiving ends, so that only ends that may meet are tried.
        let mut receivers: HashMap<u32, Vec<(usize, usize)>> = HashMap::new();
        for &(i, at) in &ends {
            if let Command::Receive(t, _) = &self.builder.edges[i].command[at] {
                t.objects().for_each(|o| receivers.entry(o.0).or_default().push((i, at)));
            }
        }
        self.count_meetings(&ends, &receivers)?;
        for &(i, at) in &ends {
            let Command::Send(target, _) = &self.builder.edges[i].command[at] else { continue };
            let mut partners: Vec<(usize, usize)> =
                target.objects().flat_map(|o| receivers.get(&o.0).cloned().unwrap_or_default()).collect();
            partners.sort_unstable();
            partners.dedup();
            for (j, end) in partners {
                if self.builder.edges[i].process != self.builder.edges[j].process {
                    self.meet(i, at, j, end)?;
                }
            }
        }
        Ok(())
    }

    /// Counted first: a bomb must not be built up to the limit before it is refused.
    fn count_meetings(
        &self,
        ends: &[(usize, usize)],
        receivers: &HashMap<u32, Vec<(usize, usize)>>,
    ) -> Result<(), Vec<BuildError>> {
        let mut count = 0;
        for &(i, at) in ends {
            let edge = &self.builder.edges[i];
            let Command::Send(target, _) = &edge.command[at] else { continue };
            count += target.objects().map(|o| receivers.get(&o.0).map_or(0, Vec::len)).sum::<usize>();
            if count > MAX_TRANSITIONS {
                let name = &self.builder.objects[target.first.index()].name;
                let message = format!("senders and receivers of `{name}` can meet in more than {MAX_TRANSITIONS} ways");
                return Err(vec![BuildError { message, span: edge.span }]);
            }
        }
        Ok(())
    }

    fn meet(&mut self, i: usize, at: usize, j: usize, end: usize) -> Result<(), Vec<BuildError>> {
        let (sender, receiver) = (&self.builder.edges[i], &self.builder.edges[j]);
        let (Command::Send(out, values), Command::Receive(into, patterns)) =
            (&sender.command[at], &receiver.command[end])
        else {
            unreachable!("a rendezvous has a sending and a receiving end")
        };
        let mut guard: Vec<Expr> = sender.guard.iter().chain(&receiver.guard).cloned().collect();
        // Nothing is ever in such a channel: these tests only make an index outside the array the fault that it is.
        guard.extend([out, into].into_iter().filter(|t| self.may_miss(t)).map(|t| Expr::Empty(t.clone())));
        if out.index.is_some() || into.index.is_some() {
            guard.push(cell_number(out).is(cell_number(into)));
        }
        if let Some(object) = overtaken(values, patterns) {
            let name = &self.builder.objects[object.index()].name;
            let message =
                format!("the message reads `{name}`, which an earlier field of it is written to: split the step");
            return Err(vec![BuildError { message, span: receiver.span }]);
        }
        let mut command = self.in_range(out, values);
        for (value, pattern) in values.iter().zip(patterns) {
            match pattern {
                Pattern::Ignore => {}
                Pattern::Match(e) if matches!(e, Expr::Const(_)) && e == value => {}
                Pattern::Match(e) => guard.push(value.clone().is(e.clone())),
                Pattern::Bind(t) => command.push(Command::Assign(t.clone(), value.clone())),
            }
        }
        let others = |edge: &Edge, at: usize| -> Vec<Command> {
            edge.command.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, c)| c.clone()).collect()
        };
        command.extend(others(sender, at));
        command.extend(others(receiver, end));
        let mut moves = vec![self.part(sender), self.part(receiver)];
        moves.sort_by_key(|m| m.process);
        let transition = Transition {
            name: format!("{} > {}", self.name(sender), self.name(receiver)),
            label: self.label(sender),
            moves,
            guard,
            command,
            joining: Joining::Rendezvous { channel: out.first, sender: sender.process },
            last_resort: sender.last_resort || receiver.last_resort,
            yields: receiver.yields,
            spans: sender.span.into_iter().chain(receiver.span).collect(),
        };
        let key = if sender.process < receiver.process { vec![i, j] } else { vec![j, i] };
        self.push_with_loss(key, transition)
    }

    /// Whether the index of a target may be outside its array.
    fn may_miss(&self, target: &Target) -> bool {
        let range = target.index.as_deref().map(|i| bounds(i, &self.builder.objects));
        range.is_some_and(|r| r.is_none_or(|(lo, hi)| lo < 0 || hi >= i64::from(target.len)))
    }

    fn actions(&mut self) -> Result<(), Vec<BuildError>> {
        let mut by_action: Vec<HashMap<u32, Vec<usize>>> = vec![HashMap::new(); self.builder.actions.len()];
        for (i, edge) in self.builder.edges.iter().enumerate() {
            if let Some(action) = edge.sync {
                by_action[action.index()].entry(edge.process.0).or_default().push(i);
            }
        }
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.builder.actions.len()];
        for (p, alphabet) in self.builder.alphabets.iter().enumerate() {
            alphabet.iter().for_each(|a| members[a.index()].push(p as u32));
        }
        for (a, edges) in by_action.iter().enumerate() {
            // The choices of every process that knows the action; without one of them the action never happens.
            let choices: Option<Vec<&Vec<usize>>> = members[a].iter().map(|p| edges.get(p)).collect();
            if let Some(choices) = choices.filter(|c| !c.is_empty()) {
                self.combinations(ActionId::new(a), &choices)?;
            }
        }
        Ok(())
    }

    fn combinations(&mut self, action: ActionId, choices: &[&Vec<usize>]) -> Result<(), Vec<BuildError>> {
        // Counted first: a bomb must not be built up to the limit before it is refused.
        let count = choices.iter().fold(1, |n: usize, c| n.saturating_mul(c.len()));
        if count > MAX_TRANSITIONS {
            let name = &self.builder.actions[action.index()];
            let message = format!("the action `{name}` can happen in {count} ways: more than {MAX_TRANSITIONS}");
            return Err(vec![BuildError { message, span: self.builder.edges[choices[0][0]].span }]);
        }
        let mut odometer = vec![0; choices.len()];
        loop {
            let key: Vec<usize> = odometer.iter().zip(choices).map(|(&k, c)| c[k]).collect();
            let transition = self.together(action, &key);
            self.push_with_loss(key, transition)?;
            let Some(wheel) = (0..choices.len()).rev().find(|&w| odometer[w] + 1 < choices[w].len()) else {
                return Ok(());
            };
            odometer[wheel] += 1;
            odometer[wheel + 1..].fill(0);
        }
    }

    fn together(&self, action: ActionId, edges: &[usize]) -> Transition {
        let edges = || edges.iter().map(|&i| &self.builder.edges[i]);
        let name = self.builder.actions[action.index()].clone();
        Transition {
            label: name.as_str().into(),
            name,
            moves: edges().map(|e| self.part(e)).collect(),
            guard: edges().flat_map(|e| e.guard.iter().cloned()).collect(),
            command: edges().flat_map(|e| e.command.iter().cloned()).collect(),
            joining: Joining::Action,
            last_resort: edges().any(|e| e.last_resort),
            yields: edges().next().is_some_and(|e| e.yields),
            spans: edges().filter_map(|e| e.span).collect(),
        }
    }
}

/// A variable that takes a field of a message and that a later field is computed from. The fields are written one by
/// one, so that field would see the new value although the message is made before it is handed over.
fn overtaken(values: &[Expr], patterns: &[Pattern]) -> Option<ObjectId> {
    let mut written: Vec<ObjectId> = Vec::new();
    let mut found = None;
    for (value, pattern) in values.iter().zip(patterns) {
        if let Pattern::Bind(target) = pattern {
            let mut read = Vec::new();
            value.walk(&mut |e| read.extend(e.target().into_iter().flat_map(Target::objects)));
            found = found.or(read.into_iter().find(|o| written.contains(o)));
            written.extend(target.objects());
        }
    }
    found
}

/// The number of the object that a target means, as an expression.
fn cell_number(target: &Target) -> Expr {
    let first = i64::from(target.first.0);
    match &target.index {
        None => Expr::Const(first),
        Some(i) => Expr::Const(first).op(Binary::Add, (**i).clone()),
    }
}
