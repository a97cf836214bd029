//! Random programs: both sides say the same.

use testkit::promela::{Program, random, shrink};
use testkit::spin::{INSTALL, Refusal, Search, Spin};

use crate::ours::{Ours, look};

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
    let spin = match spin(program) {
        Ok(search) if search.states > LIMIT => return Compared::Skipped(format!("{} states", search.states)),
        // Some errors end the search, so that the others and the number of states are not known.
        Ok(search) if search.finished || search.other.as_deref().is_some_and(|e| e.starts_with("block")) => search,
        Ok(search) => return Compared::Skipped(format!("SPIN does not finish: {:?}", search.other)),
        Err(why) => return Compared::Skipped(format!("SPIN refuses it: {why}")),
    };
    let ours = match look(&program.to_string(), LIMIT as usize * 20) {
        Ok(ours) => ours,
        Err(why) => return Compared::Different(format!("not read here: {why}")),
    };
    match differences(&ours, &spin) {
        found if found.is_empty() => Compared::Same,
        found => Compared::Different(found),
    }
}

fn differences(ours: &Ours, spin: &Search) -> String {
    let mut found = Vec::new();
    let other = spin.other.is_some();
    if ours.other.is_some() != other {
        found.push(format!("other errors: {:?}, SPIN {:?}", ours.other, spin.other));
    }
    if spin.finished {
        for (what, ours, spin) in [
            ("invalid end state", ours.invalid_end, spin.invalid_end),
            ("assertion violated", ours.assertion, spin.assertion),
        ] {
            if ours != spin {
                found.push(format!("{what}: {ours}, SPIN {spin}"));
            }
        }
        if ours.states != spin.states {
            found.push(format!("states: {}, SPIN {}", ours.states, spin.states));
        }
    }
    found.join("; ")
}

/// A number of the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Compares the programs of some seeds and shrinks what differs.
fn campaign(seeds: std::ops::Range<u64>, most: usize) {
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
    assert!(same * 10 >= total * 8, "only {same} of {total} programs could be compared");
}

#[test]
fn random_programs_mean_what_they_mean_to_spin() {
    campaign(0..40, 1);
}

#[test]
#[ignore = "a campaign: IMPASSE_SEEDS programs from IMPASSE_FIRST_SEED on"]
fn many_random_programs_mean_what_they_mean_to_spin() {
    let first = number("IMPASSE_FIRST_SEED", 1000);
    campaign(first..first + number("IMPASSE_SEEDS", 2000), 10);
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
fn a_difference_is_noticed() {
    let ours = Ours { states: 7, invalid_end: true, assertion: false, other: None };
    let spin = Search { states: 7, invalid_end: true, finished: true, ..Search::default() };
    assert_eq!(differences(&ours, &spin), "");
    assert!(differences(&ours, &Search { states: 8, ..spin.clone() }).contains("states"));
    assert!(differences(&ours, &Search { invalid_end: false, ..spin.clone() }).contains("invalid end"));
    assert!(differences(&ours, &Search { assertion: true, ..spin.clone() }).contains("assertion"));
    assert!(differences(&ours, &Search { other: Some("block in d_step seq".to_owned()), ..spin }).contains("other"));
}
