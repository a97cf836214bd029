//! Small systems, by hand.

use evidence::{Budget, Silent, Verdict};
use model::{Fairness, Property, Strength, System, Temporal, TransitionId};

use super::{CycleProviso, Emptiness, Liveness};
use crate::{Engine, Problem};

const TWO: &str = "
    var x : 0..3  var turn : 0..1
    process P { states idle, want, cs
      idle -> want
      want -> cs when turn == 0
      cs -> idle do turn := 1 }
    process Q { states idle, want, cs
      idle -> want
      want -> cs when turn == 1
      cs -> idle do turn := 0 }
    process R { states a, b  a -> b  b -> a }
";

fn ask(text: &str, formula: &str, fairness: Option<Strength>) -> Vec<(&'static str, u64)> {
    let loaded = frontend::native::load("t", text, &[]).expect("the model is right");
    let formula = frontend::native::formula(text, &[], formula).expect("the formula is right");
    let fairness = fairness.map(|s| per_process(&loaded.system, s)).unwrap_or_default();
    let property = Property::Temporal(Temporal { fairness, ..Temporal::formula(formula) });
    let engines = [
        Liveness { persistent: None, ..Liveness::default() },
        Liveness::default(),
        Liveness { proviso: CycleProviso::Valmari, ..Liveness::default() },
    ];
    let answer = |engine: &Liveness| {
        let problem = Problem { system: &loaded.system, property: &property };
        let outcome = engine.run(&problem, &Budget::unlimited(), &Silent);
        if let Verdict::Violated(_) = outcome.verdict {
            assert!(outcome.verdict.trace().is_some());
        }
        (outcome.verdict.word(), outcome.statistics.states.unwrap_or_default())
    };
    engines.iter().map(answer).collect()
}

fn per_process(system: &System, strength: Strength) -> Vec<Fairness> {
    let of = |p| -> Box<[TransitionId]> {
        system.transition_ids().filter(|t| system.transition(*t).part(p).is_some()).collect()
    };
    let one = |p| Fairness { name: system.process(p).name.clone(), strength, to: of(p) };
    system.process_ids().map(one).collect()
}

#[test]
fn who_is_waited_for_decides() {
    let words = |answers: &[(&'static str, u64)]| answers.iter().map(|a| a.0).collect::<Vec<_>>();
    let all = |word| vec![word; 3];
    assert_eq!(words(&ask(TWO, "always !(P at cs && Q at cs)", None)), all("holds"));
    assert_eq!(words(&ask(TWO, "always eventually P at cs", None)), all("violated"));
    assert_eq!(words(&ask(TWO, "always eventually P at cs", Some(Strength::Weak))), all("holds"));
    assert_eq!(words(&ask(TWO, "always (P at want => eventually P at cs)", Some(Strength::Strong))), all("holds"));
    assert_eq!(words(&ask(TWO, "eventually always P at idle", Some(Strength::Weak))), all("violated"));
    assert_eq!(words(&ask(TWO, "next P at idle", None)), all("violated"));
}

#[test]
fn steps_that_nobody_sees_are_put_off() {
    let answers = ask(TWO, "always !(P at cs && Q at cs)", None);
    assert!(answers[1].1 < answers[0].1 && answers[2].1 < answers[0].1, "{answers:?}");
}

/// The formula is false before what it speaks of is a model error, and the run goes on after that.
#[test]
fn runs_that_break_a_claim_do_not_go_on_past_an_error() {
    let text =
        "var x : 0..5  var a[2] : 0..3  process P { states s, t  s -> s when x < 5 do x := x + 1  s -> t when x == 5 }";
    let system = frontend::native::load("t", text, &[]).expect("the model is right").system;
    let formula = frontend::native::formula(text, &[], "next x < 1 && next a[x] == 0").expect("the formula is right");
    let property = Property::Temporal(Temporal::formula(formula));
    for emptiness in [Emptiness::Components, Emptiness::Nested] {
        let engine = Liveness { emptiness, ..Liveness::default() };
        let problem = Problem { system: &system, property: &property };
        let outcome = engine.run(&problem, &Budget::unlimited(), &Silent);
        let run = outcome.verdict.trace().expect("the formula is false");
        let shown = check::replay(&system, &property, run).expect("the run shows it");
        assert!(matches!(shown.finding(), check::Finding::Fault(_)), "{:?}", shown.finding());
    }
}
