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

/// Some transitions by the name that means just these: of a process, of its steps with a label; or one by one.
fn names(system: &System, some: &[TransitionId]) -> String {
    whose(system, some).unwrap_or_else(|| one_by_one(system, some))
}

/// The process all of whose steps these are, or all that have the same label. Only some process of the first can be it.
fn whose(system: &System, some: &[TransitionId]) -> Option<String> {
    let is_all = |wanted: &dyn Fn(TransitionId) -> bool| {
        some.len() > 1
            && some.iter().all(|t| wanted(*t))
            && system.transition_ids().filter(|t| wanted(*t)).count() == some.len()
    };
    system.transition(*some.first()?).moves.iter().find_map(|m| {
        let name = &system.process(m.process).name;
        let part = |t: TransitionId| system.transition(t).part(m.process);
        if is_all(&|t| part(t).is_some()) {
            return Some(name.clone());
        }
        is_all(&|t| part(t).is_some_and(|own| own.label == m.label)).then(|| format!("{name}.{}", m.label))
    })
}

fn one_by_one(system: &System, some: &[TransitionId]) -> String {
    let mut names: Vec<&str> = some.iter().take(NAMED).map(|t| &*system.transition(*t).name).collect();
    if some.len() > NAMED {
        names.push("...");
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Builder, Edge};

    #[test]
    fn the_steps_of_a_process_have_its_name() {
        let mut b = Builder::new("m");
        let go = b.action("go");
        for name in ["P", "Q"] {
            let p = b.process(name);
            let here = b.location(p, "here");
            b.edge(Edge::new(p, here, here).label("work"));
            b.edge(Edge::new(p, here, here).label("work"));
            b.edge(Edge::new(p, here, here).sync(go));
        }
        let system = b.build().expect("a model");
        let having = |test: &dyn Fn(&model::Transition) -> bool| {
            let some: Vec<TransitionId> = system.transition_ids().filter(|t| test(system.transition(*t))).collect();
            show_proposition(&system, &Proposition::Taken(some.into()))
        };
        let (p, q) = (model::ProcessId(0), model::ProcessId(1));
        assert_eq!(having(&|t| t.part(p).is_some()), "taken(P)");
        assert_eq!(having(&|t| t.part(q).is_some()), "taken(Q)");
        assert_eq!(having(&|t| t.part(q).is_some() && t.moves.len() == 1), "taken(Q.work)");
        assert_eq!(having(&|t| t.moves.len() == 2), "taken(go)");
        let mixed = having(&|t| t.moves.len() == 1);
        assert!(mixed.contains("P.work") && mixed.contains("Q.work"), "{mixed}");
    }
}
