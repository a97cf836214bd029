//! Predicates over markings, put into negation normal form while they are read, and written out at the end.

use model::nets::{Linear, Predicate};
use model::views::NetTransitionId;

use super::condition::{AtomId, Condition};
use super::expression::shown;
use super::formula::FormulaReader;
use super::stop::Stop;
use crate::xml::Tag;

/// So many terms of one sum take as much memory as a comparison of its own.
const TERMS_OF_A_SUM: usize = 4;

/// Whether a part is to hold or not to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    Asserted,
    Denied,
}

impl Sense {
    pub(super) fn flipped(self) -> Self {
        match self {
            Self::Asserted => Self::Denied,
            Self::Denied => Self::Asserted,
        }
    }
}

/// How two expressions compare.
enum Comparison {
    AtMost,
    Less,
    AtLeast,
    More,
    Equal,
    Different,
}

impl Comparison {
    fn find(name: &str, sense: Sense) -> Option<Self> {
        Some(match (name, sense) {
            ("integer-le", Sense::Asserted) | ("integer-gt", Sense::Denied) => Self::AtMost,
            ("integer-lt", Sense::Asserted) | ("integer-ge", Sense::Denied) => Self::Less,
            ("integer-ge", Sense::Asserted) | ("integer-lt", Sense::Denied) => Self::AtLeast,
            ("integer-gt", Sense::Asserted) | ("integer-le", Sense::Denied) => Self::More,
            ("integer-eq", Sense::Asserted) | ("integer-ne", Sense::Denied) => Self::Equal,
            ("integer-ne", Sense::Asserted) | ("integer-eq", Sense::Denied) => Self::Different,
            _ => return None,
        })
    }
}

/// What a predicate is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Atom {
    /// A transition of the file is enabled.
    Enabled(String),
    /// Nothing is enabled.
    Dead,
    /// An expression is at most zero.
    AtMostZero(Linear),
}

impl<'a> FormulaReader<'_, 'a> {
    /// A predicate, or its negation.
    pub(super) fn predicate(&mut self, tag: &Tag<'a>, sense: Sense) -> Result<Predicate, Stop> {
        let condition = self.condition(tag, sense)?.simplified(self.atoms.len());
        self.written_out(&condition)
    }

    pub(super) fn condition(&mut self, tag: &Tag<'a>, sense: Sense) -> Result<Condition, Stop> {
        self.check_depth()?;
        self.charge(1)?;
        if let Some(comparison) = Comparison::find(tag.name, sense) {
            return self.comparison(&comparison);
        }
        match tag.name {
            "true" => self.truth(sense == Sense::Asserted),
            "false" => self.truth(sense == Sense::Denied),
            "negation" => self.only_child(|reader, tag| reader.condition(tag, sense.flipped())),
            "conjunction" => self.list(sense, sense),
            "disjunction" => self.list(sense.flipped(), sense),
            "implication" => self.implication(sense),
            "equivalence" => self.equivalence(sense),
            "exclusive-disjunction" | "exclusive-or" => self.equivalence(sense.flipped()),
            "is-fireable" => self.fireable(sense),
            "deadlock" => {
                self.xml.skip()?;
                Ok(self.literal(Atom::Dead, sense))
            }
            other => Err(Stop::refused(format!("`{other}` is not read inside a predicate"))),
        }
    }

    fn literal(&mut self, atom: Atom, sense: Sense) -> Condition {
        let next = AtomId(self.atoms.len() as u32);
        let id = *self.numbers.entry(atom.clone()).or_insert(next);
        if id == next {
            self.atoms.push(atom);
        }
        Condition::Literal(id, sense)
    }

    fn truth(&mut self, value: bool) -> Result<Condition, Stop> {
        self.xml.skip()?;
        Ok(Condition::Constant(value))
    }

    /// Operands in one sense; all of them if `all` is asserted, one of them otherwise.
    fn list(&mut self, all: Sense, sense: Sense) -> Result<Condition, Stop> {
        let mut parts = Vec::new();
        while let Some(tag) = self.xml.child()? {
            parts.push(self.condition(&tag, sense)?);
        }
        Ok(Condition::junction(all, parts))
    }

    fn implication(&mut self, sense: Sense) -> Result<Condition, Stop> {
        let mut senses = [sense.flipped(), sense].into_iter();
        let (premise, conclusion) =
            self.two(|reader, tag| reader.condition(tag, senses.next().expect("two operands")))?;
        Ok(Condition::junction(sense.flipped(), vec![premise, conclusion]))
    }

    /// Both or neither; exactly one if denied. Each side is needed with its negation, so the parts double.
    fn equivalence(&mut self, sense: Sense) -> Result<Condition, Stop> {
        let (left, right) = self.two(|reader, tag| reader.condition(tag, Sense::Asserted))?;
        self.charge(left.size() + right.size())?;
        let (not_left, not_right) = (left.negated(), right.negated());
        let (with_left, without_left) = match sense {
            Sense::Asserted => (right, not_right),
            Sense::Denied => (not_right, right),
        };
        let both = |left, right| Condition::junction(Sense::Asserted, vec![left, right]);
        Ok(Condition::junction(Sense::Denied, vec![both(left, with_left), both(not_left, without_left)]))
    }

    fn comparison(&mut self, comparison: &Comparison) -> Result<Condition, Stop> {
        let (left, right) = self.two(Self::expression)?;
        let difference = left.minus(right)?;
        match comparison {
            Comparison::AtMost => self.at_most_zero(difference),
            Comparison::More => Ok(self.at_most_zero(difference)?.negated()),
            Comparison::Less => self.less_than_zero(&difference),
            Comparison::AtLeast => Ok(self.less_than_zero(&difference)?.negated()),
            Comparison::Equal => {
                let not_less = self.less_than_zero(&difference)?.negated();
                Ok(Condition::junction(Sense::Asserted, vec![not_less, self.at_most_zero(difference)?]))
            }
            Comparison::Different => {
                let less = self.less_than_zero(&difference)?;
                Ok(Condition::junction(Sense::Denied, vec![less, self.at_most_zero(difference)?.negated()]))
            }
        }
    }

    fn less_than_zero(&mut self, expression: &Linear) -> Result<Condition, Stop> {
        let one_more = expression.constant().checked_add(1).ok_or_else(Stop::overflow)?;
        self.at_most_zero(Linear::new(expression.terms().to_vec(), one_more).ok_or_else(Stop::overflow)?)
    }

    fn at_most_zero(&mut self, expression: Linear) -> Result<Condition, Stop> {
        if expression.terms().is_empty() {
            return Ok(Condition::Constant(expression.constant() <= 0));
        }
        let (known, terms) = (self.atoms.len(), expression.terms().len());
        let literal = self.literal(Atom::AtMostZero(expression), Sense::Asserted);
        if self.atoms.len() > known {
            self.charge(terms / TERMS_OF_A_SUM)?;
        }
        Ok(literal)
    }

    /// One of the listed transitions is enabled.
    fn fireable(&mut self, sense: Sense) -> Result<Condition, Stop> {
        let mut parts = Vec::new();
        while let Some(tag) = self.xml.child()? {
            if tag.name != "transition" {
                return Err(Stop::refused(format!("expected a transition, found `{}`", tag.name)));
            }
            let text = self.xml.text()?.text;
            let id = text.trim();
            if self.loaded.ids.transitions(id).is_none() {
                return Err(Stop::refused(format!("the net has no transition with the id `{}`", shown(id))));
            }
            self.charge(1)?;
            parts.push(self.literal(Atom::Enabled(id.to_owned()), sense));
        }
        Ok(Condition::junction(sense.flipped(), parts))
    }

    /// The condition with its atoms written out as comparisons.
    pub(super) fn written_out(&mut self, condition: &Condition) -> Result<Predicate, Stop> {
        Ok(match condition {
            Condition::Constant(value) => Predicate::Constant(*value),
            Condition::Literal(atom, sense) => self.atom(*atom, *sense)?,
            Condition::All(parts) => Predicate::all(self.all_written_out(parts)?),
            Condition::Any(parts) => Predicate::any(self.all_written_out(parts)?),
        })
    }

    fn all_written_out(&mut self, parts: &[Condition]) -> Result<Vec<Predicate>, Stop> {
        parts.iter().map(|part| self.written_out(part)).collect()
    }

    pub(super) fn atom(&mut self, atom: AtomId, sense: Sense) -> Result<Predicate, Stop> {
        let loaded = self.loaded;
        match &self.atoms[atom.0 as usize] {
            Atom::AtMostZero(expression) => {
                let (terms, predicate) = (expression.terms().len(), Predicate::linear(expression.clone()));
                self.charge(1 + terms / TERMS_OF_A_SUM)?;
                in_sense(predicate, sense)
            }
            Atom::Enabled(id) => {
                let transitions = loaded.ids.transitions(id).expect("ids of atoms are known");
                self.some_enabled(transitions.iter().copied(), sense)
            }
            Atom::Dead => self.some_enabled(loaded.net.transition_ids(), sense.flipped()),
        }
    }

    fn some_enabled(
        &mut self,
        transitions: impl Iterator<Item = NetTransitionId>,
        sense: Sense,
    ) -> Result<Predicate, Stop> {
        let mut parts = Vec::new();
        for t in transitions {
            self.charge(1 + self.loaded.net.pre(t).len())?;
            parts.push(in_sense(Predicate::fireable(&self.loaded.net, t), sense)?);
        }
        Ok(match sense {
            Sense::Asserted => Predicate::any(parts),
            Sense::Denied => Predicate::all(parts),
        })
    }
}

fn in_sense(predicate: Predicate, sense: Sense) -> Result<Predicate, Stop> {
    match sense {
        Sense::Asserted => Ok(predicate),
        Sense::Denied => predicate.negated().ok_or_else(Stop::overflow),
    }
}
