//! Rows of different lengths in one array: compressed sparse rows.

/// The rows `0..n`, each a slice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows<T> {
    /// Where each row starts, and one past the last where it ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Ord> Rows<T> {
    /// Sorts items into `rows` rows; equal items of a row are kept once.
    pub(crate) fn new(rows: usize, mut items: Vec<(usize, T)>) -> Self {
        items.sort_unstable();
        items.dedup();
        let mut starts = vec![0; rows + 1];
        for (row, _) in &items {
            starts[row + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        Self { starts, items: items.into_iter().map(|(_, item)| item).collect() }
    }
}

impl<T: Copy> Rows<T> {
    /// Puts items into `rows` rows in linear time; the items of a row stay in the order in which they come.
    pub(super) fn bucket(rows: usize, items: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let Some((_, filler)) = items.clone().next() else { return Self { starts: vec![0; rows + 1], items: vec![] } };
        let mut starts = vec![0; rows + 1];
        for (row, _) in items.clone() {
            starts[row + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut placed = vec![filler; starts[rows] as usize];
        for (row, item) in items {
            placed[next[row] as usize] = item;
            next[row] += 1;
        }
        Self { starts, items: placed }
    }

    /// All items with their rows, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, T)> + Clone {
        (0..self.starts.len() - 1).flat_map(|row| self.row(row).iter().map(move |item| (row, *item)))
    }
}

impl<T> Rows<T> {
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}
