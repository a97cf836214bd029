//! The net that is unfolded: the given one, made fit for it. Its transitions are the same, and so are its runs.
//!
//! - A transition without input places would have one occurrence only, since events are told apart by what they use up:
//!   it gets a place of its own, which it takes its token from and puts it back on.
//! - A transition that only *reads* a place uses its token up and makes a new one, so that readers exclude one another,
//!   and each order of n readers is an event of its own. With a *replica* of the place for each reader (Vogler, Semenov,
//!   Yakovlev, *Unfolding and finite prefix for nets with read arcs*, CONCUR 1998) they are concurrent. Who takes from
//!   the place takes from all replicas, which have the same tokens at all times.

use std::borrow::Cow;

use evidence::Reason;
use model::views::{ArcSet, Net, NetTransitionId, Place, PlaceId};

use super::unfolder::Stopped;

/// How a transition that only reads a place is unfolded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reads {
    /// It takes the token and puts it back.
    #[default]
    Loops,
    /// Each reader has a replica of the place, unless it has very many.
    Replicas,
    /// It reads: the unfolding is contextual, if the net is safe. As an ordinary prefix it has its enriched form: that
    /// with replicas, whose events are the histories.
    Contexts,
    /// Contexts if several transitions read one place; otherwise loops, which are as good then.
    Auto,
}

impl Reads {
    /// What is done for a net.
    pub(super) fn resolved(self, net: &Net) -> Self {
        let several = || net.place_ids().any(|p| readers(net, p).len() > 1);
        match self {
            Reads::Auto => {
                if several() {
                    Reads::Contexts
                } else {
                    Reads::Loops
                }
            }
            chosen => chosen,
        }
    }
}

/// A place whose replicas would have more arcs than this, with those that do not only read it, has none.
const MOST_ARCS: usize = 1 << 10;

/// A net and what its places stand for.
#[derive(Debug)]
pub(super) struct Prepared<'a> {
    pub(super) net: Cow<'a, Net>,
    /// Of each place, the one of the given net; `None` if it was added.
    origins: Vec<Option<PlaceId>>,
    /// Of each place of the given net, one that has its tokens.
    first: Vec<PlaceId>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(net: &'a Net, reads: Reads) -> Self {
        let replicas: Vec<Vec<NetTransitionId>> = net.place_ids().map(|p| replicated(net, p, reads)).collect();
        let springs: Vec<NetTransitionId> = net.transition_ids().filter(|&t| net.pre(t).is_empty()).collect();
        if springs.is_empty() && replicas.iter().all(Vec::is_empty) {
            let first: Vec<PlaceId> = net.place_ids().collect();
            return Self { net: Cow::Borrowed(net), origins: first.iter().copied().map(Some).collect(), first };
        }
        let (mut origins, mut first) = (Vec::new(), Vec::new());
        for (p, readers) in net.place_ids().zip(&replicas) {
            first.push(PlaceId::new(origins.len()));
            origins.extend(std::iter::repeat_n(Some(p), readers.len().max(1)));
        }
        let spring = origins.len();
        origins.extend(springs.iter().map(|_| None));
        let initial = |origin: &Option<PlaceId>| origin.map_or(1, |p| net.place(p).initial);
        let named = |(i, origin)| Place::new(format!("{i}"), initial(origin));
        let places = origins.iter().enumerate().map(named).collect();
        let arcs = net.transition_ids().map(|t| {
            let copies = |&(p, weight): &(PlaceId, u32)| {
                let (readers, start) = (&replicas[p.index()], first[p.index()].index());
                let range = match readers.binary_search(&t) {
                    Ok(own) => start + own..start + own + 1,
                    Err(_) => start..start + readers.len().max(1),
                };
                range.map(move |place| (PlaceId::new(place), weight)).collect::<Vec<_>>()
            };
            let own = springs.binary_search(&t).ok().map(|i| (PlaceId::new(spring + i), 1));
            let pre = net.pre(t).iter().flat_map(copies).chain(own).collect();
            let post = net.post(t).iter().flat_map(copies).chain(own).collect();
            ArcSet { transition: net.transition(t).clone(), pre, post }
        });
        let arcs = arcs.collect();
        let unfolded = Net::new(net.name(), places, arcs).expect("copies of sound places are sound");
        Self { net: Cow::Owned(unfolded), origins, first }
    }

    /// The place of the given net.
    pub(super) fn origin(&self, p: PlaceId) -> Option<PlaceId> {
        self.origins[p.index()]
    }

    /// Why there is no complete prefix, in terms of the given net.
    pub(super) fn reason(&self, net: &Net, stopped: Stopped) -> Reason {
        let name = |p| self.origin(p).map_or("", |p| &net.place(p).name);
        match stopped {
            Stopped::Limit(reason) => reason,
            Stopped::NotSafe(p) => Reason::Unsupported(format!("place `{}` can have several tokens", name(p))),
            Stopped::Unbounded(p) => {
                Reason::Unbounded(format!("the net is unbounded: place `{}` grows without end", name(p)))
            }
        }
    }

    /// A place that has the tokens of a place of the given net.
    pub(super) fn stand_in(&self, p: PlaceId) -> PlaceId {
        self.first[p.index()]
    }
}

/// The transitions that get a replica of a place each: its readers, if there are several but not too many.
fn replicated(net: &Net, p: PlaceId, reads: Reads) -> Vec<NetTransitionId> {
    if reads == Reads::Loops {
        return Vec::new();
    }
    let readers = readers(net, p);
    // Everybody else has an arc with each replica.
    let others = net.consumers(p).len() + net.producers(p).len() - 2 * readers.len();
    let worth_it = readers.len() > 1 && readers.len() * others <= MOST_ARCS;
    if worth_it { readers } else { Vec::new() }
}

/// The transitions that leave a place as it is.
fn readers(net: &Net, p: PlaceId) -> Vec<NetTransitionId> {
    let gives = |t: NetTransitionId| net.post(t).binary_search_by_key(&p, |&(q, _)| q).ok().map(|i| net.post(t)[i].1);
    let reads = |&&(t, weight): &&(NetTransitionId, u32)| gives(t) == Some(weight);
    net.consumers(p).iter().filter(reads).map(|&(t, _)| t).collect()
}
