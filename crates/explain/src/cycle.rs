//! The wait-for graph and a shortest cycle in it.
//!
//! A process waits for everybody who could supply one of its needs, whether it needs all of them or any one. Edges to
//! one without whom the process can never move are tried first, then those to a definite culprit (a holder, a partner,
//! whoever made a condition false), then all that lead to somebody who might help. Nobody waits for himself.
//!
//! An edge leads to a crowd, and crowds are shared: the graph has a node for each process and one for each crowd, so that
//! it is no larger than what was found out. A process is on a cycle if its strongly connected component has another
//! process in it; only there cycles are looked for, from each process, until that has taken too long in all: the first
//! one that was found is then good enough.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use model::{ProcessId, System};
use serde::Serialize;

use crate::components::components;
use crate::crowd::Crowd;

/// So many edges are looked at for a cycle that is shorter than the first one.
const EFFORT: usize = 20_000_000;

/// One edge of a wait-for cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Who waits.
    pub process: String,
    /// For whom.
    pub waits_for: String,
    /// The sentence.
    pub text: String,
}

/// How much an edge says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// The other one has what is needed, and never gives it back: an embrace all the same, if there is no other cycle.
    Vain,
    /// The other one might help.
    Possible,
    /// The other one is to blame, though others might help.
    Definite,
    /// Only the other one can help, whatever step is to be taken.
    Necessary,
}

/// What is said of somebody who is waited for: the words before the name, and those after it.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) before: Rc<str>,
    pub(crate) after: Rc<str>,
}

impl Words {
    pub(crate) fn new(before: &str, after: &str) -> Self {
        Self { before: before.into(), after: after.into() }
    }

    pub(crate) fn about(&self, system: &System, who: ProcessId) -> String {
        format!("{}{}{}", self.before, system.process(who).name, self.after)
    }
}

/// The edges of the graph from one process to those who could do the same for it.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: ProcessId,
    pub(crate) to: Crowd,
    pub(crate) strength: Strength,
    pub(crate) words: Words,
}

/// A shortest cycle, among the strongest edges that have one; the first one in the order of processes. Only those count
/// who are there.
pub(crate) fn shortest<'a>(waits: &'a [Vec<Edge>], there: &[bool]) -> Option<Vec<(&'a Edge, ProcessId)>> {
    [Strength::Necessary, Strength::Definite, Strength::Possible, Strength::Vain]
        .into_iter()
        .find_map(|least| Graph::new(waits, there, least).shortest())
}

/// A process that somebody waits for, and the edge.
type Came<'a> = (&'a Edge, ProcessId);

struct Graph<'a> {
    /// The edges of each process, and the numbers of the crowds that they lead to.
    out: Vec<Vec<(&'a Edge, usize)>>,
    /// Those of each crowd who are there.
    crowds: Vec<Vec<ProcessId>>,
}

impl<'a> Graph<'a> {
    fn new(waits: &'a [Vec<Edge>], there: &[bool], least: Strength) -> Self {
        let mut numbers: HashMap<*const ProcessId, usize> = HashMap::new();
        let mut crowds = Vec::new();
        let mut out = Vec::with_capacity(waits.len());
        for edges in waits {
            let strong = edges.iter().filter(|e| e.strength >= least && !e.to.is_empty());
            let number = |e: &'a Edge| {
                let shared = e.to.shared();
                let number = *numbers.entry(shared.as_ptr()).or_insert_with(|| {
                    crowds.push(shared.iter().copied().filter(|p| there[p.index()]).collect());
                    crowds.len() - 1
                });
                (e, number)
            };
            out.push(strong.map(number).collect());
        }
        Self { out, crowds }
    }

    fn shortest(&self) -> Option<Vec<Came<'a>>> {
        let component = self.components();
        let mut members = HashMap::<usize, usize>::new();
        component[..self.out.len()].iter().for_each(|c| *members.entry(*c).or_default() += 1);
        let mut search = Search { graph: self, component: &component, visits: Visits::new(self), effort: 0 };
        let mut best: Option<Vec<Came<'a>>> = None;
        for start in (0..self.out.len()).map(ProcessId::new).filter(|p| members[&component[p.index()]] > 1) {
            let below = best.as_ref().map_or(usize::MAX, Vec::len);
            if below == 2 || search.effort > EFFORT {
                break;
            }
            best = search.through(start, below).or(best);
        }
        best
    }

    /// The components of processes, and of crowds after them.
    fn components(&self) -> Vec<usize> {
        let processes = self.out.len();
        components(processes + self.crowds.len(), |node| match node.checked_sub(processes) {
            None => Box::new(self.out[node].iter().map(move |(_, crowd)| processes + crowd)),
            Some(crowd) => Box::new(self.crowds[crowd].iter().map(|p| p.index())),
        })
    }
}

/// Who was reached in the search from a process, without anything to be wiped for the next one.
struct Visits<'a> {
    process: Vec<Option<(ProcessId, usize, Came<'a>)>>,
    crowd: Vec<Option<ProcessId>>,
}

impl Visits<'_> {
    fn new(graph: &Graph<'_>) -> Self {
        Self { process: vec![None; graph.out.len()], crowd: vec![None; graph.crowds.len()] }
    }
}

struct Search<'g, 'a> {
    graph: &'g Graph<'a>,
    component: &'g [usize],
    visits: Visits<'a>,
    effort: usize,
}

impl<'a> Search<'_, 'a> {
    /// A shortest cycle through a process that has less than so many edges, by breadth-first search.
    fn through(&mut self, start: ProcessId, below: usize) -> Option<Vec<Came<'a>>> {
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((p, depth)) = queue.pop_front() {
            if depth + 1 >= below {
                return None;
            }
            for &(edge, crowd) in &self.graph.out[p.index()] {
                self.effort += 1;
                if p != start && self.graph.crowds[crowd].binary_search(&start).is_ok() {
                    return Some(self.path(start, (edge, start)));
                }
                if self.visits.crowd[crowd].replace(start) == Some(start) {
                    continue;
                }
                for &q in &self.graph.crowds[crowd] {
                    self.effort += 1;
                    let visit = &mut self.visits.process[q.index()];
                    let seen = q == p || q == start || visit.is_some_and(|(by, ..)| by == start);
                    if !seen && self.component[q.index()] == self.component[start.index()] {
                        *visit = Some((start, depth + 1, (edge, q)));
                        queue.push_back((q, depth + 1));
                    }
                }
            }
        }
        None
    }

    fn path(&self, start: ProcessId, last: Came<'a>) -> Vec<Came<'a>> {
        let mut path = vec![last];
        while let Some((first, _)) = path.last().filter(|(e, _)| e.from != start) {
            let (.., came) = self.visits.process[first.from.index()].expect("every process on the way was reached");
            path.push(came);
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Strength::{Definite, Necessary, Possible};

    fn edge(from: u32, to: u32, strength: Strength) -> Edge {
        let words = Words::new(&format!("{from}-{to}"), "");
        Edge { from: ProcessId(from), to: Crowd::new(vec![ProcessId(to)]), strength, words }
    }

    fn grouped(processes: usize, edges: &[Edge]) -> Vec<Vec<Edge>> {
        let of = |p: usize| edges.iter().filter(|e| e.from.index() == p).cloned().collect();
        (0..processes).map(of).collect()
    }

    fn cycle(edges: &[Edge]) -> Option<Vec<String>> {
        let waits = grouped(5, edges);
        shortest(&waits, &[true; 5]).map(|c| c.into_iter().map(|(e, _)| e.words.before.to_string()).collect())
    }

    fn told(edges: &[&str]) -> Option<Vec<String>> {
        Some(edges.iter().map(|e| (*e).to_owned()).collect())
    }

    #[test]
    fn strong_edges_come_first_and_then_the_shortest() {
        let long = [edge(0, 1, Definite), edge(1, 2, Necessary), edge(2, 0, Definite), edge(1, 0, Possible)];
        assert_eq!(cycle(&long), told(&["0-1", "1-2", "2-0"]));
        let needed = [edge(0, 1, Necessary), edge(1, 2, Necessary), edge(2, 0, Necessary), edge(1, 0, Definite)];
        assert_eq!(cycle(&needed), told(&["0-1", "1-2", "2-0"]));
        let two = [edge(0, 1, Definite), edge(1, 2, Definite), edge(2, 0, Definite), edge(2, 1, Definite)];
        assert_eq!(cycle(&two), told(&["1-2", "2-1"]));
        assert_eq!(cycle(&[edge(3, 4, Possible), edge(4, 3, Definite)]), told(&["3-4", "4-3"]));
        assert_eq!(cycle(&[edge(0, 1, Definite), edge(0, 2, Definite), edge(1, 2, Definite)]), None);
    }

    /// All who wait for a crowd that they are in themselves.
    fn in_a_crowd(waiting: &[u32], members: &[u32]) -> Vec<Edge> {
        let all: Rc<[ProcessId]> = members.iter().map(|p| ProcessId(*p)).collect();
        let edge = |p: &u32| {
            let (from, words) = (ProcessId(*p), Words::new("", ""));
            Edge { from, to: Crowd::others(&all, from), strength: Possible, words }
        };
        waiting.iter().map(edge).collect()
    }

    fn ends(waits: &[Vec<Edge>], there: &[bool]) -> Option<Vec<(u32, u32)>> {
        shortest(waits, there).map(|c| c.into_iter().map(|(e, to)| (e.from.0, to.0)).collect())
    }

    #[test]
    fn who_is_in_the_crowd_does_not_wait_for_himself() {
        assert_eq!(ends(&grouped(3, &in_a_crowd(&[1], &[1, 2])), &[true; 3]), None);
        let both = grouped(3, &in_a_crowd(&[1, 2], &[1, 2]));
        assert_eq!(ends(&both, &[true; 3]), Some(vec![(1, 2), (2, 1)]));
        assert_eq!(ends(&both, &[true, true, false]), None, "one of them is not there");
    }

    #[test]
    fn cycles_of_thousands_take_no_time() {
        let everybody: Vec<u32> = (0..20_000).collect();
        let crowd = grouped_in_order(in_a_crowd(&everybody, &everybody));
        assert_eq!(ends(&crowd, &[true; 20_000]), Some(vec![(0, 1), (1, 0)]));
        let ring = grouped_in_order((0..20_000).map(|p| edge(p, (p + 1) % 20_000, Definite)).collect());
        assert_eq!(ends(&ring, &[true; 20_000]).map(|c| c.len()), Some(20_000));
    }

    fn grouped_in_order(edges: Vec<Edge>) -> Vec<Vec<Edge>> {
        edges.into_iter().map(|e| vec![e]).collect()
    }
}
