//! Where the nodes of each row are, once their order is known: as near to the mean of their neighbours as the others in
//! the row allow. For one row that is least squares under the order, which merging of neighbours solves exactly.

use super::Layers;

/// The room between two nodes.
const GAP: f64 = 14.0;
/// How often all rows are gone through.
const ROUNDS: usize = 24;

/// The centre of each node; the leftmost node begins at 0.
pub(super) fn centres(layers: &Layers) -> Vec<f64> {
    let mut centres = vec![0.0; layers.shapes.len()];
    for row in &layers.rows {
        offsets(layers, row).into_iter().zip(row).for_each(|(x, &node)| centres[node] = x);
    }
    for round in 0..ROUNDS {
        // In the end both sides count.
        let both = round + 6 >= ROUNDS;
        let rows: Vec<usize> = (0..layers.rows.len()).collect();
        let in_turn: Vec<usize> = if round % 2 == 0 { rows } else { rows.into_iter().rev().collect() };
        for row in in_turn {
            settle(layers, row, (both || round % 2 == 0, both || round % 2 == 1), &mut centres);
        }
    }
    let left = layers.shapes.iter().zip(&centres).map(|(shape, x)| x - shape.left).fold(f64::INFINITY, f64::min);
    centres.iter_mut().for_each(|x| *x -= left);
    centres
}

/// The centres of a row whose nodes are packed to the left.
fn offsets(layers: &Layers, row: &[usize]) -> Vec<f64> {
    let (mut at, mut out) = (0.0, Vec::new());
    for &node in row {
        let shape = layers.shapes[node];
        out.push(at + shape.left);
        at += shape.left + shape.right + GAP;
    }
    out
}

/// Moves a row towards its neighbours above, below, or both.
fn settle(layers: &Layers, row: usize, (above, below): (bool, bool), centres: &mut [f64]) {
    let row = &layers.rows[row];
    let offsets = offsets(layers, row);
    let wished = row.iter().zip(&offsets).map(|(&node, offset)| {
        let up = if above { &layers.above[node][..] } else { &[] };
        let down = if below { &layers.below[node][..] } else { &[] };
        let number = up.len() + down.len();
        let sum: f64 = up.iter().chain(down).map(|&n| centres[n]).sum();
        (if number == 0 { centres[node] } else { sum / number as f64 }) - offset
    });
    let settled = increasing(&wished.collect::<Vec<f64>>());
    for ((&node, offset), x) in row.iter().zip(offsets).zip(settled) {
        centres[node] = x + offset;
    }
}

/// The increasing sequence nearest to the given one: neighbours in the wrong order are merged and get their mean.
fn increasing(wished: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &wish in wished {
        let mut block = (wish, 1);
        while let Some(&(mean, number)) = blocks.last().filter(|(mean, _)| *mean > block.0) {
            let total = number + block.1;
            block = ((mean * number as f64 + block.0 * block.1 as f64) / total as f64, total);
            blocks.pop();
        }
        blocks.push(block);
    }
    blocks.into_iter().flat_map(|(mean, number)| std::iter::repeat_n(mean, number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_neighbours_get_their_mean() {
        assert_eq!(increasing(&[1.0, 5.0, 3.0, 4.0, 9.0]), [1.0, 4.0, 4.0, 4.0, 9.0]);
        assert_eq!(increasing(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
        assert_eq!(increasing(&[]), [0.0; 0]);
    }
}
