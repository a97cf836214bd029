//! Precedence and the forms of literals.

use frontend::bip::ast::Model;

use crate::support::{read, shown, valid};

fn expr(text: &str) -> String {
    let model = valid(&format!("package p const data int a = {text} end"));
    shown(&model.package(Model::MAIN).constants[0].value)
}

#[test]
fn operators_bind_as_in_c() {
    let cases = [
        ("1 + 2 * 3", "(1 + (2 * 3))"),
        ("1 - 2 - 3", "(1 - 2 - 3)"),
        ("1 - (2 - 3)", "(1 - (2 - 3))"),
        ("8 / 4 % 3 * 2", "(8 / 4 % 3 * 2)"),
        ("a + b < c - d", "((a + b) < (c - d))"),
        ("a < b == c >= d", "((a < b) == (c >= d))"),
        ("a == 1 && b != 2 || c", "(((a == 1) && (b != 2)) || c)"),
        ("a || b && c || d", "(a || (b && c) || d)"),
        ("a & 1 == 0", "(a & (1 == 0))"),
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("a && b | c", "(a && (b | c))"),
        ("!a && -b < ~c", "(!a && (-b < ~c))"),
        ("- - a * !b", "(--a * !b)"),
        ("+a - +b", "(a - b)"),
        ("!(a || b)", "!(a || b)"),
        ("((a))", "a"),
        ("p.x + q.y", "(p.x + q.y)"),
        ("a * b + c * d - e", "((a * b) + (c * d) - e)"),
    ];
    for (text, expected) in cases {
        assert_eq!(expr(text), expected, "{text}");
    }
}

#[test]
fn literals_have_many_forms() {
    for text in
        ["0", "9223372036854775807", "1.5", "1.", ".5", "1e3", "1.5E-3", ".5e+1", "true", "false", r#""a\"b\n""#]
    {
        assert_eq!(expr(text), text);
    }
    let too_large = read("package p const data int a = 9223372036854775808 end").expect_err("too large");
    assert_eq!(too_large[0].message, "the number 9223372036854775808 is too large");
}

#[test]
fn spans_cover_parentheses() {
    let model = valid("package p const data int a = 1 + (2 - 3) end");
    let value = &model.package(Model::MAIN).constants[0].value;
    let frontend::bip::ast::ExprKind::Chain(first, rest) = &value.kind else { panic!("a sum") };
    let text = |span: model::Span| &model.sources.text()[span.range()];
    assert_eq!((text(value.span), text(first.span), text(rest[0].1.span)), ("1 + (2 - 3)", "1", "(2 - 3)"));
}
