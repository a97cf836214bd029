//! Formulas about steps, and fairness: what they mean, what is wrong with them, and how they are printed.

use frontend::native::{claim, load, print, unsayable};
use model::{Claim, Fairness, Ltl, Property, Proposition, Strength, System, Temporal};

const MODEL: &str = "action go  lock m
    process P[i in 0..1] { states a, b  a -> b : take do acquire m  b -> a : put do release m  a -> a sync go }
    process Q { states s  s -> s : turn  s -> s sync go }\n";

fn system() -> System {
    load("m", MODEL, &[]).expect("a model").system
}

fn read(asked: &str) -> Temporal {
    claim(MODEL, &[], asked).unwrap_or_else(|d| panic!("{asked}: {d:#?}"))
}

/// The names of the steps that the formula of one atom is about.
fn steps(asked: &str) -> Vec<String> {
    let (system, temporal) = (system(), read(asked));
    let Claim::Always(Ltl::Atom(Proposition::Enabled(steps) | Proposition::Taken(steps))) = &temporal.claim else {
        panic!("no atom about steps: {temporal:?}")
    };
    steps.iter().map(|t| system.transition(*t).name.clone()).collect()
}

fn fairness(asked: &str) -> Vec<(String, Strength, Vec<String>)> {
    let system = system();
    let named = |f: &Fairness| f.to.iter().map(|t| system.transition(*t).name.clone()).collect();
    read(asked).fairness.iter().map(|f| (f.name.clone(), f.strength, named(f))).collect()
}

#[test]
fn steps_are_asked_for_by_name() {
    assert_eq!(steps("enabled(P[1].take)"), ["P[1].take"]);
    assert_eq!(steps("taken(go)"), ["go"]);
    assert_eq!(steps("taken(Q)"), ["go", "Q.turn"]);
    assert!(matches!(read("taken(go)").claim, Claim::Always(Ltl::Atom(Proposition::Taken(_)))));
}

#[test]
fn operators_that_are_short_for_others() {
    let formula = |asked: &str| match read(asked).claim {
        Claim::Always(formula) => formula,
        Claim::Never(_) => panic!("no automaton"),
    };
    assert_eq!(formula("[] (enabled(go) -> <> taken(go))"), formula("always (enabled(go) => eventually taken(go))"));
    let Ltl::Release(come, before) = formula("free(m) weak until Q at s") else { panic!("a release") };
    assert_eq!(*come, formula("Q at s"));
    assert_eq!(*before, Ltl::Or(Box::new(formula("free(m)")), come));
}

#[test]
fn fairness_is_to_all_or_to_some() {
    use Strength::{Strong, Weak};
    let name = |(n, s, to): (&str, Strength, &[&str])| (n.to_owned(), s, to.iter().map(|t| t.to_string()).collect());
    assert_eq!(fairness("<> free(m)"), []);
    let all: Vec<_> =
        fairness("<> free(m) under weak fairness").into_iter().map(|(n, s, to)| (n, s, to.len())).collect();
    assert_eq!(all, [("P[0]".to_owned(), Weak, 3), ("P[1]".to_owned(), Weak, 3), ("Q".to_owned(), Weak, 2)]);
    let some = fairness("<> free(m) under strong fairness of P[0].take, (P[1].take, go), weak fairness of Q");
    let expected = [
        ("P[0].take", Strong, &["P[0].take"][..]),
        ("P[1].take, go", Strong, &["go", "P[1].take"][..]),
        ("Q", Weak, &["go", "Q.turn"][..]),
    ];
    assert_eq!(some, expected.map(name));
}

#[test]
fn mistakes_are_explained() {
    let message = |asked: &str| {
        let wrong = claim(MODEL, &[], asked).expect_err("a mistake");
        format!("{} / {}", wrong[0].message, wrong[0].help.as_deref().unwrap_or_default())
    };
    assert!(message("<> taken(P[0].tke)").contains("no step named `tke` / did you mean `take`?"));
    assert!(message("<> taken(R)").contains("there is no process or action `R`"));
    assert!(message("<> free(m) under fairness").contains("expected `weak fairness` or `strong fairness`"));
    assert!(message("<> free(m) under weak fairnes of Q").contains("expected `fairness`"));
    assert!(message("<> free(m) under weak fairness of m").contains("`m` is not a process but a"));
    assert!(message("<> (taken(go) + 1 > 0)").contains("no value to calculate with"));
    assert!(load("m", &format!("{MODEL} property p: invariant taken(go)"), &[]).is_err());
}

/// What is printed means the same.
#[test]
fn claims_read_back() {
    let properties = "property one: ltl always eventually taken(P[0].take) under weak fairness
        property two: ltl always (enabled(Q) -> eventually taken(Q)) under strong fairness of (P[0], Q.turn), P[1].put";
    let loaded = load("m", &format!("{MODEL}{properties}"), &[]).unwrap_or_else(|d| panic!("{d:#?}"));
    let asked: Vec<(String, Property)> =
        loaded.properties.iter().map(|p| (p.name.clone(), p.property.clone())).collect();
    assert_eq!(unsayable(&loaded.system, &asked), None);
    let text = print(&loaded.system, &asked);
    let again = load("m", &text, &[]).unwrap_or_else(|d| panic!("{text}\n{d:#?}"));
    for ((_, before), after) in asked.iter().zip(&again.properties) {
        let (Property::Temporal(a), Property::Temporal(b)) = (before, &after.property) else { panic!("claims") };
        let fair = |t: &Temporal| t.fairness.iter().map(|f| (f.strength, f.to.clone())).collect::<Vec<_>>();
        assert_eq!(fair(a), fair(b), "{text}");
    }
    assert_eq!(print(&again.system, &asked), text);
}
