//! Which variables are basic, and linear systems with their columns.
//!
//! The factors of some earlier basis are kept; each exchange since then is one column (the product form).

use super::factors::Factors;

/// So many exchanges are kept before the basis is factored anew.
const EXCHANGES: usize = 64;

#[derive(Clone, Debug)]
pub(super) struct Basis {
    /// The basic variable at each position.
    pub(super) head: Vec<u32>,
    /// The position of each variable, if it is basic.
    position: Vec<Option<u32>>,
    factors: Option<Factors>,
    exchanges: Vec<Exchange>,
    scratch: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Exchange {
    position: u32,
    pivot: f64,
    /// The other entries of the column that came in, in terms of the basis that it entered.
    others: Vec<(u32, f64)>,
}

impl Basis {
    pub(super) fn new(columns: usize) -> Self {
        Self {
            head: Vec::new(),
            position: vec![None; columns],
            factors: None,
            exchanges: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// A new row's own variable is basic.
    pub(super) fn add_row(&mut self, columns: usize) {
        let row = self.head.len();
        self.head.push((columns + row) as u32);
        self.position.push(Some(row as u32));
        self.factors = None;
    }

    pub(super) fn bytes(&self) -> u64 {
        let exchanges: usize = self.exchanges.iter().map(|e| size_of::<Exchange>() + 16 * e.others.capacity()).sum();
        let own = 4 * self.head.capacity() + 8 * (self.position.capacity() + self.scratch.capacity()) + exchanges;
        own as u64 + self.factors.as_ref().map_or(0, Factors::bytes)
    }

    pub(super) fn position(&self, v: usize) -> Option<usize> {
        self.position[v].map(|p| p as usize)
    }

    /// Whether the factors should be made anew.
    pub(super) fn is_stale(&self) -> bool {
        self.factors.is_none() || self.exchanges.len() >= EXCHANGES
    }

    /// Forgets the factors.
    pub(super) fn spoil(&mut self) {
        self.factors = None;
    }

    /// Factors the basis. Columns that depend on others leave it for the variables of rows.
    pub(super) fn factor(&mut self, columns: &[Vec<(u32, f64)>]) {
        let n = columns.len();
        self.exchanges.clear();
        loop {
            let column = |&v: &u32| match (v as usize).checked_sub(n) {
                Some(row) => vec![(row as u32, 1.0)],
                None => columns[v as usize].iter().map(|&(i, a)| (i, -a)).collect(),
            };
            let matrix: Vec<Vec<(u32, f64)>> = self.head.iter().map(column).collect();
            match Factors::new(&matrix) {
                Ok(factors) => {
                    self.factors = Some(factors);
                    return;
                }
                Err(repairs) => repairs.into_iter().for_each(|(position, row)| self.put(position, n + row)),
            }
        }
    }

    fn put(&mut self, position: usize, v: usize) {
        let old = self.head[position] as usize;
        if self.position[old] == Some(position as u32) {
            self.position[old] = None;
        }
        self.head[position] = v as u32;
        self.position[v] = Some(position as u32);
    }

    /// A variable takes the place of another; `column` is its column in terms of the basis.
    pub(super) fn exchange(&mut self, position: usize, v: usize, column: &[f64]) {
        let entries = column.iter().enumerate().filter(|&(i, &w)| i != position && w.abs() > 1e-14);
        let others = entries.map(|(i, &w)| (i as u32, w)).collect();
        self.exchanges.push(Exchange { position: position as u32, pivot: column[position], others });
        self.put(position, v);
    }

    /// Solves `B·x = b`: takes `b` by row, and spoils it; leaves `x` by position.
    pub(super) fn solve(&self, b: &mut [f64], x: &mut [f64]) {
        self.factors.as_ref().expect("the basis is factored before it is used").solve(b, x);
        for exchange in &self.exchanges {
            let value = x[exchange.position as usize] / exchange.pivot;
            x[exchange.position as usize] = value;
            if value != 0.0 {
                for &(i, w) in &exchange.others {
                    x[i as usize] -= w * value;
                }
            }
        }
    }

    /// The row of the inverse at a position, by row of the program.
    pub(super) fn inverse_row(&mut self, position: usize, y: &mut [f64]) {
        let mut c = std::mem::take(&mut self.scratch);
        c.clear();
        c.resize(self.head.len(), 0.0);
        c[position] = 1.0;
        for exchange in self.exchanges.iter().rev() {
            let known: f64 = exchange.others.iter().map(|&(i, w)| w * c[i as usize]).sum();
            let at = exchange.position as usize;
            c[at] = (c[at] - known) / exchange.pivot;
        }
        self.factors.as_ref().expect("the basis is factored before it is used").solve_transposed(&c, y);
        self.scratch = c;
    }
}
