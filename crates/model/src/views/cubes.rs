//! Sets of joint moves as few products: `x := y` is one product for each value of `y`, not one for each pair.

use std::collections::BTreeMap;

/// The moves of one object that make up an event: pairs of value numbers, sorted.
pub(super) type Moves = Vec<(usize, usize)>;

/// A product: any choice of one move for each object is a joint move.
pub(super) type Cube = Vec<Moves>;

/// Joins products that differ in one object only. Exact, since the union of products that agree elsewhere is the
/// product with the union; one pass over the objects need not give the least number.
pub(super) fn merge(mut cubes: Vec<Cube>) -> Vec<Cube> {
    for d in 0..cubes.first().map_or(0, Vec::len) {
        let mut joined: BTreeMap<Cube, Moves> = BTreeMap::new();
        for mut cube in cubes {
            let moves = std::mem::take(&mut cube[d]);
            joined.entry(cube).or_default().extend(moves);
        }
        let restore = |(mut cube, mut moves): (Cube, Moves)| {
            moves.sort_unstable();
            cube[d] = moves;
            cube
        };
        cubes = joined.into_iter().map(restore).collect();
    }
    cubes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copying_a_variable_takes_one_product_for_each_value() {
        let pairs = (0..4).flat_map(|x| (0..4).map(move |y| vec![vec![(x, y)], vec![(y, y)]]));
        let merged = merge(pairs.collect());
        assert_eq!(merged.len(), 4);
        assert_eq!(merged[0], vec![vec![(0, 0), (1, 0), (2, 0), (3, 0)], vec![(0, 0)]]);
    }

    #[test]
    fn what_is_no_product_is_kept_apart() {
        let equal: Vec<Cube> = (0..3).map(|x| vec![vec![(x, x)], vec![(x, x)]]).collect();
        assert_eq!(merge(equal.clone()), equal);
    }
}
