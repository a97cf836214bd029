//! Sloan's order for a small profile (1989).
//!
//! From one end of a part to the other. At any time some vertices are numbered; an *active* one is not, but has a
//! numbered neighbour; a neighbour of an active one is waiting. The next is the one of highest priority: far from the
//! end, and making few others active.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::{Graph, Vertex};
use super::sweep::{Sweep, by_parts};

/// Sloan's weights, of becoming active and of the distance from the end.
const OPENING: i64 = 2;
const DISTANCE: i64 = 1;

/// Where a vertex stands; in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Inactive,
    Waiting,
    Active,
    Numbered,
}

/// The state of the numbering. The queue keeps entries with outdated priorities, which are skipped.
struct Numbering<'a> {
    graph: &'a Graph,
    status: Vec<Status>,
    priority: Vec<i64>,
    queue: BinaryHeap<(i64, Reverse<Vertex>)>,
}

/// The order of all parts.
pub(super) fn order(graph: &Graph) -> Vec<Vertex> {
    let mut numbering = Numbering {
        graph,
        status: vec![Status::Inactive; graph.len()],
        priority: vec![0; graph.len()],
        queue: BinaryHeap::new(),
    };
    by_parts(graph, |sweep, seed, order| {
        let (start, _) = sweep.ends(seed);
        numbering.prepare(sweep);
        numbering.raise(start);
        while let Some(v) = numbering.next() {
            numbering.number(v);
            order.push(v);
        }
    })
}

impl Numbering<'_> {
    /// The first priorities of a part, after a sweep from its end.
    fn prepare(&mut self, sweep: &Sweep<'_>) {
        for &v in sweep.reached() {
            let degree = i64::try_from(self.graph.degree(v)).expect("degrees are small") + 1;
            self.priority[v.index()] = DISTANCE * i64::from(sweep.distance(v)) - OPENING * degree;
        }
    }

    /// The vertex of highest priority.
    fn next(&mut self) -> Option<Vertex> {
        while let Some((priority, Reverse(v))) = self.queue.pop() {
            if self.status[v.index()] != Status::Numbered && self.priority[v.index()] == priority {
                return Some(v);
            }
        }
        None
    }

    /// One of its neighbours, or it itself, is active now: it opens one vertex fewer.
    fn raise(&mut self, v: Vertex) {
        match self.status[v.index()] {
            Status::Numbered => return,
            Status::Inactive => self.status[v.index()] = Status::Waiting,
            Status::Waiting | Status::Active => {}
        }
        self.priority[v.index()] += OPENING;
        self.queue.push((self.priority[v.index()], Reverse(v)));
    }

    fn number(&mut self, v: Vertex) {
        let graph = self.graph;
        if self.status[v.index()] == Status::Waiting {
            graph.neighbours(v).iter().for_each(|&w| self.raise(w));
        }
        self.status[v.index()] = Status::Numbered;
        for &w in graph.neighbours(v) {
            if self.status[w.index()] == Status::Waiting {
                self.status[w.index()] = Status::Active;
                self.raise(w);
                graph.neighbours(w).iter().for_each(|&x| self.raise(x));
            }
        }
    }
}
