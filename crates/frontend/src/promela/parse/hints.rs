//! What often goes wrong at a token that nobody expects: what other languages write there, and what Promela writes.

use super::cursor::{Parser, begins_unit};
use crate::promela::token::Kind;

impl Parser {
    /// What may help where `what` was expected and something else was found.
    pub(super) fn hint(&self, what: &str) -> Option<&'static str> {
        let (token, last) = (self.token(0), self.last());
        let implied = last.kind == Kind::Semicolon && last.text.is_empty();
        match token.kind {
            Kind::Semicolon if token.text.is_empty() => {
                Some("only parentheses hold a statement of several lines together")
            }
            _ if implied && continues(token.kind) => {
                Some("the end of a line ends a statement: put the operator there, or parentheses around the whole")
            }
            _ => self
                .temporal_letter()
                .or_else(|| self.assignment(what))
                .or_else(|| self.bracket(what))
                .or_else(|| self.other(what)),
        }
    }

    /// The letters of temporal logic that Promela writes otherwise.
    fn temporal_letter(&self) -> Option<&'static str> {
        match (self.last_text(), self.text()) {
            _ if !self.temporal => None,
            ("G", _) => Some("`G p` is written `[] p`, or `always p`"),
            ("F", _) => Some("`F p` is written `<> p`, or `eventually p`"),
            (_, "R") => Some("`p R q` is written `p V q`, or `p release q`"),
            _ if is_operator(self.last_text())
                && matches!(self.kind(0), Kind::OpenBracket | Kind::At | Kind::Colon) =>
            {
                Some("`U`, `V`, `W` and `X` are operators in formulas: give the proctype another name")
            }
            (_, word) if is_operator(word) && matches!(self.kind(1), Kind::OpenBracket | Kind::At | Kind::Colon) => {
                Some("`U`, `V`, `W` and `X` are operators in formulas: give the proctype another name")
            }
            _ => None,
        }
    }

    /// What looks like an assignment.
    fn assignment(&self, what: &str) -> Option<&'static str> {
        let (last, token, next) = (self.last(), self.token(0), self.token(1));
        let joined = last.span.end == token.span.start;
        match token.kind {
            Kind::Is if joined && calculates(last.kind) => Some("`x += n` is written `x = x + n`"),
            Kind::Is if joined && last.kind == Kind::Colon => Some("an assignment is written `x = n`, without `:`"),
            Kind::Is if next.kind == Kind::Greater && next.span.start == token.span.end => {
                Some("`->` separates a condition from what follows it")
            }
            Kind::Is if what.starts_with("`:` and a range") => {
                Some("a loop that counts is written `for (i : 1 .. 3) { ... }`")
            }
            Kind::Is if !what.starts_with("the ") => Some("`==` compares, `=` assigns"),
            Kind::Increment | Kind::Decrement => {
                Some("`x++` and `x--` are statements of their own, and have no value: write `y = x; x++`")
            }
            _ => None,
        }
    }

    /// Brackets that other languages write otherwise, or leave out.
    fn bracket(&self, what: &str) -> Option<&'static str> {
        match (what, self.last_kind()) {
            ("`::`", Kind::Do) => {
                Some("every option begins with `::`, like this: `do :: condition -> ... :: else -> break od`")
            }
            ("`::`", _) => Some("every option begins with `::`, like this: `if :: condition -> ... :: else -> ... fi`"),
            ("`{` and the types of a message", _) => Some("the types stand between braces: `[1] of { byte, mtype }`"),
            ("`{`", Kind::Init) => Some("`init` has no parameters: write `init { ... }`"),
            ("`{`", Kind::Atomic) => Some("the statements stand between braces: `atomic { ... }`"),
            ("`{`", Kind::DStep) => Some("the statements stand between braces: `d_step { ... }`"),
            ("`(` and parameters", _) => {
                Some("the parentheses stay if there are no parameters: `proctype P() { ... }`")
            }
            ("a text in quotes", _) => Some("the text says how values are shown: `printf(\"x is %d\\n\", x)`"),
            _ => None,
        }
    }

    /// Other words and signs.
    fn other(&self, what: &str) -> Option<&'static str> {
        let token = self.token(0);
        match token.kind {
            Kind::Word if &*token.text == "and" => Some("write `&&`"),
            Kind::Word if &*token.text == "or" => Some("write `||`"),
            Kind::Question => Some(
                "a receive is a statement of its own, `q?x`, and a choice between two values is `(condition -> a : b)`",
            ),
            Kind::BangBang => Some("to negate twice, write `! !`"),
            Kind::OpenBracket if self.last_kind() == Kind::CloseBracket => Some(
                "arrays have one index: declare `typedef Row { int cell[3] }` and `Row a[2]`, and write `a[i].cell[j]`",
            ),
            Kind::Else => Some("every option begins with `::`, the last one, too: `:: else -> ...`"),
            Kind::String => Some("values are numbers: declare names for them, as in `mtype = { red, green }`"),
            kind if matches!(what, "a statement" | "`;` or `->`") && begins_unit(kind) => {
                Some("this stands outside of all bodies: is there a `}` missing before it?")
            }
            _ if what.starts_with("the name") && token.is_word() && token.kind != Kind::Word => {
                Some("this word belongs to the language; choose another name")
            }
            _ => None,
        }
    }

    /// What may help where no unit begins, and nothing is spelled like one.
    pub(super) fn unit_hint(&self) -> Option<&'static str> {
        const FUNCTION: &str =
            "there are no functions: write `inline f(a) { ... }`, or `proctype` and `init` for what runs";
        match (self.last_kind(), self.kind(0), self.kind(1)) {
            (Kind::Word, Kind::Open, _) => Some(FUNCTION),
            (_, Kind::Word, Kind::Word) if self.kind(2) == Kind::Open => Some(FUNCTION),
            (Kind::Word, Kind::Of, _) => {
                Some("a channel is made with the number of messages that it holds: `chan c = [1] of { byte }`")
            }
            (Kind::CloseBrace, Kind::Word, Kind::Semicolon) => {
                Some("the name of a type stands in front: `typedef T { byte a }`")
            }
            (_, Kind::Word, _) => foreign_type(self.text()),
            _ => None,
        }
    }
}

/// What Promela has for a type, or a word before one, of other languages.
fn foreign_type(word: &str) -> Option<&'static str> {
    match word {
        "const" | "final" | "static" => Some("a constant is written `#define N 3`"),
        "float" | "double" | "real" => Some("numbers are whole: take `int`, `short` or `byte`"),
        "char" => Some("a character is a number: take `byte`"),
        "long" | "integer" => Some("take `int`"),
        "boolean" => Some("take `bool`"),
        "string" | "String" | "enum" => Some("declare names, as in `mtype = { red, green }`, and take `mtype`"),
        "struct" => Some("a type with fields is written `typedef T { byte a; bool b }`"),
        _ => None,
    }
}

/// Whether a word stands between two formulas, or before one.
fn is_operator(word: &str) -> bool {
    matches!(word, "U" | "V" | "W" | "X")
}

/// Whether a token is an operator that other languages join with an assignment.
fn calculates(kind: Kind) -> bool {
    let sign = matches!(kind, Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash | Kind::Percent);
    sign || matches!(kind, Kind::BitAnd | Kind::BitOr | Kind::BitXor | Kind::ShiftLeft | Kind::ShiftRight)
}

/// Whether a token continues an expression or a statement.
fn continues(kind: Kind) -> bool {
    let operator = matches!(
        kind,
        Kind::And | Kind::Or | Kind::Plus | Kind::Star | Kind::Slash | Kind::Percent | Kind::BitAnd | Kind::BitOr
    );
    let comparison = matches!(
        kind,
        Kind::Equal | Kind::NotEqual | Kind::Less | Kind::AtMost | Kind::Greater | Kind::AtLeast | Kind::BitXor
    );
    operator || comparison || matches!(kind, Kind::Is | Kind::Comma | Kind::Dot | Kind::Question | Kind::Unless)
}
