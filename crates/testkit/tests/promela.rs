//! What SPIN says of random programs: it accepts them, they are small, and both verdicts occur. Skipped where it is missing.

use testkit::promela::{Program, random};
use testkit::spin::{INSTALL, Refusal, Search, Spin};

/// How large the programs are.
const SIZE: usize = 10;

/// How many programs: a few, or as many as `IMPASSE_SEEDS` says.
fn seeds() -> u64 {
    std::env::var("IMPASSE_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(120)
}

fn search(program: &Program) -> Result<Search, Refusal> {
    let spin = Spin { time: std::time::Duration::from_secs(5), ..Spin::default() };
    spin.build_text(&program.to_string())?.search(&[]).map_err(Refusal::Tools)
}

#[test]
fn programs_are_accepted_and_small() {
    if !Spin::is_here() {
        return eprintln!("skipped: {INSTALL}");
    }
    let (mut accepted, mut small, mut stuck, mut refuted, mut other) = (0, 0, 0, 0, 0);
    let mut states = Vec::new();
    for seed in 0..seeds() {
        let program = random(seed, SIZE);
        let search = match search(&program) {
            Ok(search) => search,
            Err(Refusal::Model(why)) => {
                println!("refused {seed}: {why}");
                continue;
            }
            Err(Refusal::Tools(why)) => panic!("{why}"),
        };
        accepted += 1;
        small += u64::from(search.finished && search.states < 50_000);
        stuck += u64::from(search.invalid_end);
        refuted += u64::from(search.assertion);
        if let Some(error) = &search.other {
            println!("seed {seed}: {error}");
        }
        if !search.finished {
            println!("unfinished {seed}: {search:?}");
        }
        other += u64::from(search.other.is_some());
        states.push(search.states);
    }
    states.sort_unstable();
    println!("{accepted} accepted, {small} small, {stuck} stuck, {refuted} refuted, {other} with other errors");
    println!("states: median {}, most {}", states[states.len() / 2], states[states.len() - 1]);
    assert!(accepted * 10 >= seeds() * 9, "SPIN accepts {accepted} only");
    assert!(small * 10 >= accepted * 9, "{small} are small");
    assert!(stuck > 0 && stuck < accepted && refuted > 0 && refuted < accepted);
}

#[test]
fn a_seed_gives_the_same_program() {
    assert_eq!(random(7, 8).to_string(), random(7, 8).to_string());
    assert_ne!(random(7, 8).to_string(), random(8, 8).to_string());
    let length = |size| (0..50).map(|seed| random(seed, size).to_string().len()).sum::<usize>();
    assert!(length(2) < length(12));
}
