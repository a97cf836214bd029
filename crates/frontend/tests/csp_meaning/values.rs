//! Expressions and their values.

use frontend::csp::Script;

use crate::support::script;

fn value(script: &Script, text: &str) -> String {
    script.evaluate(text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn check(script: &Script, pairs: &[(&str, &str)]) {
    for (text, expected) in pairs {
        assert_eq!(value(script, text), *expected, "{text}");
    }
}

#[test]
fn numbers() {
    let pairs = [
        ("7 / 2", "3"),
        ("(-7) / 2", "-4"),
        ("(-7) % 2", "1"),
        ("7 % -2", "-1"),
        ("2 + 3 * 4 - 1", "13"),
        ("-(3)", "-3"),
        ("if 1 < 2 and not 2 <= 1 then 5 else 6", "5"),
        ("1 == 1 or 1/0 == 1", "true"),
    ];
    check(&script(""), &pairs);
}

#[test]
fn sequences() {
    let pairs = [
        ("<1,2>^<3>", "<1, 2, 3>"),
        ("<x*x | x <- <1..4>, x % 2 == 0>", "<4, 16>"),
        ("#<1..10>", "10"),
        ("tail(<1,2,3>)", "<2, 3>"),
        ("concat(<<1>,<>,<2>>)", "<1, 2>"),
        ("elem(2, <1,2>)", "true"),
        ("\"ab\"^<'c'>", "\"abc\""),
        ("head(tail(<5..>))", "6"),
        ("seq({3,1,2})", "<1, 2, 3>"),
    ];
    check(&script(""), &pairs);
}

#[test]
fn sets() {
    let pairs = [
        ("{3,1,2,1}", "{1, 2, 3}"),
        ("union({1},{2})", "{1, 2}"),
        ("Union({{1},{2,3},{}})", "{1, 2, 3}"),
        ("{ (x,y) | x <- {1,2}, y <- {x..2} }", "{(1, 1), (1, 2), (2, 2)}"),
        ("Set({1,2})", "{{}, {1}, {1, 2}, {2}}"),
        ("card(Set({1..10}))", "1024"),
        ("member(<1,1>, Seq({1}))", "true"),
        ("inter({0..}, {(-2)..2})", "{0, 1, 2}"),
        ("diff({1..5}, {2..})", "{1}"),
        ("{1,2} <= {1,2,3}", "true"),
        ("empty({1 | false})", "true"),
    ];
    check(&script(""), &pairs);
}

#[test]
fn datatypes_and_dots() {
    let script = script(
        "datatype Colour = Red | Green
         datatype Message = Data.{0..1}.Colour | Ack
         subtype Small = Data.{0} | Ack
         nametype Pair = Colour.{0..1}
         channel c : Message
         channel d : Pair
         channel e : (Colour, {0..1})
         colour(Data._.x) = x
         colour(Ack) = Red
         rest(c.x) = x",
    );
    let pairs = [
        ("Colour", "{Red, Green}"),
        ("card(Message)", "5"),
        ("Small", "{Ack, Data.0.Red, Data.0.Green}"),
        ("colour(Data.1.Green)", "Green"),
        ("rest(c.Data.0.Red)", "Data.0.Red"),
        ("extensions(c.Data.1)", "{Red, Green}"),
        ("{| c.Data |} == { c.Data.x.y | x <- {0..1}, y <- Colour }", "true"),
        ("card({| d |})", "4"),
        ("card({| e |})", "4"),
        ("member(d.Red.1, {| d |})", "true"),
        ("card(Events)", "13"),
        ("show(c.Ack)", "\"c.Ack\""),
    ];
    check(&script, &pairs);
}

#[test]
fn functions() {
    let script = script(
        "fact(0) = 1
         fact(n) = n * fact(n-1)
         add(x)(y) = x + y
         twice(f)(x) = f(f(x))
         map(f, <>) = <>
         map(f, <x>^s) = <f(x)>^map(f, s)
         last(_^<x>) = x
         even(n) = if n == 0 then true else odd(n-1)
         odd(n) = if n == 0 then false else even(n-1)
         (a, <b>^_) = (1, <2,3>)
         sum(0) = 0
         sum(n) = n + sum(n-1)",
    );
    let pairs = [
        ("fact(10)", "3628800"),
        ("twice(add(3))(4)", "10"),
        ("map(\\ x @ x*x, <1,2,3>)", "<1, 4, 9>"),
        ("last(<1,2,3>)", "3"),
        ("even(101)", "false"),
        ("a + b", "3"),
        ("let f(x) = if x > 3 then x else f(x+1) within f(0)", "4"),
        ("let x = y + 1\n    y = 2 within x", "3"),
        ("let k = 5 within map(\\ x @ x + k, <1>)", "<6>"),
        ("sum(10000)", "50005000"),
    ];
    check(&script, &pairs);
}

#[test]
fn maps() {
    let pairs = [
        ("(| 1 => 2, 0 => 1 |)", "(| 0 => 1, 1 => 2 |)"),
        ("mapLookup(mapUpdate(emptyMap, 1, 2), 1)", "2"),
        ("mapToList((| 1 => true |))", "<(1, true)>"),
    ];
    check(&script(""), &pairs);
}

#[test]
fn modules() {
    let script = script(
        "module Counter(limit)
           step(n) = (n + 1) % limit
         exports
           next(n) = step(n)
           channel tick_ : {0..limit-1}
         endmodule
         instance Two = Counter(2)
         instance Five = Counter(5)",
    );
    let pairs =
        [("Two::next(1)", "0"), ("Five::next(1)", "2"), ("card({| Five::tick_ |})", "5"), ("card(Events)", "7")];
    check(&script, &pairs);
    let error = script.evaluate("Two::step(0)").expect_err("it is private");
    assert_eq!(error[0].message, "in `Two::step(0)`: the module `Two` exports nothing called `step`");
}
