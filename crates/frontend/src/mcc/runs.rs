//! Formulas about all runs: temporal operators above, conditions on markings below.

use automata::syntax::{Atom as Number, Binary, Ltl, Unary};
use model::nets::Predicate;

use super::condition::Condition;
use super::formula::FormulaReader;
use super::predicate::{Atom, Sense};
use super::stop::Stop;
use crate::xml::Tag;

/// What is asked of all runs: a formula over numbered atoms.
#[derive(Clone, Debug, PartialEq)]
pub struct Runs {
    /// The formula.
    pub formula: Ltl,
    /// What can be true of a marking, by number.
    pub atoms: Vec<Predicate>,
}

/// A formula while it is read.
pub(super) enum Path {
    State(Condition),
    Under(Unary, Box<Path>),
    Between(Binary, Box<Path>, Box<Path>),
}

impl Path {
    fn under(self, op: Unary) -> Path {
        Path::Under(op, Box::new(self))
    }

    fn negated(self) -> Path {
        match self {
            Path::State(condition) => Path::State(condition.negated()),
            Path::Under(Unary::Not, inner) => *inner,
            other => other.under(Unary::Not),
        }
    }

    fn with(self, op: Binary, other: Path) -> Path {
        match (op, self, other) {
            (Binary::And, Path::State(a), Path::State(b)) => {
                Path::State(Condition::junction(Sense::Asserted, vec![a, b]))
            }
            (Binary::Or, Path::State(a), Path::State(b)) => Path::State(Condition::junction(Sense::Denied, vec![a, b])),
            (op, a, b) => Path::Between(op, Box::new(a), Box::new(b)),
        }
    }
}

impl<'a> FormulaReader<'_, 'a> {
    /// A formula about a run.
    pub(super) fn run(&mut self, tag: &Tag<'a>) -> Result<Path, Stop> {
        self.check_depth()?;
        self.charge(1)?;
        let under = |reader: &mut Self, op| Ok(reader.only_child(Self::run)?.under(op));
        match tag.name {
            "globally" => under(self, Unary::Always),
            "finally" => under(self, Unary::Eventually),
            "next" => under(self, Unary::Next),
            "negation" => Ok(self.only_child(Self::run)?.negated()),
            "conjunction" => self.joined(Binary::And),
            "disjunction" => self.joined(Binary::Or),
            "implication" => {
                let (premise, conclusion) = self.two(Self::run)?;
                Ok(premise.negated().with(Binary::Or, conclusion))
            }
            "until" => {
                let mut names = ["before", "reach"].into_iter();
                let (before, reach) = self.two(|reader, tag| match names.next() {
                    Some(name) if tag.name == name => reader.only_child(Self::run),
                    _ => Err(Stop::refused(format!("`{}` has no place in `until`", tag.name))),
                })?;
                Ok(before.with(Binary::Until, reach))
            }
            _ => self.condition(tag, Sense::Asserted).map(Path::State),
        }
    }

    /// All operands, or one of them.
    fn joined(&mut self, op: Binary) -> Result<Path, Stop> {
        let mut all = Path::State(Condition::Constant(op == Binary::And));
        while let Some(tag) = self.xml.child()? {
            all = match (all, self.run(&tag)?) {
                (Path::State(Condition::Constant(value)), next) if value == (op == Binary::And) => next,
                (before, next) => before.with(op, next),
            };
        }
        Ok(all)
    }

    /// The formula with its atoms written out.
    pub(super) fn of_runs(&mut self, path: &Path) -> Result<Runs, Stop> {
        let mut numbers = vec![None; self.atoms.len()];
        let mut atoms = Vec::new();
        let formula = self.numbered(path, &mut numbers, &mut atoms)?;
        Ok(Runs { formula, atoms })
    }

    fn numbered(&mut self, path: &Path, numbers: &mut [Option<u32>], atoms: &mut Vec<Predicate>) -> Result<Ltl, Stop> {
        Ok(match path {
            Path::State(condition) => {
                let condition = condition.clone().simplified(self.atoms.len());
                self.condition_of(&condition, numbers, atoms)?
            }
            Path::Under(op, inner) => self.numbered(inner, numbers, atoms)?.under(*op),
            Path::Between(op, a, b) => {
                let a = self.numbered(a, numbers, atoms)?;
                a.with(*op, self.numbered(b, numbers, atoms)?)
            }
        })
    }

    fn condition_of(
        &mut self,
        condition: &Condition,
        numbers: &mut [Option<u32>],
        atoms: &mut Vec<Predicate>,
    ) -> Result<Ltl, Stop> {
        let (op, parts) = match condition {
            Condition::Constant(value) => return Ok(Ltl::Constant(*value)),
            Condition::Literal(atom, sense) => {
                // That nothing is enabled is said by what is.
                let said = match self.atoms[atom.0 as usize] {
                    Atom::Dead => Sense::Denied,
                    Atom::Enabled(_) | Atom::AtMostZero(_) => Sense::Asserted,
                };
                let number = match numbers[atom.0 as usize] {
                    Some(number) => number,
                    None => {
                        atoms.push(self.atom(*atom, said)?);
                        *numbers[atom.0 as usize].insert(atoms.len() as u32 - 1)
                    }
                };
                let atom = Ltl::Atom(Number(number));
                return Ok(if *sense == said { atom } else { atom.under(Unary::Not) });
            }
            Condition::All(parts) => (Binary::And, parts),
            Condition::Any(parts) => (Binary::Or, parts),
        };
        let mut all: Option<Ltl> = None;
        for part in parts {
            let part = self.condition_of(part, numbers, atoms)?;
            all = Some(match all {
                Some(before) => before.with(op, part),
                None => part,
            });
        }
        Ok(all.unwrap_or(Ltl::Constant(op == Binary::And)))
    }
}
