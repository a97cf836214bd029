//! Breadth-first sweeps over the parts of a graph, and where a part is longest.

use super::graph::{Graph, Vertex};

/// How often a better end is looked for; a few times is nearly always enough.
const ROUNDS: usize = 6;

/// A sweep through one connected part. Its memory is used again for the next, so that many small parts are cheap.
pub(super) struct Sweep<'a> {
    graph: &'a Graph,
    /// The number of the last sweep that met each vertex; 0 is none.
    met: Vec<u32>,
    number: u32,
    distances: Vec<u32>,
    reached: Vec<Vertex>,
}

impl<'a> Sweep<'a> {
    fn new(graph: &'a Graph) -> Self {
        let zeros = vec![0; graph.len()];
        Self { graph, met: zeros.clone(), number: 0, distances: zeros, reached: Vec::new() }
    }

    /// Meets all that is connected with a vertex.
    pub(super) fn run(&mut self, start: Vertex) {
        self.number += 1;
        self.reached.clear();
        self.meet(start, 0);
        let mut next = 0;
        while let Some(&v) = self.reached.get(next) {
            next += 1;
            for &w in self.graph.neighbours(v) {
                if self.met[w.index()] != self.number {
                    self.meet(w, self.distances[v.index()] + 1);
                }
            }
        }
    }

    fn meet(&mut self, v: Vertex, distance: u32) {
        self.met[v.index()] = self.number;
        self.distances[v.index()] = distance;
        self.reached.push(v);
    }

    /// What the last sweep met, in its order.
    pub(super) fn reached(&self) -> &[Vertex] {
        &self.reached
    }

    /// How far a vertex that the last sweep met is from its start.
    pub(super) fn distance(&self, v: Vertex) -> u32 {
        self.distances[v.index()]
    }

    /// Two vertices that are about as far from each other as any two of the part of `seed` (Gibbs, Poole and
    /// Stockmeyer's pseudo-diameter, George and Liu's shrinking strategy). The last sweep is then one from the second.
    pub(super) fn ends(&mut self, seed: Vertex) -> (Vertex, Vertex) {
        self.run(seed);
        let (mut start, mut end, mut length) = (seed, self.farthest(), self.length());
        for _ in 0..ROUNDS {
            self.run(end);
            if self.length() <= length {
                break;
            }
            length = self.length();
            (start, end) = (end, self.farthest());
        }
        self.run(end);
        (start, end)
    }

    fn length(&self) -> u32 {
        self.reached.last().map_or(0, |&v| self.distance(v))
    }

    /// Of those in the last level, the first with the fewest neighbours.
    fn farthest(&self) -> Vertex {
        let length = self.length();
        let last = self.reached.iter().rev().copied().take_while(|&v| self.distance(v) == length);
        last.min_by_key(|&v| (self.graph.degree(v), v)).expect("a sweep meets its start")
    }
}

/// Puts the vertices of all parts into one order, part by part in the order of their first components. `place` gets a
/// component of a part and appends all vertices of the part.
pub(super) fn by_parts<'a>(
    graph: &'a Graph,
    mut place: impl FnMut(&mut Sweep<'a>, Vertex, &mut Vec<Vertex>),
) -> Vec<Vertex> {
    let mut sweep = Sweep::new(graph);
    let mut placed = vec![false; graph.len()];
    let mut order = Vec::with_capacity(graph.len());
    for seed in graph.components() {
        if !placed[seed.index()] {
            let begin = order.len();
            place(&mut sweep, seed, &mut order);
            order[begin..].iter().for_each(|v| placed[v.index()] = true);
        }
    }
    order
}
