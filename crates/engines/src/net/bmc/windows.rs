//! How many tokens a place may have in the runs that are searched.
//!
//! A place with a small bound may have any number up to it. Of others, a window around the initial number is looked at,
//! and runs that leave it are left out: fewer runs than there are, so that those that are found exist, but that none is
//! found says something only where the windows are [`Whole`].

use model::nets::{Linear, Predicate};
use model::views::{Net, PlaceId};

use crate::net::structural::Flows;

/// Bounds up to this are counted in full.
const SMALL: u64 = 15;
/// No more tokens than this are counted on either side of the initial number, whatever arcs weigh.
const WIDEST: u64 = 128;

/// The numbers of tokens from `least` to `least + room`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) least: u64,
    pub(super) room: usize,
}

/// By place, which numbers of tokens are counted.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    windows: Vec<Window>,
    whole: bool,
}

/// Shows that no run leaves the windows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole(());

impl Windows {
    /// Of places without a small bound, so many firings of who changes them most, more and less than in the beginning.
    pub(super) fn new(net: &Net, flows: &Flows, firings: u64) -> Self {
        let (mut whole, heaviest) = (true, heaviest(net));
        let mut window = |p: PlaceId| {
            let initial = u64::from(net.place(p).initial);
            let bound = flows.bound(p);
            if let Some(most) = bound.filter(|&most| most <= SMALL) {
                return Window { least: 0, room: most as usize };
            }
            let width = firings.saturating_mul(heaviest[p.index()]).min(WIDEST);
            let (least, most) = (initial.saturating_sub(width), (initial + width).min(bound.unwrap_or(u64::MAX)));
            whole &= least == 0 && bound == Some(most);
            Window { least, room: (most - least) as usize }
        };
        let windows = net.place_ids().map(&mut window).collect();
        Self { windows, whole }
    }

    pub(super) fn of(&self, p: PlaceId) -> Window {
        self.windows[p.index()]
    }

    /// That all runs are within the windows, if they are.
    pub(super) fn whole(&self) -> Option<Whole> {
        self.whole.then_some(Whole(()))
    }

    /// A predicate about tokens as one about what is more than the least of each window.
    pub(super) fn shifted(&self, predicate: &Predicate) -> Predicate {
        predicate.map(&mut |expression| {
            let least = |&(p, factor): &(PlaceId, i64)| i128::from(factor) * i128::from(self.of(p).least);
            let constant = i128::from(expression.constant()) + expression.terms().iter().map(least).sum::<i128>();
            // What is too large to be written down is left out, like runs that leave the windows: whole ones shift nothing.
            let shifted = i64::try_from(constant).ok().and_then(|c| Linear::new(expression.terms().to_vec(), c));
            shifted.map_or(Predicate::Constant(false), Predicate::linear)
        })
    }
}

/// By place, the weight of the heaviest arc.
fn heaviest(net: &Net) -> Vec<u64> {
    let mut heaviest = vec![1; net.places().len()];
    for (p, weight) in net.transition_ids().flat_map(|t| net.pre(t).iter().chain(net.post(t))) {
        let known = &mut heaviest[p.index()];
        *known = u64::from(*weight).max(*known);
    }
    heaviest
}
