//! The declarations of a text.

use model::Span;

use super::ast::{BodyItem, Item, ObjectKind, Objects, Process, PropertyKind};
use super::parse::parse;
use super::report::Reports;
use super::token::{Kind, Token, tokens};
use crate::outline::{Outline, Symbol, SymbolKind};

/// What a text declares, as far as it can be parsed.
pub fn outline(text: &str) -> Vec<Symbol> {
    let mut reports = Reports::default();
    let items = parse(text, &mut reports).unwrap_or_default();
    let tokens = tokens(text, &mut Reports::default()).unwrap_or_default();
    let mut out = Outline::default();
    for item in &items {
        self::item(&mut out, item, &tokens);
    }
    out.symbols
}

fn item(out: &mut Outline, item: &Item<'_>, tokens: &[Token]) {
    match item {
        Item::Param(name, _) => out.add(SymbolKind::Parameter, name.text, name.span),
        Item::Const(name, _) => out.add(SymbolKind::Constant, name.text, name.span),
        Item::Enum(name, constants) => {
            out.add(SymbolKind::Type, name.text, name.span);
            constants.iter().for_each(|c| out.add(SymbolKind::Constant, c.text, c.span));
        }
        Item::Objects(declared) => objects(out, declared),
        Item::Actions(parts) => parts.iter().for_each(|p| out.add(SymbolKind::Action, p.name.text, p.name.span)),
        Item::Process(Process { name, indices, body }) => {
            out.process((name.text, name.span), block(name.span, tokens), |out| {
                indices.iter().for_each(|(index, _)| out.add(SymbolKind::Index, index.text, index.span));
                self::body(out, body);
            });
        }
        Item::Property(property) => {
            if let Some((name, span)) = &property.name {
                out.add(SymbolKind::Property, name, *span);
            }
            if let PropertyKind::Safety(body) = &property.kind {
                let name = property.name.as_ref().map_or("observer", |(name, _)| name);
                let start = Span { end: property.span.start, ..property.span };
                out.process((name, start), property.span, |out| self::body(out, body));
            }
        }
        Item::Size(_) => {}
    }
}

fn objects(out: &mut Outline, declared: &Objects<'_>) {
    let kind = match declared.kind {
        ObjectKind::Channel(..) => SymbolKind::Channel,
        _ => SymbolKind::Object,
    };
    declared.names.iter().for_each(|part| out.add(kind, part.name.text, part.name.span));
}

fn body(out: &mut Outline, items: &[BodyItem<'_>]) {
    for item in items {
        match item {
            BodyItem::States(families) | BodyItem::Errors(families) => {
                families.iter().for_each(|f| out.add(SymbolKind::State, f.name.text, f.name.span));
            }
            BodyItem::Objects(declared) => objects(out, declared),
            BodyItem::Step(step) => {
                step.label.iter().for_each(|label| out.add(SymbolKind::Label, label.name.text, label.name.span));
            }
            BodyItem::For(index, _, items) => {
                out.add(SymbolKind::Index, index.text, index.span);
                body(out, items);
            }
            BodyItem::If(_, then, otherwise) => {
                body(out, then);
                body(out, otherwise);
            }
            BodyItem::Init(..) | BodyItem::End(_) | BodyItem::Uses(_) => {}
        }
    }
}

/// From a name to the end of the braces that follow it.
fn block(name: Span, tokens: &[Token]) -> Span {
    let after = tokens.partition_point(|token| token.span.start < name.end);
    let mut depth = 0_usize;
    for token in &tokens[after..] {
        match token.kind {
            Kind::OpenBrace => depth += 1,
            Kind::CloseBrace if depth <= 1 => return name.to(token.span),
            Kind::CloseBrace => depth -= 1,
            _ => {}
        }
    }
    tokens.last().map_or(name, |last| name.to(last.span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_are_declared() {
        let text = "param n = 2\nlock m\nprocess P[i in 0..n-1] {\n  states a, b\n  var x: 0..3\n  a -> b : go do acquire m\n}\n\
                    process Q { states a }\nproperty fine: invariant true\n";
        let found = outline(text);
        let all: Vec<(&str, &str)> = found.iter().map(|s| (s.kind.word(), &*s.name)).collect();
        let expected = [
            ("parameter", "n"),
            ("object", "m"),
            ("process", "P"),
            ("index", "i"),
            ("state", "a"),
            ("state", "b"),
            ("object", "x"),
            ("label", "go"),
            ("process", "Q"),
            ("state", "a"),
            ("property", "fine"),
        ];
        assert_eq!(all, expected);
        for symbol in &found {
            assert_eq!(&text[symbol.span.range()], symbol.name);
        }
        let p = found.iter().find(|s| s.name == "P").and_then(|s| s.inside).expect("a process has an inside");
        assert!(text[p.range()].ends_with("acquire m\n}"));
        assert_eq!(found.iter().filter(|s| s.scope == Some(p)).count(), 5);
    }

    #[test]
    fn a_text_with_mistakes_has_an_outline() {
        assert_eq!(outline("lock m\nprocess P { states a, ; }\nlock k").iter().filter(|s| s.name == "k").count(), 1);
        assert!(outline("\0").is_empty());
    }
}
