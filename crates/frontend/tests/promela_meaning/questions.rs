//! What is asked of a program: end states, claims and formulas.

use frontend::Diagnostic;
use frontend::promela::Options;
use frontend::promela::elaborate::{NoSystem, Query, Reading};

use crate::runs::broken;
use crate::space::read;

/// Whether the property of this name is violated.
fn answer(text: &str, name: &str) -> bool {
    let reading = read(text, &Options::default());
    let loaded = reading.loaded();
    let property = loaded.properties.iter().find(|p| p.name == name);
    broken(&loaded.system, &property.unwrap_or_else(|| panic!("{name} is asked: {:?}", loaded.properties)).property)
}

#[test]
fn end_states_are_asked_first() {
    let names = |options: &Options| -> Vec<String> {
        let reading = read("byte x; init { x = 1 } ltl p { [] (x < 2) }", options);
        reading.loaded().properties.iter().map(|p| p.name.clone()).collect()
    };
    assert_eq!(names(&Options::default()), ["deadlock-free", "p"]);
    assert_eq!(names(&Options { ignore_end_states: true, ..Options::default() }), ["no-errors", "p"]);
}

#[test]
fn what_is_not_asked_may_be_expected() {
    let text =
        "// expect: deadlock-free violated\n// expect: no-errors violated\nbyte x; init { assert(x == 1); x == 1 }";
    let names = |options: &Options| -> Vec<String> {
        read(text, options).loaded().properties.iter().map(|p| p.name.clone()).collect()
    };
    assert_eq!(names(&Options::default()), ["deadlock-free", "no-errors"]);
    assert_eq!(names(&Options { ignore_assertions: true, ..Options::default() }), ["deadlock-free"]);
    assert_eq!(names(&Options { ignore_end_states: true, ..Options::default() }), ["no-errors"]);
}

#[test]
fn a_claim_looks_at_every_state() {
    let claim = |test: &str| {
        format!(
            "byte x, y; active proctype A() {{ x = 1; x = 2; x = 3 }} never n {{ do :: {test} -> break :: else od }}"
        )
    };
    assert!(answer(&claim("x == 0"), "n"));
    assert!(answer(&claim("x == 2"), "n"));
    assert!(!answer(&claim("x == 4"), "n"));
}

#[test]
fn a_claim_takes_one_step_for_each_step_of_the_system() {
    let text = |last: u8| {
        format!("byte x; active proctype A() {{ x = 1; x = 2; x = 3 }} never n {{ x == 0; x == 1; x == {last} }}")
    };
    assert!(answer(&text(2), "n"));
    assert!(!answer(&text(3), "n"));
}

#[test]
fn a_claim_may_be_in_several_places() {
    let text = "byte x; active proctype A() { do :: x = 1 - x od }
        never n { do :: true :: x == 1 -> if :: x == 1 -> skip :: x == 0 -> break fi od }";
    assert!(answer(text, "n"));
}

/// SPIN's claim does not see what happens inside of an `atomic`, but where it blocks.
#[test]
fn a_claim_does_not_look_into_atomic_sequences() {
    let text = |x: u8| {
        format!(
            "byte x, y; active proctype A() {{ atomic {{ x = 1; x = 2; x = 3; y == 1; x = 4; x = 5 }} }}
            active proctype B() {{ y = 1 }} never n {{ do :: x == {x} -> break :: else od }}"
        )
    };
    let seen: Vec<bool> = (1..=5).map(|x| answer(&text(x), "n")).collect();
    assert_eq!(seen, [false, false, true, false, true]);
}

#[test]
fn a_claim_knows_who_moved() {
    let text = |last: u8| {
        format!(
            "chan r = [0] of {{ byte }}; byte x; active proctype A() {{ r!1; x = 2 }}
            active proctype B() {{ r?x; x = 2 }} never n {{ do :: _last == {last} && x == 1 -> break :: else od }}"
        )
    };
    assert!(answer(&text(1), "n"));
    assert!(!answer(&text(0), "n"));
}

#[test]
fn a_claim_that_asserts() {
    let text = |x: u8| {
        format!(
            "byte x; active proctype A() {{ x = 1; x = 2 }}
            never n {{ do :: atomic {{ (x == {x}) -> assert(!(x == {x})) }} :: true od }}"
        )
    };
    assert!(answer(&text(2), "n"));
    assert!(!answer(&text(3), "n"));
}

#[test]
fn formulas_about_all_states() {
    let text = |formula: &str| format!("byte x; active proctype A() {{ x = 1; there: x = 2 }} ltl p {{ {formula} }}");
    assert!(!answer(&text("[] (x < 3)"), "p"));
    assert!(answer(&text("[] (x < 2)"), "p"));
    assert!(answer(&text("! <> (x == 1)"), "p"));
    assert!(!answer(&text("[] (x < 3) && [] (x == 1 -> A@there)"), "p"));
    assert!(answer(&text("[] ! A@there"), "p"));
}

#[test]
fn a_claim_ends_at_labels_that_begin_with_end() {
    let text = |x: u8| {
        format!(
            "byte x; active proctype A() {{ x = 1; x = 2; x = 3 }}
            never n {{ do :: x == {x} -> goto end_here :: else od; end_here: do :: true od }}"
        )
    };
    assert!(answer(&text(2), "n"));
    assert!(!answer(&text(4), "n"));
}

/// Only where the system stands still the index would be asked for, so both cannot be apart.
#[test]
fn a_timeout_beside_what_may_be_a_fault_is_not_asked() {
    let text = "byte x, a[2]; init { x = 3 }
        never n { do :: timeout && a[x] == 1 -> break :: else od } ltl f { [] !(timeout && a[x] == 1) }";
    let reading = read(text, &Options::default());
    let unasked: Vec<_> = reading.unasked().iter().map(|u| (&*u.name, u.kind)).collect();
    assert_eq!(unasked, [("n", "never"), ("f", "ltl")]);
    let loaded = reading.loaded();
    let asked: Vec<_> = loaded.properties.iter().map(|p| &*p.name).collect();
    assert_eq!((asked, loaded.warnings.len()), (vec!["deadlock-free"], 2), "{:?}", loaded.warnings);
}

#[test]
fn looks_at_processes_that_are_not_there_are_remarked() {
    let warnings = |look: &str| {
        let text = format!(
            "proctype R() {{ K: skip }} active proctype P() {{ byte a; run R(); K: a = 1 }}
            active proctype Q() {{ {look}; K: skip }} ltl p {{ [] !({look}) }}"
        );
        let reading = read(&text, &Options::default());
        reading.loaded().warnings.iter().map(|w| w.message.clone()).collect::<Vec<_>>()
    };
    let nobody = |name: &str, n: u8| format!("`{name}[{n}]` is looked at, but no process `{name}` has the number {n}");
    assert_eq!(warnings("Q[0]@K"), [nobody("Q", 0), nobody("Q", 0)], "in a statement and in a formula");
    assert_eq!(warnings("P[5]:a == 1"), [nobody("P", 5), nobody("P", 5)]);
    for fine in ["P[0]@K", "Q[1]@K", "R[2]@K", "P[_nr_pr]@K", "P@K"] {
        assert_eq!(warnings(fine), [""; 0], "{fine}");
    }
}

#[test]
fn events_are_asked_for_by_their_keyword() {
    let text = |trace: &str| format!("chan q = [2] of {{ bit }}; init {{ q!1; q!0 }} {trace}");
    assert!(!answer(&text("trace { q!1; q!0 }"), "trace"));
    assert!(answer(&text("trace { q!1; q!1 }"), "trace"));
    assert!(answer(&text("notrace { q!1; q!0 }"), "notrace"));
    assert!(!answer(&text("notrace { q!0 }"), "notrace"));
}

/// Whether a state of a program breaks what is asked besides.
fn asked(text: &str, question: &str) -> bool {
    let question = Query::Predicate(question);
    let reading = read(text, &Options::default()).asking(question).expect("the question has a meaning");
    let name = question.name();
    let loaded = reading.loaded();
    let property = loaded.properties.iter().find(|p| p.name == name).expect("it is asked");
    assert_eq!(property.span, None);
    broken(&loaded.system, &property.property)
}

#[test]
fn questions_look_at_variables_labels_and_macros() {
    let text = "#define LIMIT 3
        byte x; chan q = [2] of { byte };
        active [2] proctype P() { byte mine; atomic { x++; mine = 7; x < LIMIT }; here: q!x; mine = 1; there: skip }";
    assert!(!asked(text, "x < LIMIT"));
    assert!(asked(text, "x < 2"));
    assert!(asked(text, "!(P[0]@here && P[1]@there)"));
    assert!(!asked(text, "!P[1]@there || len(q) > 0"));
    assert!(asked(text, "P[0]:mine != 1"));
    assert!(!asked(text, "P[1]:mine <= LIMIT + 4 && nfull(q) || _nr_pr <= 2"));
}

/// What is wrong with a question.
fn mistakes(reading: &Reading, question: Query<'_>) -> Vec<Diagnostic> {
    match reading.asking(question).expect_err("that is no question") {
        NoSystem::Mistakes(mistakes) => mistakes,
        none @ NoSystem::GivenUp { .. } => panic!("{none:?}"),
    }
}

#[test]
fn mistakes_in_questions_have_their_place_in_the_question() {
    let reading = read("byte x; active proctype P() { x = 1 }", &Options::default());
    for (question, word) in
        [("x == y", "y"), ("P[0]@nowhere", "nowhere"), ("x < 2 )", ")"), ("x = 2", "="), ("timeout", "timeout")]
    {
        let mistakes = mistakes(&reading, Query::Predicate(question));
        let at = question.find(word).expect("the word is there") as u32;
        assert_eq!((mistakes.len(), mistakes[0].span.start), (1, at), "{question}: {mistakes:?}");
    }
}

#[test]
fn formulas_are_asked_besides() {
    let text = "#define LIMIT 2\nbyte x; active proctype P() { do :: x = 1 :: true -> here: x = LIMIT od }";
    let broken_by = |question: &str| {
        let query = Query::Formula(question);
        let reading = read(text, &Options::default()).asking(query).expect("the question has a meaning");
        let loaded = reading.loaded();
        let property = loaded.properties.iter().find(|p| p.name == query.name()).expect("it is asked");
        broken(&loaded.system, &property.property)
    };
    assert!(broken_by("[] <> (x == LIMIT)"));
    assert!(!broken_by("[] (x <= LIMIT) && <> (x > 0)"));
    assert!(broken_by("<> P@here -> [] <> P@here"));
    let reading = read(text, &Options::default());
    for (question, word) in [("[] <> (x == y)", "y"), ("[] (x == 1", ""), ("<> P@there", "there"), ("x U", "")] {
        let mistakes = mistakes(&reading, Query::Formula(question));
        let at = if word.is_empty() { question.len() } else { question.find(word).expect("the word is there") };
        assert_eq!((mistakes.len(), mistakes[0].span.start), (1, at as u32), "{question}: {mistakes:?}");
    }
}

/// As SPIN says: also those that never change while their process is there.
#[test]
fn variables_of_processes_that_are_not_there_are_zero() {
    let born = |formula: &str| {
        format!(
            "byte g; proctype P(byte par) {{ byte loc = 3; g = par + loc }} \
             init {{ g = 1; run P(5); (_nr_pr == 1); g = 2 }} ltl f {{ {formula} }}"
        )
    };
    let broken = |formula: &str| answer(&born(formula), "f");
    assert_eq!(["[] (P[1]:par == 5)", "[] (P[1]:loc == 3)"].map(broken), [true, true]);
    assert_eq!(["P[1]:loc == 0", "P[1]:par == 0", "<> (P[1]:par == 5 && P[1]:loc == 3)"].map(broken), [false; 3]);
    let dead = |formula: &str| {
        format!(
            "byte g; active proctype P() {{ byte loc = 3; g = loc }} active proctype Q() {{ (g == 3); g = 4 }} \
             ltl f {{ {formula} }}"
        )
    };
    assert!(answer(&dead("[] (P[0]:loc == 3)"), "f") && !answer(&dead("<> (P[0]:loc == 0)"), "f"));
    // A statement that looks, with the number of the process and without: the process must be one that can be gone.
    for who in ["P[1]", "P"] {
        let text = format!(
            "byte g; proctype P() {{ byte loc = 3; g = loc }} \
             active proctype Q() {{ run P(); {who}:loc == 0; g = 9 }} ltl f {{ [] (g != 9) }}"
        );
        assert!(answer(&text, "f"), "{who}");
    }
}
