//! Linear programs whose bounds come and go: is there a point between all bounds?
//!
//! A program has columns `x` and rows `r = A·x`; both are variables with an optional lower and upper bound. The dual
//! simplex method keeps its basis when bounds change, so that thousands of questions about one matrix are cheap. The
//! objective does not matter and is chosen at will: its reduced costs are set to small random numbers of the right
//! sign whenever a bound that went away would leave them with the wrong one, so that no pivot is degenerate.
//!
//! Floating point decides where to look. That a program is infeasible is only said with integer multipliers of the
//! rows (Farkas' lemma), confirmed in [`exact`].

mod basis;
mod exact;
mod factors;
mod simplex;

pub use exact::Refutation;

/// A number of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column(pub u32);

/// A number of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row(pub u32);

/// A column or a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A column.
    Column(Column),
    /// A row.
    Row(Row),
}

/// One of the two bounds of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The variable is at least this.
    Lower,
    /// The variable is at most this.
    Upper,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// A point was found; floating point, so a hint.
    Feasible,
    /// There is none: exact.
    Infeasible(Refutation),
    /// It was stopped, or the numbers did not allow an exact answer.
    Unknown,
}

/// The greatest absolute value of numbers in a program: they are exact as floating point numbers.
pub const GREATEST: i64 = 1 << 50;

/// A linear program without an objective.
#[derive(Clone, Debug)]
pub struct Program {
    columns: Vec<Vec<(u32, f64)>>,
    rows: Vec<Vec<(u32, f64)>>,
    /// By variable: the columns, then the rows.
    lower: Vec<f64>,
    upper: Vec<f64>,
    value: Vec<f64>,
    /// The reduced costs of the variables outside the basis.
    cost: Vec<f64>,
    /// By position in the basis, how far a unit of its variable is, roughly: the reference weights of Forrest and
    /// Goldfarb's dual method ("devex").
    weight: Vec<f64>,
    basis: basis::Basis,
    random: u64,
    pivots: u64,
}

impl Program {
    /// So many columns, each at least zero, and no rows.
    pub fn new(columns: usize) -> Self {
        let mut program = Self {
            columns: vec![Vec::new(); columns],
            rows: Vec::new(),
            lower: vec![0.0; columns],
            upper: vec![f64::INFINITY; columns],
            value: vec![0.0; columns],
            cost: vec![0.0; columns],
            weight: Vec::new(),
            basis: basis::Basis::new(columns),
            random: 0x9e37_79b9_7f4a_7c15,
            pivots: 0,
        };
        program.restart();
        program
    }

    /// Forgets the basis: all columns leave it. Pays when the next question is about other places.
    pub fn restart(&mut self) {
        let n = self.columns.len();
        self.basis = basis::Basis::new(n);
        self.rows.iter().for_each(|_| self.basis.add_row(n));
        self.value.iter_mut().for_each(|value| *value = 0.0);
        self.weight.iter_mut().for_each(|weight| *weight = 1.0);
        for v in 0..n {
            self.cost[v] = self.small();
        }
    }

    /// A row without bounds; `None` if a factor is too large to be exact. One term a column at most.
    pub fn add_row(&mut self, terms: &[(Column, i64)]) -> Option<Row> {
        if terms.iter().any(|&(_, factor)| factor.abs() > GREATEST) {
            return None;
        }
        let row = u32::try_from(self.rows.len()).expect("fewer than 2^32 rows");
        let terms: Vec<(u32, f64)> = terms.iter().map(|&(Column(j), factor)| (j, factor as f64)).collect();
        for &(j, factor) in &terms {
            self.columns[j as usize].push((row, factor));
        }
        self.value.push(terms.iter().map(|&(j, factor)| factor * self.value[j as usize]).sum());
        self.rows.push(terms);
        self.lower.push(f64::NEG_INFINITY);
        self.upper.push(f64::INFINITY);
        self.cost.push(0.0);
        self.weight.push(1.0);
        self.basis.add_row(self.columns.len());
        Some(Row(row))
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> u64 {
        let variables = 8 * (4 * self.value.capacity() + self.weight.capacity());
        entries(&self.columns) + entries(&self.rows) + variables as u64 + self.basis.bytes()
    }

    /// How many steps all questions took together.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// Gives a variable other bounds; `None` is no bound. Numbers beyond [`GREATEST`] are no bounds either.
    pub fn set_bounds(&mut self, variable: Variable, lower: Option<i64>, upper: Option<i64>) {
        let v = self.index(variable);
        let exact = |bound: Option<i64>| bound.filter(|b| b.abs() <= GREATEST).map(|b| b as f64);
        self.lower[v] = exact(lower).unwrap_or(f64::NEG_INFINITY);
        self.upper[v] = exact(upper).unwrap_or(f64::INFINITY);
    }

    /// The value of a variable in the last point.
    pub fn value(&self, variable: Variable) -> f64 {
        self.value[self.index(variable)]
    }

    /// The values of all columns in the last point.
    pub fn column_values(&self) -> &[f64] {
        &self.value[..self.columns.len()]
    }

    fn index(&self, variable: Variable) -> usize {
        match variable {
            Variable::Column(Column(j)) => j as usize,
            Variable::Row(Row(i)) => self.columns.len() + i as usize,
        }
    }

    fn variable(&self, v: usize) -> Variable {
        match v.checked_sub(self.columns.len()) {
            None => Variable::Column(Column(v as u32)),
            Some(i) => Variable::Row(Row(i as u32)),
        }
    }

    /// A random number between 0.5 and 1.
    fn small(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        0.5 + (self.random >> 11) as f64 / (1_u64 << 54) as f64
    }
}

/// The bytes of sparse vectors.
fn entries(vectors: &[Vec<(u32, f64)>]) -> u64 {
    vectors.iter().map(|v| (size_of::<Vec<(u32, f64)>>() + 16 * v.capacity()) as u64).sum()
}
