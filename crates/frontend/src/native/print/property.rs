//! Properties: predicates, formulas, observers.

use model::{
    Claim, Expr, Fairness, LocationId, Ltl, Observer, Property, Proposition, Strength, Temporal, TransitionId,
};

use super::Printer;
use super::expr::{level, within};
use super::names::Pool;

impl Printer<'_> {
    pub(super) fn properties(&mut self, properties: &[(String, Property)]) {
        let mut pool = Pool::new();
        let mut given = Vec::new();
        for (name, property) in properties {
            let question = match property {
                Property::DeadlockFree | Property::PartialDeadlockFree => property.keyword().to_owned(),
                Property::Invariant(e) => format!("invariant {}", self.condition(e, level::ANY)),
                Property::Reachable(e) => format!("reachable {}", self.condition(e, level::ANY)),
                Property::Safety(observer) => format!("safety {{\n{}\n}}", self.observer(observer).join("\n")),
                Property::Temporal(Temporal { claim: Claim::Always(formula), fairness, .. }) => {
                    format!("ltl {}{}", self.formula(formula, level::ANY), self.fairness(fairness))
                }
                // The language has no words for these.
                Property::DivergenceFree(_) | Property::Temporal(_) => continue,
            };
            let name = if is_name(name) && !given.contains(name) { name.clone() } else { pool.take(name) };
            given.push(name.clone());
            self.line(format_args!("property {name}: {question}"));
        }
    }

    fn formula(&self, formula: &Ltl, outer: u8) -> String {
        let prefix = |word: &str, a: &Ltl| format!("{word} {}", self.formula(a, level::COMPARISON));
        let two = |a: &Ltl, op: &str, b: &Ltl, inner: u8| {
            format!("{} {op} {}", self.formula(a, inner), self.formula(b, inner))
        };
        let printed = match formula {
            Ltl::Atom(Proposition::State(e)) => return self.condition(e, outer),
            Ltl::Atom(Proposition::Enabled(steps)) => self.occurrence("enabled", steps),
            Ltl::Atom(Proposition::Taken(steps)) => self.occurrence("taken", steps),
            Ltl::Not(a) => (format!("!{}", self.formula(a, level::PREFIX)), level::PREFIX),
            Ltl::And(a, b) => (two(a, "&&", b, level::TEMPORAL), level::AND),
            Ltl::Or(a, b) => (two(a, "||", b, level::AND), level::OR),
            Ltl::Next(a) => (prefix("next", a), level::TEMPORAL),
            Ltl::Always(a) => (prefix("always", a), level::TEMPORAL),
            Ltl::Eventually(a) => (prefix("eventually", a), level::TEMPORAL),
            Ltl::Until(a, b) => (two(a, "until", b, level::COMPARISON), level::TEMPORAL),
            Ltl::Release(a, b) => (two(a, "release", b, level::COMPARISON), level::TEMPORAL),
        };
        within(outer, printed)
    }

    /// That one of some steps can be taken, or was.
    fn occurrence(&self, word: &str, steps: &[TransitionId]) -> (String, u8) {
        let each: Vec<String> = steps.iter().map(|t| format!("{word}({})", self.watched(*t))).collect();
        match &each[..] {
            [] => ("false".to_owned(), level::ATOM),
            [one] => (one.clone(), level::ATOM),
            _ => (each.join(" || "), level::OR),
        }
    }

    /// What is asked of fair runs only, with a space before it. Whoever takes no steps is treated fairly.
    fn fairness(&self, fairness: &[Fairness]) -> String {
        let mut parts = Vec::new();
        for fair in fairness.iter().filter(|f| !f.to.is_empty()) {
            let strength = if fair.strength == Strength::Weak { "weak" } else { "strong" };
            let to: Vec<String> = fair.to.iter().map(|t| self.watched(*t)).collect();
            parts.push(format!("{strength} fairness of ({})", to.join(", ")));
        }
        if parts.is_empty() { String::new() } else { format!(" under {}", parts.join(", ")) }
    }

    fn observer(&self, observer: &Observer) -> Vec<String> {
        let mut pool = Pool::new();
        let states: Vec<String> = observer.locations.iter().map(|l| pool.take(&l.name)).collect();
        let state = |l: LocationId| &states[l.index()];
        let mut out = Vec::new();
        for (name, location) in states.iter().zip(&observer.locations) {
            out.push(format!("{} {name}", if location.error { "error" } else { "states" }));
        }
        if observer.initial.index() != 0 {
            out.push(format!("init {}", state(observer.initial)));
        }
        for edge in &observer.edges {
            let mut line = format!("{} -> {}", state(edge.from), state(edge.to));
            match &edge.on {
                // Following nothing, it is never taken.
                Some(on) if on.is_empty() => continue,
                Some(on) => {
                    line += &format!(" on {}", on.iter().map(|t| self.watched(*t)).collect::<Vec<_>>().join(", "))
                }
                None => {}
            }
            if edge.when != Expr::TRUE {
                line += &format!(" when {}", self.condition(&edge.when, level::ANY));
            }
            out.push(line);
        }
        out
    }

    /// What `on` calls a transition.
    fn watched(&self, t: TransitionId) -> String {
        let name = self.names.step(t);
        match &self.system.transition(t).moves[..] {
            [] => format!("{}.{name}", self.names.helper),
            [one] => format!("{}.{name}", self.names.process(one.process)),
            _ => name.to_owned(),
        }
    }
}

/// Whether a property may be called so: words with hyphens between.
fn is_name(name: &str) -> bool {
    let word = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    name.split('-').all(word)
}
