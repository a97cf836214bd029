//! What stands between the braces of a process or an observer: states, steps, and repetitions of them.
//!
//! A word begins a declaration unless `->`, `,` or `[` follows: then it is the state that a step leaves.

use super::cursor::Parser;
use super::items::ITEM_WORDS;
use super::marks::Mark;
use crate::Diagnostic;
use crate::native::ast::{BodyItem, StateFamily, Step};
use crate::native::nearest::suggestion;
use crate::native::report::{Checked, Reported};
use crate::native::token::Kind;

/// The words that begin a part of a body.
pub(super) const BODY_WORDS: [&str; 12] =
    ["states", "init", "end", "uses", "for", "if", "error", "var", "lock", "semaphore", "counter", "channel"];

impl<'t> Parser<'t, '_> {
    /// `{ ... }`; in an observer, `error` states and `on` are known.
    pub(super) fn block(&mut self, observer: bool) -> Checked<Vec<BodyItem<'t>>> {
        self.mark(Mark::Open);
        let open = self.expect(Kind::OpenBrace, "`{`")?;
        self.nested(|p| {
            let mut out = Vec::new();
            while !p.at(Kind::CloseBrace) && !p.tired() {
                if p.eat(Kind::Semicolon) {
                    continue;
                }
                if p.at(Kind::End) || p.item_instead() {
                    let what = Diagnostic::error(open, "this `{` is never closed").label("opened here");
                    return Err(p.report(what.help("a `}` is missing")));
                }
                p.mark(Mark::Start);
                let start = p.position();
                match p.body_item(observer) {
                    Ok(item) => out.push(item),
                    Err(_) => p.recover_in_body(start),
                }
            }
            p.mark(Mark::Close);
            p.bump();
            Ok(out)
        })
    }

    /// Whether a declaration begins here that cannot stand in a body.
    fn item_instead(&self) -> bool {
        self.at_item() && !BODY_WORDS.contains(&self.text(0))
    }

    fn recover_in_body(&mut self, start: usize) {
        if self.position() == start {
            self.bump();
        }
        self.skip_until(|p| {
            let begins = p.at(Kind::Word) && (p.at_step() || (p.kind(1) == Kind::Word && p.at_body_word()));
            begins || p.at(Kind::CloseBrace) || p.at(Kind::Semicolon) || p.item_instead()
        });
        self.unread(start);
    }

    fn at_body_word(&self) -> bool {
        BODY_WORDS.contains(&self.text(0))
    }

    /// Whether a word with an arrow behind it, perhaps behind one index, stands here.
    fn at_step(&self) -> bool {
        let after_index = self.kind(1) == Kind::OpenBracket && self.kind(3) == Kind::CloseBracket;
        self.kind(1) == Kind::Arrow || (after_index && self.kind(4) == Kind::Arrow)
    }

    fn body_item(&mut self, observer: bool) -> Checked<BodyItem<'t>> {
        if !self.at(Kind::Word) {
            return Err(self.unexpected("a step or a declaration"));
        }
        if matches!(self.kind(1), Kind::Arrow | Kind::Comma | Kind::OpenBracket) {
            return Ok(BodyItem::Step(Box::new(self.step(observer)?)));
        }
        let word = self.text(0);
        match word {
            "states" => self.bumped(|p| Ok(BodyItem::States(p.list(Self::state_family)?))),
            "error" if observer => self.bumped(|p| Ok(BodyItem::Errors(p.list(Self::state_family)?))),
            "init" => self.bumped(Self::init),
            "end" if !observer => self.bumped(|p| Ok(BodyItem::End(p.list(|p| p.part("the name of a state"))?))),
            "uses" if !observer => self.bumped(|p| Ok(BodyItem::Uses(p.list(|p| p.part("the name of an action"))?))),
            "var" | "lock" | "semaphore" | "counter" | "channel" if !observer => {
                Ok(BodyItem::Objects(Box::new(self.objects()?)))
            }
            "for" => self.bumped(|p| {
                let (name, range) = p.index()?;
                Ok(BodyItem::For(name, range, p.block(observer)?))
            }),
            "if" => self.nested(|p| p.conditional(observer)),
            _ => Err(self.no_body_item(observer)),
        }
    }

    fn bumped<T>(&mut self, f: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        self.bump();
        f(self)
    }

    fn no_body_item(&mut self, observer: bool) -> Reported {
        let word = self.text(0);
        let help = match word {
            "end" | "uses" | "var" | "lock" | "semaphore" | "counter" | "channel" if observer => {
                Some(format!("`{word}` is for processes; an observer has states, error states and steps"))
            }
            "error" => Some("`error` states are for the observers of `safety` properties".to_owned()),
            "when" | "do" | "sync" | "on" => {
                Some("the order is: from -> to : label sync action when ... do ...".into())
            }
            "state" => Some("did you mean `states`?".to_owned()),
            _ => suggestion(word, BODY_WORDS),
        };
        if ITEM_WORDS.contains(&word) || self.kind(1) == Kind::Word || help.is_some() {
            let what = Diagnostic::error(self.span(), format!("`{word}` does not begin a step or a declaration"));
            let what =
                what.label("expected a step or a declaration").help("a step is written `from -> to when ... do ...`");
            return self.report(what.maybe_help(help));
        }
        self.bump();
        self.unexpected("`->` and the state that the step leads to")
    }

    fn state_family(&mut self) -> Checked<StateFamily<'t>> {
        if self.kind(1) == Kind::Arrow {
            let what = Diagnostic::error(self.span(), "expected the name of a state, found a step");
            return Err(self.report(what.label("a step begins here").help("remove the `,` before it, or name a state")));
        }
        let name = self.name("the name of a state")?;
        let mut ranges = Vec::new();
        while self.at(Kind::OpenBracket) {
            self.mark(Mark::Left);
            self.bump();
            let lo = self.sum()?;
            self.mark(Mark::Tight);
            if !self.eat(Kind::DotDot) {
                let what = Diagnostic::error(lo.span, "a family of states needs a range").label("expected `lo..hi`");
                return Err(self.report(what.help(format!("write `{}[0..3]` for four states", name.text))));
            }
            let hi = self.sum()?;
            self.expect(Kind::CloseBracket, "`]`")?;
            ranges.push(crate::native::ast::Range { lo, hi });
        }
        Ok(StateFamily { name, ranges })
    }

    fn init(&mut self) -> Checked<BodyItem<'t>> {
        let state = self.part("the name of a state")?;
        let when = if self.eat_word("when") { Some(self.expr()?) } else { None };
        Ok(BodyItem::Init(state, when))
    }

    fn conditional(&mut self, observer: bool) -> Checked<BodyItem<'t>> {
        self.bump();
        let condition = self.expr()?;
        let yes = self.block(observer)?;
        let mut no = Vec::new();
        if self.at_word("else") && matches!(self.text(1), "{" | "if") {
            self.bump();
            no = match self.at_word("if") {
                true => vec![self.nested(|p| p.conditional(observer))?],
                false => self.block(observer)?,
            };
        }
        Ok(BodyItem::If(condition, yes, no))
    }

    fn step(&mut self, observer: bool) -> Checked<Step<'t>> {
        let start = self.span();
        let from = self.list(|p| p.part("the name of a state"))?;
        self.mark(Mark::Arrow);
        self.expect(Kind::Arrow, "`->` and the state that the step leads to")?;
        let to = self.part("the name of a state")?;
        if self.at(Kind::Colon) || matches!(self.text(0), "sync" | "on" | "when" | "do") {
            self.mark(Mark::Clause);
        }
        let (mut label, mut sync, mut on, mut operations) = (None, None, None, Vec::new());
        if !observer && self.eat(Kind::Colon) {
            label = Some(self.part("a name for the step")?);
        }
        if !observer && self.eat_word("sync") {
            sync = Some(self.part("the name of an action")?);
        }
        if observer && self.eat_word("on") {
            on = Some(self.list(|p| p.place("a step, an action or a process"))?);
        }
        let when = if self.eat_word("when") { Some(self.expr()?) } else { None };
        if !observer && self.eat_word("do") {
            operations = self.list(Self::operation)?;
        }
        self.clause_order()?;
        Ok(Step { from, to, label, sync, on, when, operations, span: start.to(self.last_span()) })
    }

    /// Words that belong to the step but come too late.
    fn clause_order(&mut self) -> Checked<()> {
        let stray = match self.text(0) {
            "when" | "do" | "sync" | "on" => !matches!(self.kind(1), Kind::Arrow | Kind::Comma | Kind::OpenBracket),
            ":" => true,
            _ => false,
        };
        if !stray {
            return Ok(());
        }
        let what = Diagnostic::error(self.span(), format!("`{}` cannot come here", self.text(0)));
        Err(self.report(what.label("in the wrong place").help(
            "the order is `from -> to : label sync action when ... do ...`, in an observer `from -> to on ... when ...`",
        )))
    }
}
