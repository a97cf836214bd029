//! Linear programs meet a naive search over small integers, and every refutation adds up.

use solve::lp::{Check, Column, Program, Refutation, Row, Side, Variable};

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

/// A small program: rows of factors, and bounds of rows; columns are between 0 and 3.
struct Small {
    rows: Vec<Vec<i64>>,
    bounds: Vec<(Option<i64>, Option<i64>)>,
}

impl Small {
    fn new(random: &mut Random) -> Self {
        let (columns, rows) = (random.between(1, 4) as usize, random.between(1, 5) as usize);
        let row = |random: &mut Random| (0..columns).map(|_| random.between(-2, 2)).collect();
        Self { rows: (0..rows).map(|_| row(random)).collect(), bounds: Self::bounds(rows, random) }
    }

    fn bounds(rows: usize, random: &mut Random) -> Vec<(Option<i64>, Option<i64>)> {
        let bound = |random: &mut Random| (random.below(2) == 0).then(|| random.between(-4, 6));
        (0..rows).map(|_| (bound(random), bound(random))).collect()
    }

    fn program(&self) -> Program {
        let mut program = Program::new(self.rows[0].len());
        for j in 0..self.rows[0].len() {
            program.set_bounds(Variable::Column(Column(j as u32)), Some(0), Some(3));
        }
        for row in &self.rows {
            let terms: Vec<(Column, i64)> =
                row.iter().enumerate().filter(|e| *e.1 != 0).map(|(j, &a)| (Column(j as u32), a)).collect();
            program.add_row(&terms).expect("small factors");
        }
        program
    }

    fn set(&self, program: &mut Program) {
        for (i, &(lower, upper)) in self.bounds.iter().enumerate() {
            program.set_bounds(Variable::Row(Row(i as u32)), lower, upper);
        }
    }

    fn has_integer_point(&self) -> bool {
        let n = self.rows[0].len() as u32;
        (0..4_usize.pow(n)).any(|code| {
            let x: Vec<i64> = (0..n).map(|j| (code / 4_usize.pow(j) % 4) as i64).collect();
            self.rows.iter().zip(&self.bounds).all(|(row, &(lower, upper))| {
                let value: i64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
                lower.is_none_or(|l| value >= l) && upper.is_none_or(|u| value <= u)
            })
        })
    }

    fn bound(&self, variable: Variable, side: Side) -> Option<i64> {
        match (variable, side) {
            (Variable::Column(_), Side::Lower) => Some(0),
            (Variable::Column(_), Side::Upper) => Some(3),
            (Variable::Row(Row(i)), Side::Lower) => self.bounds[i as usize].0,
            (Variable::Row(Row(i)), Side::Upper) => self.bounds[i as usize].1,
        }
    }

    /// The multipliers and bounds, added up anew.
    fn refuted_by(&self, refutation: &Refutation) -> bool {
        let mut most = 0;
        for &(variable, side, weight) in &refutation.bounds {
            let Some(bound) = self.bound(variable, side) else { return false };
            most += weight * i128::from(bound) * if side == Side::Upper { 1 } else { -1 };
        }
        most < 0
    }
}

#[test]
fn small_programs_are_decided_as_bounds_come_and_go() {
    let mut random = Random(88_172_645_463_325_252);
    let (mut feasible, mut infeasible) = (0, 0);
    for _ in 0..2000 {
        let mut small = Small::new(&mut random);
        let mut program = small.program();
        for _ in 0..4 {
            small.bounds = Small::bounds(small.rows.len(), &mut random);
            small.set(&mut program);
            match program.check(&mut || false) {
                Check::Feasible => feasible += 1,
                Check::Infeasible(refutation) => {
                    assert!(!small.has_integer_point(), "{:?} {:?}", small.rows, small.bounds);
                    assert!(small.refuted_by(&refutation), "{refutation:?} {:?} {:?}", small.rows, small.bounds);
                    infeasible += 1;
                }
                Check::Unknown => panic!("small numbers can be decided: {:?} {:?}", small.rows, small.bounds),
            }
            for (i, row) in small.rows.iter().enumerate() {
                let value = program.value(Variable::Row(Row(i as u32)));
                let sum: f64 = row.iter().zip(program.column_values()).map(|(&a, x)| a as f64 * x).sum();
                assert!((value - sum).abs() < 1e-6, "rows are the sums of their columns");
            }
        }
    }
    assert!(feasible > 2000 && infeasible > 1000, "{feasible} {infeasible}");
}

#[test]
fn numbers_that_are_not_exact_are_refused() {
    assert!(Program::new(1).add_row(&[(Column(0), i64::MAX)]).is_none());
}
