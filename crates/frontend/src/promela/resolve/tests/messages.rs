//! What is said about mistakes.

use super::tree;
use crate::Diagnostic;
use crate::promela::resolve;

/// The text under the first mistake, its message and its help.
fn first(text: &str) -> (String, String, String) {
    let reports = resolve(&tree(text)).err().unwrap_or_else(|| panic!("a mistake in\n{text}"));
    shown(text, &reports[0])
}

fn first_warning(text: &str) -> (String, String, String) {
    let (_, warnings) = resolve(&tree(text)).unwrap_or_else(|reports| panic!("{reports:#?}\n{text}"));
    shown(text, &warnings[0])
}

fn shown(text: &str, report: &Diagnostic) -> (String, String, String) {
    let underlined = text[report.span.range()].to_owned();
    (underlined, report.message.clone(), report.help.clone().unwrap_or_default())
}

/// The first mistake of a body among a few declarations.
fn in_body(body: &str) -> (String, String, String) {
    first(&format!(
        "mtype = {{ request, reply }};\ntypedef Point {{ byte left; byte right }};\nbyte count, list[3]; Point point;\n\
         chan link = [1] of {{ mtype, byte }};\nproctype Server(byte id; chan out) {{ byte state; L: skip }}\n\
         active proctype Main() {{ {body} }}\n"
    ))
}

fn assert_says(found: (String, String, String), expected: (&str, &str, &str)) {
    assert_eq!((&*found.0, &*found.1, &*found.2), expected);
}

#[test]
fn unknown_names_come_with_the_nearest_known_one() {
    assert_says(in_body("cuont = 1"), ("cuont", "unknown variable `cuont`", "did you mean `count`?"));
    assert_says(in_body("count = True"), ("True", "unknown variable `True`", "write `true`, in small letters"));
    let declare = "declare it before: `byte ack`, `mtype = { ack }` or `#define ack 1`";
    assert_says(in_body("count = ack"), ("ack", "unknown variable `ack`", declare));
    assert_says(
        in_body("goto there"),
        ("there", "unknown label `there`", "write `there:` before the statement to go on with"),
    );
    assert_says(in_body("count = requst"), ("requst", "unknown variable `requst`", "did you mean `request`?"));
    assert_says(in_body("point.lefft = 1"), ("lefft", "`Point` has no field `lefft`", "did you mean `left`?"));
    assert_says(in_body("run Sever(1, link)"), ("Sever", "unknown proctype `Sever`", "did you mean `Server`?"));
    assert_says(in_body("again: count = 1; goto agian"), ("agian", "unknown label `agian`", "did you mean `again`?"));
    assert_says(in_body("Server@M"), ("M", "`Server` has no label `M`", ""));
    assert_says(in_body("Server:stat == 1"), ("stat", "`Server` has no variable `stat`", "did you mean `state`?"));
    assert_says(
        in_body("Server = 1"),
        ("Server", "`Server` is a proctype, not a variable", "`run Server(...)` starts a process"),
    );
}

#[test]
fn a_variable_with_a_wrong_first_value_is_declared_all_the_same() {
    let text = "bool b = True; active proctype P() { b = false }";
    assert_eq!(resolve(&tree(text)).expect_err("a mistake").len(), 1);
}

#[test]
fn an_array_of_a_wrong_size_is_declared_all_the_same() {
    let text = |size: &str| {
        format!("typedef T {{ byte b[9]; }} byte a[{size}]; T t[{size}]; init {{ a[7] = 1; t[3].b[2] = a[1] }}")
    };
    assert_eq!(resolve(&tree(&text("2000000000"))).expect_err("two mistakes").len(), 2);
    assert_eq!(resolve(&tree(&text("1000000"))).expect_err("a mistake").len(), 1);
}

#[test]
fn types_are_declared_before_they_are_fields() {
    let below = "`Y` is declared further below: put its `typedef` in front";
    assert_says(
        first("typedef X { Y y } typedef Y { byte b } active proctype P() { skip }"),
        ("Y", "unknown type `Y`", below),
    );
    let itself = first("typedef X { byte b; X next } active proctype P() { skip }");
    assert_eq!((&*itself.0, &*itself.1), ("X", "`X` contains itself, and would never end"));
}

/// As SPIN has it; to fields, which it does not look at, there is a warning.
#[test]
fn constants_belong_to_their_mtype() {
    let text =
        |rest: &str| format!("mtype:f = {{ apple, pear }}; mtype:s = {{ small, large }}; mtype = {{ plain }};\n{rest}");
    let help = "declare it as `mtype:s x`, or give it `apple` or `pear`";
    let expected = ("small", "`x` is of the type `mtype:f`, and this is of `mtype:s`", help);
    for wrong in [
        "mtype:f x; init { x = small }",
        "mtype:f x[2]; init { d_step { x[1] = small } }",
        "mtype:f x = small; init { skip }",
        "init { mtype:f x = small; skip }",
        "init { skip; mtype:f x = small; skip }",
        "typedef T { mtype:f x = small } T t; init { skip }",
        "proctype P(mtype:f x) { skip } init { run P(small) }",
        "init { pid p; p = run P(small) } proctype P(mtype:f x) { skip }",
    ] {
        assert_says(first(&text(wrong)), expected);
    }
    let plain = first(&text("mtype:f x; init { x = plain }"));
    assert_eq!(plain.2, "declare it as `mtype x`, or give it `apple` or `pear`");
    let variable = first(&text("mtype:s v; proctype P(mtype:f x) { skip } init { run P(v) }"));
    assert_eq!(variable.1, "`x` is of the type `mtype:f`, and this is of `mtype:s`");
    let passed = first(&text("proctype P(mtype x) { skip } init { run P(small) }"));
    assert_eq!(passed.2, "declare it as `mtype:s x`, or give it `plain`");
    assert_says(first_warning(&text("typedef T { mtype:f x } T t; init { t.x = small }")), expected);
    for right in [
        "mtype:f x = apple; mtype:f y; init { x = pear; y = x; x = 0 }",
        "mtype x = small; init { x = plain; x = large }",
        "mtype:f x; mtype:s y; byte b; init { x = y; b = small; x == small; x = (b -> small : large) }",
        "chan q = [1] of { mtype:f }; mtype:s y; init { q!small; q?large; q?y }",
        "mtype:f v; proctype P(mtype:f x; byte n) { skip } init { run P(apple, small); run P(v, v) }",
    ] {
        let (_, warnings) = resolve(&tree(&text(right))).unwrap_or_else(|mistakes| panic!("{right}: {mistakes:#?}"));
        assert!(warnings.is_empty(), "{right}: {warnings:#?}");
    }
}

#[test]
fn arrays_behind_statements_get_their_first_value_in_one_element() {
    let help = "declare the array before the first statement, or assign its elements one by one";
    assert_says(
        first_warning("active proctype P() { byte x; x = 1; byte e[3] = 4; assert(e[0] == 4 && e[1] == 0) }"),
        ("4", "only the first element of `e` gets this value", help),
    );
    let (_, warnings) = resolve(&tree("init { skip; byte e[3]; e[1] = 2 }")).expect("it has a meaning");
    assert!(warnings.is_empty(), "{warnings:#?}");
}

#[test]
fn loops_between_constants_that_do_nothing_are_remarked_on() {
    let (_, what, _) = first_warning("init { int i; for (i : 5 .. 1) { skip } }");
    assert_eq!(what, "there is no number from 5 to 1");
    let (_, warnings) = resolve(&tree("init { int i; for (i : 1 .. 1) { skip } }")).expect("it has a meaning");
    assert!(warnings.is_empty(), "{warnings:#?}");
}

/// SPIN takes the first value, with a warning.
#[test]
fn a_variable_as_a_size_is_its_first_value() {
    let text = "byte n = 2; byte a[n]; active [n] proctype P() { a[1] = n }";
    let (program, warnings) = resolve(&tree(text)).expect("it has a meaning");
    assert_eq!((&program.globals[1].sizes[..], program.proctypes[0].active), (&[2][..], 2));
    assert_eq!(warnings.len(), 2);
    assert_says(
        first_warning(text),
        (
            "n",
            "a size does not change in a run: it is 2, the first value of this variable",
            "write `#define` for constants, as in `#define N 2`",
        ),
    );
}

#[test]
fn numbers_of_things_are_checked() {
    assert_says(in_body("link!request"), ("link", "messages of `link` have 2 fields, not 1", ""));
    assert_says(in_body("link?reply,_,_"), ("link", "messages of `link` have 2 fields, not 3", ""));
    let help = "its parameters are id, out";
    assert_says(in_body("run Server(1)"), ("Server", "`Server` takes 2 parameters, not 1", help));
    assert_says(in_body("byte k[2] = {1,2,3}; skip"), ("3", "3 values for the 2 elements of `k`", ""));
    assert_says(in_body("byte k[0]; skip"), ("0", "an array cannot have 0 elements", ""));
    assert_says(in_body("byte k[count]; skip"), ("count", "this must be a constant", ""));
    assert_says(in_body("unsigned k : 33; skip"), ("33", "an unsigned number cannot have 33 bits", ""));
    let help = "write `unsigned k : 8` for eight bits";
    assert_says(in_body("unsigned k; skip"), ("k", "`k` is unsigned but has no width", help));
}

#[test]
fn kinds_of_things_are_checked() {
    assert_says(in_body("count?request,_"), ("count", "`count` is not a channel", ""));
    let help = "ask it with `len`, `empty`, `full`, or compare it with another channel";
    assert_says(in_body("count = link + 1"), ("link", "a channel is used as a number", help));
    let help = "what keeps it must be declared as `chan`";
    assert_says(in_body("count = link"), ("link", "a channel cannot be kept in a number", help));
    assert_says(in_body("link = 3"), ("3", "a channel is needed here", ""));
    assert_eq!(in_body("run Server(link, link)").1, "a channel cannot be kept in a number");
    assert_says(in_body("count[1] = 2"), ("1", "`count` is not an array", ""));
    assert_says(in_body("count.left = 2"), ("left", "`count` has no fields: it is not a structure", ""));
    let help = "write `point.left`, for instance";
    let what = "`point` is a whole structure; here one of its fields is needed";
    assert_says(in_body("count = point"), ("point", what, help));
    assert_says(in_body("request = 1"), ("request", "`request` is a constant of an `mtype`", ""));
    assert_says(in_body("_pid = 1"), ("_pid", "`_pid` cannot be written", "to match its value, write `eval(_pid)`"));
    assert_says(in_body("count = _"), ("_", "`_` is write-only: what is put there is lost", ""));
}

#[test]
fn control_is_checked() {
    assert_says(in_body("break"), ("break", "`break` outside of a loop", ""));
    assert_says(in_body("L: skip; L: skip"), ("L", "the label `L` stands twice", ""));
    assert_says(in_body("if :: else :: else fi"), ("else", "a choice has only one `else`", ""));
    assert_says(in_body("goto L; d_step { skip; L: skip }"), ("goto L", "a jump into a `d_step` from outside", ""));
    let help = "a `d_step` is left at its end only; `atomic` may be left by jumps";
    assert_says(in_body("do :: d_step { skip; break } od"), ("break", "a jump out of a `d_step`", help));
    let what = "no process waits at `end`, on the first statement in `{ ... }`";
    let help = "put it before the block: `end: { ... }`";
    assert_says(in_body("skip; atomic { end: skip; skip }"), ("end", what, help));
    assert_eq!(in_body("{ skip } unless { end: skip }").1, what);
    let watched = "active proctype P() { { L: skip } } active proctype Q() { P@L }";
    assert_eq!(first(watched).1, what.replace("end", "L"));
    let what = "these jumps go round in circles without any statement";
    assert_eq!(in_body("skip; L: goto M; M: goto L").1, what);
    let what = "`run` must be a statement, or all of the right side of an assignment";
    assert_eq!(in_body("count = 1 + run Server(1, link)").1, what);
}

#[test]
fn what_is_declared_twice_is_reported() {
    assert_says(in_body("byte k; byte k; skip"), ("k", "`k` is declared twice", ""));
    assert_says(first("byte x; byte x; init { skip }"), ("x", "`x` is declared twice", ""));
    assert_says(first("mtype = { a, a }; init { skip }"), ("a", "`a` is declared twice", ""));
    assert_says(first("mtype = { a }; bit a; init { skip }"), ("a", "`a` is a constant of an `mtype` already", ""));
    assert_says(first("proctype P() { skip } proctype P() { skip }"), ("P", "`P` is declared twice", ""));
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let priority = "process priorities are not supported";
    assert_eq!(first("active proctype P() priority 3 { skip }").1, priority);
    assert_eq!(in_body("count = _priority").1, priority);
    assert_eq!(in_body("set_priority(1, 2)").1, priority);
    assert_eq!(in_body("count = get_priority(1)").1, priority);
    assert_eq!(in_body("run Server(1, link) priority 3").1, priority);
    assert_eq!(in_body("count = np_").1, "`np_` is for `never` claims and formulas");
    assert_eq!(in_body("STDIN?count").1, "reading from the keyboard is not supported: `STDIN` is refused");
}

#[test]
fn claims_only_watch() {
    let claim =
        |body: &str| first(&format!("byte x; chan q = [1] of {{ byte }}; init {{ skip }} never {{ {body} }}")).1;
    let what = "a claim only watches: conditions and assertions, nothing that changes";
    assert_eq!(claim("x = 1"), what);
    assert_eq!(claim("q!1"), what);
    assert_eq!(claim("_pid == 1"), "`_pid` means the process that asks, and here is none");
    assert_eq!(claim("byte k; k == 1"), "`k` is declared in a claim, but claims have no memory of their own");
    let trace = first("byte x; chan q = [1] of { byte }; init { skip } trace { x = 1 }").1;
    assert_eq!(trace, "only sends and receives can be watched by a trace");
}

#[test]
fn warnings() {
    let text = "byte x; init { goto L; x = 1; L: x = 2 }";
    assert_says(first_warning(text), ("x = 1", "this statement cannot be reached", ""));
    let text = "byte a[3]; init { a = 1 }";
    let what = "`a` is an array without an index: its first element is taken";
    assert_says(first_warning(text), ("a", what, "write `a[i]` with i from 0 to 2"));
    let text = "chan q = [1] of { chan }; init { q!3 }";
    assert_says(first_warning(text), ("3", "a number is passed where a channel is expected", ""));
    let text = "byte x; init { do :: L: x = 2 :: goto L od }";
    assert_eq!(resolve(&tree(text)).expect("a program").1.len(), 0, "a label to jump to");
    let text = "byte x; init { do :: end: x = 1 od }";
    let what = "no process waits at `end`, on the first statement of an option";
    assert_says(first_warning(text), ("end", what, "put it before the `if` or `do`, or a `skip` before it"));
    let text = "byte x; active proctype P() { do :: L: x = 1 od } active proctype Q() { P@L }";
    assert_eq!(first_warning(text).1, what.replace("end", "L"));
    let text = "byte a[3]; init { a[3] = 1 }";
    assert_says(first_warning(text), ("3", "`a` has no element 3", ""));
}
