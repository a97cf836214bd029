//! A formula that reads a word letter by letter can do so for ever, keeping its promises, exactly if the word makes it
//! false.

use std::collections::{BTreeMap, BTreeSet};

use automata::Reader;
use automata::automaton::{Marks, Word};
use automata::reader::Place;
use testkit::Rng;

use crate::{random, words};

type Node = (usize, Place);
type Graph = BTreeMap<Node, Vec<(Node, Marks)>>;

/// Everything that can be reached while a word is read.
fn graph(reader: &Reader<'_>, word: &Word) -> Graph {
    let shape = word.shape();
    let next = |i: usize| if i + 1 < shape.positions() { i + 1 } else { shape.cycle_start() };
    let mut graph = Graph::new();
    let mut open = vec![(0, reader.start())];
    while let Some(node) = open.pop() {
        graph.entry(node).or_insert_with_key(|(i, place)| {
            let ways = reader.ways(place, word.letter(*i)).expect("few ways").into_iter();
            let steps: Vec<_> = ways.map(|(place, marks)| ((next(*i), place), marks)).collect();
            open.extend(steps.iter().map(|(to, _)| to.clone()));
            steps
        });
    }
    graph
}

/// Whether some path goes on for ever with each mark again and again (Emerson and Lei).
fn goes_on(graph: &Graph, marks: u32, start: &Node) -> bool {
    let mut good: BTreeSet<&Node> = graph.keys().collect();
    loop {
        let mut left = good.clone();
        // Without marks, it is enough to go on.
        for mark in 0..marks.max(1) {
            let has = |m: &Marks| marks == 0 || m.has(mark);
            let mut reach: BTreeSet<&Node> = BTreeSet::new();
            loop {
                let leads =
                    |n: &&&Node| graph[**n].iter().any(|(to, m)| left.contains(to) && (has(m) || reach.contains(to)));
                let more: BTreeSet<&Node> = left.iter().filter(leads).copied().collect();
                if more == reach {
                    break;
                }
                reach = more;
            }
            left = reach;
        }
        if left == good {
            return good.contains(start);
        }
        good = left;
    }
}

#[test]
fn random_formulas_are_read_as_they_are_evaluated() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed);
        let operators = 1 + rng.below(9);
        let formula = random::formula(&mut rng, 3, operators);
        let reader = Reader::against(&formula).expect("few promises");
        for _ in 0..4 {
            let word = random::word(&mut rng, 3);
            let graph = graph(&reader, &word);
            let found = goes_on(&graph, reader.marks(), &(0, reader.start()));
            assert_eq!(found, !words::holds(&formula, &word), "seed {seed}: {formula}");
            *(if found { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 2_000 && no > 2_000, "{yes} {no}");
}

/// The comparison can fail: where promises are forgotten, too many words are read.
#[test]
fn promises_matter() {
    let wrong = (0..300).filter(|&seed| {
        let mut rng = Rng::new(seed);
        let formula = random::formula(&mut rng, 3, 6);
        let reader = Reader::against(&formula).expect("few promises");
        let word = random::word(&mut rng, 3);
        goes_on(&graph(&reader, &word), 0, &(0, reader.start())) == words::holds(&formula, &word)
    });
    assert!(wrong.count() > 5);
}
