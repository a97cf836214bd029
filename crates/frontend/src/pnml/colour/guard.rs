//! Conditions of transitions, and which of their variables each conjunct needs.

use super::element::Element;
use super::term::{Component, TermReader};
use crate::Diagnostic;

/// A set of variables of a transition.
pub(super) type Mask = u128;

/// A condition on the values of variables.
#[derive(Debug)]
pub(super) enum Guard {
    Compare(Relation, Component, Component),
    All(Vec<Guard>),
    Any(Vec<Guard>),
    Not(Box<Guard>),
}

/// How two colours compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Less,
    LessOrEqual,
}

/// A condition that must hold, with the variables that decide it.
#[derive(Debug)]
pub(super) struct Conjunct {
    pub(super) guard: Guard,
    pub(super) mask: Mask,
    /// How many comparisons a test takes.
    pub(super) cost: u64,
}

impl Guard {
    pub(super) fn holds(&self, values: &[u32]) -> bool {
        match self {
            Self::Compare(relation, left, right) => {
                let value = |c: &Component| c.value(values).expect("guards compare single colours");
                relation.holds(value(left), value(right))
            }
            Self::All(parts) => parts.iter().all(|part| part.holds(values)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(values)),
            Self::Not(part) => !part.holds(values),
        }
    }

    /// The variables that occur.
    fn mask(&self) -> Mask {
        match self {
            Self::Compare(_, left, right) => component_mask(left) | component_mask(right),
            Self::All(parts) | Self::Any(parts) => parts.iter().fold(0, |mask, part| mask | part.mask()),
            Self::Not(part) => part.mask(),
        }
    }

    fn cost(&self) -> u64 {
        match self {
            Self::Compare(..) => 1,
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::cost).sum(),
            Self::Not(part) => part.cost(),
        }
    }

    /// The conditions that must all hold.
    pub(super) fn conjuncts(self, out: &mut Vec<Conjunct>) {
        match self {
            Self::All(parts) => parts.into_iter().for_each(|part| part.conjuncts(out)),
            guard => out.push(Conjunct { mask: guard.mask(), cost: guard.cost(), guard }),
        }
    }
}

impl Relation {
    fn holds(self, left: u32, right: u32) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
        }
    }
}

/// The variable of a component, as a set.
pub(super) fn component_mask(component: &Component) -> Mask {
    match component {
        Component::Variable { number, .. } => 1 << number,
        Component::Constant(_) | Component::Each(_) => 0,
    }
}

impl<'a> TermReader<'_, '_, 'a> {
    /// A condition.
    pub(super) fn guard(&mut self, element: &Element<'a>) -> Result<Guard, Diagnostic> {
        match element.tag.name {
            "and" => Ok(Guard::All(self.guards(&element.children)?)),
            "or" => Ok(Guard::Any(self.guards(&element.children)?)),
            "not" => Ok(Guard::Not(Box::new(self.guard(element.only()?)?))),
            "imply" => {
                let (premise, conclusion) = element.pair()?;
                Ok(Guard::Any(vec![Guard::Not(Box::new(self.guard(premise)?)), self.guard(conclusion)?]))
            }
            "booleanconstant" => match &*element.required("value")?.text {
                "true" => Ok(Guard::All(Vec::new())),
                "false" => Ok(Guard::Any(Vec::new())),
                _ => Err(element.error("a constant is neither `true` nor `false`")),
            },
            "equality" => self.equality(element),
            "inequality" => Ok(Guard::Not(Box::new(self.equality(element)?))),
            "lessthan" => self.order(element, Relation::Less, false),
            "lessthanorequal" => self.order(element, Relation::LessOrEqual, false),
            "greaterthan" => self.order(element, Relation::Less, true),
            "greaterthanorequal" => self.order(element, Relation::LessOrEqual, true),
            other => Err(element.error(format!("conditions with `{other}` are not supported"))),
        }
    }

    fn guards(&mut self, elements: &[Element<'a>]) -> Result<Vec<Guard>, Diagnostic> {
        elements.iter().map(|element| self.guard(element)).collect()
    }

    fn equality(&mut self, element: &Element<'a>) -> Result<Guard, Diagnostic> {
        let (left, right) = self.sides(element)?;
        let compare = |(left, right)| Guard::Compare(Relation::Equal, left, right);
        let mut parts: Vec<Guard> = left.into_iter().zip(right).map(compare).collect();
        Ok(if parts.len() == 1 { parts.remove(0) } else { Guard::All(parts) })
    }

    fn order(&mut self, element: &Element<'a>, relation: Relation, turned: bool) -> Result<Guard, Diagnostic> {
        let (mut left, mut right) = self.sides(element)?;
        if left.len() != 1 {
            return Err(element.error("tuples have no order"));
        }
        if turned {
            std::mem::swap(&mut left, &mut right);
        }
        Ok(Guard::Compare(relation, left.remove(0), right.remove(0)))
    }

    /// Two tokens of one sort.
    fn sides(&mut self, element: &Element<'a>) -> Result<(Vec<Component>, Vec<Component>), Diagnostic> {
        let (left, right) = element.pair()?;
        let first = self.multiset(left)?;
        let second = self.multiset_of(&first.sort, right)?;
        let single = |mut summands: Vec<super::term::Summand>, at: &Element<'_>| {
            let plain = |s: &super::term::Summand| {
                s.coefficient == 1 && !s.token.iter().any(|c| matches!(c, Component::Each(_)))
            };
            match summands.pop().filter(|s| summands.is_empty() && plain(s)) {
                Some(summand) => Ok(summand.token),
                None => Err(at.error("a condition compares sums of tokens")),
            }
        };
        Ok((single(first.summands, left)?, single(second, right)?))
    }
}
