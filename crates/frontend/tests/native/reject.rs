//! What is refused: a text, what is said about it, and the part of the text that is underlined.

use frontend::Severity;
use frontend::native::load;

/// A text, the beginning of the message, what is underlined, and a part of the label or help.
type Case = (&'static str, &'static str, &'static str, &'static str);

/// Declarations that wrong steps can refer to.
const CONTEXT: &str = "param n = 3  enum K { red, blue }  enum L { left }  var x, y : 0..3  var b : bool  var k : K
    var a[3] : 0..3  var g[2][3] : 0..3  lock m  semaphore s : 0..3  counter c : 0..9
    channel q : 2 of (K, 0..3)  channel r : rendezvous of (0..3)  channel e : 1  action go, turn[2]
    process Phil[i in 0..2] { var own : 0..3  states idle, busy  idle -> busy : take }
    process Other { states idle  idle -> idle sync go do acquire m }\n";

/// Steps in that context, in the same form.
const STEPS: &[Case] = &[
    ("u -> v when size(q) > 0", "there is no function `size`", "size", "free, len"),
    ("u -> v when fre(m)", "there is no function `fre`", "fre", "did you mean `free`?"),
    ("u -> v when z", "there is no `z`", "z", ""),
    ("u -> v when bb", "there is no `bb`", "bb", "did you mean `b`?"),
    ("u -> v when own > 0", "there is no `own`", "own", "did you mean `Phil[0].own`?"),
    ("u -> v when Phil[0].z == 0", "the process `Phil[0]` has no object `z`", "z", "its only object is own"),
    ("u -> v when x", "expected a truth value, found a number", "x", "compare it"),
    ("u -> v when k", "expected a truth value, found a value of `K`", "k", ""),
    ("u -> v when b + 1 > 0", "expected a number, found a truth value", "b", "c ? 1 : 0"),
    ("u -> v when k == left", "a value of `K` cannot be compared with a value of `L`", "k == left", "different types"),
    ("u -> v when x == b", "a number cannot be compared with a truth value", "x == b", ""),
    ("u -> v when b < b", "truth values have no order", "b < b", "use `==`"),
    ("u -> v when x < y < 3", "comparisons cannot be chained", "<", "a < b && b < c"),
    ("u -> v when x = 3", "expected a comparison, found `=`", "=", "write `==`"),
    ("u -> v when x & y", "`&` means nothing here", "&", "&&"),
    ("u -> v when x == \"1\"", "`\"` means nothing here", "\"", "without quotes"),
    ("u -> v when x == \u{7}1", "`\\u{7}` means nothing here", "\u{7}", ""),
    ("u -> v when b and b", "`and` does not begin", "and", ""),
    ("u -> v when m", "a lock has no value", "m", "free(m)"),
    ("u -> v when q", "a channel has no value", "q", "len(q)"),
    ("u -> v when go", "`go` is an action, not a value", "go", ""),
    ("u -> v when Phil[0]", "`Phil` is a process, not a value", "Phil[0]", "P at s"),
    ("u -> v when Phil[0] at idle", "only properties may ask", "Phil[0] at idle", ""),
    ("u -> v when Phil[x].own == 0", "the index of a process must be constant", "x", "changes from state to state"),
    ("u -> v when Phil[3].own == 0", "there is no process `Phil[3]`", "3", "expected 0..2"),
    ("u -> v when Phil.own == 0", "`Phil` is a family and needs an index", "Phil", ""),
    ("u -> v when Phil[0].owm == 0", "the process `Phil[0]` has no object `owm`", "owm", "did you mean `own`?"),
    ("u -> v when Phil[0].idle", "the process `Phil[0]` has no object `idle`", "idle", "Phil[0] at idle"),
    ("u -> v when Phyl[0].own == 0", "there is no process `Phyl`", "Phyl", "did you mean `Phil`?"),
    ("u -> v when m.own == 0", "`m` is not a process but a lock", "m", ""),
    ("u -> v when a == 0", "`a` is an array and needs an index", "a", "a[i]"),
    ("u -> v when g[0] == 0", "`g` has 2 dimensions, but 1 indices", "g[0]", ""),
    ("u -> v when x[0] == 0", "`x` is a single variable", "x[0]", ""),
    ("u -> v when n[0] == 0", "`n` is a parameter, not an array", "0", ""),
    ("u -> v when a[3] == 0", "the index 3 is outside the array `a`", "3", "expected 0..2"),
    ("u -> v when g[1][-1] == 0", "the index -1 is outside the array `g`", "-1", "expected 0..2"),
    ("u -> v when a[b] == 0", "expected a number, found a truth value", "b", ""),
    ("u -> v when x / 0 == 1", "division by zero", "0", ""),
    ("u -> v when 1 / (n - 3) == 1", "division by zero", "(n - 3)", ""),
    ("u -> v when 9223372036854775807 + 1 > 0", "the value does not fit into 64 bits", "9223372036854775807 + 1", ""),
    ("u -> v when 9223372036854775808 > 0", "the number does not fit into 64 bits", "9223372036854775808", ""),
    ("u -> v when 3x > 0", "`3x` is neither a number nor a name", "3x", ""),
    ("u -> v when free(x)", "`free` tests a lock, and `x` is a variable", "x", ""),
    ("u -> v when len(r) > 0", "a rendezvous channel never holds a message", "r", ""),
    ("u -> v when (b ? 1 : b) == 1", "the two values of `? :` differ", "1 : b", ""),
    ("u -> v when forall t in 0..x: b", "the bound of a range must be constant", "x", ""),
    ("u -> v when [] b", "temporal operators belong", "[]", ""),
    ("u -> v when (b", "expected `)`, found `u`", "u", ""),
    ("u -> w", "the process `T` has no state `w`", "w", ""),
    ("u -> bsuy", "the process `T` has no state `bsuy`", "bsuy", "did you mean `busy`?"),
    ("u -> v[0]", "`v` is a single state and takes no index", "v[0]", ""),
    ("u -> v sync stop", "there is no action `stop`", "stop", "declare it"),
    ("u -> v sync turn", "`turn` is a family and needs an index", "turn", ""),
    ("u -> v sync turn[2]", "there is no action `turn[2]`", "2", "expected 0..1"),
    ("u -> v sync m", "`m` is not an action but a lock", "m", ""),
    ("u -> v do x = 3", "expected an operation, found `=`", "=", ":="),
    ("u -> v do x", "this is no operation", "x", "q!e"),
    ("u -> v do aquire m", "there is no operation `aquire`", "aquire", "did you mean `acquire`?"),
    ("var p : 0..3 = 1, r : bool", "expected a declaration, found `,`", ",", "another `var`"),
    ("u -> v do n := 3", "`n` is a parameter, not an object", "n", ""),
    ("u -> v do red := 3", "`red` is an enumeration value, not an object", "red", ""),
    ("u -> v do Phil[0] := 3", "`Phil` is a process, not an object", "Phil[0]", ""),
    ("u -> v do x := 4", "the value 4 is outside 0..3", "4", "expected 0..3"),
    ("u -> v do x := n + 1", "the value 4 is outside 0..3", "n + 1", ""),
    ("u -> v do x := b", "expected a number, found a truth value", "b", ""),
    ("u -> v do k := left", "expected a value of `K`, found a value of `L`", "left", ""),
    ("u -> v do b += 1", "expected a number, found a truth value", "b", ""),
    ("u -> v do m := 1", "`m` is a lock and cannot be assigned", "m", "acquire m"),
    ("u -> v do m!1", "`m` is a lock and cannot be sent to", "m", ""),
    ("u -> v do acquire x", "`x` is a variable and cannot be acquired", "x", ""),
    ("u -> v do wait c", "`c` is a counter and cannot be waited for", "c", "c += 1"),
    ("u -> v do s += 1", "`s` is a semaphore and cannot be changed by", "s", "signal s"),
    ("u -> v do c := 1", "`c` is a counter and cannot be assigned", "c", ""),
    ("u -> v do c += x", "the amount that a counter changes by must be constant", "x", ""),
    ("u -> v do c -= 0", "a counter cannot change by 0", "0", ""),
    ("u -> v do q!1", "a message of this channel has 2 fields, but 1 are given", "q!1", "(K, 0..3)"),
    ("u -> v do q!(1, red)", "expected a value of `K`, found a number", "1", ""),
    ("u -> v do q!(red, 4)", "the value 4 is outside 0..3", "4", ""),
    ("u -> v do q?(k, b)", "the field is a number, the variable holds a truth value", "b", ""),
    ("u -> v do q?(_, c)", "a counter cannot take a received value", "c", ""),
    ("u -> v do q?(_, x + 1)", "this is neither a variable nor a constant", "x + 1", "`=e`"),
    ("u -> v do e!1", "a message of this channel has 0 fields, but 1 are given", "e!1", ""),
    ("u -> v do acquire m, acquire m", "`m` is modified earlier in this step", "u -> v do acquire m, acquire m", ""),
    ("u -> v sync go do acquire m", "in the joint step `go`, `m` is modified by Other first, and T must know", "", ""),
    ("u -> v do assert x", "expected a truth value", "x", ""),
    ("u -> v do x := 1 when b", "`when` cannot come here", "when", "the order is"),
    ("u v", "`u` does not begin a step", "u", ""),
    ("u -> when b", "`when` cannot be used as a name", "when", "expected the name of a state"),
    ("stats u2", "`stats` does not begin a step", "stats", "did you mean `states`?"),
    ("states w, u -> v", "expected the name of a state, found a step", "u", "remove the `,`"),
    ("states u", "`u` is declared twice", "u", "in line"),
    ("lock own  lock own", "`own` is declared twice", "own", "a lock"),
    ("for t in 0..1 { lock p }", "`p` is declared twice", "p", "repetition"),
    ("states f[3]", "a family of states needs a range", "3", "f[0..3]"),
    ("init w", "the process `T` has no state `w`", "w", ""),
    ("init v when x == 0", "this condition must be constant", "x == 0", ""),
    ("if x == 0 { u -> v }", "this condition must be constant", "x == 0", ""),
    ("error bad", "`error` does not begin a step", "error", "safety"),
];

/// Whole texts.
const TEXTS: &[Case] = &[
    ("", "the model has no processes", "", "declare one"),
    ("// nothing\n", "the model has no processes", "", ""),
    ("var x : bool", "the model has no processes", "", ""),
    ("param n = 0  process P[i in 1..n] { states a }", "the model has no processes", "", ""),
    ("process P { }", "the process `P` has no states", "P", ""),
    ("process P { states a ", "this `{` is never closed", "{", ""),
    ("process P { states a  process Q { states a }", "this `{` is never closed", "{", ""),
    ("process P { states a } }", "expected a declaration, found `}`", "}", ""),
    ("proces P { states a }", "`proces` does not begin a declaration", "proces", "did you mean `process`?"),
    ("states a", "`states` does not begin a declaration", "states", "belongs into a process"),
    ("a -> b", "`a` does not begin a declaration", "a", "steps belong into a process"),
    ("/* never", "this comment never ends", "/*", ""),
    ("param n = m", "there is no `m`", "m", ""),
    ("param n = 3  param n = 4", "`n` is declared twice", "n", "in line 1"),
    ("enum E { a, a }", "`a` is declared twice", "a", ""),
    ("enum E { }", "the enumeration `E` has no values", "E", ""),
    ("lock m  process m { states a }", "`m` is declared twice", "m", "a lock"),
    ("const c = x  var x : bool", "there is no `x`", "x", ""),
    ("var x[0] : bool", "the array `x` would have 0 cells", "0", "at least 1"),
    ("var x : 3..1", "the range 3..1 is empty", "3..1", ""),
    ("var x : 0..4294967296", "the range 0..4294967296 is too large", "0..4294967296", "32 bits"),
    ("var x : 0..3 = 4", "the value 4 is outside 0..3", "4", ""),
    ("var x : bool = 1", "expected a truth value, found a number", "1", ""),
    ("var x[3] : 0..3 = [0, 1]", "2 initial values are given for 3 cells", "[0, 1]", "expected 3"),
    ("var x[2] : 0..3 = [0, 7]", "the value 7 is outside 0..3", "7", ""),
    ("var x : Knd  enum Kind { a }", "there is no type `Knd`", "Knd", "did you mean `Kind`?"),
    ("var x : 7", "expected a type, found a value", "7", "0..7"),
    ("lock m = 1", "a lock has no initial value", "1", ""),
    ("semaphore s : 1..3", "the range of a semaphore begins with 0", "1", ""),
    ("counter c : 0..3 = 4", "the value 4 is outside 0..3", "4", ""),
    ("channel q : 0 of (bool)", "a channel cannot hold 0 messages", "0", "rendezvous"),
    ("channel q : 1 of (0..3) = [1, 2]", "2 messages do not fit", "[1, 2]", ""),
    ("channel q : 1 of (0..3) = 1", "a channel starts with a list", "1", ""),
    ("channel q : 1 of (0..3) = [(1, 2)]", "a message of this channel has 1 fields", "(1, 2)", ""),
    ("channel q : 1 of (0..3) = [4]", "the value 4 is outside 0..3", "4", ""),
    ("process P { states a }  process P { states b }", "`P` is declared twice", "P", ""),
    (
        "process P { states a }  property p: invarant true",
        "`invarant` is no kind",
        "invarant",
        "did you mean `invariant`?",
    ),
    ("process P { states a }  property p: reachable Q at a", "there is no `Q`", "Q", "the only process is P"),
    (
        "process P { states a }  property p: reachable P at b",
        "the process `P` has no state `b`",
        "b",
        "its states are a",
    ),
    ("process P { states a }  property p: reachable 1", "expected a truth value", "1", ""),
    (
        "process P { states a }  property p: ltl eventualy P at a",
        "there is no temporal operator `eventualy`",
        "eventualy",
        "did you mean `eventually`?",
    ),
    (
        "process P { states a }  property p: ltl eventualy (P at a)",
        "there is no function `eventualy`",
        "eventualy",
        "did you mean `eventually`?",
    ),
    (
        "process P { states a }  property p: ltl P at a untl P at a",
        "there is no temporal operator `untl`",
        "untl",
        "did you mean `until`?",
    ),
    (
        "process P { states a }  property p: ltl G P at a",
        "there is no temporal operator `G`",
        "G",
        "`G p` is written `always p`",
    ),
    ("process P { states a }  property p: ltl F (P at a)", "there is no temporal operator `F`", "F", "eventually p"),
    ("process P { states a }  property p: ltl P at a U P at a", "there is no temporal operator `U`", "U", "p until q"),
    (
        "process P { states a  a -> a : go }  property p: reachable taken(P.go)",
        "`taken` belongs in a formula",
        "taken",
        "--ltl",
    ),
    (
        "process P { states a  a -> a : go  a -> a : halt }  property p: ltl eventually taken(P.foo)",
        "the process `P` has no step named `foo`",
        "P.foo",
        "its steps are go, halt",
    ),
    (
        "process P { states a  a -> a }  property p: ltl eventually taken(P.foo)",
        "the process `P` has no step named `foo`",
        "P.foo",
        "write `P.take` for a step",
    ),
    (
        "process P[i in 0..1] { states a, b }  property p: invariant count i in 0..1: P[i] at b <= 1",
        "a truth value cannot be compared with a number",
        "P[i] at b <= 1",
        "put `count ...` between parentheses",
    ),
    ("process P { states a }  property p: ltl (always true) + 1 > 0", "a temporal operator gives no value", "", ""),
    ("process P { states a }  property p: safety { states s }", "the observer has no error state", "", "error bad"),
    (
        "process P { states a  a -> a : take }  property p: safety { states s  error e  s -> e on P.tke }",
        "the process `P` has no step named `tke`",
        "P.tke",
        "did you mean `take`?",
    ),
    (
        "process P { states a  a -> a : take }  property p: safety { states s  error e  s -> e on Pp.take }",
        "there is no process or action `Pp`",
        "Pp",
        "did you mean `P`?",
    ),
    (
        "process P { states a }  property p: deadlock-free  property p: deadlock-free",
        "the property name `p` is used twice",
        "p",
        "in line 1",
    ),
    ("process P { states a }  expect 3 stats", "`stats` cannot be counted", "stats", ""),
    ("process P { states a }  expect 3 states, 4 states", "the number of states is stated twice", "states", ""),
    ("process P { states a }  expect holds", "this `expect` belongs to no property", "expect", ""),
    ("a\0b", "this is not a text", "\0", ""),
];

fn check(text: &str, case: &Case) {
    let (input, message, underlined, more) = case;
    let diagnostics = load("case", text, &[]).map(|_| ()).expect_err(input);
    let found = diagnostics.iter().find(|d| d.message.starts_with(message));
    let found = found.unwrap_or_else(|| panic!("{input}\nexpected: {message}\n{diagnostics:#?}"));
    assert_eq!(found.severity, Severity::Error);
    if !underlined.is_empty() {
        assert_eq!(&text[found.span.range()], *underlined, "{input}");
    }
    let said = format!("{} {}", found.label, found.help.clone().unwrap_or_default());
    assert!(said.contains(more), "{input}\nexpected: {more}\nfound: {said}");
}

#[test]
fn wrong_texts_are_explained() {
    for case in TEXTS {
        check(case.0, case);
    }
}

#[test]
fn wrong_steps_are_explained() {
    for case in STEPS {
        let text = format!("{CONTEXT}process T {{ states u, v, busy\n  {}\n  u -> v do assert true }}", case.0);
        check(&text, case);
    }
}

#[test]
fn one_run_reports_several_mistakes() {
    let text = "param n = \nlock m[0]\nprocess P {\n  states a, b\n  a -> c\n  a -> b when\n  b -> a do m := 1\n  b -> b when +\n}
                property p: invariant\nproperty q: reachable P at b";
    let diagnostics = load("several", text, &[]).expect_err("mistakes");
    let lines: Vec<usize> =
        diagnostics.iter().map(|d| text[..d.span.start as usize].matches('\n').count() + 1).collect();
    assert!(lines.contains(&2) && lines.len() >= 4, "{diagnostics:#?}");
    assert!(lines.is_sorted(), "in the order of the text");
    let later = "lock k[0]  lock m  process P { states a, b  a -> c  b -> a do m := 1  a -> b when x }  property q: reachable P at z";
    assert_eq!(load("several", later, &[]).expect_err("mistakes").len(), 5);
}

/// The messages about a text, each with what it underlines.
fn messages(text: &str) -> Vec<(String, String)> {
    let diagnostics = load("case", text, &[("n".to_owned(), 2)]).map(|_| ()).expect_err(text);
    diagnostics.iter().map(|d| (d.message.clone(), text[d.span.range()].to_owned())).collect()
}

#[test]
fn a_syntax_error_hides_no_other_mistake() {
    let text = "param n = 2  lock m  var x : 0..3
        process P { states a, b  a -> b when x > do acquire m  b -> c  a -> b do x := true }
        property p: invariant y == 0";
    let found = messages(text);
    let underlined: Vec<&str> = found.iter().map(|(_, u)| u.as_str()).collect();
    assert_eq!(underlined, ["do", "c", "true", "y"], "{found:#?}");
}

#[test]
fn what_could_not_be_parsed_is_not_missed_elsewhere() {
    for text in [
        "param n = \nprocess P[i in 0..n-1] { states a }  property p: reachable P[0] at a",
        "param n = 2 +\nlock m\nprocess P { states a  a -> a when n > 0 do acquire m }",
        "param n = 2  enum K { red blue }  var k : K = red  process P { states a  a -> a when k == blue }",
        "param n = 2  process P { states a, b,  a -> b  b -> a }",
        "param n = 2  process P { states a b  a -> b }",
        "param n = 2  process P { states a  a -> a when x == 0  var x : 0.. }  property reachable P.x == 1",
        "param n = 2  process P[i in 0..] { states a }  process Q { states b }  property reachable P[0] at a",
        "param n = 2  process P { states a  process Q { states b  b -> b }  property reachable P at c",
        "param n = 2  action go, , stop  process P { states a  a -> a sync go  a -> a sync stop }",
        "param n = 2  process P { states a }  property p: safety { states s  error  s -> e on P }",
        "param n = 2  process P { state a, b  a -> b }",
    ] {
        assert_eq!(messages(text).len(), 1, "{text}\n{:#?}", messages(text));
    }
}

#[test]
fn uses_of_what_was_rejected_are_not_reported() {
    for text in [
        "channel q[0] : 1 of (0..3)  var x : 0..3  process P { states a  a -> a do q[0]?x, q[1]!2 }",
        "channel q : 0 of (0..3)  var x : 0..3  process P { states a  a -> a do q?x }  property invariant len(q) <= 1",
        "action go[0]  process P { states a  a -> a sync go[0] }",
        "param m = true + 1  var x[m] : 0..m  process P[i in 0..m] { states a, s[0..m] }  property invariant x[4] == m",
        "var x[3] : 0..3  process P[i in 0..1000000] { states a, b  a -> b when x[i-1] > x[i-2] }
         property invariant count i in 0..1: P[i] at b <= 1",
        "process P[i in 0..1000000] { var x : 0..3  states a, b }  property reachable P[3] at b || P[2].x == 1",
        "process P { states s[0..100000000], t  t -> s[7]  init s[3]  s[1] -> t }  property reachable P at s[2]",
    ] {
        let found = messages(&format!("param n = 2  {text}"));
        assert_eq!(found.len(), 1, "{text}\n{found:#?}");
    }
}

#[test]
fn every_mistake_of_a_list_is_reported() {
    for (declarations, step) in [
        ("channel q : 1 of (0..3, bool)", "a -> a do q!(true, 1)"),
        ("channel q : 1 of (0..3, bool)", "a -> a do q?(true, 1)"),
        ("channel q : 1 of (0..3, bool) = [(true, 1)]", ""),
        ("var v[2] : bool = [0, 1]", ""),
        ("var x : 0..3", "a -> a when x && x + 0"),
        ("var b, c : bool", "a -> a when min(b, c) > 0"),
    ] {
        let text = format!("param n = 0  {declarations}  process P {{ states a  {step} }}");
        assert_eq!(messages(&text).len(), 2, "{text}\n{:#?}", messages(&text));
    }
}

#[test]
fn a_letter_is_no_other_letter() {
    let text =
        "param n = 2  var d : bool  process P { states a, b  a -> c when x }  process Q { var x : bool  states a }";
    let diagnostics = load("case", text, &[]).map(|_| ()).expect_err("mistakes");
    let helps: Vec<&str> = diagnostics.iter().filter_map(|d| d.help.as_deref()).collect();
    assert_eq!(helps, ["its states are a, b", "did you mean `Q.x`?"]);
}

#[test]
fn every_mistake_has_a_label() {
    let texts = TEXTS.iter().map(|c| c.0.to_owned());
    let steps = STEPS.iter().map(|c| format!("{CONTEXT}process T {{ states u, v, busy\n  {}\n }}", c.0));
    for text in texts.chain(steps).chain([";".repeat(4_000_001)]) {
        for d in load("case", &text, &[]).map(|_| ()).expect_err("a mistake") {
            assert!(!d.label.is_empty(), "{d:?}");
        }
    }
}
