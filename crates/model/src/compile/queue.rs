//! What sending and receiving do to packed channels.

use crate::code::{Code, Offer, Place};
use crate::layout::Layout;
use crate::{Domain, Fault, ObjectId};

/// A message that is sent.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) channel: Place,
    pub(super) fields: Vec<(Code, Domain)>,
}

impl Message {
    /// Writes the message behind the last one: it is not in the channel until the length says so.
    fn append(&self, channel: ObjectId, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
        let n = layout.scalars[channel.index()].get(state);
        for ((code, domain), lane) in self.fields.iter().zip(&layout.channel(channel).lanes) {
            let value = code.eval(state, layout)?;
            if !domain.contains(value) {
                return Err(Fault::OutOfRange { object: channel, value });
            }
            lane.set(state, n as u32, value);
        }
        Ok(())
    }
}

/// A field of a message and the variable that takes it.
pub(super) type Bind = (usize, Place, Domain);

/// Writes a variable.
pub(super) fn store(
    object: ObjectId,
    domain: &Domain,
    value: i64,
    state: &mut [u64],
    layout: &Layout,
) -> Result<(), Fault> {
    if !domain.contains(value) {
        return Err(Fault::OutOfRange { object, value });
    }
    layout.scalars[object.index()].set(state, value);
    Ok(())
}

pub(super) fn send(message: &Message, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
    let channel = message.channel.resolve(state, layout)?;
    message.append(channel, state, layout)?;
    lengthen(channel, 1, state, layout);
    Ok(())
}

/// Appends a message and moves it forward, before the first one that is greater.
pub(super) fn insert(message: &Message, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
    let channel = message.channel.resolve(state, layout)?;
    message.append(channel, state, layout)?;
    let lanes = &layout.channel(channel).lanes;
    let n = layout.scalars[channel.index()].get(state) as u32;
    let greater = |&i: &u32| {
        let fields = |i: u32| lanes.iter().map(move |lane| (lane, i)).map(|(lane, i)| lane.get(state, i));
        fields(i).gt(fields(n))
    };
    let position = (0..n).find(greater).unwrap_or(n);
    for lane in lanes {
        let value = lane.get(state, n);
        for i in (position..n).rev() {
            let moved = lane.get(state, i);
            lane.set(state, i + 1, moved);
        }
        lane.set(state, position, value);
    }
    lengthen(channel, 1, state, layout);
    Ok(())
}

fn lengthen(channel: ObjectId, by: i64, state: &mut [u64], layout: &Layout) {
    let length = layout.scalars[channel.index()];
    let n = length.get(state);
    length.set(state, n + by);
}

pub(super) fn receive(channel: &Place, binds: &[Bind], state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
    let channel = channel.resolve(state, layout)?;
    hand_over((channel, 0), binds, false, state, layout)
}

pub(super) fn retrieve(
    offer: &Offer,
    binds: &[Bind],
    keep: bool,
    state: &mut [u64],
    layout: &Layout,
) -> Result<(), Fault> {
    // Nothing that it depends on has changed since it was found to be defined.
    let (channel, found) = offer.find(state, layout)?;
    let position = found.expect("an operation runs only where it is defined");
    hand_over((channel, position), binds, keep, state, layout)
}

/// The message leaves the channel, unless it is kept, before its fields are written, in order.
fn hand_over(
    (channel, position): (ObjectId, u32),
    binds: &[Bind],
    keep: bool,
    state: &mut [u64],
    layout: &Layout,
) -> Result<(), Fault> {
    let (lanes, length) = (&layout.channel(channel).lanes, layout.scalars[channel.index()].get(state));
    let mut values = [0; 8];
    let mut many = Vec::new();
    let values = if binds.len() <= values.len() {
        &mut values[..binds.len()]
    } else {
        many.resize(binds.len(), 0);
        &mut many[..]
    };
    for (value, (lane, _, _)) in values.iter_mut().zip(binds) {
        *value = lanes[*lane].get(state, position);
    }
    if !keep {
        lanes.iter().for_each(|lane| lane.take_out(state, position, length as u32));
        lengthen(channel, -1, state, layout);
    }
    for (&value, (_, target, domain)) in values.iter().zip(binds) {
        let object = target.resolve(state, layout)?;
        store(object, domain, value, state, layout)?;
    }
    Ok(())
}
