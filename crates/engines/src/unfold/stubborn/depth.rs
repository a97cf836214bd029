//! The newest configuration first, without a memory of markings: each is visited as often as a run leads to it.

use model::views::NetTransitionId;

use super::End;
use super::occurrences::Cut;
use super::search::{Fired, Search};
use crate::unfold::unfolder::Stopped;

/// A configuration on the current run.
struct Frame {
    cut: Cut,
    /// The last step of the run to it.
    last: Option<NetTransitionId>,
    chosen: std::vec::IntoIter<NetTransitionId>,
}

pub(super) fn search(search: &mut Search<'_>) -> Result<End, Stopped> {
    if search.arrive(Vec::new) {
        return Ok(End::AtDeadlock);
    }
    #[cfg(test)]
    let mut visited = std::collections::HashSet::new();
    let start = search.occurrences.start();
    let chosen = search.choose();
    let mut stack = vec![Frame { cut: start, last: None, chosen: chosen.into_iter() }];
    let mut bytes = 0;
    while let Some(top) = stack.last_mut() {
        search.budget.check(search.bytes() + bytes).map_err(Stopped::Limit)?;
        let Some(t) = top.chosen.next() else {
            bytes -= top.bytes();
            top.last.iter().for_each(|&t| search.live.unfire(search.wiring, t));
            stack.pop();
            continue;
        };
        let Fired::Event(event) = search.fire(t, &top.cut)? else { continue };
        let cut = search.after(&top.cut, event);
        if search.arrive(|| stack.iter().filter_map(|f| f.last).chain([t]).collect()) {
            return Ok(End::AtDeadlock);
        }
        let chosen = search.choose();
        #[cfg(test)]
        let chosen = match search.planted {
            Some(super::search::Planted::VisitedInDepth) if !visited.insert(search.live.tokens().to_vec()) => vec![],
            _ => chosen,
        };
        let frame = Frame { cut, last: Some(t), chosen: chosen.into_iter() };
        bytes += frame.bytes();
        stack.push(frame);
    }
    Ok(End::Complete)
}

impl Frame {
    /// The first frame's are not counted.
    fn bytes(&self) -> u64 {
        if self.last.is_none() { 0 } else { 64 + size_of_val(&*self.cut) as u64 }
    }
}
