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

    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}
