//! Strong bisimulation: the coarsest partition of the states of a labelled transition system in which equivalent states
//! have moves with the same labels into the same classes. O(m log n) for n states and m moves.
//!
//! Paige and Tarjan's relational coarsest partition ("Three partition refinement algorithms", 1987) with labels. Moves
//! are kept in *bunches*: all moves with one label into a set of classes. The partition is stable for a bunch when the
//! states of a class agree on whether they have a move in it. A bunch that leads into several classes is cut: the moves
//! into one of them, at most half of the bunch, become a bunch of their own, and the classes are split by whether their
//! states have moves in this part, in the rest, or in both. The count of moves that a state has in a bunch tells the last
//! two apart without looking at the rest. A *slice* is the part of a bunch that leads into one class.

mod refinable;

use refinable::Refinable;

/// A move: from, label, to.
pub type Arrow = (u32, u32, u32);

/// The classes of equivalent states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The class of each state; classes are numbered in the order of their first states.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
}

/// The classes of strong bisimulation. States of different `kinds` are never equivalent.
pub fn strong(kinds: &[u32], arrows: &[Arrow]) -> Classes {
    let mut arrows = arrows.to_vec();
    arrows.sort_unstable_by_key(|&(from, label, to)| (label, to, from));
    arrows.dedup();
    let mut refinement = Refinement::new(kinds, &arrows);
    while let Some(bunch) = refinement.open.pop() {
        refinement.cut(bunch);
    }
    refinement.classes()
}

struct Refinement<'a> {
    arrows: &'a [Arrow],
    /// The arrows into each state: positions in `incoming`.
    starts: Vec<u32>,
    incoming: Vec<u32>,
    states: Refinable,
    slices: Refinable,
    bunch_of: Vec<u32>,
    /// The slices of each bunch.
    bunches: Vec<Vec<u32>>,
    /// Bunches with at least two slices.
    open: Vec<u32>,
    /// For each arrow the counter of its state and bunch.
    counter_of: Vec<u32>,
    counters: Vec<u32>,
    /// For each state its counter in the bunch that is being cut off, if it has one.
    fresh: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'a> Refinement<'a> {
    fn new(kinds: &[u32], arrows: &'a [Arrow]) -> Self {
        let mut states = Refinable::new(kinds.len(), |state| kinds[state as usize]);
        let by_label: Vec<&[Arrow]> = arrows.chunk_by(|a, b| a.1 == b.1).collect();
        for group in &by_label {
            for &(from, ..) in *group {
                states.mark(from);
            }
            states.split(|_, _| {});
        }
        let (starts, incoming) = incoming(kinds.len(), arrows);
        let fresh = vec![NONE; kinds.len()];
        let slices = Refinable::new(arrows.len(), |_| 0);
        let mut new = Self {
            arrows,
            starts,
            incoming,
            states,
            slices,
            bunch_of: vec![],
            bunches: vec![],
            open: vec![],
            counter_of: vec![NONE; arrows.len()],
            counters: vec![],
            fresh,
        };
        new.start(&by_label);
        new
    }

    /// One bunch for each label, cut into slices by the classes that there are.
    fn start(&mut self, by_label: &[&[Arrow]]) {
        let mut labels = vec![0; self.arrows.len()];
        let mut at = 0;
        for (bunch, group) in by_label.iter().enumerate() {
            labels[at..at + group.len()].fill(bunch as u32);
            at += group.len();
        }
        let (arrows, states) = (self.arrows, &self.states);
        let key = |t: u32| (labels[t as usize], states.class_of(arrows[t as usize].2));
        self.slices = Refinable::new(arrows.len(), key);
        self.bunches = vec![vec![]; by_label.len()];
        for slice in 0..self.slices.count() as u32 {
            let bunch = labels[self.slices.members(slice)[0] as usize];
            self.bunch_of.push(bunch);
            self.bunches[bunch as usize].push(slice);
        }
        self.open = (0..self.bunches.len() as u32).filter(|b| self.bunches[*b as usize].len() > 1).collect();
        self.count(&labels);
    }

    fn count(&mut self, labels: &[u32]) {
        let mut last = vec![(NONE, NONE); self.states.len()];
        for (t, &(from, ..)) in self.arrows.iter().enumerate() {
            let entry = &mut last[from as usize];
            if entry.0 != labels[t] {
                *entry = (labels[t], self.counters.len() as u32);
                self.counters.push(0);
            }
            self.counters[entry.1 as usize] += 1;
            self.counter_of[t] = entry.1;
        }
    }

    /// Cuts the smaller of two slices off a bunch and makes the partition stable for both parts.
    fn cut(&mut self, bunch: u32) {
        let slices = &mut self.bunches[bunch as usize];
        let (last, other) = (slices.len() - 1, slices.len() - 2);
        if self.slices.size(slices[other]) < self.slices.size(slices[last]) {
            slices.swap(other, last);
        }
        let slice = slices.pop().expect("an open bunch has two slices");
        if slices.len() > 1 {
            self.open.push(bunch);
        }
        self.bunch_of[slice as usize] = self.bunches.len() as u32;
        self.bunches.push(vec![slice]);
        self.split_by(slice);
    }

    fn split_by(&mut self, slice: u32) {
        let arrows: Vec<u32> = self.slices.members(slice).to_vec();
        let mut sources: Vec<(u32, u32)> = vec![];
        for &t in &arrows {
            let from = self.arrows[t as usize].0;
            if self.fresh[from as usize] == NONE {
                self.fresh[from as usize] = self.counters.len() as u32;
                self.counters.push(0);
                sources.push((from, self.counter_of[t as usize]));
            }
            let fresh = self.fresh[from as usize];
            self.counters[fresh as usize] += 1;
            self.counter_of[t as usize] = fresh;
        }
        for &(from, old) in &sources {
            self.states.mark(from);
            self.counters[old as usize] -= self.counters[self.fresh[from as usize] as usize];
            self.fresh[from as usize] = NONE;
        }
        self.split_states();
        for &(from, _) in sources.iter().filter(|(_, old)| self.counters[*old as usize] > 0) {
            self.states.mark(from);
        }
        self.split_states();
    }

    /// Splits the classes by the marked states, and the slices by the classes.
    fn split_states(&mut self) {
        let mut new = vec![];
        self.states.split(|_, class| new.push(class));
        for class in new {
            for i in 0..self.states.size(class) {
                let state = self.states.members(class)[i] as usize;
                for at in self.starts[state]..self.starts[state + 1] {
                    self.slices.mark(self.incoming[at as usize]);
                }
            }
            self.split_slices();
        }
    }

    fn split_slices(&mut self) {
        let Self { slices, bunch_of, bunches, open, .. } = self;
        slices.split(|old, new| {
            let bunch = bunch_of[old as usize];
            debug_assert_eq!(new as usize, bunch_of.len());
            bunch_of.push(bunch);
            let members = &mut bunches[bunch as usize];
            members.push(new);
            if members.len() == 2 {
                open.push(bunch);
            }
        });
    }

    fn classes(&self) -> Classes {
        let mut names = vec![NONE; self.states.count()];
        let mut count = 0;
        let mut name = |state: u32| {
            let name = &mut names[self.states.class_of(state) as usize];
            if *name == NONE {
                *name = count;
                count += 1;
            }
            *name
        };
        let of = (0..self.states.len() as u32).map(&mut name).collect();
        Classes { of, count: count as usize }
    }
}

fn incoming(states: usize, arrows: &[Arrow]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; states + 1];
    for &(.., to) in arrows {
        starts[to as usize + 1] += 1;
    }
    for state in 0..states {
        starts[state + 1] += starts[state];
    }
    let mut next = starts.clone();
    let mut incoming = vec![0; arrows.len()];
    for (t, &(.., to)) in arrows.iter().enumerate() {
        incoming[next[to as usize] as usize] = t as u32;
        next[to as usize] += 1;
    }
    (starts, incoming)
}

#[cfg(test)]
mod tests;
