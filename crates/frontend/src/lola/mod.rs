//! LoLA's place/transition nets: `PLACE ... ; MARKING ... ; TRANSITION t CONSUME ... ; PRODUCE ... ;`.
//!
//! Numbers left out are 1. `SAFE n` announces a bound of the places that follow; it changes no behaviour and is not
//! relied on. Fairness of transitions changes no reachable marking; it is passed over with a warning.

mod token;

use model::Span;
use model::views::{Place, PlaceId};

use crate::Diagnostic;
use crate::loaded_net::{Draft, LoadedNet, tokens, utf8, weight};
use token::{Token, Tokens};

pub(crate) use token::{KEYWORDS, is_name_char};

/// Reads a net; `name` is what it will be called.
pub fn read(name: &str, bytes: &[u8]) -> Result<LoadedNet, Vec<Diagnostic>> {
    let parse = || {
        let mut parser = Parser { tokens: Tokens::new(utf8(bytes)?)?, draft: Draft::new(name) };
        parser.net()?;
        Ok(parser.draft)
    };
    parse().map_err(|d| vec![d])?.finish()
}

struct Parser<'a> {
    tokens: Tokens<'a>,
    draft: Draft,
}

impl<'a> Parser<'a> {
    fn net(&mut self) -> Result<(), Diagnostic> {
        self.high_level()?;
        self.tokens.expect("PLACE")?;
        while !matches!(self.tokens.peek().text, "MARKING" | "") {
            self.places()?;
        }
        self.tokens.expect("MARKING")?;
        self.marking()?;
        while !self.tokens.peek().text.is_empty() {
            self.transition()?;
        }
        Ok(())
    }

    fn high_level(&self) -> Result<(), Diagnostic> {
        let next = self.tokens.peek();
        if matches!(next.text, "SORT" | "FUNCTION") {
            return Err(Diagnostic::error(next.span, "high-level LoLA nets are not read")
                .help("unfold the net to a place/transition net first"));
        }
        Ok(())
    }

    /// `SAFE 1: p, q, r;`
    fn places(&mut self) -> Result<(), Diagnostic> {
        if self.tokens.accept("SAFE")? && !self.tokens.accept(":")? {
            let bound = self.tokens.next()?;
            tokens(bound.text, "the bound", bound.span)?;
            self.tokens.expect(":")?;
        }
        loop {
            if self.tokens.accept(";")? {
                return Ok(());
            }
            let name = self.name("a place")?;
            if self.draft.place(name.text, Place::new(name.text, 0)).is_none() {
                return Err(twice("place", name));
            }
            if self.tokens.peek().text == ":" {
                let message = "places of a sort belong to high-level LoLA nets, which are not read";
                return Err(Diagnostic::error(self.tokens.peek().span, message));
            }
            self.separator()?;
        }
    }

    fn marking(&mut self) -> Result<(), Diagnostic> {
        while !self.tokens.accept(";")? {
            let (p, span) = self.place()?;
            let more = self.number(|n| tokens(n.text, "the marking", n.span))?;
            let initial = &mut self.draft.builder.place_mut(p).initial;
            let too_many = || Diagnostic::error(span, "the marking is more than 4294967295");
            *initial = initial.checked_add(more).ok_or_else(too_many)?;
            self.separator()?;
        }
        Ok(())
    }

    fn transition(&mut self) -> Result<(), Diagnostic> {
        self.tokens.expect("TRANSITION")?;
        let name = self.name("a transition")?;
        let Some(t) = self.draft.transition(name.text, name.text) else { return Err(twice("transition", name)) };
        self.fairness()?;
        self.tokens.expect("CONSUME")?;
        self.arcs(|draft, p, weight| draft.builder.consume(t, p, weight))?;
        self.tokens.expect("PRODUCE")?;
        self.arcs(|draft, p, weight| draft.builder.produce(t, p, weight))
    }

    fn fairness(&mut self) -> Result<(), Diagnostic> {
        let first = self.tokens.peek();
        if matches!(first.text, "STRONG" | "WEAK") {
            self.tokens.next()?;
            self.tokens.expect("FAIR")?;
            self.draft
                .warnings
                .push(Diagnostic::warning(first.span, "fairness of transitions is not taken into account"));
        }
        Ok(())
    }

    fn arcs(&mut self, mut add: impl FnMut(&mut Draft, PlaceId, u32)) -> Result<(), Diagnostic> {
        while !self.tokens.accept(";")? {
            let (p, _) = self.place()?;
            let weight = self.number(|n| weight(n.text, n.span))?;
            add(&mut self.draft, p, weight);
            self.separator()?;
        }
        Ok(())
    }

    /// A comma, or a semicolon that is left to be read.
    fn separator(&mut self) -> Result<(), Diagnostic> {
        if self.tokens.peek().text == ";" { Ok(()) } else { self.tokens.expect(",") }
    }

    fn place(&mut self) -> Result<(PlaceId, Span), Diagnostic> {
        let name = self.name("a place")?;
        let unknown = || Diagnostic::error(name.span, format!("there is no place `{}`", name.text));
        Ok((self.draft.ids.places.single(name.text).ok_or_else(unknown)?, name.span))
    }

    fn number(&mut self, read: impl Fn(Token<'a>) -> Result<u32, Diagnostic>) -> Result<u32, Diagnostic> {
        if self.tokens.accept(":")? { read(self.tokens.next()?) } else { Ok(1) }
    }

    fn name(&mut self, what: &str) -> Result<Token<'a>, Diagnostic> {
        let token = self.tokens.next()?;
        let bad = token.text.is_empty() || KEYWORDS.contains(&token.text) || !token.text.chars().all(is_name_char);
        if bad {
            return Err(Diagnostic::error(token.span, format!("expected the name of {what}, found {}", token.shown())));
        }
        Ok(token)
    }
}

fn twice(what: &str, name: Token<'_>) -> Diagnostic {
    Diagnostic::error(name.span, format!("there are two {what}s called `{}`", name.text)).label("the second one")
}
