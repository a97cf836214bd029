//! What a system can have that the language has no words for.

use model::{Binary, Claim, Command, Expr, Hold, Property, Proposition, System, Temporal, Transition, Unary};

/// Something of a system or a property that cannot be said, in words.
pub(in super::super) fn unsayable(system: &System, properties: &[(String, Property)]) -> Option<String> {
    let steps = system.transitions().iter().find_map(|t| of_transition(system, t));
    let locations = system.processes().iter().flat_map(|p| &p.locations);
    let holds = locations.into_iter().any(|l| l.hold != Hold::No).then(|| "steps that nobody interrupts".to_owned());
    steps.or(holds).or_else(|| properties.iter().find_map(|(_, p)| of_property(system, p)))
}

fn of_transition(system: &System, t: &Transition) -> Option<String> {
    if t.last_resort {
        return Some(format!("`{}`, which happens only when nothing else can", t.name));
    }
    let guard = t.guard.iter().find_map(|e| of_expr(system, e));
    guard.or_else(|| t.command.iter().find_map(|c| Some(format!("{} in `{}`", of_command(system, c)?, t.name))))
}

fn of_command(system: &System, command: &Command) -> Option<String> {
    let own = matches!(command, Command::Insert(..) | Command::Retrieve(..) | Command::Unforeseen(_)).then_some("");
    let why = own.or_else(|| command.expressions().into_iter().find_map(foreign))?;
    Some(format!("{why}`{}`", system.show_command(command)))
}

fn of_expr(system: &System, e: &Expr) -> Option<String> {
    Some(format!("{}`{}`", foreign(e)?, system.show_expr(e)))
}

/// How to begin to tell what is foreign in an expression. Wrap-around is not to be seen in it, and must be named.
fn foreign(e: &Expr) -> Option<&'static str> {
    use Binary::{BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight};
    let mut found = None;
    e.walk(&mut |e| match e {
        Expr::Unary(Unary::Wrap(_), _) => found = found.or(Some("numbers that wrap around, as in ")),
        Expr::Offers(..)
        | Expr::Unary(Unary::BitNot, _)
        | Expr::Binary(BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight, ..) => found = Some(""),
        _ => {}
    });
    found
}

fn of_property(system: &System, property: &Property) -> Option<String> {
    match property {
        Property::Invariant(e) | Property::Reachable(e) => of_expr(system, e),
        Property::Safety(observer) => observer.edges.iter().find_map(|edge| of_expr(system, &edge.when)),
        Property::Temporal(temporal) => of_temporal(system, temporal),
        Property::DeadlockFree | Property::PartialDeadlockFree | Property::DivergenceFree(_) => None,
    }
}

fn of_temporal(system: &System, temporal: &Temporal) -> Option<String> {
    if !matches!(temporal.claim, Claim::Always(_)) {
        return Some("a claim by an automaton".to_owned());
    }
    if !temporal.finite {
        return Some("a claim about endless runs only".to_owned());
    }
    temporal.propositions().into_iter().find_map(|p| match p {
        Proposition::State(e) => of_expr(system, e),
        Proposition::Enabled(_) | Proposition::Taken(_) => None,
    })
}
