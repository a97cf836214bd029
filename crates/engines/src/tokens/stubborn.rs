//! Stubborn sets of nets with weights: which enabled transitions suffice in a marking.
//!
//! A set of transitions is stubborn if what happens outside of it can neither enable nor disturb what is inside
//! (Valmari, *The state explosion problem*, 1998). For every transition `t` of the set:
//!
//! - if `t` is enabled, then the set has every `u` for which some place `p` has
//!   `min(post t, post u) < min(pre t, pre u)`: all others commute with `t` wherever both are enabled, so that `t` stays
//!   enabled and may come first;
//! - if `t` is disabled, then some place has too few tokens for it, and the set has every transition that can be the
//!   first to give that place more: it gains there and needs no more than is there.
//!
//! Both are closures in a graph whose nodes are transitions and, so that its size is that of the net and not the square
//! of it, what places stand for: *all consumers of p* (for a `t` that takes from `p`), *the consumers that take from p*
//! (for a `t` that only reads it) and *those that can first give to p*. With partial returns this is a little more than
//! the condition asks for.
//!
//! Deadlocks: any closed set with an enabled transition will do. One search for strongly connected components (Tarjan
//! 1972) finds the least closed sets: the first component with an enabled transition, and what it reaches, is one. The
//! search goes on in the rest of the graph for a smaller one, as long as that costs little.
//!
//! Other goals: a closed set that contains all transitions of an *up-set*, without one of which the goal cannot become
//! true (Kristensen, Schmidt and Valmari, *Question-guided stubborn set methods for state properties*, 2006). On a
//! shortest way to the goal the first transition of the set is enabled and can come first, and the rest of the way is
//! shorter: no proviso is needed. If nothing of the set is enabled, there is no way.

use model::views::{Net, NetTransitionId, PlaceId};

use super::live::Live;
use super::rows::Rows;

/// A node of the graph: a transition, or one of three sets for each place.
type Node = u32;

/// Which place a disabled transition waits for, if several have too few tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scapegoats {
    /// One with few givers: takes the least time.
    FewGivers,
    /// One with few givers that are not in the set yet, most of all enabled ones: gives smaller sets. With it the
    /// philosophers whose forks are automata, as in `dp_12` of Corbett's examples, need 730 firings and not 12,864.
    FewNewGivers,
}

/// More givers than this are not looked at one by one.
const MANY: usize = 64;

#[derive(Debug)]
pub(crate) struct Stubborn<'a> {
    net: &'a Net,
    scapegoats: Scapegoats,
    /// Of each transition: the nodes that its input places stand for while it is enabled.
    rivals: Rows<Node>,
    /// Of each place: the consumers that take from it.
    takers: Rows<NetTransitionId>,
    /// Of each place: the transitions that it gains from, and what they need there.
    givers: Rows<(NetTransitionId, u32)>,
    marks: Vec<Mark>,
    now: u32,
    count: u32,
    frames: Vec<(Node, u32)>,
    component: Vec<Node>,
    best: Vec<NetTransitionId>,
    /// The transitions that no set may fire; none if it is empty.
    barred: Vec<bool>,
}

/// What the current round knows of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// The round that it was met in.
    round: u32,
    number: u32,
    low: u32,
    /// Whether its component is complete.
    done: bool,
    /// Whether its component is known to reach an enabled transition outside of it or, once complete, at all.
    active: bool,
    /// The place that a disabled transition waits for.
    waits: u32,
}

impl<'a> Stubborn<'a> {
    pub(crate) fn new(net: &'a Net, scapegoats: Scapegoats) -> Self {
        let (transitions, places) = (net.transitions().len(), net.places().len());
        let given = |t: NetTransitionId, p: PlaceId| {
            net.post(t).binary_search_by_key(&p, |&(q, _)| q).map_or(0, |i| net.post(t)[i].1)
        };
        let rivals = Rows::new(net.transition_ids().map(|t| {
            let node = move |&(p, weight): &(PlaceId, u32)| {
                let kind = usize::from(given(t, p) >= weight);
                (transitions + kind * places + p.index()) as Node
            };
            net.pre(t).iter().map(node)
        }));
        let takers = Rows::new(
            net.place_ids()
                .map(|p| net.consumers(p).iter().filter(move |&&(t, weight)| given(t, p) < weight).map(|&(t, _)| t)),
        );
        let needed = |t: NetTransitionId, p: PlaceId| {
            net.pre(t).binary_search_by_key(&p, |&(q, _)| q).map_or(0, |i| net.pre(t)[i].1)
        };
        let givers = Rows::new(net.place_ids().map(|p| {
            let gains = move |&(t, weight): &(NetTransitionId, u32)| {
                let need = needed(t, p);
                (weight > need).then_some((t, need))
            };
            net.producers(p).iter().filter_map(gains)
        }));
        Self {
            net,
            scapegoats,
            rivals,
            takers,
            givers,
            marks: vec![Mark::default(); transitions + 3 * places],
            now: 0,
            count: 0,
            frames: Vec::new(),
            component: Vec::new(),
            best: Vec::new(),
            barred: Vec::new(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let rows = self.rivals.bytes() + self.takers.bytes() + self.givers.bytes();
        rows + (size_of::<Mark>() * self.marks.len() + 8 * self.frames.capacity() + 4 * self.component.capacity())
            as u64
    }

    fn begin(&mut self) {
        if self.now == u32::MAX {
            self.marks.fill(Mark::default());
            self.now = 0;
        }
        self.now += 1;
        self.count = 0;
        self.component.clear();
    }

    fn is_met(&self, node: Node) -> bool {
        self.marks[node as usize].round == self.now
    }

    fn is_transition(&self, node: Node) -> bool {
        (node as usize) < self.net.transitions().len()
    }

    /// Notes a node as met; of a disabled transition the place that it waits for is chosen.
    fn meet(&mut self, node: Node, live: &Live) {
        let number = self.count;
        self.count += 1;
        let mut mark = Mark { round: self.now, number, low: number, ..Mark::default() };
        if self.is_transition(node) && !live.is_enabled(NetTransitionId(node)) {
            mark.waits = self.scapegoat(NetTransitionId(node), live);
        }
        self.marks[node as usize] = mark;
    }

    /// A place with too few tokens for a transition: best one whose givers are all met and idle, then one whose givers
    /// are met, then a cheap one.
    fn scapegoat(&self, t: NetTransitionId, live: &Live) -> Node {
        let node = |p: PlaceId| (self.net.transitions().len() + 2 * self.net.places().len() + p.index()) as Node;
        let cost = |p: PlaceId| match self.marks[node(p) as usize] {
            mark if mark.round == self.now => match (mark.done, mark.active) {
                (false, _) => 1,
                (true, false) => 0,
                (true, true) => usize::MAX,
            },
            _ => self.price(p, live),
        };
        let lacking = |&&(p, weight): &&(PlaceId, u32)| live.tokens()[p.index()] < u64::from(weight);
        let places = self.net.pre(t).iter().filter(lacking).map(|&(p, _)| p);
        node(places.min_by_key(|&p| cost(p)).expect("a disabled transition lacks tokens"))
    }

    /// What it costs to wait for a place that is not met.
    fn price(&self, p: PlaceId, live: &Live) -> usize {
        let givers = self.givers.row(p.index());
        if self.scapegoats == Scapegoats::FewGivers || givers.len() > MANY {
            return 2 * givers.len();
        }
        let price = |&(t, need): &(NetTransitionId, u32)| match live.is_enabled(t) {
            _ if self.is_met(t.0) || u64::from(need) > live.tokens()[p.index()] => 0,
            true => 16,
            false => 2,
        };
        givers.iter().map(price).sum()
    }

    /// The node at a position of the list of those that a node leads to. `Some(None)` is to be skipped.
    #[inline]
    fn next(&self, node: Node, at: u32, live: &Live) -> Option<Option<Node>> {
        let (n, at) = (node as usize, at as usize);
        let (transitions, places) = (self.net.transitions().len(), self.net.places().len());
        if n < transitions {
            if live.is_enabled(NetTransitionId(node)) {
                return self.rivals.row(n).get(at).map(|&rival| Some(rival));
            }
            return (at == 0).then(|| Some(self.marks[n].waits));
        }
        let (kind, p) = ((n - transitions) / places, (n - transitions) % places);
        match kind {
            0 => self.net.consumers(PlaceId::new(p)).get(at).map(|&(t, _)| Some(t.0)),
            1 => self.takers.row(p).get(at).map(|&t| Some(t.0)),
            _ => self.givers.row(p).get(at).map(|&(t, need)| (u64::from(need) <= live.tokens()[p]).then_some(t.0)),
        }
    }

    /// The enabled transitions of a stubborn set: enough to find every dead marking. None if no dead marking can be
    /// reached, because a transition stays enabled for ever.
    pub(crate) fn for_deadlocks(&mut self, live: &Live, out: &mut Vec<NetTransitionId>) {
        self.search(live.enabled(), live);
        match self.best[..] {
            [t] if self.is_permanent(t) => {}
            _ => out.extend_from_slice(&self.best),
        }
    }

    /// The same, but none only if nothing is enabled. The set is looked for from these enabled transitions, in turn:
    /// of equally small ones, the first.
    pub(crate) fn small(&mut self, seeds: &[NetTransitionId], live: &Live, out: &mut Vec<NetTransitionId>) {
        self.search(seeds, live);
        out.extend_from_slice(&self.best);
    }

    /// A set whose enabled transitions are none of the barred ones: adds nothing if no such set is found. What is found
    /// depends on the marking, the order of the seeds and the barred ones alone.
    pub(crate) fn without(
        &mut self,
        barred: &mut Vec<bool>,
        seeds: &[NetTransitionId],
        live: &Live,
        out: &mut Vec<NetTransitionId>,
    ) {
        std::mem::swap(&mut self.barred, barred);
        self.search(seeds, live);
        std::mem::swap(&mut self.barred, barred);
        out.extend_from_slice(&self.best);
    }

    /// The same, with as few enabled transitions as any of the least stubborn sets with one of these. (Less is possible
    /// where a disabled transition could wait for another place: to choose these best is NP-hard.)
    /// If it must not go on, the smallest so far.
    pub(crate) fn fewest(
        &mut self,
        seeds: &[NetTransitionId],
        live: &Live,
        goes_on: impl Fn() -> bool,
        out: &mut Vec<NetTransitionId>,
    ) {
        self.search(seeds, live);
        let (mut best, mut set) = (std::mem::take(&mut self.best), Vec::new());
        for &t in seeds {
            if best.len() == 1 || !goes_on() {
                break;
            }
            set.clear();
            self.with(&[t], live, &mut set);
            if set.len() < best.len() {
                std::mem::swap(&mut best, &mut set);
            }
        }
        out.extend_from_slice(&best);
        self.best = best;
    }

    /// Finds a small closed set with an enabled transition, and notes its enabled ones.
    fn search(&mut self, seeds: &[NetTransitionId], live: &Live) {
        self.begin();
        self.best.clear();
        // What the first set cost, and not much more, may be spent to find a smaller one.
        let mut spend = u32::MAX;
        for &seed in seeds {
            if self.best.len() == 1 || self.count > spend {
                break;
            }
            if !self.is_met(seed.0) {
                self.components(seed.0, live);
                if !self.best.is_empty() {
                    spend = spend.min(self.count.saturating_mul(4).saturating_add(256));
                }
            }
        }
    }

    /// Whether nobody takes what a transition needs, itself included: once enabled, it stays so.
    fn is_permanent(&self, t: NetTransitionId) -> bool {
        self.net.pre(t).iter().all(|&(p, _)| self.takers.row(p.index()).is_empty())
    }

    /// Tarjan's algorithm from one node; keeps the best closed set that it meets.
    fn components(&mut self, root: Node, live: &Live) {
        self.enter(root, live);
        while let Some(&mut (node, ref mut at)) = self.frames.last_mut() {
            let edge = *at;
            *at += 1;
            match self.next(node, edge, live) {
                Some(None) => {}
                Some(Some(to)) if !self.is_met(to) => self.enter(to, live),
                Some(Some(to)) => self.look_back(node, to),
                None => {
                    self.frames.pop();
                    self.leave(node, live);
                    if self.best.len() == 1 {
                        self.frames.clear();
                        return;
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: Node, live: &Live) {
        self.meet(node, live);
        self.frames.push((node, 0));
        self.component.push(node);
    }

    fn look_back(&mut self, node: Node, to: Node) {
        let met = self.marks[to as usize];
        let mark = &mut self.marks[node as usize];
        if met.done {
            mark.active |= met.active;
        } else {
            mark.low = mark.low.min(met.number);
        }
    }

    /// All that a node leads to is known: hands on what it knows, or closes its component.
    fn leave(&mut self, node: Node, live: &Live) {
        let mark = self.marks[node as usize];
        if mark.low == mark.number {
            self.close(node, live);
        }
        let Some(&(above, _)) = self.frames.last() else { return };
        let mark = self.marks[node as usize];
        let over = &mut self.marks[above as usize];
        over.low = over.low.min(mark.low);
        over.active |= mark.active;
    }

    fn close(&mut self, root: Node, live: &Live) {
        let start = self.component.iter().rposition(|&n| n == root).expect("the root of a component is in it");
        let transitions = self.net.transitions().len() as u32;
        let enabled = |&&n: &&Node| n < transitions && live.is_enabled(NetTransitionId(n));
        let members = &self.component[start..];
        let reaches = members.iter().any(|&n| self.marks[n as usize].active);
        let size = members.iter().filter(enabled).count();
        let barred = |&&n: &&Node| self.barred.get(n as usize).is_some_and(|&barred| barred);
        let allowed = self.barred.is_empty() || !members.iter().filter(enabled).any(|n| barred(&n));
        if !reaches && size > 0 && allowed && (self.best.is_empty() || size < self.best.len()) {
            self.best.clear();
            self.best.extend(members.iter().filter(enabled).map(|&n| NetTransitionId(n)));
        }
        for n in self.component.drain(start..) {
            let mark = &mut self.marks[n as usize];
            // Nothing that comes later belongs to it.
            (mark.done, mark.active, mark.low) = (true, reaches || size > 0, u32::MAX);
        }
    }

    /// The enabled transitions of the least stubborn set with some transitions.
    pub(crate) fn with(&mut self, some: &[NetTransitionId], live: &Live, out: &mut Vec<NetTransitionId>) {
        self.begin();
        some.iter().for_each(|t| self.add(t.0, live, out));
        while let Some(node) = self.component.pop() {
            let mut at = 0;
            while let Some(next) = self.next(node, at, live) {
                next.into_iter().for_each(|to| self.add(to, live, out));
                at += 1;
            }
        }
    }

    fn add(&mut self, node: Node, live: &Live, out: &mut Vec<NetTransitionId>) {
        if self.is_met(node) {
            return;
        }
        self.meet(node, live);
        self.component.push(node);
        if self.is_transition(node) && live.is_enabled(NetTransitionId(node)) {
            out.push(NetTransitionId(node));
        }
    }
}

/// Bugs to plant.
#[cfg(test)]
impl Stubborn<'_> {
    pub(crate) fn forget_rivals(&mut self) {
        self.rivals = Rows::new(self.net.transitions().iter().map(|_| None));
    }

    pub(crate) fn forget_givers(&mut self) {
        self.givers = Rows::new(self.net.places().iter().map(|_| None));
    }

    pub(crate) fn forget_takers(&mut self) {
        self.takers = Rows::new(self.net.places().iter().map(|_| None));
    }
}
