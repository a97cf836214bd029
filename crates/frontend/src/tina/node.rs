//! The lines of transitions and places: label, interval or marking, and arcs.

use model::Span;
use model::views::{NetTransitionId, PlaceId};

use super::line::Word;
use super::{Tina, refused};
use crate::Diagnostic;
use crate::loaded_net::{tokens, weight};

/// How an arc touches the tokens.
enum Touch {
    /// Takes or puts them.
    Move(u32),
    /// Tests that they are there.
    Test(u32),
}

impl<'a> Tina<'a> {
    /// `tr name : label [0,w[ inputs -> outputs`
    pub(super) fn transition_line(&mut self) -> Result<(), Diagnostic> {
        let name = self.name("the name of a transition")?;
        let t = self.transition(&name.text);
        self.label()?;
        self.interval()?;
        if self.cursor.at_end() {
            return Ok(());
        }
        while !self.cursor.accept("->") {
            let place = self.name("a place or `->`")?;
            let p = self.place(&place.text);
            self.input(t, p, place.span)?;
        }
        while !self.cursor.at_end() {
            let place = self.name("a place")?;
            let p = self.place(&place.text);
            let weight = self.output()?;
            self.draft.builder.produce(t, p, weight);
        }
        Ok(())
    }

    /// `pl name : label (marking) inputs -> outputs`
    pub(super) fn place_line(&mut self) -> Result<(), Diagnostic> {
        let name = self.name("the name of a place")?;
        let p = self.place(&name.text);
        self.label()?;
        self.marking(p, &name)?;
        if self.cursor.at_end() {
            return Ok(());
        }
        while !self.cursor.accept("->") {
            let t = self.name("a transition or `->`")?;
            let t = self.transition(&t.text);
            let weight = self.output()?;
            self.draft.builder.produce(t, p, weight);
        }
        while !self.cursor.at_end() {
            let transition = self.name("a transition")?;
            let t = self.transition(&transition.text);
            self.input(t, p, transition.span)?;
        }
        Ok(())
    }

    fn name(&mut self, what: &str) -> Result<Word<'a>, Diagnostic> {
        self.cursor.word()?.ok_or_else(|| self.cursor.unexpected(what))
    }

    fn label(&mut self) -> Result<(), Diagnostic> {
        if self.cursor.accept(":") {
            self.name("a label")?;
        }
        Ok(())
    }

    /// Only the interval without any restriction, `[0,w[`, is accepted.
    fn interval(&mut self) -> Result<(), Diagnostic> {
        self.cursor.at_end();
        let start = self.cursor.position();
        if self.cursor.accept("]") {
            return Err(refused(self.cursor.span_from(start), "a time interval"));
        }
        if !self.cursor.accept("[") {
            return Ok(());
        }
        let free = self.cursor.word()?.is_some_and(|w| w.text == "0")
            && self.cursor.accept(",")
            && self.cursor.word()?.is_some_and(|w| w.text == "w")
            && self.cursor.accept("[");
        if free { Ok(()) } else { Err(refused(self.cursor.span_from(start), "a time interval other than [0,w[")) }
    }

    fn marking(&mut self, p: PlaceId, name: &Word<'a>) -> Result<(), Diagnostic> {
        if !self.cursor.accept("(") {
            return Ok(());
        }
        let marking = self.number(|text, span| tokens(text, "the marking", span))?;
        if !self.cursor.accept(")") {
            return Err(self.cursor.unexpected("`)`"));
        }
        if std::mem::replace(&mut self.marked[p.index()], true) {
            return Err(Diagnostic::error(name.span, format!("the marking of `{}` is given twice", name.text)));
        }
        self.draft.builder.place_mut(p).initial = marking;
        Ok(())
    }

    fn input(&mut self, t: NetTransitionId, p: PlaceId, span: Span) -> Result<(), Diagnostic> {
        match self.touch()? {
            Touch::Move(weight) => self.draft.builder.consume(t, p, weight),
            Touch::Test(weight) => self.draft.read(t, p, weight, span),
        }
        Ok(())
    }

    fn output(&mut self) -> Result<u32, Diagnostic> {
        let start = self.cursor.position();
        match self.touch()? {
            Touch::Move(weight) => Ok(weight),
            Touch::Test(_) => Err(Diagnostic::error(self.cursor.span_from(start), "a test arc leads to a place")
                .label("tests belong to the inputs of a transition")),
        }
    }

    fn touch(&mut self) -> Result<Touch, Diagnostic> {
        let start = self.cursor.position();
        for (sign, what) in [("?-", "an inhibitor arc"), ("!-", "a stopwatch inhibitor arc"), ("!", "a stopwatch arc")]
        {
            if self.cursor.accept(sign) {
                return Err(refused(self.cursor.span_from(start), what));
            }
        }
        if self.cursor.accept("?") {
            return self.number(weight).map(Touch::Test);
        }
        if self.cursor.accept("*") { self.number(weight).map(Touch::Move) } else { Ok(Touch::Move(1)) }
    }

    /// A number, perhaps with a letter for thousands, millions and so on.
    fn number(&mut self, read: impl Fn(&str, Span) -> Result<u32, Diagnostic>) -> Result<u32, Diagnostic> {
        let start = self.cursor.position();
        let minus = self.cursor.accept("-");
        let word = self.name("a number")?;
        let span = self.cursor.span_from(start);
        let zeros = match word.text.chars().next_back() {
            Some('K') => 3,
            Some('M') => 6,
            Some('G') => 9,
            Some('T') => 12,
            Some('P') => 15,
            Some('E') => 18,
            _ => 0,
        };
        let digits = &word.text[..word.text.len() - usize::from(zeros > 0)];
        if !digits.bytes().all(|b| b.is_ascii_digit()) || digits.is_empty() {
            return read(&word.text, span);
        }
        let sign = if minus { "-" } else { "" };
        read(&format!("{sign}{digits}{}", "0".repeat(zeros)), span)
    }
}
