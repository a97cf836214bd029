//! The smallest capacities without a deadlock.
//!
//! The channels in which somebody waits for room get larger, by one message more in total each time: those that are full,
//! and those that hold nothing at all, where a sender waits for somebody to meet. Every smaller choice was checked before
//! and has a deadlock, so that what is named is as small as possible.
//!
//! Where more room only there does not help, somebody may be stuck behind another channel: those come next that were full
//! somewhere on the run, and then all that somebody who is stuck sends to, together with the first.
//!
//! A rendezvous that gets room is none any more: the steps that were joined there are taken apart again, into the send and
//! the receive that the model has. Cells that an index selects are of one kind, so they get larger together.

use model::{Command, Edge, Expr, Joining, Kind, Object, ObjectId, System, Target, Transition, Value};

use super::{Workshop, remade};

/// The most channels, or arrays of them, of which some get larger, and by how many messages in total.
const CHANNELS: usize = 8;
const MORE: u32 = 6;
/// So many choices are checked at most.
const ATTEMPTS: usize = 120;

/// A channel, or some that can only get larger together.
type Group = Vec<ObjectId>;

/// The smallest capacities without a deadlock, in words.
pub(super) fn room(workshop: &Workshop<'_, '_>) -> Option<String> {
    let system = workshop.system();
    let (first, rest) = suspects(workshop);
    let mut tried: Vec<Group> = Vec::new();
    for channels in std::iter::once(first).chain(rest) {
        let groups = groups(system, channels);
        // Fewer were tried already, and more take too long.
        if groups.len() > CHANNELS {
            break;
        }
        if groups.len() > tried.len() {
            match smallest(workshop, &groups, &tried) {
                Tried::Helps(told) => return Some(told),
                Tried::InVain => tried = groups,
                Tried::Undecided => break,
            }
        }
    }
    None
}

/// The channels to begin with, and then more of them each time.
fn suspects(workshop: &Workshop<'_, '_>) -> (Vec<ObjectId>, [Vec<ObjectId>; 2]) {
    let system = workshop.system();
    let waited = waited_for(system, workshop.found.last());
    let on_the_way = with(&waited, full_on(workshop));
    let touched = with(&on_the_way, sent_to_by_stuck(workshop));
    (waited, [on_the_way, touched])
}

fn with(some: &[ObjectId], more: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
    let mut all = some.to_vec();
    all.extend(more);
    all.sort_unstable();
    all.dedup();
    all
}

/// What came of larger channels.
enum Tried {
    Helps(String),
    InVain,
    Undecided,
}

/// The smallest of all choices but those that are about nothing else than what was tried.
fn smallest(workshop: &Workshop<'_, '_>, groups: &[Group], tried: &[Group]) -> Tried {
    let system = workshop.system();
    let choices = (1..=MORE).flat_map(|total| sums(total, groups.len())).map(|sum| {
        let more = groups.iter().zip(sum).filter(|(_, more)| *more > 0);
        more.collect::<Vec<(&Group, u32)>>()
    });
    let open = choices.filter(|more| !more.iter().all(|(group, _)| tried.contains(group)));
    for (more, number) in open.zip(0..) {
        // What is named must be the smallest: where one was not checked, nothing larger is.
        if number == ATTEMPTS {
            return Tried::Undecided;
        }
        let Some(larger) = enlarged(system, &more) else { return Tried::Undecided };
        match workshop.is_deadlock_free(&larger) {
            None => return Tried::Undecided,
            Some(false) => {}
            Some(true) => {
                let named: Vec<String> = more.iter().map(|(group, more)| named(system, group, *more)).collect();
                return Tried::Helps(format!("with {} there is no deadlock (checked)", named.join(" and ")));
            }
        }
    }
    Tried::InVain
}

/// The channels that are full in some state of the run.
fn full_on(workshop: &Workshop<'_, '_>) -> impl Iterator<Item = ObjectId> {
    let system = workshop.system();
    let mut full = vec![false; system.objects().len()];
    let bounded: Vec<ObjectId> = system.object_ids().filter(|c| capacity(system, *c) > 0).collect();
    for state in workshop.found.states() {
        bounded.iter().filter(|c| is_full(system, **c, &state)).for_each(|c| full[c.index()] = true);
    }
    bounded.into_iter().filter(move |c| full[c.index()])
}

/// The channels that somebody who is not at an end sends to, wherever that is.
fn sent_to_by_stuck(workshop: &Workshop<'_, '_>) -> impl Iterator<Item = ObjectId> {
    let (system, state) = (workshop.system(), workshop.found.last());
    let is_stuck = |t: &&Transition| t.moves.iter().any(|m| !system.may_stop(m.process, state));
    let alone = sends(system.transitions().iter().filter(is_stuck).flat_map(|t| &t.command));
    // Who meets somebody has the message in its own part only.
    let parts = system.joint_edges().iter().filter(|e| !system.may_stop(e.process, state));
    alone.chain(parts.flat_map(|e| sends(e.command.iter())))
}

/// What a group is to have, in words.
fn named(system: &System, group: &Group, more: u32) -> String {
    let name = |c: &ObjectId| system.object(*c).name.as_str();
    let capacity = capacity(system, group[0]) + more;
    match &group[..] {
        [only] => format!("capacity {capacity} for `{}`", name(only)),
        cells => {
            let array = name(&cells[0]).split('[').next().unwrap_or_default();
            format!("capacity {capacity} for each of the {} channels `{array}`", cells.len())
        }
    }
}

/// The system with more room in some channels, if it makes sense.
fn enlarged(system: &System, more: &[(&Group, u32)]) -> Option<System> {
    let mut objects: Vec<Object> = system.objects().to_vec();
    let mut met = Vec::new();
    for (channel, more) in more.iter().flat_map(|(group, more)| group.iter().map(move |c| (*c, more))) {
        if let Kind::Channel(c) = &mut objects[channel.index()].kind {
            met.extend((c.capacity == 0).then_some(channel));
            c.capacity += more;
        }
    }
    let (transitions, edges) = apart(system, &met)?;
    remade(system, objects, transitions, edges)
}

/// All transitions but those of who meets in some channels, and what each of these does there; nothing where that is not
/// known.
fn apart(system: &System, met: &[ObjectId]) -> Option<(Vec<Transition>, Vec<Edge>)> {
    let mut kept = Vec::new();
    for (t, transition) in system.transition_ids().zip(system.transitions()) {
        match transition.joining {
            Joining::Rendezvous { channel, .. } if met.contains(&channel) => {
                system.parts(t).next()?;
            }
            _ => kept.push(transition.clone()),
        }
    }
    let meets = |edge: &&Edge| sends(edge.command.iter()).chain(receives(edge)).any(|c| met.contains(&c));
    Some((kept, system.joint_edges().iter().filter(meets).cloned().collect()))
}

/// The channels that some commands send to, whatever their index.
fn sends<'a>(commands: impl Iterator<Item = &'a Command>) -> impl Iterator<Item = ObjectId> {
    let targets = commands.filter_map(|c| match c {
        Command::Send(target, _) | Command::Insert(target, _) => Some(target),
        _ => None,
    });
    targets.flat_map(Target::objects)
}

fn receives(edge: &Edge) -> impl Iterator<Item = ObjectId> {
    let targets = edge.command.iter().filter_map(|c| match c {
        Command::Receive(target, _) => Some(target),
        _ => None,
    });
    targets.flat_map(Target::objects)
}

/// The channels in which somebody waits for room: they are full, or it waits to meet somebody there.
fn waited_for(system: &System, state: &[u64]) -> Vec<ObjectId> {
    let here = |t: &&Transition| t.moves.iter().all(|m| system.location(m.process, state) == m.from);
    let commands = system.transitions().iter().filter(here).flat_map(|t| &t.command);
    let offered = system.joint_edges().iter().filter(|e| system.location(e.process, state) == e.from);
    let offered = offered.flat_map(|e| sends(e.command.iter())).filter(|c| capacity(system, *c) == 0);
    sends(commands).filter(|c| is_full(system, *c, state)).chain(offered).collect()
}

/// Whether a channel that can hold messages can hold no more.
fn is_full(system: &System, channel: ObjectId, state: &[u64]) -> bool {
    match (system.value(channel, state), capacity(system, channel)) {
        (Value::Queue(messages), capacity) => capacity > 0 && capacity == messages.len() as u32,
        _ => false,
    }
}

/// The channels in groups that can only get larger together.
fn groups(system: &System, channels: Vec<ObjectId>) -> Vec<Group> {
    let arrays = arrays(system);
    let mut groups: Vec<Group> = Vec::new();
    for channel in channels {
        let (mut from, mut to) = (channel.0, channel.0 + 1);
        while let Some((a, b)) = arrays.iter().find(|(a, b)| *a < to && from < *b && (*a < from || to < *b)) {
            (from, to) = (from.min(*a), to.max(*b));
        }
        groups.push((from..to).map(ObjectId).collect());
    }
    groups.sort();
    groups.dedup();
    groups
}

/// The stretches of objects that some index selects one of.
fn arrays(system: &System) -> Vec<(u32, u32)> {
    let mut arrays = Vec::new();
    let mut add = |target: &Target| {
        if target.index.is_some() {
            arrays.push((target.first.0, target.first.0 + target.len));
        }
    };
    let steps = system.transitions().iter().map(|t| (&t.guard, &t.command));
    for (guard, command) in steps.chain(system.joint_edges().iter().map(|e| (&e.guard, &e.command))) {
        let mut look = |e: &Expr| e.target().into_iter().for_each(&mut add);
        guard.iter().for_each(|e| e.walk(&mut look));
        command.iter().flat_map(Command::expressions).for_each(|e| e.walk(&mut look));
        command.iter().filter_map(Command::target).for_each(&mut add);
    }
    arrays.sort_unstable();
    arrays.dedup();
    arrays
}

/// How many messages a channel can hold.
fn capacity(system: &System, channel: ObjectId) -> u32 {
    match &system.object(channel).kind {
        Kind::Channel(c) => c.capacity,
        _ => 0,
    }
}

/// All ways to write a number as a sum of so many.
fn sums(total: u32, parts: usize) -> Vec<Vec<u32>> {
    if parts == 1 {
        return vec![vec![total]];
    }
    let longer = |first: u32| {
        let rest = sums(total - first, parts - 1).into_iter();
        rest.map(move |rest| [vec![first], rest].concat())
    };
    (0..=total).rev().flat_map(longer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_all_different_and_complete() {
        assert_eq!(sums(2, 2), [[2, 0], [1, 1], [0, 2]]);
        assert_eq!(sums(3, 3).len(), 10);
    }
}
