//! The formulas of the literature: each automaton is its formula's, and the published answers come out.

use std::collections::BTreeMap;
use std::path::Path;

use automata::formula::Kind;
use automata::syntax::{Binary, Ltl, Unary, parse, parse_with};
use automata::{Automaton, Options, Pool, translate};
use testkit::Rng;

use crate::data::{self, Line};
use crate::words::{disagreement, holds};

/// The automaton of a formula that is known not to explode.
fn automaton(formula: &Ltl) -> Option<Automaton> {
    let mut pool = Pool::new();
    let f = pool.add(formula);
    let atoms = pool.atoms(f);
    translate(&mut pool, f, &Options::default()).ok().map(|a| Automaton { atoms, ..a })
}

#[test]
fn automata_of_the_lists_accept_what_satisfies_the_formulas() {
    let Some(folder) = data::folder() else { return };
    let mut translated = 0;
    for list in data::lists(&folder) {
        for line in data::formulas(&list) {
            let at = format!("{}:{}: {}", list.display(), line.number, line.text);
            let formula = parse(&line.text).unwrap_or_else(|e| panic!("{at}: {e}")).formula;
            for formula in [formula.clone(), formula.under(Unary::Not)] {
                let Some(automaton) = automaton(&formula) else {
                    eprintln!("too large: {at}");
                    continue;
                };
                translated += 1;
                let wrong = disagreement(&mut Rng::new(translated), &formula, &automaton, 40);
                assert_eq!(wrong, None, "{at}");
            }
        }
    }
    assert!(translated > 900, "{translated}");
}

/// The states of all automata of a list, negations included, that Spot 2.9's `ltl2tgba` makes by default.
const YARDSTICKS: [(&str, usize); 5] = [
    ("DwyerAC98.ltl", 424),
    ("EtessamiH00.ltl", 81),
    ("Liberouter04.ltl", 415),
    ("Pelanek07.ltl", 108),
    ("SomenziB00.ltl", 148),
];

#[test]
fn automata_are_as_small_as_the_best() {
    let Some(folder) = data::folder() else { return };
    let (mut ours, mut theirs) = (0, 0);
    for (list, yardstick) in YARDSTICKS {
        let mut states = 0;
        for line in data::formulas(&folder.join("owl/literature").join(list)) {
            let formula = parse(&line.text).expect("lists hold formulas").formula;
            for formula in [formula.clone(), formula.under(Unary::Not)] {
                states += automaton(&formula).expect("it is small").size();
            }
        }
        assert!(states * 100 <= yardstick * 102, "{list}: {states} states, {yardstick} expected");
        (ours, theirs) = (ours + states, theirs + yardstick);
    }
    assert!(ours * 100 <= theirs * 101, "{ours} states, {theirs} expected");
}

/// The rows of the answers: path, question, answer.
fn answers(folder: &Path) -> Vec<[String; 4]> {
    let text = std::fs::read_to_string(folder.join("verdicts.csv")).expect("answers are readable");
    let row = |line: &str| {
        let mut fields = line.splitn(3, ',');
        let (instance, path) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        let (question, answer) = fields.next()?.rsplit_once(',')?;
        Some([instance, path, question.trim_matches('"').replace("\"\"", "\""), answer.to_owned()])
    };
    text.lines().skip(1).map(|line| row(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

/// Whether the formula has a word; the one found is shown to the evaluator.
fn satisfiable(formula: &Ltl) -> Option<bool> {
    let witness = automaton(formula)?.witness();
    if let Some(word) = &witness {
        assert!(holds(formula, word), "{formula}: {word:?}");
    }
    Some(witness.is_some())
}

fn valid(formula: Ltl) -> Option<bool> {
    satisfiable(&formula.under(Unary::Not)).map(|s| !s)
}

/// The answer to a question about the formulas in it, or about the formula of the line.
fn answer(question: &str, line: Option<&str>) -> Option<bool> {
    let formula = |text: &str| parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).formula;
    if let Some(pair) = question.strip_prefix("equivalent(").and_then(|q| q.strip_suffix(')')) {
        let (f, g) = pair.split_once(" ; ").expect("two formulas");
        let mut atoms = Vec::new();
        let mut part = |text| parse_with(text, &mut atoms).unwrap_or_else(|e| panic!("{text}: {e}"));
        let (f, g) = (part(f), part(g));
        return valid(f.with(Binary::Iff, g));
    }
    if let Some(text) = question.strip_prefix("satisfiable(").and_then(|q| q.strip_suffix(')')) {
        return satisfiable(&formula(text));
    }
    let line = line.expect("the question is about a line");
    match question {
        "satisfiable" => satisfiable(&formula(line)),
        "valid" => valid(formula(line)),
        _ => panic!("an unknown question: {question}"),
    }
}

#[test]
fn published_answers_come_out() {
    let Some(folder) = data::folder() else { return };
    let mut lists: BTreeMap<String, Vec<Line>> = BTreeMap::new();
    let (mut right, mut open) = (0, 0);
    for [instance, path, question, expected] in answers(&folder) {
        let list = lists.entry(path.clone()).or_insert_with(|| data::formulas(&folder.join(&path)));
        let number = instance.rsplit_once(':').and_then(|(_, n)| n.parse::<usize>().ok());
        let line = number.and_then(|n| list.iter().find(|l| l.number == n));
        match answer(&question, line.map(|l| l.text.as_str())) {
            Some(yes) => {
                right += 1;
                assert_eq!(yes, expected == "yes", "{instance}: {question}");
            }
            None => {
                open += 1;
                eprintln!("open: {instance}: {question}");
            }
        }
    }
    assert!(right > 1250 && open < 10, "{right} {open}");
}

#[test]
fn classes_by_syntax_are_the_published_ones() {
    let Some(folder) = data::folder() else { return };
    let letters = [
        ('e', Kind::EVENTUAL),
        ('u', Kind::UNIVERSAL),
        ('s', Kind::SAFETY),
        ('g', Kind::GUARANTEE),
        ('o', Kind::OBLIGATION),
        ('r', Kind::RECURRENCE),
        ('p', Kind::PERSISTENCE),
        ('x', Kind::STUTTER_INVARIANT),
    ];
    let mut seen = 0;
    for line in data::formulas(&folder.join("spot/kind_flags.csv")) {
        let (text, flags) = line.text.rsplit_once(',').expect("a formula and its classes");
        let mut pool = Pool::new();
        let f = pool.add(&parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).formula);
        for (letter, kind) in letters {
            // The normal form may show more than the text, never less.
            assert!(pool.kind(f).is(kind) || !flags.contains(letter), "{text}: {letter}");
            seen += usize::from(pool.kind(f).is(kind) == flags.contains(letter));
        }
    }
    assert!(seen > 370, "{seen}");
}
