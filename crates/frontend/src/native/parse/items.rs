//! The outermost level: constants, objects, actions, processes, properties.

use super::cursor::Parser;
use super::marks::Mark;
use crate::Diagnostic;
use crate::native::ast::{Item, Name, Process, Range};
use crate::native::nearest::suggestion;
use crate::native::report::Checked;
use crate::native::token::Kind;

/// The words that begin an item.
pub(super) const ITEM_WORDS: [&str; 12] = [
    "param",
    "const",
    "enum",
    "var",
    "lock",
    "semaphore",
    "counter",
    "channel",
    "action",
    "process",
    "property",
    "expect",
];

impl<'t> Parser<'t, '_> {
    /// The whole text.
    pub(super) fn items(mut self) -> Vec<Item<'t>> {
        let mut out = Vec::new();
        while !self.at(Kind::End) && !self.tired() {
            if self.eat(Kind::Semicolon) {
                continue;
            }
            self.mark(Mark::Start);
            let start = self.position();
            match self.item() {
                Ok(item) => out.push(item),
                Err(_) => self.recover(start),
            }
        }
        out
    }

    fn recover(&mut self, start: usize) {
        if self.position() == start {
            self.bump();
        }
        self.skip_until(Self::at_item);
        self.unread(start);
    }

    /// Whether an item begins here: its word, and then what can follow it.
    pub(super) fn at_item(&self) -> bool {
        let follows = self.kind(1) == Kind::Word || (self.text(0) == "expect" && self.kind(1) == Kind::Number);
        self.at(Kind::Word) && follows && ITEM_WORDS.contains(&self.text(0))
    }

    fn item(&mut self) -> Checked<Item<'t>> {
        match self.text(0) {
            "param" => self.constant("parameter").map(|(name, value)| Item::Param(name, value)),
            "const" => self.constant("constant").map(|(name, value)| Item::Const(name, value)),
            "enum" => self.enumeration(),
            "var" | "lock" | "semaphore" | "counter" | "channel" => Ok(Item::Objects(Box::new(self.objects()?))),
            "action" => {
                self.bump();
                Ok(Item::Actions(self.list(|p| p.part("the name of an action"))?))
            }
            "process" => Ok(Item::Process(self.process()?)),
            "property" => Ok(Item::Property(self.property()?)),
            "expect" => self.size(),
            _ => Err(self.no_item()),
        }
    }

    fn no_item(&mut self) -> crate::native::report::Reported {
        if !self.at(Kind::Word) {
            return self.unexpected("a declaration");
        }
        let word = self.text(0);
        let message = format!("`{word}` does not begin a declaration");
        let help = match word {
            "states" | "init" | "end" | "uses" | "for" | "if" => Some(format!("`{word}` belongs into a process")),
            _ if self.kind(1) == Kind::Arrow => Some("steps belong into a process".to_owned()),
            _ => suggestion(word, ITEM_WORDS),
        };
        let fallback = "a model consists of param, const, enum, var, lock, semaphore, counter, channel, action, process, \
                        property and expect";
        let what = Diagnostic::error(self.span(), message).label("expected a declaration");
        self.report(what.help(fallback).maybe_help(help))
    }

    /// `param n = 3`, `const n = 3`.
    fn constant(&mut self, what: &str) -> Checked<(Name<'t>, crate::native::ast::Expr<'t>)> {
        self.bump();
        let name = self.name(&format!("the name of a {what}"))?;
        self.expect(Kind::Is, "`=` and a value")?;
        Ok((name, self.expr()?))
    }

    fn enumeration(&mut self) -> Checked<Item<'t>> {
        self.bump();
        let name = self.name("the name of an enumeration")?;
        // An enumeration over several lines is laid out as a block.
        let block = self.breaks_before(Kind::CloseBrace);
        self.mark_if(block, Mark::Open);
        self.expect(Kind::OpenBrace, "`{` and the names of the values")?;
        let mut values = Vec::new();
        while !self.at(Kind::CloseBrace) {
            self.mark_if(block, Mark::Free);
            values.push(self.name("the name of a value")?);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.mark_if(block, Mark::Close);
        self.expect(Kind::CloseBrace, "`,` or `}`")?;
        Ok(Item::Enum(name, values))
    }

    fn process(&mut self) -> Checked<Process<'t>> {
        self.bump();
        let name = self.name("the name of a process")?;
        let mut indices = Vec::new();
        if self.at(Kind::OpenBracket) {
            self.mark(Mark::Left);
            self.bump();
            indices = self.list(Self::index)?;
            self.expect(Kind::CloseBracket, "`,` or `]`")?;
        }
        Ok(Process { name, indices, body: self.block(false)? })
    }

    /// `i in 0..n-1`.
    pub(super) fn index(&mut self) -> Checked<(Name<'t>, Range<'t>)> {
        let name = self.name("the name of an index, as in `i in 0..2`")?;
        if !self.eat_word("in") {
            return Err(self.unexpected("`in` and a range"));
        }
        Ok((name, self.range()?))
    }

    /// `expect 26 states, 51 transitions, 1 deadlocks`.
    fn size(&mut self) -> Checked<Item<'t>> {
        self.bump();
        if self.at_word("holds") || self.at_word("violated") {
            let what = Diagnostic::error(self.last_span(), "this `expect` belongs to no property").label("of what?");
            return Err(self.report(what.help("write it directly after the property, or give a number of states")));
        }
        let sizes = self.list(|p| {
            let number = p.count("a number of states, transitions or deadlocks")?;
            let word = p.name("`states`, `transitions` or `deadlocks`")?;
            if matches!(word.text, "states" | "state" | "transitions" | "transition" | "deadlocks" | "deadlock") {
                return Ok((number, word));
            }
            let what = Diagnostic::error(word.span, format!("`{}` cannot be counted", word.text));
            Err(p.report(what.label("expected `states`, `transitions` or `deadlocks`")))
        })?;
        Ok(Item::Size(sizes))
    }
}
