//! The state equation of a net, `M = m0 + C·x` with `M >= 0` and `x >= 0`, as a linear program.
//!
//! Column `t` is how often transition `t` fires, row `p` by how much the tokens of place `p` grew. Expressions over
//! several places and sums over transitions become rows of their own.

use std::collections::HashMap;

use model::nets::Linear;
use model::views::{Net, NetTransitionId, PlaceId};
use solve::lp::{Check, Column, Program, Row, Side, Variable};

/// A sum of tokens with mutually prime factors, and what it is in the beginning.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub(super) variable: Variable,
    /// The value of the sum in the initial marking: the variable is the growth since then.
    pub(super) initial: i64,
}

/// A row that is not a place's.
#[derive(Clone, Debug)]
pub(super) enum Extra {
    /// A weighted sum of tokens.
    Tokens(Vec<(PlaceId, i64)>),
    /// A number of firings.
    Firings,
}

/// The state equation, with what was learned about all reachable markings.
#[derive(Debug)]
pub(super) struct Equation<'a> {
    net: &'a Net,
    pub(super) program: Program,
    sums: HashMap<Vec<(PlaceId, i64)>, Option<Sum>>,
    /// The rows after those of the places.
    extra: Vec<Extra>,
    /// The traps that were found, by the sum of their tokens.
    traps: HashMap<Variable, Vec<PlaceId>>,
    /// Bounds that hold always, of variables that have any.
    always: HashMap<Variable, (Option<i64>, Option<i64>)>,
    /// Variables whose bounds are not the ones that hold always.
    changed: Vec<Variable>,
}

impl<'a> Equation<'a> {
    pub(super) fn new(net: &'a Net) -> Self {
        let mut equation = Self {
            net,
            program: Program::new(net.transitions().len()),
            sums: HashMap::new(),
            extra: Vec::new(),
            traps: HashMap::new(),
            always: HashMap::new(),
            changed: Vec::new(),
        };
        for p in net.place_ids() {
            let row = equation.program.add_row(&effects(net, p)).expect("weights have 32 bits");
            let initial = i64::from(net.place(p).initial);
            equation.hold(Variable::Row(row), Some(-initial), None);
        }
        equation
    }

    pub(super) fn net(&self) -> &'a Net {
        self.net
    }

    /// The row of a place.
    pub(super) fn place(&self, p: PlaceId) -> Sum {
        Sum { variable: place_row(p), initial: i64::from(self.net.place(p).initial) }
    }

    /// The place that a variable is the row of.
    pub(super) fn place_of(&self, variable: Variable) -> Option<PlaceId> {
        match variable {
            Variable::Row(Row(i)) if (i as usize) < self.net.places().len() => Some(PlaceId::new(i as usize)),
            _ => None,
        }
    }

    /// The row of a sum over several places; `None` if a number is too large.
    pub(super) fn sum(&mut self, terms: &[(PlaceId, i64)]) -> Option<Sum> {
        if let Some(known) = self.sums.get(terms) {
            return known.clone();
        }
        let made = self.make_sum(terms);
        self.sums.insert(terms.to_vec(), made.clone());
        made
    }

    fn make_sum(&mut self, terms: &[(PlaceId, i64)]) -> Option<Sum> {
        let mut growth: HashMap<Column, i64> = HashMap::new();
        let mut initial = 0_i64;
        for &(p, factor) in terms {
            initial = initial.checked_add(factor.checked_mul(i64::from(self.net.place(p).initial))?)?;
            for (column, effect) in effects(self.net, p) {
                let sum = growth.entry(column).or_default();
                *sum = sum.checked_add(effect.checked_mul(factor)?)?;
            }
        }
        let mut growth: Vec<(Column, i64)> = growth.into_iter().filter(|e| e.1 != 0).collect();
        growth.sort_unstable();
        let row = self.program.add_row(&growth)?;
        self.extra.push(Extra::Tokens(terms.to_vec()));
        Some(Sum { variable: Variable::Row(row), initial })
    }

    /// A row that counts firings of some transitions.
    pub(super) fn firings(&mut self, transitions: &[NetTransitionId]) -> Variable {
        let terms: Vec<(Column, i64)> = transitions.iter().map(|&t| (column(t), 1)).collect();
        self.extra.push(Extra::Firings);
        Variable::Row(self.program.add_row(&terms).expect("small factors"))
    }

    /// What a row is, if it is not a place's.
    pub(super) fn extra(&self, row: Row) -> Option<&Extra> {
        (row.0 as usize).checked_sub(self.net.places().len()).map(|i| &self.extra[i])
    }

    /// A marked trap stays marked. False if that is known already.
    pub(super) fn hold_trap(&mut self, trap: Vec<PlaceId>) -> bool {
        let terms: Vec<(PlaceId, i64)> = trap.iter().map(|&p| (p, 1)).collect();
        let sum = match terms[..] {
            [(p, _)] => self.place(p),
            _ => self.sum(&terms).expect("tokens in the beginning have 32 bits"),
        };
        let (_, upper) = self.held(sum.variable);
        self.hold(sum.variable, Some(1 - sum.initial), upper);
        self.traps.insert(sum.variable, trap).is_none()
    }

    /// The trap whose tokens a variable counts.
    pub(super) fn trap(&self, variable: Variable) -> Option<&[PlaceId]> {
        self.traps.get(&variable).map(Vec::as_slice)
    }

    /// Bounds that every reachable marking keeps, and every run to it.
    pub(super) fn hold(&mut self, variable: Variable, lower: Option<i64>, upper: Option<i64>) {
        self.always.insert(variable, (lower, upper));
        self.program.set_bounds(variable, lower, upper);
    }

    /// The bounds of a variable that hold always.
    pub(super) fn held(&self, variable: Variable) -> (Option<i64>, Option<i64>) {
        let usual = match variable {
            Variable::Column(_) => (Some(0), None),
            Variable::Row(_) => (None, None),
        };
        self.always.get(&variable).copied().unwrap_or(usual)
    }

    /// Narrows a bound for the next question only.
    pub(super) fn assume(&mut self, variable: Variable, lower: Option<i64>, upper: Option<i64>) {
        self.changed.push(variable);
        self.program.set_bounds(variable, lower, upper);
    }

    /// Takes back what was assumed.
    pub(super) fn release(&mut self) {
        for variable in std::mem::take(&mut self.changed) {
            let (lower, upper) = self.held(variable);
            self.program.set_bounds(variable, lower, upper);
        }
    }

    pub(super) fn check(&mut self, stop: &mut dyn FnMut() -> bool) -> Check {
        self.program.check(stop)
    }

    /// The tokens of a place in the last point; not always a whole number.
    pub(super) fn tokens(&self, p: PlaceId) -> f64 {
        self.program.value(place_row(p)) + f64::from(self.net.place(p).initial)
    }

    /// How often a transition fires in the last point.
    pub(super) fn count(&self, t: NetTransitionId) -> f64 {
        self.program.value(Variable::Column(column(t)))
    }
}

/// A comparison `sum <= bound` (upper) or `sum >= bound` (lower) of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) terms: Vec<(PlaceId, i64)>,
    pub(super) side: Side,
    pub(super) bound: i64,
}

impl Comparison {
    /// `expression <= 0` with mutually prime factors, of which the first is positive.
    pub(super) fn new(expression: &Linear) -> Option<Self> {
        let divisor = expression.terms().iter().fold(0, |d, &(_, factor)| gcd(d, factor.unsigned_abs()));
        let divisor = i64::try_from(divisor).ok()?;
        let positive = expression.terms().first()?.1 > 0;
        let sign = if positive { 1 } else { -1 };
        let terms = expression.terms().iter().map(|&(p, factor)| (p, factor / divisor * sign)).collect();
        // sign * sum * divisor + constant <= 0
        let most = expression.constant().checked_neg()?.div_euclid(divisor);
        let (side, bound) = if positive { (Side::Upper, most) } else { (Side::Lower, -most) };
        Some(Self { terms, side, bound })
    }
}

/// The greatest common divisor.
pub(in crate::net) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The column of a transition.
pub(super) fn column(t: NetTransitionId) -> Column {
    Column(t.index() as u32)
}

/// The row of a place.
pub(super) fn place_row(p: PlaceId) -> Variable {
    Variable::Row(Row(p.index() as u32))
}

/// By how much each transition changes a place, where it does.
pub(super) fn effects(net: &Net, p: PlaceId) -> Vec<(Column, i64)> {
    let mut terms: Vec<(NetTransitionId, i64)> = net.producers(p).iter().map(|&(t, w)| (t, i64::from(w))).collect();
    terms.extend(net.consumers(p).iter().map(|&(t, w)| (t, -i64::from(w))));
    terms.sort_unstable();
    let mut sums: Vec<(Column, i64)> = Vec::with_capacity(terms.len());
    for (t, change) in terms {
        match sums.last_mut().filter(|last| last.0 == column(t)) {
            Some(last) => last.1 += change,
            None => sums.push((column(t), change)),
        }
    }
    sums.retain(|&(_, change)| change != 0);
    sums
}
