//! What a dead marking has to block: the inputs of transitions, without those that another one's inputs imply.

use model::views::{Net, NetTransitionId, PlaceId};

/// So many comparisons of inputs are made at most: leaving out implied transitions only saves time.
const COMPARISONS: usize = 20_000_000;

/// The inputs of the transitions that matter.
#[derive(Clone, Debug, Default)]
pub(in crate::net) struct Needs {
    inputs: Vec<Vec<(PlaceId, u32)>>,
}

impl Needs {
    /// A transition whose inputs contain another one's is blocked whenever that one is. When `stop` says so, the rest is
    /// taken without comparisons.
    pub(in crate::net) fn new(net: &Net, stop: &mut dyn FnMut() -> bool) -> Self {
        let mut order: Vec<NetTransitionId> = net.transition_ids().collect();
        order.sort_by_key(|&t| (net.pre(t).len(), t));
        let mut watched: Vec<Vec<NetTransitionId>> = vec![Vec::new(); net.places().len()];
        let (mut inputs, mut left) = (Vec::new(), COMPARISONS);
        for (i, t) in order.into_iter().enumerate() {
            if i % 1024 == 1023 && stop() {
                left = 0;
            }
            let rivals = net.pre(t).iter().flat_map(|&(p, _)| &watched[p.index()]);
            let mut implied = false;
            for &rival in rivals {
                left = left.saturating_sub(net.pre(rival).len());
                implied = left > 0 && contains(net.pre(t), net.pre(rival));
                if implied || left == 0 {
                    break;
                }
            }
            if implied {
                continue;
            }
            inputs.push(net.pre(t).to_vec());
            let watch = net.pre(t).iter().min_by_key(|&&(p, _)| net.consumers(p).len());
            watch.into_iter().for_each(|&(p, _)| watched[p.index()].push(t));
        }
        Self { inputs }
    }

    pub(in crate::net) fn iter(&self) -> impl Iterator<Item = &[(PlaceId, u32)]> {
        self.inputs.iter().map(Vec::as_slice)
    }
}

/// Whether every arc of `small` is in `large` with at least its weight; both are sorted.
fn contains(large: &[(PlaceId, u32)], small: &[(PlaceId, u32)]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|&(p, weight)| rest.by_ref().find(|&&(q, _)| q >= p).is_some_and(|&(q, w)| q == p && w >= weight))
}
