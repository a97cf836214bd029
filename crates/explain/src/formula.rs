//! Formulas as their author would write them.

use model::{Ltl, Proposition, System, TransitionId};

/// A formula in the model's own names.
pub(crate) fn show(system: &System, formula: &Ltl) -> String {
    let inner = |a: &Ltl| match a {
        Ltl::And(..) | Ltl::Or(..) | Ltl::Until(..) | Ltl::Release(..) => format!("({})", show(system, a)),
        Ltl::Atom(Proposition::State(e)) if !matches!(e, model::Expr::Read(_)) => format!("({})", show(system, a)),
        _ => show(system, a),
    };
    match formula {
        Ltl::Atom(p) => show_proposition(system, p),
        Ltl::Not(a) => format!("!{}", inner(a)),
        Ltl::And(a, b) => format!("{} && {}", inner(a), inner(b)),
        Ltl::Or(a, b) => match &**a {
            Ltl::Not(a) => format!("{} => {}", inner(a), inner(b)),
            a => format!("{} || {}", inner(a), inner(b)),
        },
        Ltl::Next(a) => format!("next {}", inner(a)),
        Ltl::Always(a) => format!("always {}", inner(a)),
        Ltl::Eventually(a) => format!("eventually {}", inner(a)),
        Ltl::Until(a, b) => format!("{} until {}", inner(a), inner(b)),
        Ltl::Release(a, b) => format!("{} release {}", inner(a), inner(b)),
    }
}

/// An atom in the model's own names.
pub(crate) fn show_proposition(system: &System, proposition: &Proposition) -> String {
    match proposition {
        Proposition::State(e) => system.show_expr(e),
        Proposition::Enabled(some) if is_everything(system, some) => "enabled(anything)".to_owned(),
        Proposition::Enabled(some) => format!("enabled({})", names(system, some)),
        Proposition::Taken(some) => format!("taken({})", names(system, some)),
    }
}

/// Whether these are all transitions but those that wait until nothing else is possible.
fn is_everything(system: &System, some: &[TransitionId]) -> bool {
    some.len() > 1 && some.len() == system.transitions().iter().filter(|t| !t.last_resort).count()
}

/// The most transitions that are named one by one.
const NAMED: usize = 4;

fn names(system: &System, some: &[TransitionId]) -> String {
    let mut names: Vec<&str> = some.iter().take(NAMED).map(|t| &*system.transition(*t).name).collect();
    if some.len() > NAMED {
        names.push("...");
    }
    names.join(", ")
}
