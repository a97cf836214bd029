//! Properties: a name, a question, and the answer that the author expects.

use model::{Expectation, Span, Strength};

use super::cursor::Parser;
use super::marks::Mark;
use crate::Diagnostic;
use crate::native::ast::{Fair, Place, Property, PropertyKind};
use crate::native::nearest::suggestion;
use crate::native::report::{Checked, Reported};
use crate::native::token::Kind;

const KINDS: [&str; 6] = ["deadlock-free", "partial-deadlock-free", "invariant", "reachable", "safety", "ltl"];
/// The same for messages.
const LISTED: &str = "deadlock-free, partial-deadlock-free, invariant, reachable, safety or ltl";

impl<'t> Parser<'t, '_> {
    /// `property NAME: KIND ... expect ...`.
    pub(super) fn property(&mut self) -> Checked<Property<'t>> {
        let start = self.bump();
        let name = if self.names_ahead() {
            let name = self.hyphenated();
            self.mark(Mark::Left);
            self.bump();
            Some(name)
        } else {
            None
        };
        let kind = self.property_kind()?;
        let expect =
            if self.at_word("expect") && self.kind(1) == Kind::Word { Some(self.expectation()?) } else { None };
        Ok(Property { name, kind, expect, span: start.to(self.last_span()) })
    }

    /// Whether a name and a colon come here: names of properties may contain hyphens.
    fn names_ahead(&self) -> bool {
        let mut ahead = 0;
        while matches!(self.kind(ahead), Kind::Word | Kind::Number) && self.kind(ahead + 1) == Kind::Minus {
            ahead += 2;
        }
        matches!(self.kind(ahead), Kind::Word | Kind::Number) && self.kind(ahead + 1) == Kind::Colon
    }

    /// Words and numbers with hyphens between.
    fn hyphenated(&mut self) -> (String, Span) {
        let mut text = self.text(0).to_owned();
        let start = self.bump();
        while self.at(Kind::Minus) && matches!(self.kind(1), Kind::Word | Kind::Number) {
            self.mark(Mark::Tight);
            self.bump();
            text.push('-');
            text.push_str(self.text(0));
            self.bump();
        }
        (text, start.to(self.last_span()))
    }

    /// Whether these words follow, with a hyphen before each.
    fn hyphened(&self, words: &[&str]) -> bool {
        let follows = |(i, word): (usize, &&str)| self.kind(2 * i + 1) == Kind::Minus && self.text(2 * i + 2) == *word;
        words.iter().enumerate().all(follows)
    }

    fn property_kind(&mut self) -> Checked<PropertyKind<'t>> {
        match self.text(0) {
            "deadlock" if self.hyphened(&["free"]) => {
                self.hyphenated();
                Ok(PropertyKind::DeadlockFree)
            }
            "partial" if self.hyphened(&["deadlock", "free"]) => {
                self.hyphenated();
                Ok(PropertyKind::PartialDeadlockFree)
            }
            "invariant" => {
                self.bump();
                Ok(PropertyKind::Invariant(self.expr()?))
            }
            "reachable" => {
                self.bump();
                Ok(PropertyKind::Reachable(self.expr()?))
            }
            "safety" => {
                self.bump();
                Ok(PropertyKind::Safety(self.block(true)?))
            }
            "ltl" => {
                self.bump();
                let formula = self.formula()?;
                Ok(PropertyKind::Ltl(formula, self.fairness()?))
            }
            _ => Err(self.no_kind()),
        }
    }

    /// `under weak fairness of P, strong fairness`, or nothing.
    pub(super) fn fairness(&mut self) -> Checked<Vec<Fair<'t>>> {
        let mut all = Vec::new();
        if self.eat_word("under") {
            all.push(self.fair()?);
            while self.at(Kind::Comma) && self.is_strength(1) {
                self.bump();
                all.push(self.fair()?);
            }
        }
        Ok(all)
    }

    /// Whether a strength of fairness comes at this distance, and not the name of a process.
    fn is_strength(&self, ahead: usize) -> bool {
        matches!(self.text(ahead), "weak" | "strong") && self.text(ahead + 1) == "fairness"
    }

    fn fair(&mut self) -> Checked<Fair<'t>> {
        let strength = match self.text(0) {
            "weak" => Strength::Weak,
            "strong" => Strength::Strong,
            _ => return Err(self.unexpected("`weak fairness` or `strong fairness`")),
        };
        self.bump();
        if !self.eat_word("fairness") {
            return Err(self.unexpected("`fairness`"));
        }
        let mut of = Vec::new();
        if self.eat_word("of") {
            of.push(self.treated()?);
            while self.at(Kind::Comma) && !self.is_strength(1) {
                self.bump();
                of.push(self.treated()?);
            }
        }
        Ok(Fair { strength, of })
    }

    /// One process, step or action, or several between parentheses that count as one.
    fn treated(&mut self) -> Checked<Vec<Place<'t>>> {
        const WHAT: &str = "a process, a step `P.take` or an action";
        if !self.eat(Kind::Open) {
            return Ok(vec![self.place(WHAT)?]);
        }
        let together = self.list(|p| p.place(WHAT))?;
        self.expect(Kind::Close, "`)`")?;
        Ok(together)
    }

    fn no_kind(&mut self) -> Reported {
        if !self.at(Kind::Word) {
            return self.unexpected(&format!("a property: {LISTED}"));
        }
        let word = self.text(0);
        let what = Diagnostic::error(self.span(), format!("`{word}` is no kind of property"));
        let what = what.label(format!("expected {LISTED}"));
        let example = format!("a named property is written `property {word}: invariant ...`");
        self.report(what.help(example).maybe_help(suggestion(word, KINDS)))
    }

    fn expectation(&mut self) -> Checked<Expectation> {
        self.bump();
        if self.eat_word("holds") {
            Ok(Expectation::Holds)
        } else if self.eat_word("violated") {
            Ok(Expectation::Violated)
        } else {
            Err(self.unexpected("`holds` or `violated`"))
        }
    }
}
