//! Runs together with what is remembered of them.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

use super::Moments;

/// Who reads the positions of a run and is content if it meets all its sets again and again.
pub trait Reader {
    /// What it remembers.
    type Memory: Clone + Debug + Eq + Hash;

    /// What it can remember after the first position.
    fn start(&self, letter: &[bool]) -> Vec<Self::Memory>;

    /// What it can remember after one more position.
    fn next(&self, memory: &Self::Memory, letter: &[bool]) -> Vec<Self::Memory>;

    /// What it remembers where there is nothing to read.
    fn waits(&self, memory: &Self::Memory) -> Self::Memory;

    /// The number of its sets.
    fn sets(&self) -> usize;

    /// Whether a memory is in a set.
    fn meets(&self, set: usize, memory: &Self::Memory) -> bool;
}

/// All that is reachable, numbered in breadth-first order.
#[derive(Clone, Debug)]
pub(crate) struct Product<M> {
    /// A moment and a memory.
    pub(crate) nodes: Vec<(usize, M)>,
    pub(crate) next: Vec<Vec<usize>>,
    /// Of each node but the first ones, one before it on a shortest way.
    pub(crate) parents: Vec<Option<usize>>,
}

pub(crate) fn product<R: Reader>(moments: &Moments, reader: &R) -> Product<R::Memory> {
    let mut product = Product { nodes: Vec::new(), next: Vec::new(), parents: Vec::new() };
    let mut numbers = HashMap::new();
    let first = moments.all[0].letter.iter().flat_map(|letter| reader.start(letter));
    for memory in first {
        product.number(&mut numbers, (0, memory), None);
    }
    while product.next.len() < product.nodes.len() {
        let from = product.next.len();
        let (moment, memory) = product.nodes[from].clone();
        let mut successors = Vec::new();
        for &to in &moments.all[moment].next {
            let memories = match &moments.all[to].letter {
                Some(letter) => reader.next(&memory, letter),
                None => vec![reader.waits(&memory)],
            };
            successors.extend(memories.into_iter().map(|m| product.number(&mut numbers, (to, m), Some(from))));
        }
        product.next.push(successors);
    }
    product
}

impl<M: Clone + Eq + Hash> Product<M> {
    fn number(&mut self, numbers: &mut HashMap<(usize, M), usize>, node: (usize, M), parent: Option<usize>) -> usize {
        *numbers.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            self.parents.push(parent);
            self.nodes.len() - 1
        })
    }
}
