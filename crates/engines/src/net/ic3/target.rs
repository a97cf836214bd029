//! The goal, as clauses for the solver and as cubes that are part of it.

use std::collections::HashMap;

use model::nets::{Goal, Predicate};
use model::views::{Net, PlaceId};
use solve::sat::Literal;

use super::constraint::{Constraint, Cube, Sums};

/// The goal in negation normal form.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Constant(bool),
    Constraint(Constraint),
    All(Vec<Target>),
    Any(Vec<Target>),
}

/// Takes the clauses of a goal. Names are asked for in the order in which the checker gives them.
pub(super) trait Writer {
    type Literal: Copy;
    fn constraint(&mut self, constraint: Constraint) -> Self::Literal;
    fn name(&mut self) -> Self::Literal;
    /// The first literal, if there is one, is to be negated.
    fn clause(&mut self, unless: Option<Self::Literal>, literals: &[Self::Literal]);
}

/// Any marking that enables nothing, or that satisfies the predicate.
pub(super) fn predicate(net: &Net, goal: &Goal) -> Option<Predicate> {
    let lacks = |&(p, weight): &(PlaceId, u32)| Predicate::at_most(p, weight - 1);
    match goal {
        Goal::Dead => Some(Predicate::all(net.transition_ids().map(|t| Predicate::any(net.pre(t).iter().map(lacks))))),
        Goal::Satisfies(predicate) => Some(predicate.clone()),
        Goal::Maximum(_) => None,
    }
}

impl Target {
    /// `None` if a number is out of range.
    pub(super) fn new(sums: &mut Sums<'_>, predicate: &Predicate) -> Option<Self> {
        Some(match predicate {
            Predicate::Constant(value) => Self::Constant(*value),
            Predicate::AtMostZero(expression) => Self::Constraint(sums.at_most_zero(expression)?),
            Predicate::All(parts) => Self::All(parts.iter().map(|part| Self::new(sums, part)).collect::<Option<_>>()?),
            Predicate::Any(parts) => Self::Any(parts.iter().map(|part| Self::new(sums, part)).collect::<Option<_>>()?),
        })
    }

    /// Writes clauses that hold, with some values of names, exactly where the goal does.
    pub(super) fn require<W: Writer>(&self, writer: &mut W) {
        match self {
            Self::Constant(true) => {}
            Self::Constant(false) => writer.clause(None, &[]),
            Self::Constraint(constraint) => {
                let literal = writer.constraint(*constraint);
                writer.clause(None, &[literal]);
            }
            Self::All(parts) => parts.iter().for_each(|part| part.require(writer)),
            Self::Any(parts) => {
                if let Some(clause) = disjunction(parts, writer) {
                    writer.clause(None, &clause);
                }
            }
        }
    }

    /// A literal that implies this part; `None` for constants.
    fn name<W: Writer>(&self, writer: &mut W) -> Option<W::Literal> {
        match self {
            Self::Constant(_) => None,
            Self::Constraint(constraint) => Some(writer.constraint(*constraint)),
            Self::All(parts) => {
                let name = writer.name();
                for part in parts {
                    match (part, part.name(writer)) {
                        (Self::Constant(false), _) => writer.clause(Some(name), &[]),
                        (_, Some(part)) => writer.clause(Some(name), &[part]),
                        _ => {}
                    }
                }
                Some(name)
            }
            Self::Any(parts) => {
                let name = writer.name();
                if let Some(clause) = disjunction(parts, writer) {
                    writer.clause(Some(name), &clause);
                }
                Some(name)
            }
        }
    }

    /// How often each constraint occurs.
    pub(super) fn occurrences(&self, counts: &mut HashMap<Constraint, usize>) {
        match self {
            Self::Constant(_) => {}
            Self::Constraint(constraint) => *counts.entry(*constraint).or_default() += 1,
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.occurrences(counts)),
        }
    }

    /// A part of the goal that contains the markings of a solution. Of several ways to satisfy the goal, one that needs
    /// no more constraints is taken, or else one whose constraints occur most often.
    pub(super) fn cube(&self, counts: &HashMap<Constraint, usize>, holds: &mut dyn FnMut(Constraint) -> bool) -> Cube {
        let mut chosen = Vec::new();
        self.choose(counts, holds, &mut chosen);
        Cube::new(chosen)
    }

    fn choose(
        &self,
        counts: &HashMap<Constraint, usize>,
        holds: &mut dyn FnMut(Constraint) -> bool,
        chosen: &mut Vec<Constraint>,
    ) {
        match self {
            Self::Constant(_) => {}
            Self::Constraint(constraint) => {
                if !chosen.contains(constraint) {
                    chosen.push(*constraint);
                }
            }
            Self::All(parts) => parts.iter().for_each(|part| part.choose(counts, holds, chosen)),
            Self::Any(parts) => {
                let cost = |part: &&Target| match part {
                    Self::Constraint(c) if chosen.contains(c) => (0, 0),
                    Self::Constraint(c) => (1, usize::MAX - counts.get(c).copied().unwrap_or_default()),
                    Self::Constant(_) => (0, 0),
                    _ => (2, 0),
                };
                let best = parts.iter().filter(|part| part.is_satisfied(holds)).min_by_key(cost);
                if let Some(best) = best {
                    best.choose(counts, holds, chosen);
                }
            }
        }
    }

    fn is_satisfied(&self, holds: &mut dyn FnMut(Constraint) -> bool) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Constraint(constraint) => holds(*constraint),
            Self::All(parts) => parts.iter().all(|part| part.is_satisfied(holds)),
            Self::Any(parts) => parts.iter().any(|part| part.is_satisfied(holds)),
        }
    }
}

/// A clause of names, one for each part; `None` if a part is true.
fn disjunction<W: Writer>(parts: &[Target], writer: &mut W) -> Option<Vec<W::Literal>> {
    let names: Vec<Option<W::Literal>> = parts.iter().map(|part| part.name(writer)).collect();
    if parts.iter().any(|part| matches!(part, Target::Constant(true))) {
        return None;
    }
    Some(names.into_iter().flatten().collect())
}

/// Clauses that hold if a literal does.
pub(super) struct Guarded<'a, 'n> {
    pub(super) frames: &'a mut super::frames::Frames,
    pub(super) sums: &'a Sums<'n>,
    pub(super) guard: Literal,
}

impl Writer for Guarded<'_, '_> {
    type Literal = Literal;

    fn constraint(&mut self, constraint: Constraint) -> Literal {
        self.frames.literal(self.sums, constraint)
    }

    fn name(&mut self) -> Literal {
        self.frames.cnf().fresh()
    }

    fn clause(&mut self, unless: Option<Literal>, literals: &[Literal]) {
        let clause: Vec<Literal> =
            unless.map(|l| !l).into_iter().chain([!self.guard]).chain(literals.iter().copied()).collect();
        self.frames.cnf().clause(&clause);
    }
}
