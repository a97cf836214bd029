//! Random formulas about the runs of nets, and their truth by definition.

use model::nets::{Linear, Predicate};
use model::views::{Net, NetTransitionId, PlaceId};
use model::{Binary, Expr, Ltl, ObjectId, Property, Proposition, Temporal};

use super::random::predicate;
use crate::naive::Naive;
use crate::random::RunProfile;
use crate::random::formula;
use crate::{Rng, search};

/// The most tokens on a place that the oracle goes along with.
const MOST_TOKENS: u32 = 40;

/// A formula about all maximal runs of a net.
#[derive(Clone, Debug)]
pub struct RunClaim {
    /// The formula.
    pub formula: automata::Ltl,
    /// What its atoms mean.
    pub atoms: Vec<Predicate>,
}

/// A random formula; `next` is the share, of a hundred, of steps among its temporal operators.
pub fn run_claim(net: &Net, seed: u64, next: u32) -> RunClaim {
    let mut rng = Rng::new(seed);
    let places = net.places().len();
    let condition = |rng: &mut Rng| match rng.below(4) {
        0 => Predicate::fireable(net, NetTransitionId::new(rng.below(net.transitions().len()))),
        1 => Predicate::at_least(PlaceId::new(rng.below(places)), 1),
        _ => predicate(rng, places, 1),
    };
    let conditions: Vec<Predicate> = (0..1 + rng.below(3)).map(|_| condition(&mut rng)).collect();
    let propositions: Vec<Proposition> = conditions.iter().map(proposition).collect();
    let written = formula(&mut rng, &propositions, &RunProfile { next, ..RunProfile::default() });
    let mut used = Vec::new();
    let formula = written.numbered(&mut used);
    let meaning = |p: &&Proposition| {
        let at = propositions.iter().position(|q| q == *p).expect("atoms are among those that were offered");
        conditions[at].clone()
    };
    RunClaim { formula, atoms: used.iter().map(meaning).collect() }
}

impl RunClaim {
    /// Whether all maximal runs satisfy it; `None` if there are more than so many markings, or too many tokens.
    pub fn holds(&self, net: &Net, limit: usize) -> Option<bool> {
        let oracle = super::Oracle::new(net, limit)?;
        if oracle.markings().iter().flatten().any(|&tokens| tokens > u64::from(MOST_TOKENS)) {
            return None;
        }
        let system = net.to_system(|_| MOST_TOKENS).ok()?;
        let property = Property::Temporal(Temporal::formula(self.written(&self.formula)));
        let outcome = search(&Naive::new(&system), &property, limit)?;
        Some(matches!(outcome.verdict, evidence::Verdict::Holds(_)))
    }

    fn written(&self, formula: &automata::Ltl) -> Ltl {
        use automata::syntax::{Binary, Unary};
        let on = |f: &automata::Ltl| Box::new(self.written(f));
        match formula {
            automata::Ltl::Constant(value) => Ltl::state((*value).into()),
            automata::Ltl::Atom(atom) => Ltl::Atom(proposition(&self.atoms[atom.index()])),
            automata::Ltl::Unary(op, a) => match op {
                Unary::Not => Ltl::Not(on(a)),
                Unary::Next => Ltl::Next(on(a)),
                Unary::Eventually => Ltl::Eventually(on(a)),
                Unary::Always => Ltl::Always(on(a)),
            },
            automata::Ltl::Binary(op, a, b) => match op {
                Binary::And => Ltl::And(on(a), on(b)),
                Binary::Or => Ltl::Or(on(a), on(b)),
                Binary::Until => Ltl::Until(on(a), on(b)),
                Binary::Release => Ltl::Release(on(a), on(b)),
                _ => panic!("random formulas do without"),
            },
        }
    }
}

/// A predicate as one says it of the system that a net is, whose objects are the places.
fn proposition(predicate: &Predicate) -> Proposition {
    Proposition::State(expression(predicate))
}

fn expression(predicate: &Predicate) -> Expr {
    let joined = |parts: &[Predicate], op: Binary, none: bool| {
        parts.iter().map(expression).reduce(|a, b| a.op(op, b)).unwrap_or_else(|| none.into())
    };
    match predicate {
        Predicate::Constant(value) => (*value).into(),
        Predicate::AtMostZero(linear) => side(linear, 1).op(Binary::Le, side(linear, -1)),
        Predicate::All(parts) => joined(parts, Binary::And, true),
        Predicate::Any(parts) => joined(parts, Binary::Or, false),
    }
}

/// What is added, or taken away: there are no negative numbers of tokens.
fn side(linear: &Linear, sign: i64) -> Expr {
    let terms = linear.terms().iter().filter(|(_, factor)| factor.signum() == sign);
    let term = |&(p, factor): &(PlaceId, i64)| Expr::read(ObjectId::new(p.index())).op(Binary::Mul, factor.abs());
    let constant = Expr::Const((linear.constant() * sign).max(0));
    terms.map(term).fold(constant, |sum, term| sum.op(Binary::Add, term))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_formulas_hold_and_some_do_not() {
        let (mut holds, mut fails) = (0, 0);
        for seed in 0..150 {
            let net = crate::nets::random(seed);
            match run_claim(&net, seed, 20).holds(&net, 150) {
                Some(true) => holds += 1,
                Some(false) => fails += 1,
                None => {}
            }
        }
        assert!(holds > 20 && fails > 40, "{holds} {fails}");
    }
}
