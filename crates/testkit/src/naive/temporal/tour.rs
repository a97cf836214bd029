//! A run into a set of nodes and round it, so that all conditions are met.

use std::collections::{HashMap, HashSet, VecDeque};

use evidence::Trace;

use super::Moments;
use super::component::Conditions;
use super::product::Product;

/// A run to the nearest node of the component, and from there through a node of every condition and back.
pub(crate) fn tour<M>(moments: &Moments, product: &Product<M>, component: &[usize], conditions: &Conditions) -> Trace {
    let inside: HashSet<usize> = component.iter().copied().collect();
    let start = *component.iter().min().expect("a component has nodes");
    let first = |set: &Vec<bool>| component.iter().copied().find(|n| set[*n]);
    let strong =
        conditions.strong.iter().filter(|(asked, _)| first(asked).is_some()).filter_map(|(_, given)| first(given));
    let stops: Vec<usize> = conditions.required.iter().filter_map(first).chain(strong).collect();
    let (mut round, mut at) = (Vec::new(), start);
    let mut go_to = |stop: usize, round: &mut Vec<usize>| {
        round.extend(way(&product.next, &inside, at, stop));
        at = stop;
    };
    for stop in stops {
        if !round.contains(&stop) {
            go_to(stop, &mut round);
        }
    }
    if round.last() != Some(&start) {
        go_to(start, &mut round);
    }
    let steps = |nodes: &[usize]| nodes.iter().filter_map(|n| moments.all[product.nodes[*n].0].taken).collect();
    let mut stem: Vec<usize> = std::iter::successors(Some(start), |n| product.parents[*n]).collect();
    stem.reverse();
    Trace { stem: steps(&stem), cycle: steps(&round) }
}

/// The nodes of a shortest way that has at least one step.
fn way(next: &[Vec<usize>], inside: &HashSet<usize>, from: usize, to: usize) -> Vec<usize> {
    let mut before: HashMap<usize, usize> = HashMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(node) = waiting.pop_front() {
        for &n in next[node].iter().filter(|n| inside.contains(n)) {
            if before.contains_key(&n) {
                continue;
            }
            before.insert(n, node);
            waiting.push_back(n);
        }
    }
    let mut way = vec![to];
    while way.len() == 1 || way[way.len() - 1] != from {
        way.push(before[&way[way.len() - 1]]);
    }
    way.pop();
    way.reverse();
    way
}
