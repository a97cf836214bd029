//! Property files of the contest.

use frontend::mcc::{Formula, read};
use frontend::{LoadedNet, lola};
use model::nets::Predicate;

fn net() -> LoadedNet {
    let text =
        "PLACE p, q, r; MARKING p: 2; TRANSITION t CONSUME p: 2, q; PRODUCE r; TRANSITION u CONSUME r; PRODUCE p;";
    lola::read("net", text.as_bytes()).expect("a net")
}

fn file(formula: &str) -> String {
    format!(
        "<?xml version='1.0'?><property-set><property><id> one </id><formula>{formula}</formula></property></property-set>"
    )
}

fn formula(text: &str) -> Formula {
    let mut all = read(&net(), file(text).as_bytes()).unwrap_or_else(|d| panic!("{d:?}"));
    assert_eq!((all.len(), all[0].id.as_str()), (1, "one"));
    all.remove(0).formula
}

fn exists(predicate: &str) -> Predicate {
    match formula(&format!("<exists-path><finally>{predicate}</finally></exists-path>")) {
        Formula::Exists(predicate) => predicate,
        other => panic!("{predicate}: {other:?}"),
    }
}

fn reason(text: &str) -> String {
    match formula(text) {
        Formula::Unsupported(reason) => reason,
        other => panic!("{text}: {other:?}"),
    }
}

/// All small markings of the three places.
fn markings() -> impl Iterator<Item = [u64; 3]> {
    (0..64).map(|n| [n % 4, n / 4 % 4, n / 16])
}

fn agrees(predicate: &str, expected: impl Fn(u64, u64, u64) -> bool) {
    let (asserted, denied) = (exists(predicate), exists(&format!("<negation>{predicate}</negation>")));
    for [p, q, r] in markings() {
        assert_eq!(asserted.holds(&[p, q, r]), expected(p, q, r), "{predicate} in {p} {q} {r}");
        assert_eq!(denied.holds(&[p, q, r]), !expected(p, q, r), "not {predicate} in {p} {q} {r}");
    }
}

const P: &str = "<tokens-count><place> p </place></tokens-count>";
const PQ: &str = "<tokens-count><place>p</place><place>q</place></tokens-count>";
const R: &str = "<tokens-count><place>r</place></tokens-count>";
const ONE: &str = "<integer-constant>1</integer-constant>";

#[test]
fn comparisons() {
    agrees(&format!("<integer-le>{PQ}{ONE}</integer-le>"), |p, q, _| p + q <= 1);
    agrees(&format!("<integer-lt>{PQ}{R}</integer-lt>"), |p, q, r| p + q < r);
    agrees(&format!("<integer-ge>{P}{R}</integer-ge>"), |p, _, r| p >= r);
    agrees(&format!("<integer-gt>{P}{R}</integer-gt>"), |p, _, r| p > r);
    agrees(&format!("<integer-eq>{PQ}{R}</integer-eq>"), |p, q, r| p + q == r);
    agrees(&format!("<integer-ne>{PQ}{R}</integer-ne>"), |p, q, r| p + q != r);
    let sum = format!("<integer-sum>{P}{P}{ONE}</integer-sum>");
    agrees(&format!("<integer-eq>{sum}{R}</integer-eq>"), |p, _, r| 2 * p + 1 == r);
    let difference = format!("<integer-difference>{PQ}{ONE}</integer-difference>");
    agrees(&format!("<integer-le>{R}{difference}</integer-le>"), |p, q, r| r < p + q);
}

#[test]
fn connectives() {
    let (a, b) = (format!("<integer-le>{P}{ONE}</integer-le>"), format!("<integer-lt>{R}{ONE}</integer-lt>"));
    let (a_holds, b_holds) = (|p: u64| p <= 1, |r: u64| r < 1);
    agrees(&format!("<conjunction>{a}{b}</conjunction>"), |p, _, r| a_holds(p) && b_holds(r));
    agrees(&format!("<disjunction>{a}{b}</disjunction>"), |p, _, r| a_holds(p) || b_holds(r));
    agrees(&format!("<implication>{a}{b}</implication>"), |p, _, r| !a_holds(p) || b_holds(r));
    agrees(&format!("<equivalence>{a}{b}</equivalence>"), |p, _, r| a_holds(p) == b_holds(r));
    agrees(&format!("<exclusive-disjunction>{a}{b}</exclusive-disjunction>"), |p, _, r| a_holds(p) != b_holds(r));
    agrees(&format!("<conjunction><true/>{a}</conjunction>"), |p, _, _| a_holds(p));
    agrees(&format!("<disjunction><false/>{a}</disjunction>"), |p, _, _| a_holds(p));
}

#[test]
fn enabled_transitions() {
    let t = |p: u64, q: u64| p >= 2 && q >= 1;
    agrees("<is-fireable><transition>t</transition></is-fireable>", |p, q, _| t(p, q));
    let both = "<is-fireable><transition>t</transition><transition>u</transition></is-fireable>";
    agrees(both, |p, q, r| t(p, q) || r >= 1);
    agrees(&format!("<conjunction><deadlock/>{both}</conjunction>"), |_, _, _| false);
    agrees("<disjunction><deadlock/><false/></disjunction>", |p, q, r| !t(p, q) && r == 0);
}

#[test]
fn runs() {
    assert_eq!(formula("<exists-path><finally><deadlock/></finally></exists-path>"), Formula::Deadlock);
    let holds = format!("<integer-le>{P}{ONE}</integer-le>");
    let predicate = exists(&holds);
    let negated = predicate.negated().expect("small");
    let always = format!("<all-paths><globally>{holds}</globally></all-paths>");
    assert_eq!(formula(&always), Formula::Always(predicate));
    assert_eq!(formula(&format!("<negation>{always}</negation>")), Formula::Exists(negated.clone()));
    let never = format!("<negation><exists-path><finally>{holds}</finally></exists-path></negation>");
    assert_eq!(formula(&never), Formula::Always(negated));
    let Formula::Bound(sum) = formula("<place-bound><place>p</place><place>r</place></place-bound>") else {
        panic!("a bound");
    };
    assert_eq!(sum.value(&[3, 5, 7]), 10);
}

#[test]
fn formulas_of_runs() {
    use automata::Ltl;
    let read = |text: &str| match formula(&format!("<all-paths>{text}</all-paths>")) {
        Formula::Runs(runs) => runs,
        other => panic!("not of runs: {other:?}"),
    };
    let le = format!("<integer-le>{P}{ONE}</integer-le>");
    let fire = "<is-fireable><transition>t</transition></is-fireable>";
    let runs = read(&format!(
        "<until><before><globally>{le}</globally></before><reach><next><conjunction>{fire}<negation>{le}</negation>\
         <finally><deadlock/></finally></conjunction></next></reach></until>"
    ));
    assert_eq!(runs.atoms.len(), 3, "what is said twice is one atom");
    let cases = [([1, 9, 9], [2, 0, 0]), ([2, 1, 0], [0, 0, 0]), ([0, 0, 1], [0, 0, 0])];
    for (atom, (holds, fails)) in runs.atoms.iter().zip(cases) {
        assert!(atom.holds(&holds) && !atom.holds(&fails), "{atom:?}");
    }
    assert!(matches!(runs.formula, Ltl::Binary(automata::syntax::Binary::Until, ..)));
}

#[test]
fn formulas_that_are_refused_by_themselves() {
    let le = |left: &str, right: &str| {
        reason(&format!("<exists-path><finally><integer-le>{left}{right}</integer-le></finally></exists-path>"))
    };
    let count = "<tokens-count><place>x</place></tokens-count>";
    assert_eq!(le(count, ONE), "the net has no place with the id `x`");
    assert_eq!(le("<integer-constant>x</integer-constant>", ONE), "`x` is not an integer");
    assert_eq!(le(ONE, ""), "an operator has no operand");
    assert_eq!(le(ONE, &format!("{ONE}{ONE}")), "an operator has too many operands");
    let largest = format!("<integer-constant>{}</integer-constant>", i64::MAX);
    assert_eq!(
        le(&largest, "<integer-constant>-2</integer-constant>"),
        "a number of the formula does not fit into 64 bits"
    );
    let fireable = "<is-fireable><transition>p</transition></is-fireable>";
    assert_eq!(
        reason(&format!("<all-paths><globally>{fireable}</globally></all-paths>")),
        "the net has no transition with the id `p`"
    );
    let denied = "<negation><all-paths><finally><true/></finally></all-paths></negation>";
    assert_eq!(reason(denied), "that a formula is not true of all runs is not read");
    let until = "<all-paths><until><reach><true/></reach><before><true/></before></until></all-paths>";
    assert_eq!(reason(until), "`reach` has no place in `until`");
    assert_eq!(reason("<exists-path><next><true/></next></exists-path>"), "`next` on some run is not read");
    let nested = "<all-paths><globally><all-paths><finally><true/></finally></all-paths></globally></all-paths>";
    assert_eq!(reason(nested), "`all-paths` is not read inside a predicate");
    assert_eq!(reason("<conjunction/>"), "`conjunction` is not read as the outermost part of a formula");
    assert_eq!(reason(""), "an operator has no operand");
}

#[test]
fn formulas_that_would_explode() {
    let deep = format!(
        "<exists-path><finally>{}<true/>{}</finally></exists-path>",
        "<negation>".repeat(100_000),
        "</negation>".repeat(100_000)
    );
    assert_eq!(reason(&deep), "the formula is nested more than 200 deep");
    let leaf = format!("<integer-le>{P}{ONE}</integer-le>");
    let doubling = format!(
        "<exists-path><finally>{}{leaf}{}</finally></exists-path>",
        format!("<equivalence>{leaf}").repeat(100),
        "</equivalence>".repeat(100)
    );
    assert_eq!(reason(&doubling), "the formula has too many terms");
}

#[test]
fn a_refused_formula_leaves_the_others() {
    let deadlock = "<exists-path><finally><deadlock/></finally></exists-path>";
    let text = format!(
        "<property-set><property><id>a</id><formula><all-paths><until><x/></until></all-paths></formula></property>\
         <property><description>d</description><id>b</id><formula>{deadlock}</formula></property></property-set>"
    );
    let formulas = read(&net(), text.as_bytes()).expect("a file");
    assert!(matches!(formulas[0].formula, Formula::Unsupported(_)));
    assert_eq!((formulas[1].id.as_str(), &formulas[1].formula), ("b", &Formula::Deadlock));
}

#[test]
fn files_that_are_refused() {
    let mistake = |text: &str| {
        let mistakes = read(&net(), text.as_bytes()).expect_err("a mistake");
        let (line, column) = mistakes[0].position(text.as_bytes());
        format!("{line}:{column} {}", mistakes[0].message)
    };
    assert_eq!(mistake(""), "1:1 the file has no `property-set` element");
    assert_eq!(mistake("<pnml/>"), "1:1 the root element is `pnml`, not `property-set`");
    assert_eq!(mistake("<property-set>\n<property/></property-set>"), "2:1 this property has no `id`");
    assert_eq!(
        mistake("<property-set><property><id>x</id></property></property-set>"),
        "1:15 this property has no `formula`"
    );
    assert_eq!(mistake("<property-set><property>"), "1:15 the file ends inside an element");
    assert_eq!(mistake("<!DOCTYPE x><property-set/>"), "1:1 document type declarations are refused");
}
