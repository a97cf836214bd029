use check::Finding;
use model::{Expr, NamedProperty, Strength, Temporal, TransitionId};
use testkit::Rng;
use testkit::naive::temporal::refutation;
use testkit::naive::{Naive, explore, witness};
use testkit::random::{Profile, RunProfile, sample, temporal};

use super::*;

fn load(text: &str) -> (System, Vec<NamedProperty>) {
    let loaded = frontend::native::load("m.imp", text, &[]).expect("a model");
    (loaded.system, loaded.properties)
}

/// The run that takes transitions with these names.
fn run(system: &System, names: &[&str]) -> Trace {
    let find = |name: &&str| {
        let known = || system.transitions().iter().map(|t| &t.name).collect::<Vec<_>>();
        let number = system.transitions().iter().position(|t| t.name == **name);
        TransitionId(number.unwrap_or_else(|| panic!("no {name} among {:?}", known())) as u32)
    };
    Trace::finite(names.iter().map(find).collect())
}

fn names(run: &CheckedTrace<'_>) -> Vec<String> {
    run.trace().stem.iter().map(|t| run.system().transition(*t).name.clone()).collect()
}

const LOCKS: &str = "\
lock a, b
process P { states idle, one, two, done
  idle -> one : start
  one -> two : take do acquire a
  two -> done : more do acquire b }
process Q { states idle, one, two, done
  idle -> one : start
  one -> two : take do acquire b
  two -> done : more do acquire a }
process R { states here, there
  here -> there : go
  there -> here : back }
property deadlock-free";

/// `LOCKS` without `R`, which never stops.
fn locks() -> String {
    let (head, rest) = LOCKS.split_once("process R").expect("R");
    format!("{head}{}", &rest[rest.find("property").expect("a property")..])
}

#[test]
fn steps_of_a_process_stand_together() {
    let (system, properties) = load(&locks());
    let property = &properties[0].property;
    let mixed = run(&system, &["P.start", "Q.start", "P.take", "Q.take"]);
    let checked = replay(&system, property, &mixed).expect("a deadlock");
    let told = retold(&system, property, checked, &Budget::unlimited());
    assert_eq!(names(&told), ["P.start", "P.take", "Q.start", "Q.take"]);
}

#[test]
fn steps_that_depend_on_each_other_stay_in_order() {
    let (system, _) = load(
        "channel c : 1 of (0..3)
process P { states a, b, c
  a -> b : first do c!1
  b -> c : second do c!2 }
process Q { states a, b, c
  var x : 0..3
  a -> b : first do c?x
  b -> c : second do c?x }",
    );
    let steps = ["P.first", "Q.first", "P.second", "Q.second"];
    let property = Property::Reachable(Expr::TRUE);
    let checked = replay(&system, &property, &run(&system, &steps)).expect("a run");
    assert_eq!(names(&gathered(&system, &property, checked)), steps, "there is room for one message only");
}

#[test]
fn what_does_not_matter_is_left_out() {
    let (system, _) = load(LOCKS);
    let text = "P at two && Q at two";
    let (with, properties) = load(&LOCKS.replace("property deadlock-free", &format!("property p: reachable {text}")));
    assert_eq!(with.transitions().len(), system.transitions().len());
    let property = &properties[0].property;
    let astray =
        run(&with, &["R.go", "P.start", "R.back", "R.go", "Q.start", "P.take", "R.back", "R.go", "Q.take", "R.back"]);
    let checked = replay(&with, property, &astray).expect("it is reached");
    assert_eq!(
        names(&retold(&with, property, checked, &Budget::unlimited())),
        ["P.start", "P.take", "Q.start", "Q.take"]
    );
}

#[test]
fn rounds_of_a_process_are_left_out_though_others_remember_them() {
    let (system, properties) = load(
        "lock a, b
var rounds : 0..9
process P { states idle, one, two
  idle -> one : take do acquire a
  one -> two : more do acquire b
  two -> idle : give do release a, release b, rounds := (rounds + 1) % 10 }
process Q { states idle, one, two
  idle -> one : take do acquire b
  one -> two : more do acquire a
  two -> idle : give do release a, release b }
property deadlock-free",
    );
    let property = &properties[0].property;
    let round = ["P.take", "P.more", "P.give"];
    let astray = [&round[..], &round, &["P.take", "Q.take"]].concat();
    let checked = replay(&system, property, &run(&system, &astray)).expect("a deadlock");
    assert_eq!(names(&retold(&system, property, checked, &Budget::unlimited())), ["P.take", "Q.take"]);
}

#[test]
fn a_model_error_stays_the_last_step() {
    let (system, properties) = load(
        "var x : 0..2
process P { states a
  a -> a : up do x := x + 1 }
process R { states here, there
  here -> there : go
  there -> here : back }
property p: invariant true",
    );
    let property = &properties[0].property;
    let astray = run(&system, &["P.up", "R.go", "P.up", "R.back", "P.up"]);
    let checked = replay(&system, property, &astray).expect("an overflow");
    let finding = checked.finding();
    let told = retold(&system, property, checked, &Budget::unlimited());
    assert_eq!((names(&told), told.finding()), (vec!["P.up".to_owned(); 3], finding));
}

/// Whatever random systems do, a run that is told anew ends in the same state, with the same steps, and passes from
/// process to process no more often.
#[test]
fn random_runs_keep_their_end() {
    let mut better = 0;
    for seed in 0..400 {
        let system = sample(seed, &Profile::lawful()).system;
        let trace = walk(&system, &mut Rng::new(seed));
        let property = Property::Reachable(Expr::TRUE);
        let Ok(checked) = replay(&system, &property, &trace) else { continue };
        let (end, passes) = (checked.last().to_vec(), passes(&checked));
        let told = gathered(&system, &property, checked);
        let sorted = |t: &Trace| {
            let mut steps = t.stem.clone();
            steps.sort_unstable();
            steps
        };
        assert_eq!((told.last(), sorted(told.trace())), (&end[..], sorted(&trace)), "seed {seed}");
        assert!(self::passes(&told) <= passes, "seed {seed}");
        better += usize::from(self::passes(&told) < passes);
    }
    assert!(better > 20, "only {better} runs became better: the test shows nothing");
}

/// A random run of at most thirty steps.
fn walk(system: &System, rng: &mut Rng) -> Trace {
    let (mut state, mut steps): (Vec<u64>, _) = (system.initial_state(), Vec::new());
    for _ in 0..30 {
        let enabled = system.transition_ids().filter(|t| system.is_enabled(*t, &state) == Ok(true));
        let enabled: Vec<TransitionId> = enabled.collect();
        if enabled.is_empty() {
            break;
        }
        let (t, mut next) = (*rng.pick(&enabled), state.clone());
        if system.fire_in_place(t, &mut next).is_ok() {
            state = next;
            steps.push(t);
        }
    }
    Trace::finite(steps)
}

fn passes(run: &CheckedTrace<'_>) -> usize {
    let moves = |t: TransitionId| &run.system().transition(t).moves;
    let apart =
        |pair: &&[TransitionId]| !moves(pair[0]).iter().any(|m| moves(pair[1]).iter().any(|n| n.process == m.process));
    run.trace().stem.windows(2).filter(apart).count()
}

#[test]
fn lassos_lose_what_they_do_not_need() {
    let (system, properties) = load(
        "process P { states a, b, c
  a -> b : on
  b -> c : more
  c -> b : less }
process Q { states here, there
  here -> there : go
  there -> here : back }
property p: ltl always eventually P at a",
    );
    let property = &properties[0].property;
    let stem = run(&system, &["Q.go", "P.on", "Q.back", "P.more", "Q.go", "P.less"]).stem;
    let cycle = run(&system, &["Q.back", "P.more", "Q.go", "P.less", "P.more", "P.less"]).stem;
    let checked = replay(&system, property, &Trace { stem, cycle }).expect("it never comes back");
    let told = retold(&system, property, checked, &Budget::unlimited());
    assert_eq!((told.trace().stem.len(), told.trace().cycle.len()), (1, 2), "{:?}", told.trace());
    // Under weak fairness to everybody, both must go on in what repeats.
    let Property::Temporal(temporal) = property else { panic!("a formula") };
    let fair = Temporal { fairness: frontend::fairness::to_parties(&system, Strength::Weak), ..temporal.clone() };
    let property = Property::Temporal(fair);
    let checked = replay(&system, &property, told.trace());
    assert!(checked.is_err(), "Q could always go on and does not");
    let stem = run(&system, &["P.on", "Q.go"]).stem;
    let cycle = run(&system, &["P.more", "Q.back", "P.less", "Q.go", "P.more", "P.less"]).stem;
    let checked = replay(&system, &property, &Trace { stem, cycle }).expect("it is fair");
    let told = retold(&system, &property, checked, &Budget::unlimited());
    assert_eq!((told.trace().stem.len(), told.trace().cycle.len()), (1, 4), "{:?}", told.trace());
    let moves = |t: &TransitionId| system.transition(*t).name.chars().next();
    let who: String = told.trace().cycle.iter().filter_map(moves).collect();
    assert!(["PPQQ", "QQPP", "PQQP", "QPPQ"].contains(&&*who), "{who}: each goes on without being interrupted");
}

/// The run with its cycle on the way as well, and twice in what repeats.
fn astray(right: &Trace) -> Trace {
    let Trace { stem, cycle } = right;
    Trace { stem: [&stem[..], cycle].concat(), cycle: [&cycle[..], cycle].concat() }
}

/// Whatever is made of runs that break random claims, the oracle agrees that it breaks them as well, and it has no more
/// steps.
#[test]
fn random_lassos_break_what_they_broke() {
    let (mut rng, mut told_runs, mut undone, mut better) = (Rng::new(11), 0, 0, 0);
    let mut profiles = Profile::all();
    profiles.push(("control".to_owned(), Profile::control()));
    for (name, profile) in profiles {
        for seed in 300..312 {
            let system = sample(seed, &profile).system;
            let naive = Naive::new(&system);
            let Some(graph) = explore(&naive, 100) else { continue };
            for (kind, claims) in RunProfile::all() {
                let claim = temporal(&mut rng, &system, &claims);
                let Some(right) = refutation(&naive, &graph, &claim) else { continue };
                let property = Property::Temporal(claim);
                let place = format!("profile {name}, seed {seed}, {kind}: {right:?}, {property:?}");
                for found in [right.clone(), astray(&right)] {
                    let Ok(checked) = replay(&system, &property, &found) else { panic!("{place}") };
                    // What the claim has seen enough of needs no end.
                    if checked.finding() == Finding::Ended {
                        continue;
                    }
                    let told = retold(&system, &property, checked, &Budget::unlimited());
                    assert!(told.trace().steps() <= found.steps(), "{place}");
                    assert!(witness(&naive, &property, told.trace()).is_some(), "{place}: {:?}", told.trace());
                    told_runs += 1;
                    undone += usize::from(told.trace().steps() <= right.steps());
                    better += usize::from(told.trace().steps() < right.steps());
                }
            }
        }
    }
    assert!(
        told_runs > 500 && better > 20,
        "{told_runs} runs, of which {better} became shorter: the test shows little"
    );
    assert!(100 * undone >= 98 * told_runs, "of {told_runs} runs only {undone} lost what they did in vain");
}
