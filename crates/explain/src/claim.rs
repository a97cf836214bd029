//! Where a claim goes while a run is read: along a way on which it accepts the run.

use std::collections::{HashMap, VecDeque};

use automata::automaton::{Edge, State};
use automata::lasso::Shape;
use model::Acceptor;
use serde::Serialize;

use crate::source::{Place, SourceText};

/// The most places of a run and a claim together that are looked through.
const MOST: usize = 1 << 17;

/// A move of a claim to another place of its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimMove {
    /// The number of the step after which it looked, 0 for the initial state.
    pub step: usize,
    /// Where it goes.
    pub to: String,
    /// Where that is.
    pub source: Place,
}

/// A position of the run, and a state of the claim before it looks.
type Node = (usize, State);

/// The moves of a claim that accepts a run; none if its text is not known. `letter` gives the atoms that are true at a
/// position, `step` the number of the step before it.
pub(crate) fn moves(
    acceptor: &Acceptor,
    shape: Shape,
    letter: impl Fn(usize) -> u64,
    step: impl Fn(usize) -> usize,
    source: &SourceText,
) -> Vec<ClaimMove> {
    let Acceptor { automaton, places, .. } = acceptor;
    if places.is_empty() || automaton.sets > 1 || shape.positions() * automaton.size() > MOST {
        return Vec::new();
    }
    let next = |(position, state): Node| {
        let letter = letter(position);
        let possible = automaton.from(state).iter().filter(move |e| e.label.holds(letter));
        possible.map(move |e| (e, (shape.successor(position), e.target))).collect::<Vec<(&Edge, Node)>>()
    };
    let start = (0, automaton.initial);
    let (order, came) = search(start, &next);
    let accepting = |node: &Node| {
        next(*node)
            .into_iter()
            .filter(|(e, _)| e.marks.contains(automaton.all_marks()))
            .map(|(_, to)| (*node, to))
            .collect()
    };
    let closing = order.iter().flat_map(|node| -> Vec<(Node, Node)> { accepting(node) });
    let round = closing.into_iter().find_map(|(from, to)| {
        let (_, round) = search(to, &next);
        (from == to || round.contains_key(&from)).then(|| (from, [vec![from], path(to, from, &round)].concat()))
    });
    let Some((from, round)) = round else { return Vec::new() };
    let way = [path(start, from, &came), round[1..].to_vec()].concat();
    let moved = way.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    let told = moved.map(|pair| {
        let place = &places[pair[1].1.index()];
        ClaimMove { step: step(pair[0].0), to: place.name.clone(), source: source.place(place.span) }
    });
    let mut told: Vec<ClaimMove> = told.collect();
    told.dedup();
    told
}

/// All that can be reached, in breadth-first order, and from where.
fn search<'a>(start: Node, next: &impl Fn(Node) -> Vec<(&'a Edge, Node)>) -> (Vec<Node>, HashMap<Node, Node>) {
    let (mut order, mut came) = (Vec::new(), HashMap::new());
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        order.push(node);
        for (_, to) in next(node) {
            if to != start && !came.contains_key(&to) {
                came.insert(to, node);
                open.push_back(to);
            }
        }
    }
    (order, came)
}

fn path(start: Node, end: Node, came: &HashMap<Node, Node>) -> Vec<Node> {
    let mut path = vec![end];
    while let Some(before) = path.last().filter(|node| **node != start).and_then(|node| came.get(node)) {
        path.push(*before);
    }
    path.reverse();
    path
}
