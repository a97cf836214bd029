//! What a dead marking lacks, as a part of the picture: the transitions that have some of their tokens, with arcs from
//! these, and from the tokens that they would need but other events have used up.

use driver::{ConditionId, Prefix};
use model::views::{Net, NetTransitionId, PlaceId, PlaceMeaning};

use super::reads::Reads;
use super::{Arc, ArcKind, Kind, Node, Picture};

/// More blocked transitions than this hide what they should show.
const MOST: usize = 40;

/// The tokens at the end of a run, and those that were there: by place, the last ones last.
struct Tokens {
    left: Vec<Vec<ConditionId>>,
    used: Vec<Vec<ConditionId>>,
}

impl Tokens {
    fn new(net: &Net, process: &Prefix, reads: &Reads) -> Self {
        let none = vec![Vec::new(); net.places().len()];
        let mut tokens = Self { left: none.clone(), used: none };
        process.left().into_iter().for_each(|c| tokens.left[process.place(c).index()].push(reads.first(c)));
        for event in process.event_ids() {
            let taken = process.preset(event).iter().filter(|&&c| !reads.is_read(c, event));
            taken.for_each(|&c| tokens.used[process.place(c).index()].push(reads.first(c)));
        }
        tokens
    }

    fn at(&self, p: PlaceId) -> usize {
        self.left[p.index()].len()
    }

    /// How many tokens a transition lacks.
    fn lacks(&self, net: &Net, t: NetTransitionId) -> usize {
        net.pre(t).iter().map(|&(p, weight)| (weight as usize).saturating_sub(self.at(p))).sum()
    }

    /// Whether a transition waits here: it has a token, and its processes are where it starts.
    fn waits(&self, net: &Net, t: NetTransitionId) -> bool {
        let is_state = |p: PlaceId| matches!(net.place(p).meaning, PlaceMeaning::Location(..));
        let pre = net.pre(t);
        pre.iter().any(|&(p, _)| self.at(p) > 0) && pre.iter().all(|&(p, _)| !is_state(p) || self.at(p) > 0)
    }
}

impl Picture {
    /// Adds the blocked transitions, if nothing can happen any more and that is not as it should be.
    pub(super) fn add_blocked(&mut self, net: &Net, process: &Prefix, reads: &Reads) {
        let tokens = Tokens::new(net, process, reads);
        let marking: Vec<u64> = tokens.left.iter().map(|left| left.len() as u64).collect();
        if net.at_end(&marking) || net.transition_ids().any(|t| tokens.lacks(net, t) == 0) {
            return;
        }
        let mut waiting: Vec<NetTransitionId> = net.transition_ids().filter(|&t| tokens.waits(net, t)).collect();
        waiting.sort_by_key(|&t| tokens.lacks(net, t));
        // Of a step of a system that is several transitions of the net, the nearest to being enabled is shown.
        let mut seen = std::collections::HashSet::new();
        waiting.retain(|&t| net.transition(t).transition.is_none_or(|step| seen.insert(step)));
        waiting.truncate(MOST);
        waiting.sort_unstable();
        waiting.into_iter().for_each(|t| self.add_waiting(net, &tokens, t));
    }

    fn add_waiting(&mut self, net: &Net, tokens: &Tokens, t: NetTransitionId) {
        let own = self.nodes.len();
        let (mut never, mut arcs) = (Vec::new(), Vec::new());
        for &(p, weight) in net.pre(t) {
            let (weight, left, used) = (weight as usize, &tokens.left[p.index()], &tokens.used[p.index()]);
            arcs.extend(left.iter().take(weight).map(|c| Arc { from: c.index(), to: own, kind: ArcKind::Flow }));
            let missing = weight.saturating_sub(left.len());
            arcs.extend(used.iter().rev().take(missing).map(|c| Arc {
                from: c.index(),
                to: own,
                kind: ArcKind::Lacking,
            }));
            if missing > used.len() {
                never.push(net.place(p).name.as_str());
            }
        }
        let row = arcs.iter().map(|arc| self.nodes[arc.from].row + 1).max().unwrap_or(0);
        let remark = (!never.is_empty()).then(|| format!("lacks {}", never.join(", ")));
        let id = format!("b{}", t.index());
        self.nodes.push(Node { id, kind: Kind::Blocked, name: net.transition(t).name.to_string(), remark, row });
        self.arcs.extend(arcs);
    }
}
