//! The smallest capacities without a deadlock.
//!
//! The channels that are full where somebody waits for room get larger, by one message more in total each time. Every
//! smaller choice was checked before and has a deadlock, so that what is named is as small as possible.

use model::{Command, Kind, Object, ObjectId, System, Transition, Value};

use super::{Workshop, remade};

/// The most channels that get larger, and by how many messages in total.
const CHANNELS: usize = 3;
const MORE: u32 = 6;

/// The smallest capacities without a deadlock, in words.
pub(super) fn room(workshop: &Workshop<'_, '_>) -> Option<String> {
    let system = workshop.system();
    let channels = full_channels(system, workshop.found.last());
    if channels.is_empty() || channels.len() > CHANNELS {
        return None;
    }
    for more in (1..=MORE).flat_map(|total| sums(total, channels.len())) {
        let more: Vec<(ObjectId, u32)> = channels.iter().copied().zip(more).filter(|(_, more)| *more > 0).collect();
        let larger = remade(system, enlarged(system, &more), system.transitions().to_vec())?;
        if workshop.is_deadlock_free(&larger)? {
            let named = more.iter().map(|(c, more)| {
                format!("capacity {} for `{}`", capacity(system, *c).unwrap_or(0) + more, system.object(*c).name)
            });
            let named: Vec<String> = named.collect();
            return Some(format!("with {} there is no deadlock (checked)", named.join(" and ")));
        }
    }
    None
}

/// The objects, with more room in some channels.
fn enlarged(system: &System, more: &[(ObjectId, u32)]) -> Vec<Object> {
    let mut objects = system.objects().to_vec();
    for (channel, more) in more {
        if let Kind::Channel(c) = &mut objects[channel.index()].kind {
            c.capacity += more;
        }
    }
    objects
}

/// The channels in which somebody waits for room.
fn full_channels(system: &System, state: &[u64]) -> Vec<ObjectId> {
    let here = |t: &&Transition| t.moves.iter().all(|m| system.location(m.process, state) == m.from);
    let commands = system.transitions().iter().filter(here).flat_map(|t| &t.command);
    let targets = commands.filter_map(|c| match c {
        Command::Send(target, _) | Command::Insert(target, _) => Some(target),
        _ => None,
    });
    let is_full = |c: &ObjectId| {
        let held = system.value(*c, state);
        matches!(held, Value::Queue(messages) if capacity(system, *c) == Some(messages.len() as u32))
    };
    let mut channels: Vec<ObjectId> = targets.flat_map(model::Target::objects).filter(is_full).collect();
    channels.sort_unstable();
    channels.dedup();
    channels
}

/// How many messages a channel can hold, if it can hold some.
fn capacity(system: &System, channel: ObjectId) -> Option<u32> {
    match &system.object(channel).kind {
        Kind::Channel(c) if c.capacity > 0 => Some(c.capacity),
        _ => None,
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
