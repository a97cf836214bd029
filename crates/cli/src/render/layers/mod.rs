//! Layered drawings: rows from top to bottom, arcs downwards only (Sugiyama, Tagawa, Toda, 1981).
//!
//! An arc that passes rows gets a *bend* in each of them, so that what it passes makes room for it. Then nodes and bends
//! are put in an order with few crossings, and then where their neighbours are, as far as their neighbours in the row
//! let them. If there would be too many bends, the longest arcs have none, and nothing makes room for them.

mod order;
mod place;

use std::fmt::Write as _;

/// What takes part in a drawing: the row, and how much room is needed to the left and right of the centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) row: usize,
    pub(crate) left: f64,
    pub(crate) right: f64,
}

/// Where everything is: the centre of each node across, and of each arc, from row to row or only at its ends.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) centres: Vec<f64>,
    pub(crate) routes: Vec<Vec<f64>>,
    pub(crate) width: f64,
}

/// Nodes and bends, and the arcs between neighbouring rows.
#[derive(Debug)]
struct Layers {
    shapes: Vec<Shape>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// What each row has, from left to right.
    rows: Vec<Vec<usize>>,
}

/// The room for a bend.
const BEND: f64 = 10.0;
/// About how many bends a drawing may have.
const BENDS: usize = 20_000;
/// How far an arc may go across for each step down, at a bend.
const STEEP: f64 = 0.3;

/// The path of an arc: curves from row to row, upright at both ends; `y` is the height of each point of the route.
pub(crate) fn curve(route: &[f64], y: impl Fn(usize) -> f64) -> String {
    let last = route.len() - 1;
    // At a bend the curve goes from the point before towards the point after, but steeply, to keep off its neighbours.
    let slope = |i: usize| match i {
        0 => 0.0,
        _ if i == last => 0.0,
        _ => ((route[i + 1] - route[i - 1]) / (y(i + 1) - y(i - 1))).clamp(-STEEP, STEEP),
    };
    let mut path = format!("M{:.1} {:.1}", route[0], y(0));
    for i in 1..=last {
        let ((x0, y0), (x1, y1)) = ((route[i - 1], y(i - 1)), (route[i], y(i)));
        let part = 0.4 * (y1 - y0);
        let (x01, y01) = (x0 + slope(i - 1) * part, y0 + part);
        let (x10, y10) = (x1 - slope(i) * part, y1 - part);
        write!(path, "C{x01:.1} {y01:.1} {x10:.1} {y10:.1} {x1:.1} {y1:.1}").expect("writing to a string cannot fail");
    }
    path
}

impl Layout {
    /// A drawing of nodes and arcs; each arc leads to a later row.
    pub(crate) fn new(shapes: &[Shape], arcs: &[(usize, usize)]) -> Self {
        let mut layers = Layers::new(shapes);
        let rows = |&(from, to): &(usize, usize)| shapes[to].row - shapes[from].row;
        let most = if arcs.iter().map(rows).sum::<usize>() > BENDS { BENDS / arcs.len() } else { BENDS };
        let connected =
            |arc: &(usize, usize)| if rows(arc) <= most { layers.connect(*arc) } else { vec![arc.0, arc.1] };
        let chains: Vec<Vec<usize>> = arcs.iter().map(connected).collect();
        order::few_crossings(&mut layers);
        let centres = place::centres(&layers);
        let width = layers.shapes.iter().zip(&centres).map(|(shape, x)| x + shape.right).fold(0.0, f64::max);
        let routes = chains.iter().map(|chain| chain.iter().map(|&node| centres[node]).collect()).collect();
        Self { centres: centres[..shapes.len()].to_vec(), routes, width }
    }
}

impl Layers {
    fn new(shapes: &[Shape]) -> Self {
        let mut rows = vec![Vec::new(); shapes.iter().map(|s| s.row + 1).max().unwrap_or(0)];
        shapes.iter().enumerate().for_each(|(node, shape)| rows[shape.row].push(node));
        let none = vec![Vec::new(); shapes.len()];
        Self { shapes: shapes.to_vec(), above: none.clone(), below: none, rows }
    }

    /// Adds an arc: its ends and the bends between them.
    fn connect(&mut self, (from, to): (usize, usize)) -> Vec<usize> {
        let mut chain = vec![from];
        for row in self.shapes[from].row + 1..self.shapes[to].row {
            let bend = self.shapes.len();
            self.shapes.push(Shape { row, left: BEND, right: BEND });
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            self.rows[row].push(bend);
            chain.push(bend);
        }
        chain.push(to);
        for pair in chain.windows(2) {
            self.below[pair[0]].push(pair[1]);
            self.above[pair[1]].push(pair[0]);
        }
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(row: usize) -> Shape {
        Shape { row, left: 10.0, right: 20.0 }
    }

    #[test]
    fn nothing_overlaps_and_arcs_do_not_cross_without_need() {
        // Three chains whose nodes come in a mixed order, and an arc that passes a row.
        let shapes: Vec<Shape> = [0, 0, 0, 1, 1, 1, 2, 2, 2].map(shape).to_vec();
        let arcs = [(0, 5), (1, 4), (2, 3), (3, 8), (4, 6), (5, 7), (0, 7)];
        let layout = Layout::new(&shapes, &arcs);
        for row in 0..3 {
            let mut centres: Vec<f64> = (row * 3..row * 3 + 3).map(|node| layout.centres[node]).collect();
            centres.sort_by(f64::total_cmp);
            assert!(centres.windows(2).all(|pair| pair[1] - pair[0] >= 30.0), "{centres:?}");
        }
        let x = |node: usize| layout.centres[node];
        assert!((x(0) < x(1)) == (x(5) < x(4)) && (x(5) < x(4)) == (x(7) < x(6)), "{layout:?}");
        assert!((x(1) < x(2)) == (x(4) < x(3)) && (x(4) < x(3)) == (x(6) < x(8)), "{layout:?}");
        assert_eq!(layout.routes[6].len(), 3, "it has a bend in the row that it passes");
        assert!(layout.centres.iter().all(|x| *x >= 10.0 && x + 20.0 <= layout.width));
    }
}
