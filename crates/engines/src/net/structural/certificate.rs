//! Certificates: what was learned about a question, in the checker's terms.

use std::collections::HashMap;

use evidence::{Atom, Exclusion, Fact, Lemma, Sign, Source};
use model::views::PlaceId;
use solve::lp::Variable;
use solve::sat::Literal;

use super::equation::{Equation, Extra};
use super::formula::{Atoms, Meaning};
use super::reason::{Origin, Reasoned};

/// Numbers of variables and of facts.
struct Writer<'a, 'n> {
    equation: &'a Equation<'n>,
    /// By propositional variable, what it stands for.
    meanings: &'a [Meaning],
    /// By propositional variable, the number in the certificate.
    numbers: Vec<Sign>,
    traps: HashMap<Variable, usize>,
    certificate: Exclusion,
}

/// The certificate of a question that has no solution; `None` if a number has more than 64 bits.
pub(super) fn exclusion(atoms: &Atoms, equation: &Equation<'_>, never_marked: &[PlaceId]) -> Option<Exclusion> {
    let siphon = Fact::Siphon(numbers(never_marked));
    let certificate = Exclusion { facts: vec![siphon], ..Exclusion::default() };
    let meanings = atoms.meanings();
    let mut writer = Writer { equation, meanings, numbers: Vec::new(), traps: HashMap::new(), certificate };
    writer.atoms()?;
    for reasoned in atoms.reasons() {
        let lemma = writer.lemma(reasoned)?;
        writer.certificate.lemmas.push(lemma);
    }
    writer.certificate.learned = atoms.sat.learned().iter().map(|clause| writer.clause(clause)).collect();
    Some(writer.certificate)
}

fn numbers(places: &[PlaceId]) -> Vec<usize> {
    places.iter().map(|p| p.index()).collect()
}

impl Writer<'_, '_> {
    /// Numbers the atoms, then the names.
    fn atoms(&mut self) -> Option<()> {
        self.numbers = vec![0; self.meanings.len()];
        for (variable, meaning) in self.meanings.iter().enumerate() {
            let atom = match meaning {
                Meaning::Name => continue,
                Meaning::Fed(set) => Atom::Fed(numbers(set)),
                Meaning::AtMost(sum, growth) => self.at_most(*sum, *growth)?,
            };
            self.certificate.atoms.push(atom);
            self.numbers[variable] = self.certificate.atoms.len() as Sign;
        }
        let names = self.numbers.iter_mut().filter(|number| **number == 0);
        for (name, number) in names.enumerate() {
            *number = (self.certificate.atoms.len() + name + 1) as Sign;
        }
        Some(())
    }

    fn at_most(&self, sum: Variable, growth: i64) -> Option<Atom> {
        let row = match sum {
            Variable::Row(row) => row,
            Variable::Column(t) => return Some(Atom::Firings { transition: t.0 as usize, bound: growth }),
        };
        let terms: Vec<(PlaceId, i64)> = match self.equation.extra(row) {
            None => vec![(PlaceId::new(row.0 as usize), 1)],
            Some(Extra::Tokens(terms)) => terms.clone(),
            Some(Extra::Firings) => return None,
        };
        let tokens = |&(p, weight): &(PlaceId, i64)| weight * i64::from(self.equation.net().place(p).initial);
        let bound = growth + terms.iter().map(tokens).sum::<i64>();
        Some(Atom::AtMost { terms: terms.into_iter().map(|(p, weight)| (p.index(), weight)).collect(), bound })
    }

    fn sign(&self, literal: Literal) -> Sign {
        let number = self.numbers[literal.variable()];
        if literal.is_positive() { number } else { -number }
    }

    fn clause(&self, clause: &[Literal]) -> Vec<Sign> {
        clause.iter().map(|&literal| self.sign(literal)).collect()
    }

    fn lemma(&mut self, reasoned: &Reasoned) -> Option<Lemma> {
        let small = |factor: i128| i64::try_from(factor).ok();
        let equation = reasoned.reason.equation.iter().map(|&(p, factor)| Some((p.index(), small(factor)?)));
        let equation = equation.collect::<Option<_>>()?;
        let mut inequalities = Vec::new();
        for &(origin, factor) in &reasoned.reason.inequalities {
            let source = match origin {
                Origin::Negated(literal) => Source::Negated(self.sign(literal)),
                Origin::Firings(literal, t) => match self.meanings[literal.variable()] {
                    Meaning::Fed(_) => Source::Idle(self.sign(literal), t.index()),
                    Meaning::AtMost(..) | Meaning::Name => Source::Negated(self.sign(literal)),
                },
                Origin::Starved(t) => Source::Starved(0, t.index()),
                Origin::Marked(sum) => Source::Marked(self.trap(sum)),
            };
            inequalities.push((source, small(factor)?));
        }
        Some(Lemma { clause: self.clause(&reasoned.clause), equation, inequalities })
    }

    fn trap(&mut self, sum: Variable) -> usize {
        let (equation, facts) = (self.equation, &mut self.certificate.facts);
        *self.traps.entry(sum).or_insert_with(|| {
            facts.push(Fact::Trap(numbers(equation.trap(sum).expect("the reason names a trap"))));
            facts.len() - 1
        })
    }
}
