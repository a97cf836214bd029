//! The clauses of a goal: a marking that satisfies it makes them true, with the atoms' meanings and some values of names.

use std::collections::HashMap;

use evidence::{Atom, Sign};
use model::nets::{Goal, Linear, Predicate};
use model::views::Net;

use crate::certificate::{CertificateError, wrong};

/// The terms and the bound of a comparison.
type Comparison<'a> = (&'a [(usize, i64)], i64);

/// Comparisons, and the clauses so far.
struct Writer<'a> {
    atoms: HashMap<Comparison<'a>, Sign>,
    next: Sign,
    clauses: Vec<Vec<Sign>>,
}

/// The clauses of a goal, and the number of variables: atoms and names.
pub(super) struct Formula {
    pub(super) clauses: Vec<Vec<Sign>>,
    pub(super) variables: usize,
}

/// The clauses of a goal. A disjunction with a comparison that no atom stands for is left out: fewer clauses are harder
/// to contradict.
pub(super) fn clauses(net: &Net, goal: &Goal, atoms: &[Atom]) -> Result<Formula, CertificateError> {
    let mut writer = Writer { atoms: HashMap::new(), next: atoms.len() as Sign + 1, clauses: Vec::new() };
    for (number, atom) in atoms.iter().enumerate() {
        if let Atom::AtMost { terms, bound } = atom {
            writer.atoms.insert((terms, *bound), number as Sign + 1);
        }
    }
    match goal {
        Goal::Dead => {
            for t in net.transition_ids() {
                let lacks = |&(p, weight): &(_, u32)| Predicate::at_most(p, weight - 1);
                writer.require(&Predicate::Any(net.pre(t).iter().map(lacks).collect()));
            }
        }
        Goal::Satisfies(predicate) => writer.require(predicate),
        Goal::Maximum(_) => return wrong("goals of this kind are not excluded by certificates"),
    }
    Ok(Formula { clauses: writer.clauses, variables: (writer.next - 1) as usize })
}

impl Writer<'_> {
    fn require(&mut self, predicate: &Predicate) {
        match predicate {
            Predicate::All(parts) => parts.iter().for_each(|part| self.require(part)),
            Predicate::Any(parts) => {
                if let Some(clause) = self.disjunction(parts) {
                    self.clauses.push(clause);
                }
            }
            Predicate::Constant(true) => {}
            Predicate::Constant(false) => self.clauses.push(Vec::new()),
            Predicate::AtMostZero(expression) => {
                if let Some(literal) = self.comparison(expression) {
                    self.clauses.push(vec![literal]);
                }
            }
        }
    }

    /// A clause of names, one for each part; `None` if a part is true or has no name.
    fn disjunction(&mut self, parts: &[Predicate]) -> Option<Vec<Sign>> {
        let names: Vec<Option<Sign>> = parts.iter().map(|part| self.name(part)).collect();
        let mut clause = Vec::new();
        for (part, name) in parts.iter().zip(names) {
            match (part, name) {
                (Predicate::Constant(false), _) => {}
                (_, Some(name)) => clause.push(name),
                _ => return None,
            }
        }
        Some(clause)
    }

    /// A literal that implies the predicate; `None` for constants and comparisons without an atom.
    fn name(&mut self, predicate: &Predicate) -> Option<Sign> {
        match predicate {
            Predicate::Constant(_) => None,
            Predicate::AtMostZero(expression) => self.comparison(expression),
            Predicate::All(parts) => {
                let name = self.fresh();
                for part in parts {
                    match (part, self.name(part)) {
                        (Predicate::Constant(false), _) => self.clauses.push(vec![-name]),
                        (_, Some(part)) => self.clauses.push(vec![-name, part]),
                        _ => {}
                    }
                }
                Some(name)
            }
            Predicate::Any(parts) => {
                let name = self.fresh();
                if let Some(mut clause) = self.disjunction(parts) {
                    clause.push(-name);
                    self.clauses.push(clause);
                }
                Some(name)
            }
        }
    }

    fn fresh(&mut self) -> Sign {
        self.next += 1;
        self.next - 1
    }

    /// The literal of `expression <= 0`, with mutually prime factors of which the first is positive.
    fn comparison(&self, expression: &Linear) -> Option<Sign> {
        let divisor = expression.terms().iter().fold(0, |d, &(_, factor)| gcd(d, factor.unsigned_abs()));
        let divisor = i64::try_from(divisor).ok()?;
        let sign = expression.terms().first()?.1.signum();
        let terms: Vec<(usize, i64)> =
            expression.terms().iter().map(|&(p, factor)| (p.index(), factor / divisor * sign)).collect();
        let most = expression.constant().checked_neg()?.div_euclid(divisor);
        match sign {
            1 => self.atoms.get(&(terms.as_slice(), most)).copied(),
            _ => self.atoms.get(&(terms.as_slice(), most.checked_neg()?.checked_sub(1)?)).map(|atom| -atom),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
