//! The dual simplex method, from whatever basis is there.

use super::{Check, Program};

/// How far a value may be outside its bounds.
const TOLERANCE: f64 = 1e-7;
/// Smaller entries are no pivots.
const PIVOT: f64 = 1e-7;
/// Reduced costs below this one have no sign.
const SLIGHT: f64 = 1e-9;
/// How often the clock is looked at, in pivots.
const CLOCK: usize = 16;

/// Vectors that live as long as a question.
struct Work {
    /// A row of the inverse, by row.
    inverse: Vec<f64>,
    /// A row of the tableau: the columns' entries (those of rows are in `inverse`), and which are not zero.
    entries: Vec<f64>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// A column of the tableau, by position.
    column: Vec<f64>,
    right: Vec<f64>,
}

/// The basic variable that leaves: where it is, and how far it has to go.
#[derive(Clone, Copy)]
struct Leaving {
    position: usize,
    bound: f64,
    /// The change that the variable needs.
    change: f64,
}

impl Program {
    /// Looks for a point between the bounds; `stop` is asked now and then whether to give up.
    pub fn check(&mut self, stop: &mut dyn FnMut() -> bool) -> Check {
        let m = self.rows.len();
        let mut work = Work {
            inverse: vec![0.0; m],
            entries: vec![0.0; self.columns.len()],
            touched: Vec::new(),
            is_touched: vec![false; self.columns.len()],
            column: vec![0.0; m],
            right: vec![0.0; m],
        };
        if self.lower.iter().zip(&self.upper).any(|(l, u)| l > u) {
            return self.crossed();
        }
        self.settle();
        self.recompute(&mut work);
        let most = 2000 + 20 * (m + self.columns.len());
        for pivots in 0..most {
            self.pivots += 1;
            if self.basis.is_stale() {
                self.recompute(&mut work);
            }
            if pivots % CLOCK == CLOCK - 1 && stop() {
                return Check::Unknown;
            }
            let Some(leaving) = self.leaving() else { return Check::Feasible };
            self.tableau_row(leaving.position, &mut work);
            let Some(entering) = self.entering(leaving, &work) else {
                let y: Vec<(usize, f64)> = work.inverse.iter().copied().enumerate().filter(|e| e.1 != 0.0).collect();
                return self.confirm(&y).map_or(Check::Unknown, Check::Infeasible);
            };
            self.pivot(leaving, entering, &mut work);
        }
        Check::Unknown
    }

    /// Bounds of one variable that contradict each other.
    fn crossed(&self) -> Check {
        let crossed = (0..self.lower.len()).find(|&v| self.lower[v] > self.upper[v]).expect("there is one");
        let bounds = [super::Side::Lower, super::Side::Upper].map(|side| (self.variable(crossed), side, 1)).to_vec();
        Check::Infeasible(super::Refutation { multipliers: Vec::new(), bounds })
    }

    /// Puts every variable outside the basis on a bound, and its reduced cost on that bound's side.
    fn settle(&mut self) {
        for v in 0..self.value.len() {
            if self.basis.position(v).is_some() {
                continue;
            }
            let (lower, upper) = (self.lower[v], self.upper[v]);
            if !lower.is_finite() && !upper.is_finite() {
                (self.value[v], self.cost[v]) = (0.0, 0.0);
                continue;
            }
            let prefers_upper = match self.cost[v] {
                cost if cost > SLIGHT => false,
                cost if cost < -SLIGHT => true,
                _ => upper - self.value[v] < self.value[v] - lower,
            };
            let at_upper = upper.is_finite() && (prefers_upper || !lower.is_finite());
            self.value[v] = if at_upper { upper } else { lower };
            if at_upper && self.cost[v] > -SLIGHT {
                self.cost[v] = -self.small();
            } else if !at_upper && self.cost[v] < SLIGHT {
                self.cost[v] = self.small();
            }
        }
    }

    /// Factors the basis if need be and computes the basic variables from the others.
    fn recompute(&mut self, work: &mut Work) {
        if self.basis.is_stale() {
            self.basis.factor(&self.columns);
            self.settle();
        }
        let n = self.columns.len();
        work.right.iter_mut().for_each(|r| *r = 0.0);
        for v in 0..self.value.len() {
            if self.basis.position(v).is_some() || self.value[v] == 0.0 {
                continue;
            }
            match v.checked_sub(n) {
                Some(i) => work.right[i] -= self.value[v],
                None => self.columns[v].iter().for_each(|&(i, a)| work.right[i as usize] += a * self.value[v]),
            }
        }
        self.basis.solve(&mut work.right, &mut work.column);
        for (&v, &value) in self.basis.head.iter().zip(&work.column) {
            self.value[v as usize] = value;
        }
    }

    /// The basic variable that is farthest outside its bounds, by its weight.
    fn leaving(&self) -> Option<Leaving> {
        let (mut worst, mut best) = (None, 0.0);
        for (position, &v) in self.basis.head.iter().enumerate() {
            let v = v as usize;
            let (value, lower, upper) = (self.value[v], self.lower[v], self.upper[v]);
            let tolerance = TOLERANCE * (1.0 + value.abs() * 1e-6);
            let bound = if value < lower - tolerance {
                lower
            } else if value > upper + tolerance {
                upper
            } else {
                continue;
            };
            let change = bound - value;
            let merit = change * change / self.weight[position];
            if merit > best {
                best = merit;
                worst = Some(Leaving { position, bound, change });
            }
        }
        worst
    }

    /// The row of the tableau of a basic variable.
    fn tableau_row(&mut self, position: usize, work: &mut Work) {
        for j in work.touched.drain(..) {
            (work.entries[j as usize], work.is_touched[j as usize]) = (0.0, false);
        }
        self.basis.inverse_row(position, &mut work.inverse);
        for (i, y) in work.inverse.iter_mut().enumerate() {
            if y.abs() < 1e-11 {
                *y = 0.0;
                continue;
            }
            for &(j, a) in &self.rows[i] {
                if !std::mem::replace(&mut work.is_touched[j as usize], true) {
                    work.touched.push(j);
                }
                work.entries[j as usize] -= *y * a;
            }
        }
    }

    /// The variable that enters: the reduced costs keep their signs; of those that tie, the largest entry.
    fn entering(&self, leaving: Leaving, work: &Work) -> Option<(usize, f64)> {
        let n = self.columns.len();
        let columns = work.touched.iter().map(|&j| (j as usize, work.entries[j as usize]));
        let rows = work.inverse.iter().enumerate().map(|(i, &y)| (n + i, y));
        // A basic variable changes by `-entry` times the change of one outside the basis.
        let useful = |&(v, entry): &(usize, f64)| {
            if entry.abs() < PIVOT || self.basis.position(v).is_some() {
                return false;
            }
            let up = (entry < 0.0) == (leaving.change > 0.0);
            let (at, lower, upper) = (self.value[v], self.lower[v], self.upper[v]);
            if up { at < upper } else { at > lower }
        };
        let candidates: Vec<(usize, f64)> = columns.chain(rows).filter(useful).collect();
        let ratio = |&(v, entry): &(usize, f64)| self.cost[v].abs() / entry.abs();
        let relaxed =
            candidates.iter().map(|c| (self.cost[c.0].abs() + 1e-9) / c.1.abs()).fold(f64::INFINITY, f64::min);
        let ties = candidates.iter().filter(|c| ratio(c) <= relaxed);
        ties.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()).then(b.0.cmp(&a.0))).copied()
    }

    fn pivot(&mut self, leaving: Leaving, (entering, entry): (usize, f64), work: &mut Work) {
        let n = self.columns.len();
        work.right.iter_mut().for_each(|r| *r = 0.0);
        match entering.checked_sub(n) {
            Some(i) => work.right[i] = 1.0,
            None => self.columns[entering].iter().for_each(|&(i, a)| work.right[i as usize] = -a),
        }
        self.basis.solve(&mut work.right, &mut work.column);
        let pivot = work.column[leaving.position];
        if (pivot - entry).abs() > 1e-6 * (1.0 + entry.abs()) {
            self.basis.spoil();
            return;
        }
        let leaves = self.basis.head[leaving.position] as usize;
        self.update_costs(leaves, entering, entry, work);
        let step = -leaving.change / pivot;
        let reference = self.weight[leaving.position];
        for (position, (&v, &w)) in self.basis.head.iter().zip(&work.column).enumerate() {
            if w != 0.0 {
                self.value[v as usize] -= w * step;
                let ratio = w / pivot;
                self.weight[position] = self.weight[position].max(ratio * ratio * reference);
            }
        }
        self.weight[leaving.position] = (reference / (pivot * pivot)).max(1.0);
        self.value[entering] += step;
        self.value[leaves] = leaving.bound;
        self.basis.exchange(leaving.position, entering, &work.column);
    }

    fn update_costs(&mut self, leaves: usize, entering: usize, entry: f64, work: &Work) {
        let n = self.columns.len();
        let ratio = self.cost[entering] / entry;
        for &j in &work.touched {
            self.cost[j as usize] -= ratio * work.entries[j as usize];
        }
        for (i, &y) in work.inverse.iter().enumerate().filter(|e| e.1 != &0.0) {
            self.cost[n + i] -= ratio * y;
        }
        self.cost[entering] = 0.0;
        self.cost[leaves] = -ratio;
    }
}
