//! The sparse triangular factors of a basis: Gaussian elimination in the order of Markowitz.
//!
//! Most bases of state equations are triangular but for a small rest, so rows and columns with one entry are taken
//! first; the rest takes the shortest row and in it the shortest column whose entry is not too small.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::entries;

const TOO_SMALL: f64 = 1e-9;

/// A factored matrix. Rows are those of the program; positions number the columns of the basis.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    pivots: Vec<Pivot>,
    /// For each pivot, `(row, factor)`: that many times the pivot's row was subtracted from the row.
    below: Vec<Vec<(u32, f64)>>,
    /// By position, the entries in rows that were pivots before.
    above: Vec<Vec<(u32, f64)>>,
}

#[derive(Clone, Copy, Debug)]
struct Pivot {
    row: u32,
    position: u32,
    value: f64,
}

/// The part of the matrix that has no pivots yet.
struct Active {
    rows: Vec<Vec<(u32, f64)>>,
    /// The rows with an entry in each column; may hold rows whose entry vanished.
    columns: Vec<Vec<u32>>,
    done_row: Vec<bool>,
    done_column: Vec<bool>,
    count: Vec<u32>,
}

impl Factors {
    pub(super) fn bytes(&self) -> u64 {
        (size_of::<Pivot>() * self.pivots.capacity()) as u64 + entries(&self.below) + entries(&self.above)
    }

    /// Factors the matrix with these columns. Columns that depend on others are returned with the rows that have no
    /// pivot: the caller replaces each by the unit vector of its row, and calls again.
    pub(super) fn new(columns: &[Vec<(u32, f64)>]) -> Result<Self, Vec<(usize, usize)>> {
        let m = columns.len();
        let mut active = Active::new(columns);
        let mut factors =
            Self { pivots: Vec::with_capacity(m), below: Vec::with_capacity(m), above: vec![Vec::new(); m] };
        let mut singles: Vec<u32> = (0..m as u32).filter(|&c| active.count[c as usize] == 1).collect();
        factors.take_single_columns(&mut active, &mut singles);
        let mut heap: BinaryHeap<Reverse<(u32, u32)>> = (0..m as u32)
            .filter(|&r| !active.done_row[r as usize])
            .map(|r| Reverse((active.rows[r as usize].len() as u32, r)))
            .collect();
        let mut work = vec![0.0; m];
        while let Some(Reverse((length, row))) = heap.pop() {
            let r = row as usize;
            if active.done_row[r] || active.rows[r].len() as u32 != length {
                continue;
            }
            let Some((column, value)) = active.choose(r) else { continue };
            let touched = factors.eliminate(&mut active, (row, column, value), &mut work);
            for i in touched {
                heap.push(Reverse((active.rows[i as usize].len() as u32, i)));
            }
        }
        let free = |done: &[bool]| (0..m).filter(|&k| !done[k]).collect::<Vec<_>>();
        let (columns, rows) = (free(&active.done_column), free(&active.done_row));
        if columns.is_empty() { Ok(factors) } else { Err(columns.into_iter().zip(rows).collect()) }
    }

    /// Pivots on columns with one entry, as long as there are any.
    fn take_single_columns(&mut self, active: &mut Active, singles: &mut Vec<u32>) {
        while let Some(c) = singles.pop() {
            if active.done_column[c as usize] || active.count[c as usize] != 1 {
                continue;
            }
            let row = active.columns[c as usize].iter().copied().find(|&r| !active.done_row[r as usize]);
            let row = row.expect("a column that counts one entry has a row");
            let entries = std::mem::take(&mut active.rows[row as usize]);
            let value = entries.iter().find(|e| e.0 == c).expect("the row has the entry").1;
            if value.abs() < TOO_SMALL {
                active.rows[row as usize] = entries;
                continue;
            }
            active.done_row[row as usize] = true;
            active.done_column[c as usize] = true;
            for (other, value) in entries.into_iter().filter(|e| e.0 != c) {
                self.above[other as usize].push((row, value));
                active.count[other as usize] -= 1;
                if active.count[other as usize] == 1 {
                    singles.push(other);
                }
            }
            self.pivots.push(Pivot { row, position: c, value });
            self.below.push(Vec::new());
        }
    }

    /// Pivots on an entry; tells the rows that changed.
    fn eliminate(&mut self, active: &mut Active, (row, column, value): (u32, u32, f64), work: &mut [f64]) -> Vec<u32> {
        let entries = std::mem::take(&mut active.rows[row as usize]);
        active.done_row[row as usize] = true;
        active.done_column[column as usize] = true;
        let mut rows = std::mem::take(&mut active.columns[column as usize]);
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|&i| !active.done_row[i as usize]);
        let mut below = Vec::new();
        for &i in &rows {
            let old = &mut active.rows[i as usize];
            let Some(at) = old.iter().position(|e| e.0 == column) else { continue };
            let factor = old.swap_remove(at).1 / value;
            below.push((i, factor));
            if entries.len() > 1 {
                active.subtract(i, factor, &entries, column, work);
            }
        }
        for &(c, value) in entries.iter().filter(|e| e.0 != column) {
            self.above[c as usize].push((row, value));
            active.count[c as usize] -= 1;
        }
        let touched = below.iter().map(|&(i, _)| i).collect();
        self.pivots.push(Pivot { row, position: column, value });
        self.below.push(below);
        touched
    }

    /// Solves `B·x = b`: takes `b` by row, leaves `x` by position.
    pub(super) fn solve(&self, b: &mut [f64], x: &mut [f64]) {
        for (pivot, below) in self.pivots.iter().zip(&self.below) {
            let value = b[pivot.row as usize];
            if value != 0.0 {
                for &(i, factor) in below {
                    b[i as usize] -= factor * value;
                }
            }
        }
        for pivot in self.pivots.iter().rev() {
            let value = b[pivot.row as usize] / pivot.value;
            x[pivot.position as usize] = value;
            if value != 0.0 {
                for &(i, above) in &self.above[pivot.position as usize] {
                    b[i as usize] -= above * value;
                }
            }
        }
    }

    /// Solves `y·B = c`: takes `c` by position, leaves `y` by row.
    pub(super) fn solve_transposed(&self, c: &[f64], y: &mut [f64]) {
        for pivot in &self.pivots {
            let above = &self.above[pivot.position as usize];
            let known: f64 = above.iter().map(|&(i, value)| value * y[i as usize]).sum();
            y[pivot.row as usize] = (c[pivot.position as usize] - known) / pivot.value;
        }
        for (pivot, below) in self.pivots.iter().zip(&self.below).rev() {
            if !below.is_empty() {
                let known: f64 = below.iter().map(|&(i, factor)| factor * y[i as usize]).sum();
                y[pivot.row as usize] -= known;
            }
        }
    }
}

impl Active {
    fn new(columns: &[Vec<(u32, f64)>]) -> Self {
        let m = columns.len();
        let mut rows = vec![Vec::new(); m];
        for (c, column) in columns.iter().enumerate() {
            for &(r, value) in column {
                rows[r as usize].push((c as u32, value));
            }
        }
        Self {
            rows,
            columns: columns.iter().map(|c| c.iter().map(|e| e.0).collect()).collect(),
            done_row: vec![false; m],
            done_column: vec![false; m],
            count: columns.iter().map(|c| c.len() as u32).collect(),
        }
    }

    /// The entry of a row in the shortest column, of those that are not much smaller than the largest.
    fn choose(&self, row: usize) -> Option<(u32, f64)> {
        let largest = self.rows[row].iter().map(|e| e.1.abs()).fold(0.0, f64::max);
        if largest < TOO_SMALL {
            return None;
        }
        let good = self.rows[row].iter().filter(|e| e.1.abs() >= 0.1 * largest);
        good.min_by_key(|e| (self.count[e.0 as usize], e.0)).copied()
    }

    /// Subtracts a multiple of the pivot's row, but for the pivot's column.
    fn subtract(&mut self, row: u32, factor: f64, entries: &[(u32, f64)], pivot: u32, work: &mut [f64]) {
        for &(c, value) in entries {
            work[c as usize] = factor * value;
        }
        work[pivot as usize] = 0.0;
        let target = &mut self.rows[row as usize];
        for (c, value) in target.iter_mut() {
            *value -= std::mem::take(&mut work[*c as usize]);
        }
        let count = &mut self.count;
        target.retain(|&(c, value)| {
            let stays = value.abs() > 1e-12;
            if !stays {
                count[c as usize] -= 1;
            }
            stays
        });
        for &(c, _) in entries {
            let fill = std::mem::take(&mut work[c as usize]);
            if fill != 0.0 {
                target.push((c, -fill));
                self.columns[c as usize].push(row);
                self.count[c as usize] += 1;
            }
        }
    }
}
