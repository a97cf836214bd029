//! What would help against a deadlock, if a check of the changed model says so: locks in another order, more room in
//! channels, or some where there is none.
//!
//! Nothing is said that was not checked: the model is changed, and the changed model has no deadlock at all, and no error. Where some
//! of its processes can still get stuck while others go on, that is said, too.

mod channels;
mod locks;

use std::time::Duration;

use check::{CheckedTrace, replay};
use evidence::{Budget, Silent, Trace};
use model::{Builder, Edge, NamedProperty, Object, Property, System, Transition};

use crate::answer::{Inquiry, Listing, check};
use crate::choice::Choice;

/// The most time that is spent.
const TIME: Duration = Duration::from_secs(20);

/// What would remove the deadlock that a run leads to.
pub(crate) fn hint(inquiry: &Inquiry<'_>, run: &Trace, budget: &Budget) -> Option<String> {
    let system = inquiry.system;
    let found = replay(system, &Property::DeadlockFree, run).ok()?;
    // Whatever is said about another model must be about this one: made anew without a change, it does the same.
    let same = remade(system, system.objects().to_vec(), system.transitions().to_vec(), Vec::new())?;
    if replay(&same, &Property::DeadlockFree, run).ok()?.finding() != found.finding() {
        return None;
    }
    let workshop = Workshop { inquiry, found: &found, budget: budget.for_at_most(TIME) };
    locks::order(&workshop).or_else(|| channels::room(&workshop))
}

/// A deadlock, and what is needed to try a repair.
struct Workshop<'a, 'i> {
    inquiry: &'a Inquiry<'i>,
    found: &'a CheckedTrace<'a>,
    budget: Budget,
}

impl Workshop<'_, '_> {
    fn system(&self) -> &System {
        self.inquiry.system
    }

    /// Whether a changed model has no deadlock; nothing if that was not decided.
    fn is_deadlock_free(&self, system: &System) -> Option<bool> {
        self.holds(system, Property::DeadlockFree)
    }

    /// Whether nobody gets stuck for good in a changed model, though others go on; nothing if that was not decided.
    fn is_nobody_stuck(&self, system: &System) -> Option<bool> {
        self.holds(system, Property::PartialDeadlockFree)
    }

    fn holds(&self, system: &System, property: Property) -> Option<bool> {
        let property = NamedProperty { name: String::new(), property, expect: None, span: None };
        let (properties, list) = (std::slice::from_ref(&property), Listing::default());
        // What is known of the model need not be true of another one.
        let (net, network, known_error) = (None, None, None);
        let changed = Inquiry { system, properties, list, net, network, files: None, known_error, ..*self.inquiry };
        let report = check(&changed, &Choice::Auto, &self.budget, &Silent).ok()?;
        match report.results.first()?.verdict {
            "holds" => Some(true),
            "violated" => Some(false),
            _ => None,
        }
    }
}

/// A system with other objects and transitions, if they make sense; transitions keep their numbers if there are no edges besides.
fn remade(system: &System, objects: Vec<Object>, transitions: Vec<Transition>, edges: Vec<Edge>) -> Option<System> {
    let mut builder = Builder::new(system.name());
    for process in system.processes() {
        let id = builder.process(&process.name);
        *builder.process_mut(id) = process.clone();
    }
    for object in objects {
        builder.object_with(object.name, object.kind, object.initial, object.span);
    }
    transitions.into_iter().for_each(|t| builder.transition(t));
    edges.into_iter().for_each(|e| builder.edge(e));
    system.stop_conditions().iter().for_each(|e| builder.stop_only_if(e.clone()));
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use explain::SourceText;

    use super::*;

    fn hint_of(text: &str) -> Option<String> {
        let loaded = frontend::native::load("m.imp", text, &[]).expect("a model");
        let (system, source) = (&loaded.system, SourceText::new("m.imp", text));
        let (properties, list) = (&loaded.properties[..], Listing { hints: true, ..Listing::default() });
        let inquiry = Inquiry { list, ..Inquiry::new(system, properties, &source) };
        let report = check(&inquiry, &Choice::Auto, &Budget::unlimited(), &Silent).expect("an answer");
        assert_eq!(report.results[0].verdict, "violated");
        report.results[0].hints.first().cloned()
    }

    /// Two who both send before they receive, so many messages each.
    fn peers(there: u32, back: u32) -> String {
        let send = |channel: &str, count: u32| vec![format!("{channel}!1"); count as usize];
        let receive = |channel: &str, count: u32| vec![format!("{channel}?1"); count as usize];
        let process = |name: &str, steps: Vec<String>| {
            let states: Vec<String> = (0..=steps.len()).map(|i| format!("s{i}")).collect();
            let edges = steps.iter().enumerate().map(|(i, step)| format!("  s{i} -> s{} do {step}\n", i + 1));
            let last = steps.len();
            format!("process {name} {{ states {}\n  end s{last}\n{}}}\n", states.join(", "), edges.collect::<String>())
        };
        let a = process("A", [send("x", there), receive("y", back)].concat());
        let b = process("B", [send("y", back), receive("x", there)].concat());
        format!("channel x, y : 1 of (0..1)\n{a}{b}property deadlock-free\n")
    }

    #[test]
    fn the_smallest_capacities_are_found() {
        let with = |text: &str| hint_of(text).unwrap_or_default();
        assert_eq!(with(&peers(2, 2)), "with capacity 2 for `x` there is no deadlock (checked)");
        assert_eq!(with(&peers(3, 2)), "with capacity 2 for `y` there is no deadlock (checked)");
    }

    /// The same two, and some of the channels hold nothing: who sends there waits for who receives.
    #[test]
    fn a_rendezvous_gets_room() {
        let with = |text: String| hint_of(&text).unwrap_or_default();
        let rendezvous = |text: String| text.replace("channel x, y : 1 of", "channel x, y : rendezvous of");
        let mixed =
            |text: String| text.replace("channel x, y : 1 of", "channel x : rendezvous of (0..1)\nchannel y : 1 of");
        assert_eq!(with(rendezvous(peers(1, 1))), "with capacity 1 for `x` there is no deadlock (checked)");
        assert_eq!(with(rendezvous(peers(3, 2))), "with capacity 2 for `y` there is no deadlock (checked)");
        assert_eq!(with(mixed(peers(2, 3))), "with capacity 2 for `x` there is no deadlock (checked)");
        assert_eq!(with(mixed(peers(3, 2))), "with capacity 2 for `y` there is no deadlock (checked)");
    }

    /// Everybody tells the next one before listening; who is next is computed, so that all get room together.
    #[test]
    fn cells_of_an_array_get_room_together() {
        let text = "channel c[3] : rendezvous of (0..1)\nprocess P[i in 0..2] {\n  states a, b, d\n  end d\n  \
                    var to : 0..2 = (i + 1) % 3\n  a -> b do c[to]!1\n  b -> d do c[i]?1\n}\nproperty deadlock-free\n";
        let wanted = "with capacity 1 for each of the 3 channels `c` there is no deadlock (checked)";
        assert_eq!(hint_of(text).as_deref(), Some(wanted));
    }

    /// Nobody waits for room: what did not fit was thrown away.
    #[test]
    fn channels_that_were_full_on_the_way_get_room() {
        let text = "channel y : 1 of (0..1)\n\
            process A { states a, b, c\n  end c\n  a -> b do y!1\n  b -> c when !full(y) do y!1\n  b -> c when full(y) }\n\
            process B { states a, b, c\n  end c\n  a -> b do y?1\n  b -> c do y?1 }\n\
            property deadlock-free\n";
        assert_eq!(hint_of(text).as_deref(), Some("with capacity 2 for `y` there is no deadlock (checked)"));
    }

    /// One channel is full, and behind it there is another that is too small, which nobody came to.
    #[test]
    fn channels_that_nobody_came_to_get_room() {
        let text = "channel x, z : 1 of (0..1)\n\
            process A { states a, b, c, d, e\n  end e\n  a -> b do x!1\n  b -> c do x!1\n  c -> d do z!1\n  d -> e do z!1 }\n\
            process B { states a, b, c, d, e\n  end e\n  a -> b when len(z) == 2 do z?1\n  b -> c do z?1\n  \
            c -> d do x?1\n  d -> e do x?1 }\n\
            property deadlock-free\n";
        let wanted = "with capacity 2 for `x` and capacity 2 for `z` there is no deadlock (checked)";
        assert_eq!(hint_of(text).as_deref(), Some(wanted));
    }

    #[test]
    fn where_no_capacity_helps_nothing_is_said() {
        let lonely =
            "channel x : rendezvous of (0..1)\nprocess A { states a\n  a -> a do x!1 }\nproperty deadlock-free\n";
        assert_eq!(hint_of(lonely), None);
        let endless = "channel x : 1 of (0..1)\nprocess A { states a\n  a -> a do x!1 }\nproperty deadlock-free\n";
        assert_eq!(hint_of(endless), None);
        let locks = "lock l\nprocess A { states a, b, c\n  a -> b do acquire l\n  b -> c do acquire l }\n\
                     property deadlock-free\n";
        assert_eq!(hint_of(locks), None);
    }

    /// Takes two locks, one after the other, for ever.
    fn process(name: &str, one: &str, two: &str) -> String {
        format!(
            "process {name} {{ states a, b, c\n  a -> b do acquire {one}\n  b -> c do acquire {two}\n  \
             c -> a do release {one}, release {two} }}\n"
        )
    }

    #[test]
    fn an_order_of_locks_is_found() {
        let text = |last: (&str, &str)| {
            let rest = process("P", "x", "y") + &process("Q", "y", "z") + &process("R", last.0, last.1);
            format!("lock x, y, z\n{rest}property deadlock-free\n")
        };
        let told = hint_of(&text(("z", "x"))).expect("a hint");
        let wanted =
            "R takes `z` before `x`; if it takes `x` before `z` there is no deadlock (checked)  [m.imp:11, m.imp:12]";
        assert_eq!(told, wanted);
    }

    #[test]
    fn one_of_two_circles_is_not_taken_for_both() {
        let first = process("P", "k", "l") + &process("Q", "l", "k");
        let second = process("R", "m", "n") + &process("S", "n", "m");
        let told = hint_of(&format!("lock k, l, m, n\n{first}{second}property deadlock-free\n")).expect("a hint");
        let wanted = "P takes `k` before `l`; if it takes `l` before `k` there is no deadlock (checked), but some may still \
                      get stuck while others go on";
        assert!(told.starts_with(wanted), "{told}");
    }

    /// What is taken the other way round would be given back by somebody who does not have it.
    #[test]
    fn a_change_that_makes_no_sense_is_not_told() {
        let text = "lock x, y\nvar f, g : 0..1 = 1\n\
            process P { states a, b, c\n  a -> b do acquire x, g := 0\n  b -> c do acquire y\n  \
            b -> a when f == 1 do release x\n  c -> a do release x, release y }\n\
            process Q { states a, b, c\n  a -> b do acquire y, f := 0\n  b -> c do acquire x\n  \
            b -> a when g == 1 do release y\n  c -> a do release x, release y }\n\
            property deadlock-free\n";
        assert_eq!(hint_of(text), None);
    }
}
