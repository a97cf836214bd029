//! Why clauses that do not come from the goal hold: refutations of their negations, in terms of the state equation.

use model::views::{NetTransitionId, PlaceId};
use solve::lp::{Refutation, Row, Side, Variable};
use solve::sat::Literal;

use super::equation::{Equation, Extra};

/// A clause with its reason.
#[derive(Clone, Debug)]
pub(super) struct Reasoned {
    pub(super) clause: Vec<Literal>,
    pub(super) reason: Reason,
}

/// Factors of the equations of places, and of inequalities, that add up to a contradiction.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub(super) equation: Vec<(PlaceId, i128)>,
    pub(super) inequalities: Vec<(Origin, i128)>,
}

/// Where an inequality comes from; literals are those of the clause.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    Negated(Literal),
    /// What the literal says about how often the transition fires.
    Firings(Literal, NetTransitionId),
    /// The trap with this sum is marked.
    Marked(Variable),
    /// No run fires the transition.
    Starved(NetTransitionId),
}

impl Reason {
    /// What is at most some number is at most a greater one.
    pub(super) fn order(less: Literal, more: Literal) -> Self {
        Self { equation: Vec::new(), inequalities: vec![(Origin::Negated(!less), 1), (Origin::Negated(more), 1)] }
    }

    /// The reason in a refutation of the state equation; `assumed` gives the literals behind bounds.
    pub(super) fn refuted(
        equation: &Equation<'_>,
        refutation: &Refutation,
        assumed: impl Fn(Variable, Side) -> Option<Literal>,
    ) -> Self {
        let mut inequalities = Vec::new();
        for &(variable, side, factor) in &refutation.bounds {
            let origin = match (assumed(variable, side), variable, side) {
                (Some(literal), Variable::Column(column), _) => Some(Origin::Firings(!literal, transition(column.0))),
                (Some(literal), Variable::Row(_), _) => Some(Origin::Negated(!literal)),
                (None, Variable::Column(column), Side::Upper) => Some(Origin::Starved(transition(column.0))),
                (None, Variable::Row(_), Side::Lower) if equation.trap(variable).is_some() => {
                    Some(Origin::Marked(variable))
                }
                _ => None,
            };
            inequalities.extend(origin.map(|origin| (origin, factor)));
        }
        let places = refutation.multipliers.iter().flat_map(|&(row, factor)| places(equation, row, factor));
        Self { equation: places.collect(), inequalities }
    }
}

fn transition(column: u32) -> NetTransitionId {
    NetTransitionId::new(column as usize)
}

/// The factors of places in a row's multiplier, negated.
fn places(equation: &Equation<'_>, row: Row, factor: i128) -> Vec<(PlaceId, i128)> {
    match equation.extra(row) {
        None => vec![(PlaceId::new(row.0 as usize), -factor)],
        Some(Extra::Tokens(terms)) => terms.iter().map(|&(p, weight)| (p, -factor * i128::from(weight))).collect(),
        Some(Extra::Firings) => Vec::new(),
    }
}
