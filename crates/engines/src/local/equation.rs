//! The state equation of a network as a linear program: is there a number of firings of each rule, and of each local
//! move, that leads from the initial state to a candidate?
//!
//! The moves of a component are a flow between its states; those with one event are as many as the firings of rules
//! that use it. No combinations of moves have to be listed. If there is no such flow, the multipliers of the states
//! (Farkas' lemma) are weights that no rule increases and that the candidate exceeds.

use model::views::{ComponentId, RuleId, StateId};
use solve::lp::{Check, Column, Program, Row, Variable};

use crate::structure::weights::Weights;
use crate::structure::wiring::Wiring;

/// Larger programs are not made.
const ROWS: usize = 1 << 14;
const COLUMNS: usize = 1 << 17;
/// The work of a question, in rows times looks at `stop`.
const PATIENCE: usize = 1 << 26;

/// The program.
#[derive(Debug)]
pub(super) struct Equation {
    program: Program,
    /// The rows of the states that are neither left nor entered in sum are fixed at zero; these are not.
    changed: Vec<Row>,
}

impl Equation {
    /// `None` if it would be too large.
    pub(super) fn new(wiring: &Wiring<'_>) -> Option<Self> {
        let used: Vec<usize> = (0..wiring.ports()).filter(|&p| !wiring.rules(p).is_empty()).collect();
        let rules = wiring.network().rules().len();
        let columns = rules + used.iter().map(|&p| wiring.moves(p).len()).sum::<usize>();
        if wiring.states() + used.len() > ROWS || columns > COLUMNS {
            return None;
        }
        let mut at_state: Vec<Vec<(Column, i64)>> = vec![Vec::new(); wiring.states()];
        let mut at_port: Vec<Vec<(Column, i64)>> = Vec::new();
        let mut column = rules as u32;
        for c in wiring.network().component_ids() {
            for port in wiring.ports_of(c).filter(|&p| !wiring.rules(p).is_empty()) {
                let mut counted = counted(wiring.rules(port));
                for &(from, to) in wiring.moves(port) {
                    if from != to {
                        at_state[wiring.state(c, from)].push((Column(column), -1));
                        at_state[wiring.state(c, to)].push((Column(column), 1));
                    }
                    counted.push((Column(column), 1));
                    column += 1;
                }
                at_port.push(counted);
            }
        }
        let mut program = Program::new(columns);
        for terms in at_state.iter().chain(&at_port) {
            let row = program.add_row(terms)?;
            program.set_bounds(Variable::Row(row), Some(0), Some(0));
        }
        Some(Self { program, changed: Vec::new() })
    }

    /// Weights that show a state to be unreachable.
    pub(super) fn refute(
        &mut self,
        wiring: &Wiring<'_>,
        state: &[StateId],
        stop: &dyn Fn() -> bool,
    ) -> Option<Weights> {
        for row in self.changed.drain(..) {
            self.program.set_bounds(Variable::Row(row), Some(0), Some(0));
        }
        for (c, &initial) in wiring.network().component_ids().zip(&wiring.network().initial_state()) {
            let now = state[c.index()];
            if now != initial {
                for (s, growth) in [(initial, -1), (now, 1)] {
                    let row = Row(wiring.state(c, s) as u32);
                    self.program.set_bounds(Variable::Row(row), Some(growth), Some(growth));
                    self.changed.push(row);
                }
            }
        }
        let mut patience = PATIENCE / wiring.states().max(1);
        let mut stop = || {
            patience = patience.saturating_sub(1);
            patience == 0 || stop()
        };
        let Check::Infeasible(refutation) = self.program.check(&mut stop) else { return None };
        let mut weights = vec![0; wiring.states()];
        for (row, factor) in refutation.multipliers {
            if let Some(weight) = weights.get_mut(row.0 as usize) {
                *weight = i64::try_from(factor).ok()?;
            }
        }
        let part = |c: ComponentId| (c, weights[wiring.states_of(c)].to_vec());
        Some(Weights::new(wiring.network().component_ids().map(part).collect()))
    }
}

/// The firings of rules, to be taken away from the moves of a port.
fn counted(rules: &[RuleId]) -> Vec<(Column, i64)> {
    rules.iter().map(|r| (Column(r.0), -1)).collect()
}
