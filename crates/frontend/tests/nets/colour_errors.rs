//! Coloured nets that are refused, with the place and the reason.

use crate::colour_text::*;
use crate::support::mistake;
use frontend::pnml::{self, UnfoldLimits};

fn declarations() -> String {
    sort("C", &cyclic(&["red", "blue"])) + &sort("N", &range(1, 3)) + &variable("x", "C")
}

/// The message about a net with a place `p` of the colours, without its position.
fn refused(content: &str) -> String {
    let text = net(&declarations(), &(place("p", "C", Some(&constant("red"))) + content));
    let found = mistake(pnml::read, &text);
    found.split_once(' ').expect("a position").1.to_owned()
}

fn declared(more: &str) -> String {
    let found = mistake(pnml::read, &net(&(declarations() + more), ""));
    found.split_once(' ').expect("a position").1.to_owned()
}

fn inscribed(term: &str) -> String {
    refused(&(transition("t", None) + &arc("p", "t", term)))
}

#[test]
fn positions_are_those_of_the_terms() {
    let text = net("", "<place id='p'><type><structure>\n  <usersort declaration='X'/></structure></type></place>");
    assert_eq!(mistake(pnml::read, &text), "6:3 there is no sort `X`");
}

#[test]
fn sorts() {
    assert_eq!(refused(&place("q", "X", None)), "there is no sort `X`");
    assert_eq!(refused("<place id='q'/>"), "a place of a coloured net has no sort");
    assert_eq!(declared(&sort("A", &range(2, 1))), "2..1 is not a range of at most 2^32 numbers");
    let all = range(i64::MIN, i64::MAX);
    assert!(declared(&sort("A", &all)).ends_with("is not a range of at most 2^32 numbers"));
    assert_eq!(declared(&sort("A", "<finiteintrange start='x' end='1'/>")), "`x` is not an integer of 64 bits");
    assert_eq!(declared(&sort("A", &cyclic(&[]))), "an enumeration has no constants");
    assert_eq!(declared(&sort("A", &cyclic(&["red"]))), "`red` is declared twice");
    assert_eq!(declared(&sort("C", "<dot/>")), "`C` is declared twice");
    assert_eq!(declared(&sort("A", "<bool/>")), "the sort `bool` is not supported");
    assert_eq!(declared(&sort("A", "<productsort/>")), "a product has no components");
    assert_eq!(declared(&sort("A", "")), "`namedsort` has 0 operands, not one");
    let circle = sort("A", &user("B")) + &sort("B", &user("A"));
    assert_eq!(declared(&circle), "sorts are defined by each other in a circle, or over too many steps");
    assert_eq!(declared("<arbitrarysort id='A'/>"), "declarations by `arbitrarysort` are not supported");
    let strange = format!(
        "<partition id='P'>{}<partitionelement id='e'>{}</partitionelement></partition>",
        user("N"),
        constant("red")
    );
    assert_eq!(declared(&strange), "this is no constant of the sort that is partitioned");
}

#[test]
fn huge_sorts() {
    let doubling: String =
        (0..40).map(|n| sort(&format!("S{}", n + 1), &product(&[&format!("S{n}"), &format!("S{n}")]))).collect();
    assert_eq!(declared(&(sort("S0", &user("N")) + &doubling)), "a product has more than 32 components");
    let large = sort("L", &range(1, 4_000_000_000)) + &sort("H", &product(&["L", "L", "L"]));
    let text = net(&large, &place("p", "H", None));
    assert!(mistake(pnml::read, &text).ends_with("the sort of a place has more than 2^64 colours"));
    let all_of_it = net(&large, &place("p", "L", Some(&all("L"))));
    assert!(mistake(pnml::read, &all_of_it).ends_with("the sort `1..4000000000` has too many colours"));
    let one_of_it = net(&large, &place("p", "L", Some(&number(7, 1, 4_000_000_000))));
    assert_eq!(crate::support::net(pnml::read, &one_of_it), "p[7]=1\n");
}

#[test]
fn terms() {
    assert_eq!(inscribed(&var("z")), "there is no variable `z`");
    assert_eq!(inscribed(&constant("green")), "there is no constant `green`");
    assert_eq!(inscribed(&number(1, 1, 3)), "this term is of the sort `1..3`, and `C` is expected");
    let pair = op("tuple", &[var("x"), var("x")]);
    assert_eq!(inscribed(&pair), "this term is of the sort `C x C`, and `C` is expected");
    assert_eq!(
        inscribed(&op("add", &[var("x"), "<dotconstant/>".into()])),
        "this term is of the sort `dot`, and `C` is expected"
    );
    assert_eq!(inscribed(&op("tuple", &[])), "a tuple has no components");
    assert_eq!(inscribed(&op("add", &[])), "a sum has no operands");
    assert_eq!(inscribed(&op("numberof", &[var("x"), var("x")])), "the number of tokens is not a constant");
    assert_eq!(inscribed(&times(-1, &var("x"))), "a number of tokens is negative or more than 4294967295");
    assert_eq!(inscribed(&op("numberof", &[var("x")])), "`numberof` has 1 operands, not two");
    assert_eq!(inscribed(&number(4, 1, 3)), "4 is not in the range");
    let next = op("successor", &[number(1, 1, 3)]);
    assert_eq!(inscribed(&next), "the sort `1..3` is no cyclic enumeration: its last colour has no successor");
    assert_eq!(inscribed(&op("successor", &[pair])), "a tuple has no successor or predecessor");
    assert_eq!(inscribed("<mystery/>"), "terms with `mystery` are not supported");
    assert_eq!(inscribed(""), "an arc of the coloured place `p` has no term");
    let negative = "for some colours, a number of tokens of place `p` is negative";
    assert_eq!(inscribed(&op("subtract", &[constant("red"), var("x"), var("x")])), negative);
    assert_eq!(refused(&place("q", "C", Some(&var("x")))), "a variable occurs where only constants may");
    let marking = op("subtract", &[constant("red"), constant("blue")]);
    assert_eq!(refused(&place("q", "C", Some(&marking))), negative.replace("`p`", "`q`"));
    let deep = (0..300).fold(var("x"), |term, _| op("successor", &[term]));
    assert_eq!(inscribed(&deep), "more than 200 terms are nested");
    let many = times(u32::MAX.into(), &times(u32::MAX.into(), &times(u32::MAX.into(), &var("x"))));
    assert_eq!(inscribed(&many), "a number of tokens is out of range");
}

#[test]
fn conditions() {
    let condition = |term: &str| refused(&transition("t", Some(term)));
    let mismatch = op("equality", &[var("x"), number(1, 1, 3)]);
    assert_eq!(condition(&mismatch), "this term is of the sort `1..3`, and `C` is expected");
    assert_eq!(condition(&op("equality", &[all("C"), var("x")])), "a condition compares sums of tokens");
    assert_eq!(condition(&op("equality", &[var("x")])), "`equality` has 1 operands, not two");
    assert_eq!(
        condition(&op("lessthan", &[op("tuple", &[var("x"), var("x")]), op("tuple", &[var("x"), var("x")])])),
        "tuples have no order"
    );
    assert_eq!(condition(&op("xor", &[])), "conditions with `xor` are not supported");
}

#[test]
fn plain_labels_in_a_coloured_net() {
    let plain = "<place id='q'><initialMarking><text>1</text></initialMarking></place>";
    assert_eq!(refused(plain), "a coloured net has a number where a term is expected");
    let text_only = "<place id='q'><hlinitialMarking><text>1'red</text></hlinitialMarking></place>";
    assert_eq!(refused(text_only), "`hlinitialMarking` has a text and no structure");
    let typed = "<transition id='t'/><arc id='a' source='p' target='t'><type><text>inhibitor</text></type></arc>";
    assert_eq!(refused(typed), "`type` has a text and no structure");
    let typed = typed.replace("<text>inhibitor</text>", "<structure><dot/></structure>");
    assert_eq!(refused(&typed), "an arc of a coloured net has a type");
    let twice = "<transition id='t'><condition><structure><and/></structure></condition><condition/></transition>";
    assert_eq!(refused(twice), "`condition` is given twice");
}

#[test]
fn nets_that_grow_too_large() {
    let declarations = sort("N", &range(1, 1000)) + &variable("x", "N") + &variable("y", "N") + &variable("z", "N");
    let content = [
        place("p", "N", Some(&all("N"))),
        transition("t", None),
        arc("p", "t", &op("add", &[var("x"), var("y"), var("z")])),
    ];
    let text = net(&declarations, &content.concat());
    let mistakes = pnml::read("net", text.as_bytes()).expect_err("10^9 instances");
    assert!(mistakes[0].message.starts_with("the coloured net is too large to be unfolded: it has more than"));
    let help = mistakes[0].help.as_deref();
    assert_eq!(help, Some("with all colours, and without conditions, 1000 places and 1000000000 transitions"));
    let limits = |places, transitions, arcs| {
        let limits = UnfoldLimits { places, transitions, arcs };
        pnml::read_within("net", text.as_bytes(), limits).expect_err("beyond the limits").remove(0).message
    };
    assert_eq!(limits(999, 10_000, 10_000), "more than 999 colours are marked in the beginning");
    assert!(limits(1000, 10, 10_000).ends_with("it has more than 10 transitions"));
    assert!(limits(1000, 10_000, 10).ends_with("it has more than 10 arcs"));
    let search = op("and", &[op("lessthan", &[var("x"), var("y")]), op("lessthan", &[var("y"), var("x")])]);
    let content = place("p", "N", Some(&all("N")))
        + &transition("t", Some(&search))
        + &arc("p", "t", &op("add", &[var("x"), var("y")]));
    let limits = UnfoldLimits { places: 1000, transitions: 1000, arcs: 1000 };
    let mistakes =
        pnml::read_within("net", net(&declarations, &content).as_bytes(), limits).expect_err("a long search");
    assert!(mistakes[0].message.ends_with("too many bindings of variables were tried"), "{mistakes:?}");
}
