//! Predicates over markings, put into negation normal form while they are read.

use model::nets::{Linear, Predicate};
use model::views::NetTransitionId;

use super::expression::shown;
use super::formula::FormulaReader;
use super::stop::Stop;
use crate::xml::Tag;

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

    /// The comparison of an expression with zero; `next` is the expression and one.
    fn with_zero(&self, expression: Linear, next: Linear) -> Option<Predicate> {
        let at_most = |l: Linear| Predicate::linear(l);
        Some(match self {
            Self::AtMost => at_most(expression),
            Self::Less => at_most(next),
            Self::AtLeast => at_most(next.complement()?),
            Self::More => at_most(expression.complement()?),
            Self::Equal => Predicate::all([at_most(next.complement()?), at_most(expression)]),
            Self::Different => Predicate::any([at_most(expression.complement()?), at_most(next)]),
        })
    }
}

impl<'a> FormulaReader<'_, 'a> {
    /// A predicate, or its negation.
    pub(super) fn predicate(&mut self, tag: &Tag<'a>, sense: Sense) -> Result<Predicate, Stop> {
        self.check_depth()?;
        self.charge(1)?;
        if let Some(comparison) = Comparison::find(tag.name, sense) {
            return self.comparison(&comparison);
        }
        match tag.name {
            "true" => self.truth(sense == Sense::Asserted),
            "false" => self.truth(sense == Sense::Denied),
            "negation" => self.only_child(|reader, tag| reader.predicate(tag, sense.flipped())),
            "conjunction" => self.list(sense, sense),
            "disjunction" => self.list(sense.flipped(), sense),
            "implication" => self.implication(sense),
            "equivalence" => self.equivalence(sense),
            "exclusive-disjunction" | "exclusive-or" => self.equivalence(sense.flipped()),
            "is-fireable" => self.fireable(sense),
            "deadlock" => self.deadlock(sense),
            other => Err(Stop::refused(format!("`{other}` is not read inside a predicate"))),
        }
    }

    fn truth(&mut self, value: bool) -> Result<Predicate, Stop> {
        self.xml.skip()?;
        Ok(Predicate::Constant(value))
    }

    /// Operands in one sense; all of them if `all` is asserted, one of them otherwise.
    fn list(&mut self, all: Sense, sense: Sense) -> Result<Predicate, Stop> {
        let mut parts = Vec::new();
        while let Some(tag) = self.xml.child()? {
            parts.push(self.predicate(&tag, sense)?);
        }
        Ok(junction(all, parts))
    }

    fn implication(&mut self, sense: Sense) -> Result<Predicate, Stop> {
        let mut senses = [sense.flipped(), sense].into_iter();
        let (premise, conclusion) =
            self.two(|reader, tag| reader.predicate(tag, senses.next().expect("two operands")))?;
        Ok(junction(sense.flipped(), vec![premise, conclusion]))
    }

    /// Both or neither; exactly one if denied. Each side is needed with its negation, so the parts double.
    fn equivalence(&mut self, sense: Sense) -> Result<Predicate, Stop> {
        let (left, right) = self.two(|reader, tag| reader.predicate(tag, Sense::Asserted))?;
        self.charge(size(&left) + size(&right))?;
        let not_left = left.negated().ok_or_else(Stop::overflow)?;
        let not_right = right.negated().ok_or_else(Stop::overflow)?;
        let (with_left, without_left) = match sense {
            Sense::Asserted => (right, not_right),
            Sense::Denied => (not_right, right),
        };
        Ok(Predicate::any([Predicate::all([left, with_left]), Predicate::all([not_left, without_left])]))
    }

    fn comparison(&mut self, comparison: &Comparison) -> Result<Predicate, Stop> {
        let (left, right) = self.two(Self::expression)?;
        let expression = left.minus(right)?;
        let one_more = expression.constant().checked_add(1).ok_or_else(Stop::overflow)?;
        let next = Linear::new(expression.terms().to_vec(), one_more).ok_or_else(Stop::overflow)?;
        comparison.with_zero(expression, next).ok_or_else(Stop::overflow)
    }

    /// One of the listed transitions is enabled.
    fn fireable(&mut self, sense: Sense) -> Result<Predicate, Stop> {
        let mut parts = Vec::new();
        while let Some(tag) = self.xml.child()? {
            if tag.name != "transition" {
                return Err(Stop::refused(format!("expected a transition, found `{}`", tag.name)));
            }
            let id = self.xml.text()?;
            let unknown = || Stop::refused(format!("the net has no transition with the id `{}`", shown(&id.text)));
            let loaded = self.loaded;
            for &t in loaded.ids.transitions(id.text.trim()).ok_or_else(unknown)? {
                parts.push(self.enabled(t, sense)?);
            }
        }
        Ok(junction(sense.flipped(), parts))
    }

    /// No transition is enabled.
    fn deadlock(&mut self, sense: Sense) -> Result<Predicate, Stop> {
        self.xml.skip()?;
        let transitions = self.loaded.net.transition_ids();
        let parts = transitions.map(|t| self.enabled(t, sense.flipped())).collect::<Result<Vec<_>, _>>()?;
        Ok(junction(sense, parts))
    }

    fn enabled(&mut self, t: NetTransitionId, sense: Sense) -> Result<Predicate, Stop> {
        self.charge(1 + self.loaded.net.pre(t).len())?;
        let enabled = Predicate::fireable(&self.loaded.net, t);
        match sense {
            Sense::Asserted => Ok(enabled),
            Sense::Denied => enabled.negated().ok_or_else(Stop::overflow),
        }
    }
}

fn junction(all: Sense, parts: Vec<Predicate>) -> Predicate {
    match all {
        Sense::Asserted => Predicate::all(parts),
        Sense::Denied => Predicate::any(parts),
    }
}

fn size(predicate: &Predicate) -> usize {
    match predicate {
        Predicate::Constant(_) => 1,
        Predicate::AtMostZero(expression) => 1 + expression.terms().len(),
        Predicate::All(parts) | Predicate::Any(parts) => 1 + parts.iter().map(size).sum::<usize>(),
    }
}
