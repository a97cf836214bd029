//! The set of visited markings: exact, without bounds, and small also for nets with many places.
//!
//! A marking is a binary tree: its leaves are words with the tokens of a group of neighbouring places, an inner node is
//! the pair of the numbers of its two parts, and every part is stored once (Blom, Lisser, van de Pol and Weber's tree
//! compression, as in LTSmin). A marking differs from its predecessor in few places, so that of a large marking only
//! the nodes above those are new, and on average little more than the root. The root's number is the marking's.
//!
//! The tree keeps the nodes of one current marking. Entering a successor, or going back, costs the paths above the
//! groups that change, not the net.

use evidence::{Budget, Reason};
use model::views::PlaceId;

use super::layout::Layout;
use crate::store::{Inserted, StateIndex, Store, hash};

#[derive(Debug)]
pub(crate) struct Tree {
    layout: Layout,
    leaves: Store,
    inner: Store,
    roots: Store,
    /// The number of each node in the current marking. Node 1 is the root, `2k` and `2k + 1` are the parts of `k`, and
    /// the leaves are the last half.
    ids: Vec<u32>,
    /// Scratch: the nodes to renew, last first.
    dirty: Vec<u32>,
    above: Vec<u32>,
    stack: Vec<(u32, u32)>,
}

impl Tree {
    /// A tree for markings of so many places, with the most tokens that are expected on each.
    pub(crate) fn new(most: &[u64]) -> Self {
        let layout = Layout::new(most);
        let ids = vec![u32::MAX; 2 * layout.leaves()];
        Self {
            layout,
            leaves: Store::new(1),
            inner: Store::new(1),
            roots: Store::new(1),
            ids,
            dirty: Vec::new(),
            above: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// The number of markings.
    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let stores = self.leaves.bytes() + self.inner.bytes() + self.roots.bytes();
        stores + self.layout.bytes() + 4 * self.ids.len() as u64
    }

    /// Adds the first marking.
    pub(crate) fn begin(&mut self, tokens: &[u64], limits: (u64, &Budget)) -> Result<Inserted, Reason> {
        self.dirty.clear();
        let leaves = self.layout.leaves() as u32;
        self.dirty.extend((leaves..2 * leaves).rev());
        self.renew(tokens, limits)
    }

    /// Makes a marking the current one, and adds it, given the places in which it differs from the current one.
    #[inline]
    pub(crate) fn enter(
        &mut self,
        tokens: &[u64],
        changed: &[(PlaceId, i64)],
        limits: (u64, &Budget),
    ) -> Result<Inserted, Reason> {
        self.dirty.clear();
        let leaves = self.layout.leaves() as u32;
        // In increasing order, as the places of effects are.
        for &(p, _) in changed {
            let node = leaves + self.layout.leaf_of(p);
            if self.dirty.last() != Some(&node) {
                self.dirty.push(node);
            }
        }
        self.dirty.reverse();
        self.renew(tokens, limits)
    }

    /// Numbers the dirty leaves and all above them, parts first.
    fn renew(&mut self, tokens: &[u64], (others, budget): (u64, &Budget)) -> Result<Inserted, Reason> {
        let (mut leaf, mut inner) = (0, 0);
        self.above.clear();
        loop {
            let next = (self.dirty.get(leaf).copied(), self.above.get(inner).copied());
            let node = match next {
                (None, None) => return Ok(Inserted::Old(self.ids[1])),
                (a, b) => a.max(b).expect("one of them is there"),
            };
            leaf += usize::from(next.0 == Some(node));
            inner += usize::from(next.1 == Some(node));
            let word = self.word(node, tokens);
            let bytes = self.bytes() + others;
            let store = self.store(node);
            store.reserve(bytes - store.bytes(), budget)?;
            let inserted = store.insert(&[word], hash(&[word]));
            let (Inserted::New(id) | Inserted::Old(id)) = inserted;
            if std::mem::replace(&mut self.ids[node as usize], id) == id {
                continue;
            }
            if node == 1 {
                return Ok(inserted);
            }
            if self.above.last() != Some(&(node / 2)) {
                self.above.push(node / 2);
            }
        }
    }

    fn word(&mut self, node: u32, tokens: &[u64]) -> u64 {
        let leaves = self.layout.leaves();
        if node as usize >= leaves {
            return self.layout.pack(node as usize - leaves, tokens);
        }
        let k = 2 * node as usize;
        u64::from(self.ids[k]) << 32 | u64::from(self.ids[k + 1])
    }

    fn store(&mut self, node: u32) -> &mut Store {
        if node == 1 {
            &mut self.roots
        } else if node as usize >= self.layout.leaves() {
            &mut self.leaves
        } else {
            &mut self.inner
        }
    }

    /// Makes a marking of the tree the current one and calls with each place that changes, and its tokens there.
    pub(crate) fn go_to(&mut self, state: StateIndex, mut call: impl FnMut(PlaceId, u64)) {
        let leaves = self.layout.leaves();
        self.stack.push((1, state));
        while let Some((node, id)) = self.stack.pop() {
            let before = std::mem::replace(&mut self.ids[node as usize], id);
            if before == id {
                continue;
            }
            let store = match node {
                1 => &self.roots,
                _ if node as usize >= leaves => &self.leaves,
                _ => &self.inner,
            };
            let word = store.get(id)[0];
            if node as usize >= leaves {
                let words = (store.get(before)[0], word);
                self.layout.each_change(node as usize - leaves, words, &mut call);
            } else {
                self.stack.push((2 * node, (word >> 32) as u32));
                self.stack.push((2 * node + 1, word as u32));
            }
        }
    }

    /// The same, for a caller that knows the tokens there.
    #[inline]
    pub(crate) fn go_back(&mut self, state: StateIndex) {
        let leaves = self.layout.leaves();
        self.stack.push((1, state));
        while let Some((node, id)) = self.stack.pop() {
            if std::mem::replace(&mut self.ids[node as usize], id) == id || node as usize >= leaves {
                continue;
            }
            let store = if node == 1 { &self.roots } else { &self.inner };
            let word = store.get(id)[0];
            self.stack.push((2 * node, (word >> 32) as u32));
            self.stack.push((2 * node + 1, word as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Random changes of a few places, against a map of whole markings; tokens beyond the expected included.
    #[test]
    fn markings_are_found_again() {
        for places in [1, 2, 31, 32, 70, 200] {
            let (mut tree, mut tokens) = (Tree::new(&vec![1; places]), vec![0u64; places]);
            let budget = Budget::unlimited();
            let mut known = HashMap::from([(tokens.clone(), 0)]);
            let mut markings = vec![tokens.clone()];
            assert_eq!(tree.begin(&tokens, (0, &budget)), Ok(Inserted::New(0)));
            let mut random = testkit::Rng::new(places as u64);
            for _ in 0..2000 {
                if random.chance(12) {
                    let state = random.below(markings.len());
                    tree.go_to(state as u32, |p, n| tokens[p.index()] = n);
                    assert_eq!(tokens, markings[state]);
                }
                let mut changed = vec![(PlaceId::new(random.below(places)), 0)];
                changed.push((PlaceId::new(random.below(places)), 0));
                changed.sort_unstable();
                changed.dedup();
                for &(p, _) in &changed {
                    tokens[p.index()] = *random.pick(&[0, 0, 0, 1, 1, 2, 3, 4, 1 << 40]);
                }
                let next = markings.len() as u32;
                let expected = known.get(&tokens).map_or(Inserted::New(next), |&i| Inserted::Old(i));
                assert_eq!(tree.enter(&tokens, &changed, (0, &budget)), Ok(expected));
                if expected == Inserted::New(next) {
                    known.insert(tokens.clone(), next);
                    markings.push(tokens.clone());
                }
            }
        }
    }
}
