//! What users get for a model in Promela, with every reduction that is on unless told otherwise, is what the naive oracle
//! says of its states: on random programs, with assertions about events and without. So is what each engine says that sees
//! them as networks or nets.

use std::time::Duration;

use driver::Choice;
use engines::Problem;
use evidence::{Budget, Silent, Verdict};
use frontend::promela::{Options, read};
use model::{Class, Property};
use testkit::compare::{Demand, Oracle};
use testkit::promela::{Program, random, random_with_trace};

/// How large the programs are, and the state spaces that are compared.
const SIZE: usize = 10;
const LIMIT: usize = 4000;

/// The engines that see a program as a network or a net, where that can be; `net` tells no figures, and has tests of its own.
const ON_VIEWS: [&str; 4] = ["local", "invariant", "symbolic", "unfold"];

/// Compares the answers of all questions about states that an engine has; how many there are, and how many are violated.
fn compare(engine: &str, programs: impl Iterator<Item = Program>) -> (usize, usize) {
    let choice: Choice = engine.parse().expect("there is such an engine");
    let (mut asked, mut violated) = (0, 0);
    for program in programs {
        let text = program.to_string();
        let nothing = |_: &str| Err("there are no files".to_owned());
        let Ok(loaded) = read("random", &text, &nothing, &Options::default()) else { continue };
        for named in loaded.properties.iter().filter(|p| p.property.class() != Class::Liveness) {
            let Some(oracle) = Oracle::new(&loaded.system, &named.property, LIMIT) else { continue };
            let problem = Problem { system: &loaded.system, property: &named.property };
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(if engine == "auto" { 600 } else { 5 }));
            let outcome = choice.engine().run(&problem, &budget, &Silent);
            if engine != "auto" && matches!(outcome.verdict, Verdict::Unknown(_)) {
                continue;
            }
            let agreed = oracle.check(&outcome, Demand::default());
            agreed.unwrap_or_else(|e| panic!("{} by {engine}: {e}\n{text}", named.name));
            asked += 1;
            violated += usize::from(!oracle.answer().holds(&named.property));
        }
    }
    (asked, violated)
}

#[test]
fn answers_about_random_programs_are_those_of_the_oracle() {
    let (asked, violated) = compare("auto", (0..120).map(|seed| random(seed, SIZE)));
    assert!(asked > 60 && (20..asked - 10).contains(&violated), "{violated} of {asked}");
}

#[test]
fn answers_on_views_are_those_of_the_oracle() {
    for engine in ON_VIEWS {
        let (asked, violated) = compare(engine, (0..80).map(|seed| random(seed, SIZE)));
        assert!(asked > 10 && (3..asked).contains(&violated), "{engine}: {violated} of {asked}");
    }
}

#[test]
fn answers_about_random_traces_are_those_of_the_oracle() {
    let (asked, violated) = compare("auto", (0..120).map(|seed| random_with_trace(seed, SIZE)));
    assert!(asked > 80 && (20..asked - 10).contains(&violated), "{violated} of {asked}");
}

/// The variable of an assertion about events is read where processes stop, and nowhere else.
#[test]
fn an_assertion_about_events_may_be_unfinished() {
    let channel = "chan q = [2] of { byte };";
    for (text, deadlocks) in [
        (format!("{channel} trace {{ end: do :: q!1; q!2 od }} active proctype P() {{ q!1; endx: false }}"), true),
        (format!("{channel} trace {{ q!1; end: q!2 }} active proctype P() {{ q!1; end: false }}"), false),
        (format!("{channel} notrace {{ q!2; q!2 }} active proctype P() {{ q!1; end: false }}"), false),
    ] {
        let nothing = |_: &str| Err("there are no files".to_owned());
        let loaded = read("trace", &text, &nothing, &Options::default()).expect("it is in order");
        let (system, property) = (&loaded.system, &Property::DeadlockFree);
        let oracle = Oracle::new(system, property, LIMIT).expect("it is small");
        assert_eq!(oracle.answer().holds(property), !deadlocks, "{text}");
        let outcome = Choice::Auto.engine().run(&Problem { system, property }, &Budget::unlimited(), &Silent);
        oracle.check(&outcome, Demand::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    }
}
