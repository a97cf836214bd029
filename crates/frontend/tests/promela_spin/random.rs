//! Random programs: both sides say the same.

use testkit::promela::{Program, random, random_about_runs, random_with_claim, random_with_trace, shrink};
use testkit::spin::{Goal, INSTALL, Refusal, Search, Spin};

use crate::ours::{Broken, Ours, breaks, claim_ends, look};

/// How large the programs are.
const SIZE: usize = 10;

/// The largest state space that is compared.
const LIMIT: u64 = 50_000;

/// What came of one program.
enum Compared {
    /// Both say the same.
    Same,
    /// SPIN does not accept it, does not finish, or the state space is too large: why.
    Skipped(String),
    /// What differs.
    Different(String),
}

fn spin(program: &Program) -> Result<Search, String> {
    match Spin::default().build_text(&program.to_string()) {
        Ok(pan) => pan.search(&[]),
        Err(Refusal::Model(why) | Refusal::Tools(why)) => Err(why),
    }
}

fn compare(program: &Program) -> Compared {
    compare_read_as(program, &program.to_string())
}

/// The same where a text is read here in the place of the program.
fn compare_read_as(program: &Program, text: &str) -> Compared {
    let spin = match spin(program) {
        Ok(search) if search.states > LIMIT => return Compared::Skipped(format!("{} states", search.states)),
        // Some errors end the search, so that the others and the number of states are not known.
        Ok(search)
            if search.finished || search.trace || search.other.as_deref().is_some_and(|e| e.starts_with("block")) =>
        {
            search
        }
        Ok(search) if has_two_else(&search) => return compare_two_else(text),
        Ok(search) => return Compared::Skipped(format!("SPIN does not finish: {:?}", search.other)),
        Err(why) => return Compared::Skipped(format!("SPIN refuses it: {why}")),
    };
    let ours = match look(text, LIMIT as usize * 20) {
        Ok(ours) => ours,
        Err(why) => return Compared::Different(format!("not read here: {why}")),
    };
    match differences(&ours, &spin) {
        found if found.is_empty() => Compared::Same,
        found => Compared::Different(found),
    }
}

/// Whether SPIN's verifier refuses a program for the `else` that a control state has from several choices.
fn has_two_else(search: &Search) -> bool {
    search.other.as_deref().is_some_and(|e| e.contains("'else' stmnts"))
}

/// That such a program is refused here, too.
fn compare_two_else(text: &str) -> Compared {
    match look(text, LIMIT as usize) {
        Err(why) if why.contains("two `else`") => Compared::Same,
        other => Compared::Different(format!("two `else` for one state: {other:?}")),
    }
}

/// Compares whether the claim of a program can come to its end.
fn compare_claims(program: &Program) -> Compared {
    let text = program.to_string();
    // SPIN counts a claim as one of the processes.
    if program.claim.is_none() || text.contains("_nr_pr") {
        return Compared::Skipped("no claim, or a number of processes".to_owned());
    }
    let spin = match (Spin { goal: Goal::Ends, ..Spin::default() }).build_text(&text) {
        Ok(pan) => pan.search(&[]),
        Err(Refusal::Model(why) | Refusal::Tools(why)) => Err(why),
    };
    let ends = match spin {
        Ok(search) if search.other.as_deref().is_some_and(|e| e.contains("claim")) => true,
        Ok(search) if search.finished && search.other.is_none() && search.states <= LIMIT => false,
        Ok(search) => return Compared::Skipped(format!("SPIN does not finish: {:?}", search.other)),
        Err(why) => return Compared::Skipped(format!("SPIN refuses it: {why}")),
    };
    match claim_ends(&text, LIMIT as usize * 40) {
        Ok(ours) if ours == ends => Compared::Same,
        Ok(ours) => Compared::Different(format!("the claim ends: {ours}, SPIN {ends}")),
        // Answered *unknown*: see docs/promela.md.
        Err(why) if why.contains("must not be a fault anywhere") => Compared::Skipped(why),
        Err(why) => Compared::Different(format!("not read here: {why}")),
    }
}

/// Compares a program with a `trace` or `notrace`.
fn compare_traces(program: &Program) -> Compared {
    match program.claim {
        Some(_) => compare(program),
        None => Compared::Skipped("no channel to watch".to_owned()),
    }
}

/// The largest state space of which runs are compared: the oracle is slow.
const LIMIT_OF_RUNS: u64 = 3000;

/// Compares whether some run, and some fair run, is not as it should be.
fn compare_runs(program: &Program) -> Compared {
    let text = program.to_string();
    let (goal, property) = match () {
        () if program.claim.is_some() => (Goal::Acceptance, "f"),
        () if text.contains("accept0:") => (Goal::Acceptance, "acceptance-free"),
        () if text.contains("progress0:") => (Goal::NonProgress, "progress"),
        () => return Compared::Skipped("nothing is asked".to_owned()),
    };
    let pan = match (Spin { goal, ..Spin::default() }).build_text(&text) {
        Ok(pan) => pan,
        Err(Refusal::Model(why) | Refusal::Tools(why)) => return Compared::Skipped(format!("SPIN refuses it: {why}")),
    };
    let mut found = Vec::new();
    // What a formula asks of all states SPIN asserts.
    let ignoring: &[&str] = if program.claim.is_some() { &["-E"] } else { &["-E", "-A"] };
    // Who is not provided for can go on, to SPIN's fairness.
    let fairly = !text.contains("provided");
    for fair in [false, true].into_iter().filter(|fair| fairly || !fair) {
        let switches = [ignoring, if fair { &["-f"] } else { &[] }].concat();
        let spin = match pan.search(&switches) {
            Ok(search) if search.states > LIMIT_OF_RUNS => {
                return Compared::Skipped(format!("{} states", search.states));
            }
            // With fairness SPIN takes some ends for accepting that are not (see docs/promela.md).
            Ok(search) if fair && search.other.as_deref().is_some_and(|e| e.contains("accept stutter")) => continue,
            Ok(search) if search.assertion || search.other.as_deref().is_some_and(is_about_runs) => true,
            Ok(search) if search.finished && search.other.is_none() => false,
            Ok(search) => return Compared::Skipped(format!("SPIN does not finish: {:?}", search.other)),
            Err(why) => return Compared::Skipped(why),
        };
        match breaks(&text, property, fair, LIMIT_OF_RUNS as usize * 4) {
            Ok(ours) if ours.expected(fair, goal).contains(&spin) => {}
            Ok(ours) => found.push(format!("{property}, fair {fair}: {ours:?}, SPIN {spin}")),
            Err(why) => return Compared::Skipped(format!("not decided here: {why}")),
        }
    }
    if found.is_empty() { Compared::Same } else { Compared::Different(found.join("; ")) }
}

fn is_about_runs(error: &str) -> bool {
    ["acceptance cycle", "accept stutter", "non-progress cycle", "claim violated"]
        .iter()
        .any(|what| error.contains(what))
}

fn differences(ours: &Ours, spin: &Search) -> String {
    let mut found = Vec::new();
    if (spin.finished || spin.other.is_some()) && ours.other.is_some() != spin.other.is_some() {
        found.push(format!("other errors: {:?}, SPIN {:?}", ours.other, spin.other));
    }
    // Behind a broken trace SPIN goes on as if the event had not been.
    let whole = spin.finished && !spin.trace;
    for (what, comparable, ours, spin) in [
        ("trace violated", spin.finished || spin.trace, ours.trace, spin.trace),
        ("invalid end state", whole, ours.invalid_end, spin.invalid_end),
        ("assertion violated", spin.finished, ours.assertion, spin.assertion),
    ] {
        if comparable && ours != spin {
            found.push(format!("{what}: {ours}, SPIN {spin}"));
        }
    }
    if whole && ours.states != spin.states {
        found.push(format!("states: {}, SPIN {}", ours.states, spin.states));
    }
    found.join("; ")
}

/// What is compared.
#[derive(Clone, Copy)]
struct Kind {
    random: fn(u64, usize) -> Program,
    compare: fn(&Program) -> Compared,
    /// How many of a hundred programs must be accepted by SPIN.
    least: u64,
}

const PROGRAMS: Kind = Kind { random, compare, least: 80 };

/// SPIN refuses to say what is enabled where there is a rendezvous, and counts a claim as a process.
const CLAIMS: Kind = Kind { random: random_with_claim, compare: compare_claims, least: 35 };

/// Not every program has channels.
const TRACES: Kind = Kind { random: random_with_trace, compare: compare_traces, least: 35 };

/// As for claims; `atomic` sequences that do not end are not searched whole.
const RUNS: Kind = Kind { random: random_about_runs, compare: compare_runs, least: 30 };

/// A number of the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Compares the programs of some seeds and shrinks what differs.
fn campaign(seeds: std::ops::Range<u64>, most: usize, kind: Kind) {
    let Kind { random, compare, .. } = kind;
    if !Spin::is_here() {
        return eprintln!("skipped: {INSTALL}");
    }
    let (total, mut same, mut found) = (seeds.end - seeds.start, 0, Vec::new());
    for seed in seeds {
        let program = random(seed, SIZE);
        match compare(&program) {
            Compared::Same => same += 1,
            Compared::Skipped(why) => println!("seed {seed} skipped: {why}"),
            Compared::Different(why) => {
                println!("seed {seed} differs: {why}");
                let small = shrink(&program, |p| matches!(compare(p), Compared::Different(_)));
                let Compared::Different(why) = compare(&small) else { unreachable!("shrunk programs differ still") };
                println!("seed {seed}, shrunk: {why}\n{small}");
                found.push(seed);
            }
        }
        if found.len() >= most {
            break;
        }
    }
    println!("{same} of {total} programs agree");
    assert!(found.is_empty(), "seeds {found:?} differ");
    assert!(same * 100 >= total * kind.least, "only {same} of {total} programs could be compared");
}

#[test]
fn random_programs_mean_what_they_mean_to_spin() {
    campaign(0..40, 1, PROGRAMS);
}

#[test]
fn random_claims_mean_what_they_mean_to_spin() {
    campaign(0..30, 1, CLAIMS);
}

#[test]
fn random_traces_mean_what_they_mean_to_spin() {
    campaign(0..60, 1, TRACES);
}

/// What somebody reads in the place of an assertion.
type Mistake = fn(&str) -> String;

/// Readers who get an assertion about events wrong are found out by a few programs.
#[test]
fn mistakes_about_traces_are_noticed() {
    if !Spin::is_here() {
        return eprintln!("skipped: {INSTALL}");
    }
    let mistakes: [(&str, Mistake); 4] = [
        ("all events are welcome", |_| String::new()),
        ("what must not be said must be said", |t| match t.strip_prefix("notrace") {
            Some(rest) => format!("trace{rest}"),
            None => format!("no{t}"),
        }),
        ("receives are sends", |t| t.replace('?', "!")),
        ("values do not matter", |t| {
            let any = |word: &str| match word.find(['!', '?']) {
                Some(sign) => format!("{}_{}", &word[..=sign], &",_".repeat(word.matches(',').count())),
                None => word.to_owned(),
            };
            t.replace(';', " ;").split(' ').map(any).collect::<Vec<_>>().join(" ")
        }),
    ];
    for (mistake, mistaken) in mistakes {
        let notices = |seed: &u64| {
            let program = random_with_trace(*seed, SIZE);
            let claim = program.claim.as_deref().map(mistaken);
            let text = Program { claim, ..program.clone() }.to_string();
            program.claim.is_some() && matches!(compare_read_as(&program, &text), Compared::Different(_))
        };
        assert!((0..200).any(|seed| notices(&seed)), "{mistake}: not noticed");
    }
}

#[test]
fn runs_of_random_programs_mean_what_they_mean_to_spin() {
    campaign(0..30, 1, RUNS);
}

#[test]
#[ignore = "a campaign: IMPASSE_SEEDS programs from IMPASSE_FIRST_SEED on"]
fn many_random_programs_mean_what_they_mean_to_spin() {
    let first = number("IMPASSE_FIRST_SEED", 1000);
    campaign(first..first + number("IMPASSE_SEEDS", 2000), 10, PROGRAMS);
}

#[test]
#[ignore = "a campaign: IMPASSE_SEEDS programs from IMPASSE_FIRST_SEED on, with claims"]
fn many_random_claims_mean_what_they_mean_to_spin() {
    let first = number("IMPASSE_FIRST_SEED", 1000);
    campaign(first..first + number("IMPASSE_SEEDS", 2000), 10, CLAIMS);
}

#[test]
#[ignore = "a campaign: IMPASSE_SEEDS programs from IMPASSE_FIRST_SEED on, with traces"]
fn many_random_traces_mean_what_they_mean_to_spin() {
    let first = number("IMPASSE_FIRST_SEED", 1000);
    campaign(first..first + number("IMPASSE_SEEDS", 2000), 10, TRACES);
}

#[test]
#[ignore = "a campaign: IMPASSE_SEEDS programs from IMPASSE_FIRST_SEED on, with questions about runs"]
fn runs_of_many_random_programs_mean_what_they_mean_to_spin() {
    let first = number("IMPASSE_FIRST_SEED", 1000);
    campaign(first..first + number("IMPASSE_SEEDS", 2000), 10, RUNS);
}

#[test]
#[ignore = "looks at the file IMPASSE_FILE"]
fn one_file_means_what_it_means_to_spin() {
    let Some(file) = std::env::var_os("IMPASSE_FILE") else { return };
    let text = std::fs::read_to_string(file).expect("it can be read");
    let ours = look(&text, 1_000_000);
    let spin = Spin::default().build_text(&text).map(|pan| pan.search(&[]));
    println!("{ours:?}\n{spin:?}");
    let (Ok(ours), Ok(Ok(spin))) = (ours, spin) else { panic!("not read, or not searched") };
    assert_eq!(differences(&ours, &spin), "");
}

#[test]
fn a_difference_between_runs_is_noticed() {
    let only_ends = Broken { by_any: true, by_endless: false };
    assert_eq!(only_ends.expected(false, Goal::Acceptance), [true]);
    assert_eq!(only_ends.expected(false, Goal::NonProgress), [false]);
    assert_eq!(Broken { by_endless: true, ..only_ends }.expected(true, Goal::Acceptance), [true, true]);
    let flips = |formula: &str| format!("bit x; active proctype P() {{ do :: x = 1 - x od }} ltl f {{ {formula} }}");
    let ours = |formula: &str| breaks(&flips(formula), "f", true, 100).map(|broken| broken.by_endless);
    assert_eq!((ours("<> [] (x == 0)"), ours("[] <> (x == 1)")), (Ok(true), Ok(false)));
}

#[test]
fn a_difference_is_noticed() {
    let ours = Ours { states: 7, invalid_end: true, assertion: false, trace: false, other: None };
    let spin = Search { states: 7, invalid_end: true, finished: true, ..Search::default() };
    assert_eq!(differences(&ours, &spin), "");
    assert!(differences(&ours, &Search { states: 8, ..spin.clone() }).contains("states"));
    assert!(differences(&ours, &Search { invalid_end: false, ..spin.clone() }).contains("invalid end"));
    assert!(differences(&ours, &Search { assertion: true, ..spin.clone() }).contains("assertion"));
    assert!(differences(&ours, &Search { trace: true, ..spin.clone() }).contains("trace"));
    assert!(differences(&ours, &Search { other: Some("block in d_step seq".to_owned()), ..spin }).contains("other"));
}
