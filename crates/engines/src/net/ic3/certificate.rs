//! Certificates: the invariant that was found, and why it is one, in the checker's terms.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use evidence::{Atom, Exclusion, Lemma as Written, Sign, Source};
use solve::sat::{Answer, Literal, Sat};

use super::constraint::{Constraint, Cube, SumId, Sums};
use super::frames::{Frames, Lemma, Reason};
use super::target::{Target, Writer};

/// A certificate in the making. Variables of the solver are those of the certificate.
struct Certificate<'a, 'n> {
    sums: &'a Sums<'n>,
    frames: &'a Frames,
    /// By sum and number, the variable of "the sum is less than the number".
    atoms: BTreeMap<(SumId, i64), Sign>,
    sat: Sat,
    written: Exclusion,
}

/// That the negations of some cubes hold of all reachable markings, and exclude the goal; `None` if the solver gives up.
pub(super) fn certificate(
    sums: &Sums<'_>,
    frames: &Frames,
    target: &Target,
    invariant: &[Cube],
    stop: Box<dyn Fn() -> bool + Send>,
) -> Option<Exclusion> {
    let (atoms, written) = (BTreeMap::new(), Exclusion::default());
    let mut certificate = Certificate { sums, frames, atoms, sat: Sat::new(stop), written };
    certificate.sat.keep_learned();
    certificate.find_atoms(target, invariant);
    certificate.order();
    frames.lemmas().iter().for_each(|lemma| certificate.lemma(lemma));
    for cube in invariant {
        let clause = certificate.negation(cube);
        certificate.add(&clause);
        certificate.written.invariant.push(clause);
    }
    certificate.induct(invariant)?;
    let steps = certificate.sat.learned().len();
    target.require(&mut certificate);
    let excluded = certificate.sat.solve() == Answer::Impossible;
    let learned = certificate.sat.learned().iter().map(|clause| signs(clause));
    let mut learned: Vec<Vec<Sign>> = learned.collect();
    certificate.written.learned = learned.split_off(steps);
    certificate.written.consequences = learned;
    excluded.then_some(certificate.written)
}

fn signs(clause: &[Literal]) -> Vec<Sign> {
    let sign = |l: &Literal| (l.variable() as Sign + 1) * if l.is_positive() { 1 } else { -1 };
    clause.iter().map(sign).collect()
}

impl Certificate<'_, '_> {
    /// Makes atoms for all bounds that are spoken of.
    fn find_atoms(&mut self, target: &Target, invariant: &[Cube]) {
        let mut all: BTreeSet<(SumId, i64)> = BTreeSet::new();
        let mut add = |c: Constraint| {
            if self.sums.constant(c).is_none() {
                all.insert((c.sum, c.number));
            }
        };
        for cube in invariant {
            cube.constraints().iter().for_each(|&c| add(c));
            for t in steps_into(self.sums, cube) {
                cube.constraints().iter().for_each(|&c| add(self.sums.before(c, t)));
                self.sums.needs(t).for_each(&mut add);
            }
        }
        for lemma in self.frames.lemmas() {
            lemma.excluded.constraints().iter().for_each(|&c| add(c));
        }
        let mut counts = HashMap::new();
        target.occurrences(&mut counts);
        let (certain, open): (Vec<Constraint>, Vec<Constraint>) =
            counts.into_keys().partition(|&c| self.sums.constant(c).is_some());
        open.into_iter().for_each(&mut add);
        // The checker knows of no constants.
        all.extend(certain.iter().map(|c| (c.sum, c.number)));
        for (sum, number) in all {
            let terms = self.sums.terms(sum).iter().map(|&(p, weight)| (p.index(), weight)).collect();
            self.written.atoms.push(Atom::AtMost { terms, bound: number - 1 });
            self.atoms.insert((sum, number), self.written.atoms.len() as Sign);
            self.sat.fresh();
        }
        let never: BTreeSet<Sign> = certain.iter().map(|c| self.atoms[&(c.sum, c.number)]).collect();
        for atom in never {
            self.add(&[-atom]);
            let inequalities = vec![(Source::Negated(-atom), 1)];
            self.written.lemmas.push(Written { clause: vec![-atom], equation: Vec::new(), inequalities });
        }
    }

    /// Less implies more.
    fn order(&mut self) {
        let all: Vec<(SumId, Sign)> = self.atoms.iter().map(|(&(sum, _), &atom)| (sum, atom)).collect();
        for pair in all.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            self.add(&[-pair[0].1, pair[1].1]);
        }
    }

    fn add(&mut self, clause: &[Sign]) {
        let clause: Vec<Literal> = clause.iter().map(|&sign| literal(sign)).collect();
        self.sat.clause(&clause);
    }

    /// The literal of a constraint that has an atom.
    fn sign(&self, c: Constraint) -> Sign {
        let atom = self.atoms[&(c.sum, c.number)];
        if c.reaches { -atom } else { atom }
    }

    fn negation(&self, cube: &Cube) -> Vec<Sign> {
        cube.constraints().iter().map(|&c| -self.sign(c)).collect()
    }

    fn lemma(&mut self, lemma: &Lemma) {
        let clause = self.negation(&lemma.excluded);
        let (flow, direction) = match lemma.reason {
            Reason::Exceeded(number) => (Some(self.frames.flow(number)), 1),
            Reason::Missed(number) => (Some(self.frames.flow(number)), -1),
            Reason::Sum(_) => (None, 0),
        };
        let equation =
            flow.map(|flow| flow.weights.iter().map(|&(p, weight)| (p.index(), direction * weight)).collect());
        let weights = match lemma.reason {
            Reason::Sum(sum) => self.sums.terms(sum),
            Reason::Exceeded(_) | Reason::Missed(_) => flow.map_or(&[][..], |flow| &flow.weights),
        };
        // The sum itself once, and each place as often as it counts.
        let factor = |c: &Constraint| {
            let weight = weights.iter().find(|(p, _)| p.index() == c.sum.0 as usize);
            weight.map_or(1, |&(_, weight)| weight.abs())
        };
        let sources = lemma.excluded.constraints().iter();
        let inequalities = sources.map(|c| (Source::Negated(-self.sign(*c)), factor(c))).collect();
        self.add(&clause);
        self.written.lemmas.push(Written { clause, equation: equation.unwrap_or_default(), inequalities });
    }

    /// Every step into a cube from outside all of them is impossible.
    fn induct(&mut self, invariant: &[Cube]) -> Option<()> {
        for cube in invariant {
            for t in steps_into(self.sums, cube) {
                let before: Vec<Constraint> = cube.constraints().iter().map(|&c| self.sums.before(c, t)).collect();
                if before.iter().any(|&c| self.sums.constant(c) == Some(false)) {
                    continue;
                }
                let asked = before.into_iter().chain(self.sums.needs(t));
                let asked = asked.filter(|&c| self.sums.constant(c).is_none());
                let assumed: Vec<Literal> = asked.map(|c| literal(self.sign(c))).collect();
                if self.sat.solve_with(&assumed) != Answer::Impossible {
                    return None;
                }
            }
        }
        Some(())
    }
}

/// The transitions that may lead into a cube from outside.
fn steps_into(sums: &Sums<'_>, cube: &Cube) -> BTreeSet<model::views::NetTransitionId> {
    cube.constraints().iter().flat_map(|&c| sums.helpers(c)).collect()
}

fn literal(sign: Sign) -> Literal {
    Literal::new(sign.unsigned_abs() as usize - 1, sign > 0)
}

impl Writer for Certificate<'_, '_> {
    type Literal = Sign;

    fn constraint(&mut self, constraint: Constraint) -> Sign {
        self.sign(constraint)
    }

    fn name(&mut self) -> Sign {
        self.sat.fresh().variable() as Sign + 1
    }

    fn clause(&mut self, unless: Option<Sign>, literals: &[Sign]) {
        let clause: Vec<Sign> = unless.map(|name| -name).into_iter().chain(literals.iter().copied()).collect();
        self.add(&clause);
    }
}
