//! Coloured nets that are unfolded.

use crate::colour_text::*;
use crate::support;
use frontend::mcc::{self, Formula};
use frontend::{LoadedNet, Origin, pnml};

fn shown(text: &str) -> String {
    support::net(pnml::read, text)
}

fn load(text: &str) -> LoadedNet {
    pnml::read("net", text.as_bytes()).unwrap_or_else(|d| panic!("{d:?}\n{text}"))
}

fn colours() -> String {
    [sort("C", &cyclic(&["red", "green", "blue"])), sort("N", &range(1, 2)), sort("CN", &product(&["C", "N"]))].concat()
}

#[test]
fn a_token_goes_round() {
    let declarations = colours() + &variable("x", "C");
    let content = [
        place("p", "C", Some(&times(2, &constant("green")))),
        transition("t", None),
        arc("p", "t", &var("x")),
        arc("t", "p", &op("successor", &[var("x")])),
    ];
    let net = shown(&net(&declarations, &content.concat()));
    let expected = "p[red]=0\np[green]=2\np[blue]=0\nt[x=red]: p[red] -> p[green]\nt[x=green]: p[green] -> p[blue]\n\
                    t[x=blue]: p[blue] -> p[red]\n";
    assert_eq!(net, expected);
}

#[test]
fn tuples_sets_and_plain_tokens() {
    let declarations = colours() + &variable("x", "C") + &sort("D", "<dot/>");
    let pair = op("tuple", &[var("x"), all("N")]);
    let content = [
        place("p", "C", Some(&all("C"))),
        place("q", "CN", None),
        place("d", "D", Some("<dotconstant/>")),
        transition("t", Some(&op("inequality", &[var("x"), constant("red")]))),
        arc("p", "t", &var("x")),
        arc("t", "q", &times(3, &pair)),
        "<arc id='plain' source='d' target='t'/>".to_owned(),
    ];
    let net = shown(&net(&declarations, &content.concat()));
    let expected = "p[red]=1\np[green]=1\np[blue]=1\nq[green,1]=0\nq[green,2]=0\nq[blue,1]=0\nq[blue,2]=0\nd=1\n\
                    t[x=green]: p[green] d -> 3*q[green,1] 3*q[green,2]\n\
                    t[x=blue]: p[blue] d -> 3*q[blue,1] 3*q[blue,2]\n";
    assert_eq!(net, expected);
}

#[test]
fn sums_and_differences() {
    let declarations = colours() + &variable("x", "C");
    let others = op("subtract", &[all("C"), var("x")]);
    let content = [
        place("p", "C", Some(&op("add", &[constant("red"), times(2, &constant("blue"))]))),
        place("q", "C", None),
        transition("t", None),
        arc("p", "t", &op("add", &[var("x"), op("predecessor", &[var("x")])])),
        arc("t", "q", &others),
        place("none", "C", Some(&format!("<empty>{}</empty>", user("C")))),
    ];
    let net = shown(&net(&declarations, &content.concat()));
    // Green is marked nowhere, so there is but one instance.
    let expected = "p[red]=1\np[blue]=2\nq[green]=0\nq[blue]=0\nt[x=red]: p[red] p[blue] -> q[green] q[blue]\n";
    assert_eq!(net, expected);
}

#[test]
fn variables_of_products_and_equal_tuples() {
    let declarations = colours() + &variable("u", "CN") + &variable("v", "CN") + &variable("x", "C");
    let one = |c: &str, n| op("tuple", &[constant(c), number(n, 1, 2)]);
    let content = [
        place("p", "CN", Some(&op("add", &[one("red", 1), one("blue", 2)]))),
        place("q", "CN", None),
        transition("t", Some(&op("equality", &[var("u"), var("v")]))),
        arc("p", "t", &var("u")),
        arc("t", "q", &var("v")),
        transition("s", Some(&op("not", &[op("equality", &[var("u"), one("red", 1)])]))),
        arc("p", "s", &var("u")),
    ];
    let net = shown(&net(&declarations, &content.concat()));
    let expected = "p[red,1]=1\np[blue,2]=1\nq[red,1]=0\nq[blue,2]=0\n\
                    t[u.1=red,u.2=1,v.1=red,v.2=1]: p[red,1] -> q[red,1]\n\
                    t[u.1=blue,u.2=2,v.1=blue,v.2=2]: p[blue,2] -> q[blue,2]\n\
                    s[u.1=blue,u.2=2]: p[blue,2] ->\n";
    assert_eq!(net, expected);
}

#[test]
fn conditions() {
    let declarations = colours() + &variable("x", "C") + &variable("y", "C");
    let instances = |condition: String| -> Vec<String> {
        let content = [
            place("p", "C", Some(&all("C"))),
            transition("t", Some(&condition)),
            arc("p", "t", &op("add", &[var("x"), var("y")])),
        ];
        let loaded = load(&net(&declarations, &content.concat()));
        loaded
            .net
            .transitions()
            .iter()
            .map(|t| t.name.replace("t[x=", "").replace(",y=", "<").replace(']', ""))
            .collect()
    };
    let compare = |name| op(name, &[var("x"), var("y")]);
    assert_eq!(instances(compare("lessthan")), ["red<green", "red<blue", "green<blue"]);
    assert_eq!(instances(compare("greaterthan")), ["green<red", "blue<red", "blue<green"]);
    assert_eq!(instances(compare("lessthanorequal")).len(), 6);
    assert_eq!(instances(compare("greaterthanorequal")).len(), 6);
    assert_eq!(instances(compare("equality")), ["red<red", "green<green", "blue<blue"]);
    let successor = op("equality", &[op("successor", &[var("x")]), op("predecessor", &[var("y")])]);
    assert_eq!(instances(successor), ["red<blue", "green<red", "blue<green"]);
    let imply = op("imply", &[compare("lessthan"), op("equality", &[var("x"), constant("green")])]);
    assert_eq!(instances(imply).len(), 7);
    let or = op("or", &[compare("lessthan"), compare("greaterthan")]);
    assert_eq!(instances(op("and", &[or, op("inequality", &[var("y"), constant("red")])])).len(), 4);
}

#[test]
fn parts_of_an_enumeration() {
    let part = |id: &str, colours: &[&str]| {
        format!(
            "<partitionelement id='{id}'>{}</partitionelement>",
            colours.iter().map(|c| constant(c)).collect::<String>()
        )
    };
    let parts = part("warm", &["red"]) + &part("cold", &["green", "blue"]);
    let declarations = colours() + &format!("<partition id='P' name='P'>{}{parts}</partition>", user("C"));
    let marking = op("tuple", &[op("add", &[constant("warm"), constant("cold")]), number(2, 1, 2)]);
    let content = place("p", "CN", Some(&marking)) + &place("q", "C", Some(&times(2, &constant("cold"))));
    let expected = "p[red,2]=1\np[green,2]=1\np[blue,2]=1\nq[green]=2\nq[blue]=2\n";
    assert_eq!(shown(&net(&declarations, &content)), expected);
}

#[test]
fn declarations_may_follow_their_uses() {
    let declarations = sort("P", &product(&["Q", "Q"])) + &sort("Q", &user("R")) + &sort("R", &range(-1, 0));
    let text = net("", &place("p", "P", Some(&op("tuple", &[number(-1, -1, 0), number(0, -1, 0)]))));
    let late =
        format!("<declaration><structure><declarations>{declarations}</declarations></structure></declaration></net>");
    assert_eq!(shown(&text.replace("</net>", &late)), "p[-1,0]=1\n");
}

#[test]
fn ids_stand_for_all_instances() {
    let declarations = colours() + &variable("x", "C");
    let content = [
        place("p", "C", Some(&op("add", &[constant("red"), constant("blue")]))),
        place("never", "C", None),
        transition("t", None),
        arc("p", "t", &var("x")),
        transition("dead", None),
        arc("never", "dead", &var("x")),
    ];
    let loaded = load(&net(&declarations, &content.concat()));
    assert_eq!(loaded.origin, Origin::Unfolded);
    assert_eq!(loaded.ids.places("p").map(<[_]>::len), Some(2));
    assert_eq!(loaded.ids.places("never").map(<[_]>::len), Some(0));
    assert_eq!(loaded.ids.transitions("dead").map(<[_]>::len), Some(0));
    assert!(loaded.ids.places("p[red]").is_none());
    let formulas = "<property-set><property><id>a</id><formula><exists-path><finally><conjunction>\
        <is-fireable><transition>t</transition></is-fireable><integer-le><tokens-count><place>p</place></tokens-count>\
        <integer-constant>1</integer-constant></integer-le></conjunction></finally></exists-path></formula></property>\
        <property><id>b</id><formula><exists-path><finally><is-fireable><transition>dead</transition></is-fireable>\
        </finally></exists-path></formula></property></property-set>";
    let formulas = mcc::read(&loaded, formulas.as_bytes()).expect("a file");
    let Formula::Exists(predicate) = &formulas[0].formula else { panic!("{formulas:?}") };
    let holds: Vec<bool> = [[0, 0], [0, 1], [1, 0], [1, 1]].iter().map(|m| predicate.holds(m)).collect();
    assert_eq!(holds, [false, true, true, false]);
    assert_eq!(formulas[1].formula, Formula::Exists(model::nets::Predicate::Constant(false)));
}

#[test]
fn sums_nested_in_sums_cost_no_depth() {
    let deep = (0..5_000).fold(constant("red"), |sum, _| op("add", &[sum, constant("blue")]));
    assert_eq!(shown(&net(&colours(), &place("p", "C", Some(&deep)))), "p[red]=1\np[blue]=5000\n");
}
