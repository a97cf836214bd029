//! What is refused: a text, what is said about it, the part of the text that is underlined, and what may help.

use frontend::Severity;

use crate::support::{HEAD, SAMPLE, read};

/// A text, the message, what is underlined, and a part of the label or help.
type Case = (&'static str, &'static str, &'static str, &'static str);

/// Whole models.
const UNITS: &[Case] = &[
    ("prctype P() { skip }", "expected a declaration or a proctype, found `prctype`", "prctype", "`proctype`?"),
    ("typedef Pair { int a }; Pear p;", "there is no type `Pear`", "Pear", "`Pair`?"),
    ("x = 3", "expected a declaration or a proctype, found `x`", "x", ""),
    ("int", "expected the name of the variable, found the end of the text", "", ""),
    ("int if", "expected the name of the variable, found `if`", "if", "belongs to the language"),
    ("int a[3", "expected an operator or `]`, found the end of the text", "", "close the `[`"),
    ("int a[]", "expected an expression, found `]`", "]", ""),
    ("int a = ", "expected an expression, found the end of the text", "", ""),
    ("int a[2] = {1, }", "expected an expression, found `}`", "}", ""),
    ("int a[2] = {1, 2", "expected `,` or `}`, found the end of the text", "", "close the `{`"),
    ("chan c = [2] of { int }, d", "expected `;` after `}`, found `,`", ",", "another declaration"),
    ("chan c = [2] { int }", "expected `of` and the types of a message, found `{`", "{", ""),
    ("chan c = [2] of { int a }", "expected `,` or `}`, found `a`", "a", ""),
    ("unsigned a : x", "expected the number of bits, found `x`", "x", ""),
    ("hidden a", "expected the name of the variable, found the end of the text", "", ""),
    ("mtype:s { a }", "expected `=` and the names of constants, found `{`", "{", ""),
    ("mtype = { 3 }", "expected the name of a constant, found `3`", "3", ""),
    ("mtype = { a = 3 }", "expected `,` or `}`, found `=`", "=", "`#define N 3`"),
    ("int a[2][3]; init { skip }", "expected a declaration or a proctype, found `[`", "[", "`typedef Row"),
    ("proctype W() { skip } ltl p { <> (W[0]@e) }", "expected a formula, found `W`", "W", "another name"),
    (
        "proctype P() { byte x; skip } init { P:x = 2 }",
        "a variable of another process cannot be written",
        "=",
        "make it global",
    ),
    (
        "proctype P() { byte x; skip } init { P[1]:x++ }",
        "a variable of another process cannot be written",
        "++",
        "make it global",
    ),
    ("mtype = { a; b }", "expected `,` or `}`, found `;`", ";", ""),
    ("typedef T { }", "expected a type, found `}`", "}", ""),
    ("typedef T { int a int b }", "expected `;` or `}`, found `int`", "int", ""),
    ("proctype P { skip }", "expected `(` and parameters, found `{`", "{", "`proctype P() { ... }`"),
    ("chan c = [0] of byte;", "expected `{` and the types of a message, found `byte`", "byte", "between braces"),
    ("chan c of { byte }", "expected a declaration or a proctype, found `of`", "of", "`chan c = [1] of { byte }`"),
    ("byte x = \"abc\"", "expected an expression, found `\"abc\"`", "\"abc\"", "mtype"),
    ("void f() { skip }", "expected a declaration or a proctype, found `void`", "void", "`inline f(a) { ... }`"),
    ("int main() { skip }", "expected a declaration or a proctype, found `(`", "(", "no functions"),
    ("const int N = 3", "expected a declaration or a proctype, found `const`", "const", "`#define N 3`"),
    ("float f = 1", "there is no type `float`", "float", "numbers are whole"),
    ("typedef struct { byte a } T;", "expected a declaration or a proctype, found `T`", "T", "`typedef T { byte a }`"),
    ("proctype P() { skip } init { P() }", "expected `;` or `->`, found `(`", "(", "`run P(...)`"),
    ("init() { skip }", "expected `{`, found `(`", "(", "`init { ... }`"),
    (
        "active proctype P() { skip active proctype Q() { skip }",
        "expected `;` or `->`, found `active`",
        "active",
        "`}` missing",
    ),
    (
        "active proctype P() { skip; active proctype Q() { skip }",
        "expected a statement, found `active`",
        "active",
        "`}` missing",
    ),
    ("ltl p { G x }", "expected an operator or `}`, found `x`", "x", "written `[] p`"),
    ("ltl p { !(F (x == 1)) }", "expected an operator or `)`, found `(`", "(", "written `<> p`"),
    ("ltl p { x R y }", "expected an operator or `}`, found `R`", "R", "`p V q`"),
    ("proctype P(int a, byte b) { skip }", "expected the name of the variable, found `byte`", "byte", "by `;`"),
    ("proctype P(int a;) { skip }", "expected another parameter after `;`, found `)`", ")", ""),
    ("proctype P(a) { skip }", "expected the name of the variable, found `)`", ")", ""),
    ("proctype P() priority x { skip }", "expected a number, found `x`", "x", ""),
    ("proctype P() provided x { skip }", "expected `(`, found `x`", "x", ""),
    ("proctype P() skip", "expected `{`, found `skip`", "skip", ""),
    ("proctype P() { skip", "expected `;`, `->` or `}`, found the end of the text", "", "close the `{`"),
    ("proctype P() { }", "expected a statement, found `}`", "}", ""),
    ("active init { skip }", "expected `proctype`, found `init`", "init", ""),
    ("trace t { q!1 }", "expected `{`, found `t`", "t", ""),
    ("ltl p { }", "expected an expression, found `}`", "}", ""),
    ("ltl p { x = 1 }", "expected an operator or `}`, found `=`", "=", "`==` compares"),
    ("ltl p { (x -> y : z) }", "expected an operator or `)`, found `:`", ":", ""),
    ("ltl p \"[] x\"", "expected `{` and a formula, found `\"[] x\"`", "\"[] x\"", ""),
    ("init { skip } }", "expected a declaration or a proctype, found `}`", "}", ""),
    (
        "int x; c_decl { int a; 'b # \" }",
        "`c_decl` is not supported: what C code does cannot be verified",
        "c_decl",
        "Promela",
    ),
    ("c_state \"int a\" \"Global\"", "`c_state` is not supported: what C code does cannot be verified", "c_state", ""),
    ("init { $ }", "`$` means nothing here", "$", "names consist"),
    ("init { printf('ab') }", "`'ab'` means nothing here", "'ab'", "alone between"),
    ("init { printf(\"ab) }", "`\"ab) }` means nothing here", "\"ab) }", "another `\"`"),
];

/// Bodies.
const STATEMENTS: &[Case] = &[
    ("x = 1 y = 2", "expected `;` or `->`, found `y`", "y", "separates statements"),
    ("do :: break od skip", "expected `;` or `->`, found `skip`", "skip", "separates statements"),
    ("if :: x == 1 y = 2 fi", "expected `;` or `->`, found `y`", "y", "`->` a condition"),
    ("x += 1", "expected an expression, found `=`", "=", "`x = x + n`"),
    ("x := 1", "expected a statement, found `=`", "=", "without `:`"),
    ("if (x == 1) { y = 2 }", "expected `::`, found `(`", "(", "begins with `::`"),
    ("if x == 1 -> y = 2 fi", "expected `::`, found `x`", "x", "begins with `::`"),
    ("if :: x == 1 => y = 2 fi", "expected `;` or `->`, found `=`", "=", "`->` separates"),
    ("while (x < 3) { x++ }", "expected `;` or `->`, found `(`", "(", "no `while`"),
    ("switch (x) { skip }", "expected `;` or `->`, found `(`", "(", "no `switch`"),
    ("if :: x > 0; x-- else x++ fi", "expected `;` or `->`, found `else`", "else", "`:: else"),
    ("for (x = 0) { skip }", "expected `:` and a range, or `in`, found `=`", "=", "1 .. 3"),
    ("(x == 1 and y == 2)", "expected an operator or `)`, found `and`", "and", "write `&&`"),
    ("x == 1 or y == 2", "expected `;` or `->`, found `or`", "or", "write `||`"),
    ("not x", "expected `;` or `->`, found `x`", "x", "write `!`"),
    ("do\n:: x = 1\n:: y = 2\n", "expected `::` or `od`, found `}`", "}", "`od` would close the `do` of line 1"),
    ("x y = 2", "expected `;` or `->`, found `y`", "y", "no type `x`"),
    ("; skip", "expected a statement, found `;`", ";", ""),
    ("x == 1\n&& y", "expected a statement, found `&&`", "&&", "end of a line ends a statement"),
    ("z[0\n] = 1", "expected an operator or `]`, found the end of the line", "", "parentheses"),
    ("x = 0x1F", "expected `;` or `->`, found `x1F`", "x1F", ""),
    ("x = x++", "expected `;` or `->`, found `++`", "++", "statements of their own"),
    ("unheard()", "expected `;` or `->`, found `(`", "(", "no inline of this name"),
    ("x = q?", "expected `;` or `->`, found `?`", "?", "`q?x`"),
    ("do x++ od", "expected `::`, found `x`", "x", "`do :: condition"),
    ("x = (1", "expected an operator or `)`, found `}`", "}", "close the `(`"),
    ("x = ", "expected an expression, found `}`", "}", ""),
    ("x = y = 1", "expected `;` or `->`, found `=`", "=", "`==` compares"),
    ("x = x > 1 -> 2 : 3", "expected `;` or `->`, found `:`", ":", ""),
    ("x = (x ? 1 : 2)", "expected an operator or `)`, found `?`", "?", "(condition -> a : b)"),
    ("(x -> y)", "expected `:`, found `)`", ")", "chooses"),
    ("(x) = 1", "expected `;` or `->`, found `=`", "=", ""),
    ("!!x", "expected a statement, found `!!`", "!!", "`! !`"),
    (
        "!empty(q)",
        "a channel is asked whether it is full or empty only in conditions joined by `&&` and `||`",
        "empty(q)",
        "nempty(q)",
    ),
    (
        "x = (empty(q) -> 1 : 2)",
        "a channel is asked whether it is full or empty only in conditions joined by `&&` and `||`",
        "empty(q)",
        "",
    ),
    (
        "full(q) == 1",
        "a channel is asked whether it is full or empty only in conditions joined by `&&` and `||`",
        "full(q)",
        "",
    ),
    ("if fi", "expected `::`, found `fi`", "fi", ""),
    ("if :: skip :: fi", "expected a statement, found `fi`", "fi", ""),
    ("if :: skip od", "expected `::` or `fi`, found `od`", "od", "close the `if`"),
    ("do :: skip fi", "expected `::` or `od`, found `fi`", "fi", "close the `do`"),
    ("atomic skip", "expected `{`, found `skip`", "skip", "`atomic { ... }`"),
    ("L: int w", "a label stands before statements, not before declarations", "int", "before the label"),
    ("L: x = 1 unless y", "the label `L` would belong to the first statement alone", "L", "L: { "),
    ("{ skip } unless L: { x }", "nothing can jump to `L`, where an `unless` begins", "L", ""),
    ("x = 1 unless y unless x", "expected `;` or `->`, found `unless`", "unless", "around the inner"),
    ("goto 3", "expected the name of a label, found `3`", "3", ""),
    ("goto if", "expected the name of a label, found `if`", "if", "belongs to the language"),
    ("q!", "expected an expression, found `}`", "}", ""),
    ("q!(1, 2)", "expected an operator or `)`, found `,`", ",", ""),
    ("q!1(2), 3", "expected `;` or `->`, found `,`", ",", ""),
    ("q?x + 1", "expected `;` or `->`, found `+`", "+", ""),
    ("q?(x, y), x", "expected `;` or `->`, found `,`", ",", ""),
    ("q?", "expected a variable, a constant or `eval`, found `}`", "}", "eval("),
    ("q?<x, y", "expected `,` or `>`, found `}`", "}", "close the `<`"),
    ("q?[x", "expected `,` or `]`, found `}`", "}", ""),
    ("q?-x", "expected a number, found `x`", "x", ""),
    ("for (x : 1) { skip }", "expected `..`, found `)`", ")", ""),
    ("for (x) { skip }", "expected `:` and a range, or `in`, found `)`", ")", ""),
    (
        "for (int i : 1 .. 3) { skip }",
        "expected the name of a variable, found `int`",
        "int",
        "`int i; for (i : 0 .. 3)",
    ),
    ("for (x : 1 .. 3) skip", "expected `{`, found `skip`", "skip", ""),
    ("select (x in z)", "expected `:` and a range, found `in`", "in", ""),
    ("printf(x)", "expected a text in quotes, found `x`", "x", "%d"),
    ("printf(\"a\" \"b\")", "expected `)`, found `\"b\"`", "\"b\"", ""),
    ("assert()", "expected an expression, found `)`", ")", ""),
    ("run P", "expected `(`, found `}`", "}", ""),
    ("run P(1,)", "expected an expression, found `)`", ")", ""),
    ("x[1][2] = 3", "expected `;` or `->`, found `[`", "[", ""),
    ("return 1", "nobody takes the value of this `return`", "return", "x = f(y)"),
    ("mtype = { a }", "the constants of an `mtype` are declared outside of all bodies", "mtype", ""),
    ("int a[2] = { 1, 2 }, b", "expected `;` after `}`, found `,`", ",", ""),
    ("c_code { x = 1; }; skip", "`c_code` is not supported: what C code does cannot be verified", "c_code", "C code"),
    ("c_expr { x == 1 }", "`c_expr` is not supported: what C code does cannot be verified", "c_expr", ""),
    ("inline f() { skip }", "expected a statement, found `inline`", "inline", ""),
];

fn body(statements: &str) -> String {
    format!("{HEAD} init {{ {statements} }}")
}

fn assert_refused(text: &str, (_, message, underlined, hint): Case) {
    let mistakes = read(text).expect_err(text);
    let mistake = &mistakes[0];
    assert_eq!(mistake.severity, Severity::Error);
    assert_eq!(mistake.message, message, "{text}");
    assert_eq!(text.get(mistake.span.range()), Some(underlined), "{text}: {mistake:?}");
    assert!(!mistake.label.is_empty(), "{text}");
    let said = format!("{} {}", mistake.label, mistake.help.as_deref().unwrap_or_default());
    assert!(said.contains(hint), "{text}: {said}");
    assert_eq!(mistakes.len(), 1, "{text}: {mistakes:#?}");
}

#[test]
fn wrong_units_are_explained() {
    UNITS.iter().for_each(|case| assert_refused(case.0, *case));
}

#[test]
fn wrong_statements_are_explained() {
    STATEMENTS.iter().for_each(|case| assert_refused(&body(case.0), *case));
}

/// One mistake in each of several places: each is reported, and none twice.
#[test]
fn one_run_reports_several_mistakes() {
    let damages = [
        ("hidden byte h", "hidden byte"),
        ("typedef Pair { byte first;", "typedef Pair { byte 1;"),
        ("chan sync = [0] of { byte };", "chan sync = [0] of byte;"),
        ("n < 3 -> out!data", "n < -> out!data"),
        ("timeout -> goto end", "timeout -> goto"),
        ("sync?n", "sync?+n"),
        ("y[i] = i;", "y[i = i;"),
        ("D_proctype Det() {", "D_proctype Det( {"),
        ("ltl p1 { always b", "ltl p1 { always"),
    ];
    let damaged = damages.iter().fold(SAMPLE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let mistakes = read(&damaged).expect_err("nine mistakes");
    let lines: Vec<usize> = mistakes.iter().map(|m| m.position(damaged.as_bytes()).0).collect();
    assert_eq!(lines.len(), damages.len(), "{mistakes:#?}");
    assert!(lines.is_sorted());
}
