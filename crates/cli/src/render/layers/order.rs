//! The order of the nodes in each row: every node near the mean of its neighbours, row by row, down and up again; of all
//! rounds, the one with the fewest crossings counts. In small drawings neighbours in a row also change places where that
//! saves a crossing.

use super::Layers;

/// How often all rows are gone through.
const ROUNDS: usize = 12;
/// In drawings with more nodes and bends than this, neighbours do not change places: that takes too long.
const SMALL: usize = 5000;

/// Puts the rows in an order with few crossings.
pub(super) fn few_crossings(layers: &mut Layers) {
    let mut best = (crossings(layers), layers.rows.clone());
    for round in 0..ROUNDS {
        if round % 2 == 0 {
            (1..layers.rows.len()).for_each(|row| arrange(layers, row, true));
        } else {
            (0..layers.rows.len().saturating_sub(1)).rev().for_each(|row| arrange(layers, row, false));
        }
        if layers.shapes.len() <= SMALL {
            (0..layers.rows.len()).for_each(|row| exchange(layers, row));
        }
        let crossings = crossings(layers);
        if crossings < best.0 {
            best = (crossings, layers.rows.clone());
        }
    }
    layers.rows = best.1;
}

/// Where each node is in its row.
fn positions(layers: &Layers, row: usize) -> Vec<(usize, usize)> {
    let mut at: Vec<(usize, usize)> = layers.rows[row].iter().enumerate().map(|(at, &node)| (node, at)).collect();
    at.sort_unstable();
    at
}

fn position(positions: &[(usize, usize)], node: usize) -> usize {
    let found = positions.binary_search_by_key(&node, |&(node, _)| node);
    positions[found.expect("neighbours are in the next row")].1
}

/// Sorts a row by the means of the neighbours in the row above or below; without neighbours a node stays about there.
fn arrange(layers: &mut Layers, row: usize, down: bool) {
    let other = if down { row - 1 } else { row + 1 };
    let at = positions(layers, other);
    let scale = at.len() as f64 / layers.rows[row].len().max(1) as f64;
    let keyed = layers.rows[row].iter().enumerate().map(|(own, &node)| {
        let neighbours = if down { &layers.above[node] } else { &layers.below[node] };
        let sum: usize = neighbours.iter().map(|&n| position(&at, n)).sum();
        let mean = if neighbours.is_empty() { own as f64 * scale } else { sum as f64 / neighbours.len() as f64 };
        (mean, node)
    });
    let mut keyed: Vec<(f64, usize)> = keyed.collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    layers.rows[row] = keyed.into_iter().map(|(_, node)| node).collect();
}

/// Lets neighbours of a row change places as long as that saves crossings.
fn exchange(layers: &mut Layers, row: usize) {
    let above = row.checked_sub(1).map(|other| positions(layers, other)).unwrap_or_default();
    let below = if row + 1 < layers.rows.len() { positions(layers, row + 1) } else { Vec::new() };
    let ends = |node: usize| {
        let find = |at: &[(usize, usize)], nodes: &[usize]| nodes.iter().map(|&n| position(at, n)).collect::<Vec<_>>();
        [find(&above, &layers.above[node]), find(&below, &layers.below[node])]
    };
    let mut nodes: Vec<(usize, [Vec<usize>; 2])> = layers.rows[row].iter().map(|&node| (node, ends(node))).collect();
    let cross = |left: &[Vec<usize>; 2], right: &[Vec<usize>; 2]| -> usize {
        let pairs =
            |(l, r): (&Vec<usize>, &Vec<usize>)| l.iter().map(|a| r.iter().filter(|b| a > b).count()).sum::<usize>();
        left.iter().zip(right).map(pairs).sum()
    };
    let mut changed = true;
    while changed {
        changed = false;
        for i in 1..nodes.len() {
            if cross(&nodes[i - 1].1, &nodes[i].1) > cross(&nodes[i].1, &nodes[i - 1].1) {
                nodes.swap(i - 1, i);
                changed = true;
            }
        }
    }
    layers.rows[row] = nodes.into_iter().map(|(node, _)| node).collect();
}

/// How many pairs of arcs cross.
fn crossings(layers: &Layers) -> usize {
    (1..layers.rows.len()).map(|row| crossings_above(layers, row)).sum()
}

/// Pairs of arcs between a row and the one above that cross: inversions, counted with a tree of partial sums.
fn crossings_above(layers: &Layers, row: usize) -> usize {
    let at = positions(layers, row);
    let mut seen = vec![0usize; at.len() + 1];
    let (mut arcs, mut crossings) = (0, 0);
    for &node in &layers.rows[row - 1] {
        let mut ends: Vec<usize> = layers.below[node].iter().map(|&n| position(&at, n)).collect();
        ends.sort_unstable();
        for &end in &ends {
            let (mut before, mut i) = (0, end + 1);
            while i > 0 {
                before += seen[i];
                i &= i - 1;
            }
            crossings += arcs - before;
        }
        for end in ends {
            let mut i = end + 1;
            while i < seen.len() {
                seen[i] += 1;
                i += i & i.wrapping_neg();
            }
            arcs += 1;
        }
    }
    crossings
}
