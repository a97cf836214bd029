//! Inlines: their bodies in the place of calls.

use crate::support::{last_body, read};

const CALLS: &[(&str, &str)] = &[
    ("inline f(a) { x = a } init { f(3) y = 2 }", "<x = 3>; y = 2"),
    ("inline f(a) { x = a * 2 } init { f(1 + 2) }", "<x = (1+(2*2))>"),
    ("inline f(a) { x = -a } init { f(-1) }", "<x = -(-(1))>"),
    ("inline f(a, b) { a = b } init { f(z[x], (y)) }", "<z[x] = y>"),
    ("inline f()\n{\n x = 1\n y = 2\n}\ninit { f()\n f() -> skip }", "<x = 1; y = 2>; <x = 1; y = 2>; (1)"),
    ("inline f(a) { g(a); g(a + 1) } inline g(b) { x = b } init { f(3) }", "<<x = 3>; <x = (3+1)>>"),
    ("inline f(x) { y = x } inline g(x) { f(x) } init { g(7) }", "<<y = 7>>"),
    ("inline f(a) { x = 'a'; printf(\"a %d\", a) } init { f(3) }", "<x = 97; printf('a %d',3)>"),
    ("inline f(a) { if :: a -> skip :: else fi } init { do :: f(x == 1) od }", "do <<if <((x==1)); (1) | else>>>"),
    ("inline f() { else } init { if :: x :: f() fi }", "if <(x) | <else>>"),
    ("inline f() { x = 1 } init { f() unless { y }; skip unless f() }", "<x = 1> unless <(y)>; <(1)> unless <x = 1>"),
    ("inline f() { x = 1 } init { L: f() }", "L: <x = 1>"),
    ("inline f(a) { return a + 1 } init { x = f(3); z[1] = f(x) }", "<x = (3+1)>; <z[1] = (x+1)>"),
    ("inline f(a) { y = a } init { x = f(3) }", "<y = 3>"),
    ("inline f(a) { if :: a -> return 1 :: else return 2 fi } init { x = f(y) }", "<if <(y); x = 1 | else; x = 2>>"),
    ("inline f(a) { g() } inline g() { skip } init { x = f(1) }", "<<(1)>>"),
    ("#define A 3\ninline f(a) { x = a + A } init { f(A) }", "<x = (3+3)>"),
    ("inline x(a) { y = a } init { x(3); x = 1 }", "<y = 3>; x = 1"),
];

#[test]
fn bodies_take_the_place_of_calls() {
    for (text, shown) in CALLS {
        assert_eq!(last_body(&format!("int x, y, z[2];\n{text}")), *shown, "{text}");
    }
}

/// What is wrong, and what is underlined.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("inline f(a) { skip } init { f() }", "the inline `f` has 1 parameter, not 0", "f()"),
    ("inline f() { skip } init { f(1, 2) }", "the inline `f` has 0 parameters, not 2", "f(1, 2)"),
    ("inline f() { f() } init { f() }", "the inline `f` calls itself", "f()"),
    ("inline f() { g() } inline g() { f() } init { f() }", "the inline `f` calls itself", "f()"),
    ("inline f() { skip } inline f() { skip }", "there are two inlines `f`", "f"),
    ("inline f(3) { skip }", "expected the name of a parameter, found `3`", "3"),
    ("inline f { skip }", "expected `(`, found `{`", "{"),
    ("inline f() { skip", "expected `}`, found the end of the text", ""),
    ("init { f() }", "expected `;` or `->`, found `(`", "("),
    ("inline f(a) { a } init { f(x = 1) }", "expected `)`, found `=`", "="),
    ("inline f() { return 1 } init { f() }", "nobody takes the value of this `return`", "return"),
    ("inline f(a) { x = a } init { x = f(3) + 1 }", "expected a statement, found `+`", "+"),
    ("inline f() { } init { f() }", "expected a statement, found `}`", "}"),
];

#[test]
fn wrong_calls_are_explained() {
    for (text, message, underlined) in MISTAKES {
        let mistakes = read(text).expect_err(text);
        assert_eq!(mistakes[0].message, *message, "{text}");
        assert_eq!(&text[mistakes[0].span.range()], *underlined, "{text}");
        assert_eq!(mistakes.len(), 1, "{text}: {mistakes:?}");
    }
}

/// A mistake in a body is shown there, once.
#[test]
fn mistakes_in_bodies_are_shown_there() {
    let text = "inline f(a) { x = a +; y = 2 } init { f(1); f(2); f(3) }";
    let mistakes = read(text).expect_err("a mistake");
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    assert_eq!(mistakes[0].span.start as usize, text.find("+;").expect("there") + 1);
    assert_eq!(mistakes[0].label, "unexpected where the inline `f` is used");
    let text = "inline ship(a) { skip } init { shp(1) }";
    assert_eq!(read(text).expect_err("a typo")[0].help.as_deref(), Some("did you mean `ship`?"));
}
