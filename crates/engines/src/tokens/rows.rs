//! Rows of different lengths in one array.

/// The rows `0..n`, each a slice.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    /// Where each row starts, and one past the last where it ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Rows<T> {
    /// One row after the other.
    pub(crate) fn new<R: IntoIterator<Item = T>>(rows: impl IntoIterator<Item = R>) -> Self {
        let (mut starts, mut items) = (vec![0], Vec::new());
        for row in rows {
            items.extend(row);
            starts.push(u32::try_from(items.len()).expect("fewer than 2^32 items"));
        }
        Self { starts, items }
    }

    /// Puts items into `rows` rows, each in the order in which they come.
    pub(crate) fn bucket(rows: usize, items: &[(usize, T)]) -> Self
    where
        T: Copy,
    {
        let mut starts = vec![0; rows + 1];
        items.iter().for_each(|(row, _)| starts[row + 1] += 1);
        (0..rows).for_each(|row| starts[row + 1] += starts[row]);
        let mut next = starts.clone();
        let mut placed: Vec<T> = items.iter().map(|&(_, item)| item).collect();
        for &(row, item) in items {
            placed[next[row] as usize] = item;
            next[row] += 1;
        }
        Self { starts, items: placed }
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.range(row)]
    }

    /// Where a row is among all items: lets a caller go through it while it changes other things.
    #[inline]
    pub(crate) fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// The item at a position of a range.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> &T {
        &self.items[index]
    }

    pub(crate) fn bytes(&self) -> u64 {
        (4 * self.starts.capacity() + size_of::<T>() * self.items.capacity()) as u64
    }
}
