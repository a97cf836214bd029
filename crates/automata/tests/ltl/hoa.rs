//! Automata as text: what is written is read again, what others write is read or refused, and nothing breaks the reader.

use automata::automaton::{Label, Marks, State};
use automata::hoa::{HoaError, Named, read, read_placed, write};
use automata::syntax::parse;
use automata::{Options, Pool, translate};
use testkit::Rng;

use crate::data;
use crate::random;
use crate::words::holds;

fn one(text: &str) -> Result<Named, HoaError> {
    let mut all = read(text);
    assert_eq!(all.len(), 1, "{text}");
    all.pop().expect("there is one")
}

#[test]
fn written_automata_are_read_again() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let formula = random::formula(&mut rng, 3, 6);
        let mut pool = Pool::new();
        let f = pool.add(&formula);
        let automaton = translate(&mut pool, f, &Options::default()).expect("it is small");
        let atoms = (0..automaton.atoms).map(|i| format!("p \"{i}\"\\")).collect();
        let named = Named { name: Some(formula.to_string()), atoms, automaton };
        assert_eq!(one(&write(&named)), Ok(named));
    }
}

const ALIASES: &str = r#"HOA: v1 /* a comment /* within */ */ States: 2 Start: 0 Start: 1
    AP: 2 "a" "b" Alias: @x 0 & !1 Alias: @y @x | 1
    Acceptance: 3 (Inf(0) & Inf(!1)) | Inf(2)
    --BODY-- State: 0 "first" {0} [@y] 1 {1} [!@x] 0
    State: [0] 1 0 {2} [1] 1 --END--"#;

#[test]
fn aliases_state_marks_and_conditions_are_understood() {
    let named = one(ALIASES).expect("it is well-formed");
    let automaton = &named.automaton;
    assert_eq!((automaton.size(), automaton.initial, automaton.sets), (3, State(2), 2), "one state was added");
    let first = &automaton.from(State(0))[0];
    assert!(first.label.holds(0b01) && first.label.holds(0b10) && !first.label.holds(0));
    // Clauses: 0 or 2, and outside of 1 or 2.
    assert_eq!(first.marks, Marks(0b01));
    assert_eq!(automaton.from(State(0))[1].marks, Marks(0b11));
    let second = automaton.from(State(1));
    assert_eq!(second.iter().map(|e| e.marks).collect::<Vec<_>>(), [Marks(0b11), Marks(0b10)]);
    assert!(second[1].label.holds(0b11) && !second[1].label.holds(0b10), "the state's label counts too");
    assert_eq!(automaton.from(State(2)).len(), 4);
}

#[test]
fn implicit_labels_count_valuations() {
    let text = "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 0 0 {0} --END--";
    let named = one(text).expect("it is well-formed");
    let labels: Vec<&Label> = named.automaton.from(State(0)).iter().map(|e| &e.label).collect();
    assert!(labels[0].holds(0) && !labels[0].holds(1) && labels[1].holds(1) && !labels[1].holds(0));
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let refused = |change: &[(&str, &str)]| {
        let text = change.iter().fold(ALIASES.to_owned(), |text, (from, to)| text.replace(from, to));
        one(&text).expect_err("it must be refused").to_string()
    };
    assert!(refused(&[("Inf(2)", "Fin(2)")]).contains("Fin"));
    assert!(refused(&[("Acceptance:", "acc-name: Rabin 1 Acceptance:"), ("Inf(2)", "Fin(2)")]).contains("Rabin 1"));
    assert!(refused(&[("Start: 1", "Start: 0&1")]).contains("alternating"));
    assert!(refused(&[("Inf(2)", "Inf(7)")]).contains("no acceptance set 7"));
    assert!(refused(&[("[1] 1", "[5] 1")]).contains("no atom 5"));
    assert!(refused(&[("[1] 1", "[@z] 1")]).contains("@z"));
    assert!(refused(&[("States: 2", "States: 4000000000")]).contains("states"));
    assert!(refused(&[("0 {2}", "7 {2}")]).contains("no state 7"));
    assert!(refused(&[("--END--", "--ABORT--")]).contains("aborted"));
    assert!(refused(&[("Alias: @x", "Magic: @x")]).contains("Magic"));
    assert!(refused(&[("AP: 2 \"a\" \"b\"", "AP: 1 \"a\"")]).contains("atom"));
}

#[test]
fn words_have_their_places() {
    let placed = read_placed(ALIASES).remove(0).expect("it is well-formed");
    let at = |range: &std::ops::Range<usize>| &ALIASES[range.clone()];
    assert_eq!(placed.atoms.iter().map(at).collect::<Vec<_>>(), ["\"a\"", "\"b\""]);
    let text = ALIASES.replace("Inf(2)", "Fin(2)");
    let error = one(&text).expect_err("it must be refused");
    assert_eq!((error.line, &text[error.place]), (3, "Fin"));
}

#[test]
fn several_automata_are_read_even_after_a_bad_one() {
    let bad = ALIASES.replace("Inf(2)", "Fin(2)");
    let all = read(&format!("{bad}\n{ALIASES}\n{ALIASES}"));
    assert_eq!(all.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true, true]);
}

#[test]
fn automata_of_others_are_read_and_accept_their_formulas() {
    let Some(folder) = data::folder() else { return };
    let (mut good, mut refused, mut compared) = (0, 0, 0);
    let mut paths: Vec<_> = std::fs::read_dir(folder.join("hoa"))
        .expect("the folder is there")
        .map(|e| e.expect("readable").path())
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("files are readable");
        for result in read(&text) {
            match result {
                Ok(named) => {
                    good += 1;
                    assert_eq!(one(&write(&named)).as_ref(), Ok(&named), "{}", path.display());
                    let agrees = agrees_with_its_name(&named);
                    assert_ne!(agrees, Some(false), "{}", path.display());
                    compared += usize::from(agrees.is_some());
                }
                Err(error) => {
                    refused += 1;
                    let known = ["`Fin`", "alternating", "there is no state 7"];
                    assert!(known.iter().any(|k| error.message.contains(k)), "{}: {error}", path.display());
                }
            }
        }
    }
    assert!(good > 180 && refused > 50 && compared > 10, "{good} {refused} {compared}");
}

/// Whether an automaton that is named after a formula over its atoms is the formula's; none if it is not so named.
fn agrees_with_its_name(named: &Named) -> Option<bool> {
    let parsed = named.name.as_ref().and_then(|name| parse(name).ok())?;
    let places: Option<Vec<usize>> = parsed.atoms.iter().map(|a| named.atoms.iter().position(|b| a == b)).collect();
    let places = places?;
    let mut rng = Rng::new(1);
    let mut same = true;
    for _ in 0..50 {
        let word = random::word(&mut rng, named.atoms.len() as u32);
        let truth = automata::lasso::satisfies(&parsed.formula, word.shape(), &|atom, position| {
            word.letter(position) >> places[atom.index()] & 1 == 1
        });
        same &= truth == named.automaton.accepts(&word);
    }
    Some(same)
}

#[test]
fn no_text_breaks_the_reader() {
    let mut rng = Rng::new(11);
    let words =
        ["State:", "0", "1", "&", "|", "!", "(", ")", "[", "]", "{", "}", "t", "f", "Inf", "Fin", "@x", "--END--"];
    for _ in 0..20_000 {
        let mut text: Vec<char> = ALIASES.chars().collect();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(text.len());
            match rng.below(4) {
                0 => drop(text.drain(at..(at + rng.below(9)).min(text.len()))),
                1 => drop(text.splice(at..at, rng.pick(&words).chars())),
                2 => text[at] = char::from_u32(rng.below(300) as u32).expect("a character"),
                _ => {
                    let copied: Vec<char> = text[at..(at + 30).min(text.len())].to_vec();
                    text.extend(copied);
                }
            }
        }
        let text: String = text.into_iter().collect();
        for named in read(&text).into_iter().flatten() {
            assert_eq!(one(&write(&named)), Ok(named), "{text}");
        }
    }
    let deep =
        format!("HOA: v1 Acceptance: 0 t --BODY-- State: 0 [{}t{}] 0 --END--", "(".repeat(90_000), ")".repeat(90_000));
    assert!(one(&deep).is_err());
    let not = format!("HOA: v1 Acceptance: 1 {}t --BODY-- --END--", "(".repeat(90_000));
    assert!(one(&not).is_err());
}

#[test]
fn words_decide_between_automata() {
    let text = "HOA: v1 States: 2 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0&!1] 0 [1] 1 State: 1 [t] 1 {0} --END--";
    let named = one(text).expect("it is well-formed");
    let until = parse("a U b").expect("it is a formula").formula;
    let mut rng = Rng::new(5);
    for _ in 0..200 {
        let word = random::word(&mut rng, 2);
        assert_eq!(named.automaton.accepts(&word), holds(&until, &word));
    }
}
