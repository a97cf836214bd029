//! Depth first: the path is on an explicit stack, and a marking needs no memory but its place in the tree.

use evidence::Reason;
use model::views::NetTransitionId;

use super::explorer::{Explorer, room};
use crate::store::{Inserted, StateIndex};

/// A marking of the current path.
struct Frame {
    state: StateIndex,
    /// The transition that led here; of no meaning for the first.
    via: NetTransitionId,
    /// Where its waiting transitions begin.
    start: usize,
}

#[derive(Default)]
struct Path {
    frames: Vec<Frame>,
    waiting: Vec<NetTransitionId>,
}

impl Path {
    fn bytes(&self) -> u64 {
        (size_of::<Frame>() * self.frames.capacity() + 4 * self.waiting.capacity()) as u64
    }

    fn run(&self) -> Vec<NetTransitionId> {
        self.frames[1..].iter().map(|frame| frame.via).collect()
    }
}

/// Visits everything; false if nobody is interested any more.
pub(super) fn search(explorer: &mut Explorer<'_>) -> Result<bool, Reason> {
    let mut path = Path::default();
    explorer.begin(0)?;
    push(explorer, &mut path, 0, NetTransitionId(0))?;
    explorer.choose(&mut path.waiting);
    while let Some(frame) = path.frames.last() {
        if !explorer.goes_on(path.bytes())? {
            return Ok(false);
        }
        let (state, via) = (frame.state, frame.via);
        if path.waiting.len() > frame.start {
            let t = path.waiting.pop().expect("some wait");
            match explorer.fire(t, path.bytes())? {
                Inserted::Old(_) => explorer.unfire(t, state)?,
                Inserted::New(next) => enter(explorer, &mut path, next, t)?,
            }
        } else {
            path.frames.pop();
            if let Some(before) = path.frames.last() {
                explorer.unfire(via, before.state)?;
            }
        }
    }
    Ok(true)
}

fn push(explorer: &Explorer<'_>, path: &mut Path, state: StateIndex, via: NetTransitionId) -> Result<(), Reason> {
    let (bytes, budget) = (explorer.tree.bytes() + explorer.others(0), explorer.task.budget);
    room(&mut path.frames, 1, bytes + 4 * path.waiting.capacity() as u64, budget)?;
    let frames = (size_of::<Frame>() * path.frames.capacity()) as u64;
    room(&mut path.waiting, explorer.live.enabled().len(), bytes + frames, budget)?;
    path.frames.push(Frame { state, via, start: path.waiting.len() });
    Ok(())
}

fn enter(explorer: &mut Explorer<'_>, path: &mut Path, state: StateIndex, t: NetTransitionId) -> Result<(), Reason> {
    push(explorer, path, state, t)?;
    if explorer.arrive(t, path.frames.len(), || path.run()) {
        explorer.stays_bounded(path.frames[1..].iter().rev().map(|frame| frame.via))?;
    }
    explorer.choose(&mut path.waiting);
    Ok(())
}
