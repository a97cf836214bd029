//! The net while it is reduced: rows of arcs in both directions that stay sorted, and the nodes that changed.
//!
//! Transitions only ever get larger numbers, so that rows by transition are extended at their end; places are never
//! added. A removed node keeps its number and has no arcs.

use model::nets::Goal;
use model::views::{Net, NetTransitionId, PlaceId};

use crate::arcs::{Step, effect, weight};
use crate::dirty::Dirty;
use crate::way::{GroupId, NodeId, Rest, Way};

/// So many transitions are removed one by one: to move the end of a long row costs less than to look at all of it.
const FEW: usize = 8;

/// A place of the working net.
#[derive(Debug)]
struct Site {
    consumers: Vec<(NetTransitionId, u32)>,
    producers: Vec<(NetTransitionId, u32)>,
    initial: u32,
    group: GroupId,
    observed: bool,
    alive: bool,
}

/// A transition of the working net, and the run of the original net that it stands for.
#[derive(Debug)]
struct Event {
    step: Step,
    node: NodeId,
    alive: bool,
}

/// What the tokens of a removed observed place are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Known {
    /// Always this many.
    Constant(u32),
    /// `factor` times those of another place, plus `offset`.
    Multiple { of: PlaceId, factor: u32, offset: i64 },
}

/// A net under reduction.
#[derive(Debug)]
pub struct Work {
    sites: Vec<Site>,
    events: Vec<Event>,
    arcs: usize,
    live_transitions: usize,
    initial_size: (usize, usize),
    pub(crate) way: Way,
    pub(crate) dirty: Dirty,
    pub(crate) known: Vec<(PlaceId, Known)>,
}

impl Work {
    /// The net as it is, with the places that the goals look at.
    pub(crate) fn new(net: &Net, goals: &[Goal]) -> Self {
        let mut way = Way::default();
        let mut site = |p| Site {
            consumers: net.consumers(p).to_vec(),
            producers: net.producers(p).to_vec(),
            initial: net.place(p).initial,
            group: way.group(p),
            observed: false,
            alive: true,
        };
        let mut sites: Vec<Site> = net.place_ids().map(&mut site).collect();
        let mut event = |t| {
            let step = Step { pre: net.pre(t).to_vec(), post: net.post(t).to_vec() };
            Event { step, node: way.leaf(t), alive: true }
        };
        let events: Vec<Event> = net.transition_ids().map(&mut event).collect();
        for p in goals.iter().flat_map(Goal::observed) {
            sites[p.index()].observed = true;
        }
        let arcs = events.iter().map(|e| e.step.len()).sum();
        let dirty = Dirty::new(sites.len(), events.len());
        let (live_transitions, initial_size) = (events.len(), (events.len(), arcs));
        Self { sites, events, arcs, live_transitions, initial_size, way, dirty, known: Vec::new() }
    }

    /// The places that are left.
    pub(crate) fn places(&self) -> impl Iterator<Item = PlaceId> + '_ {
        (0..self.sites.len()).map(PlaceId::new).filter(|&p| self.has_place(p))
    }

    /// The transitions that are left.
    pub(crate) fn transitions(&self) -> impl Iterator<Item = NetTransitionId> + '_ {
        (0..self.events.len()).map(NetTransitionId::new).filter(|&t| self.has_transition(t))
    }

    /// How many numbers of places and of transitions were given, removed ones included.
    pub(crate) fn numbers(&self) -> (usize, usize) {
        (self.sites.len(), self.events.len())
    }

    pub(crate) fn has_place(&self, p: PlaceId) -> bool {
        self.sites[p.index()].alive
    }

    pub(crate) fn has_transition(&self, t: NetTransitionId) -> bool {
        self.events[t.index()].alive
    }

    pub(crate) fn initial(&self, p: PlaceId) -> u32 {
        self.sites[p.index()].initial
    }

    pub(crate) fn is_observed(&self, p: PlaceId) -> bool {
        self.sites[p.index()].observed
    }

    pub(crate) fn consumers(&self, p: PlaceId) -> &[(NetTransitionId, u32)] {
        &self.sites[p.index()].consumers
    }

    pub(crate) fn producers(&self, p: PlaceId) -> &[(NetTransitionId, u32)] {
        &self.sites[p.index()].producers
    }

    pub(crate) fn step(&self, t: NetTransitionId) -> &Step {
        &self.events[t.index()].step
    }

    pub(crate) fn pre(&self, t: NetTransitionId) -> &[(PlaceId, u32)] {
        &self.step(t).pre
    }

    pub(crate) fn post(&self, t: NetTransitionId) -> &[(PlaceId, u32)] {
        &self.step(t).post
    }

    pub(crate) fn node(&self, t: NetTransitionId) -> NodeId {
        self.events[t.index()].node
    }

    /// How a transition changes the places, without those it does not change.
    pub(crate) fn effect(&self, t: NetTransitionId) -> impl Iterator<Item = (PlaceId, i64)> + '_ {
        effect(self.pre(t), self.post(t))
    }

    /// How a transition changes one place.
    pub(crate) fn change(&self, t: NetTransitionId, p: PlaceId) -> i64 {
        i64::from(weight(self.post(t), p)) - i64::from(weight(self.pre(t), p))
    }

    /// Whether a transition leaves the observed places as they are.
    pub(crate) fn is_invisible(&self, t: NetTransitionId) -> bool {
        self.effect(t).all(|(p, _)| !self.is_observed(p))
    }

    /// How many arcs there are.
    pub(crate) fn arcs(&self) -> usize {
        self.arcs
    }

    /// Whether the net may become as large as that, with these transitions and arcs more and those fewer.
    pub(crate) fn may_grow(&self, more: (usize, usize), fewer: (usize, usize)) -> bool {
        let (transitions, arcs) = self.initial_size;
        let fits = |now: usize, more: usize, fewer: usize, first: usize| {
            more <= fewer || now + more - fewer <= first + first / 2 + 100
        };
        fits(self.live_transitions, more.0, fewer.0, transitions) && fits(self.arcs, more.1, fewer.1, arcs)
    }

    /// Takes a place out of the net, with its arcs.
    pub(crate) fn remove_place(&mut self, p: PlaceId) {
        let site = &mut self.sites[p.index()];
        site.alive = false;
        let (consumers, producers) = (std::mem::take(&mut site.consumers), std::mem::take(&mut site.producers));
        self.arcs -= consumers.len() + producers.len();
        for &(t, _) in &consumers {
            drop_arc(&mut self.events[t.index()].step.pre, p);
            self.dirty.transition(t);
        }
        for &(t, _) in &producers {
            drop_arc(&mut self.events[t.index()].step.post, p);
            self.dirty.transition(t);
        }
    }

    /// Takes a place out of the net and remembers what its tokens are, for the goals that look at it.
    pub(crate) fn replace_place(&mut self, p: PlaceId, known: Known) {
        if self.is_observed(p) {
            self.known.push((p, known));
            if let Known::Multiple { of, .. } = known {
                self.sites[of.index()].observed = true;
            }
        }
        self.remove_place(p);
    }

    /// Takes a transition out of the net, with its arcs.
    pub(crate) fn remove_transition(&mut self, t: NetTransitionId) {
        let step = self.bury(t);
        for &(p, _) in &step.pre {
            drop_arc(&mut self.sites[p.index()].consumers, t);
            self.dirty.place(p);
        }
        for &(p, _) in &step.post {
            drop_arc(&mut self.sites[p.index()].producers, t);
            self.dirty.place(p);
        }
    }

    /// Takes many transitions out of the net, each row being gone through once.
    pub(crate) fn remove_transitions(&mut self, all: &[NetTransitionId]) {
        if all.len() <= FEW {
            return all.iter().for_each(|&t| self.remove_transition(t));
        }
        let mut touched: Vec<PlaceId> = Vec::new();
        for &t in all {
            let step = self.bury(t);
            touched.extend(step.pre.iter().chain(&step.post).map(|&(p, _)| p));
        }
        touched.sort_unstable();
        touched.dedup();
        let Self { sites, events, dirty, .. } = self;
        for p in touched {
            let site = &mut sites[p.index()];
            site.consumers.retain(|&(t, _)| events[t.index()].alive);
            site.producers.retain(|&(t, _)| events[t.index()].alive);
            dirty.place(p);
        }
    }

    fn bury(&mut self, t: NetTransitionId) -> Step {
        let event = &mut self.events[t.index()];
        event.alive = false;
        self.live_transitions -= 1;
        self.arcs -= event.step.len();
        std::mem::take(&mut event.step)
    }

    /// Adds a transition that stands for a run.
    pub(crate) fn add_transition(&mut self, step: Step, node: NodeId) -> NetTransitionId {
        let t = NetTransitionId::new(self.events.len());
        for &(p, weight) in &step.pre {
            self.sites[p.index()].consumers.push((t, weight));
            self.dirty.place(p);
        }
        for &(p, weight) in &step.post {
            self.sites[p.index()].producers.push((t, weight));
            self.dirty.place(p);
        }
        self.live_transitions += 1;
        self.arcs += step.len();
        self.events.push(Event { step, node, alive: true });
        self.dirty.grow();
        t
    }

    /// The next place to look at, with the tier of the rules.
    pub(crate) fn next_place(&mut self) -> Option<(usize, PlaceId)> {
        loop {
            if let Some((tier, p)) = self.dirty.next() {
                if self.has_place(p) {
                    return Some((tier, p));
                }
                continue;
            }
            let changed = self.dirty.take_transitions();
            if changed.is_empty() {
                return None;
            }
            for t in changed {
                self.dirty.around(&self.events[t.index()].step);
            }
        }
    }

    /// Lets all places be looked at.
    pub(crate) fn touch_all(&mut self) {
        for (i, site) in self.sites.iter().enumerate() {
            if site.alive {
                self.dirty.place(PlaceId::new(i));
            }
        }
    }

    /// The places of the original net that a place stands for.
    pub(crate) fn group(&self, p: PlaceId) -> GroupId {
        self.sites[p.index()].group
    }

    /// A transition, to be fired as long as it is enabled when all else is dead.
    pub(crate) fn rest(&self, t: NetTransitionId) -> Rest {
        let pre = self.pre(t).iter().map(|&(p, weight)| (self.group(p), weight)).collect();
        Rest { node: self.node(t), pre }
    }

    /// Lets the producers of a place put their tokens on another one. The sums of weights must fit.
    pub(crate) fn redirect(&mut self, from: PlaceId, to: PlaceId) {
        let producers = std::mem::take(&mut self.sites[from.index()].producers);
        for (t, weight) in producers {
            let post = &mut self.events[t.index()].step.post;
            drop_arc(post, from);
            self.arcs -= usize::from(add_arc(post, to, weight));
            add_arc(&mut self.sites[to.index()].producers, t, weight);
            self.dirty.transition(t);
        }
    }

    /// Makes the arcs between a transition and a place, in both directions, lighter by a weight that both have.
    pub(crate) fn lighten(&mut self, t: NetTransitionId, p: PlaceId, weight: u32) {
        let (event, site) = (&mut self.events[t.index()], &mut self.sites[p.index()]);
        let gone = [lighten(&mut event.step.pre, p, weight), lighten(&mut event.step.post, p, weight)];
        lighten(&mut site.consumers, t, weight);
        lighten(&mut site.producers, t, weight);
        self.arcs -= gone.into_iter().filter(|&g| g).count();
        self.dirty.transition(t);
        self.dirty.place(p);
    }

    /// Lets a place stand for another one too, which loses its arcs. `None`: too many tokens, and nothing happens.
    pub(crate) fn absorb(&mut self, p: PlaceId, other: PlaceId) -> Option<()> {
        let tokens = self.initial(p).checked_add(self.initial(other))?;
        let group = self.way.both(self.group(p), self.group(other));
        self.sites[p.index()].initial = tokens;
        self.sites[p.index()].group = group;
        self.remove_place(other);
        self.dirty.place(p);
        Some(())
    }

    /// Lets a transition stand for another run.
    pub(crate) fn rename(&mut self, t: NetTransitionId, node: NodeId) {
        self.events[t.index()].node = node;
    }

    /// Fires a transition that takes tokens from `p` alone, `times` times in the beginning; false if that makes too
    /// many tokens.
    pub(crate) fn fire_first(&mut self, t: NetTransitionId, p: PlaceId, times: u32) -> bool {
        let after = |&(q, weight): &(PlaceId, u32)| {
            let tokens = u64::from(self.initial(q)) + u64::from(weight) * u64::from(times);
            Some((q, u32::try_from(tokens).ok()?))
        };
        let Some(after) = self.post(t).iter().map(after).collect::<Option<Vec<_>>>() else { return false };
        let taken = weight(self.pre(t), p) * times;
        self.way.fire_first(self.events[t.index()].node, times);
        self.sites[p.index()].initial -= taken;
        for (q, tokens) in after {
            self.sites[q.index()].initial = tokens;
            self.dirty.place(q);
        }
        true
    }
}

fn drop_arc<K: Ord + Copy>(row: &mut Vec<(K, u32)>, key: K) {
    let i = row.binary_search_by_key(&key, |&(k, _)| k).expect("arcs are in the rows of both ends");
    row.remove(i);
}

/// Adds to the weight of an arc; whether it was there.
fn add_arc<K: Ord + Copy>(row: &mut Vec<(K, u32)>, key: K, weight: u32) -> bool {
    match row.binary_search_by_key(&key, |&(k, _)| k) {
        Ok(i) => {
            row[i].1 += weight;
            true
        }
        Err(i) => {
            row.insert(i, (key, weight));
            false
        }
    }
}

/// Takes from the weight of an arc; whether nothing is left of it.
fn lighten<K: Ord + Copy>(row: &mut Vec<(K, u32)>, key: K, weight: u32) -> bool {
    let i = row.binary_search_by_key(&key, |&(k, _)| k).expect("the arc is there");
    row[i].1 -= weight;
    let gone = row[i].1 == 0;
    if gone {
        row.remove(i);
    }
    gone
}
