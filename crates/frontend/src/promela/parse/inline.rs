//! Inlines: their body takes the place of a call, with the arguments, as written, in the place of the parameters. It is
//! a block of its own.

use model::Span;

use super::cursor::{Parser, Part};
use crate::Diagnostic;
use crate::name::Text;
use crate::native::nearest::suggestion;
use crate::promela::ast::{StmtKind, VarRef};
use crate::promela::limits;
use crate::promela::token::{Break, Kind, Token};

/// An inline.
pub(super) struct Inline {
    parameters: Vec<Text>,
    /// Its body, braces included.
    body: Vec<Token>,
}

/// A call of an inline.
pub(super) struct Call {
    pub(super) name: Text,
    /// What takes the value that it returns.
    pub(super) target: Option<VarRef>,
}

impl Parser {
    /// `inline name(parameters) { ... }`.
    pub(super) fn inline(&mut self) -> Part<()> {
        self.bump();
        let name = self.name("the name of the inline")?;
        let parameters = self.parenthesised(|p| {
            if p.at(Kind::Close) { Ok(Vec::new()) } else { p.list(|p| p.name("the name of a parameter")) }
        })?;
        let body = self.raw_body()?;
        let inline = Inline { parameters: parameters.into_iter().map(|name| name.text).collect(), body };
        if self.inlines.insert(name.text.clone(), inline).is_some() {
            let message = format!("there are two inlines `{}`", name.text);
            return Err(Box::new(Diagnostic::error(name.span, message).label("the second one")));
        }
        Ok(())
    }

    /// The tokens of a block, unread.
    fn raw_body(&mut self) -> Part<Vec<Token>> {
        if !self.at(Kind::OpenBrace) {
            return Err(self.unexpected("`{`"));
        }
        let (open, mut body, mut depth) = (self.span(), Vec::new(), 0_usize);
        loop {
            match self.kind(0) {
                Kind::OpenBrace => depth += 1,
                Kind::CloseBrace => depth -= 1,
                Kind::TextEnd => return self.close(open, Kind::CloseBrace, "`}`").map(|_| body),
                _ => {}
            }
            body.push(self.token(0).clone());
            self.bump();
            if depth == 0 {
                return Ok(body);
            }
        }
    }

    /// Whether a call of an inline comes next.
    pub(super) fn calls_inline(&self) -> bool {
        self.at(Kind::Word) && self.kind(1) == Kind::Open && self.inlines.contains_key(self.text())
    }

    /// A call; what the inline returns goes to `target`.
    pub(super) fn call(&mut self, target: Option<VarRef>) -> Part<StmtKind> {
        let name = self.name("the name of an inline")?;
        let raw = self.raw_arguments();
        let found = self.parenthesised(|p| if p.at(Kind::Close) { Ok(Vec::new()) } else { p.list(Self::expr) })?.len();
        let at = self.since(name.span);
        let inline = &self.inlines[&name.text];
        if inline.parameters.len() != found {
            return Err(count(&name.text, inline.parameters.len(), found, at));
        }
        if self.calls.iter().any(|call| call.name == name.text) {
            let message = format!("the inline `{}` calls itself", name.text);
            return Err(Box::new(Diagnostic::error(at, message).label("its body would never end")));
        }
        let tokens = inline.expanded(&raw, at);
        self.given += tokens.len();
        if self.given > limits::TOKENS {
            let message = format!("the inlines of this model give more than {} tokens", limits::TOKENS);
            return Err(Box::new(Diagnostic::error(at, message).label("here it is too much")));
        }
        self.calls.push(Call { name: name.text, target });
        let body = self.inserted(tokens, |p| p.nested(Self::body));
        self.calls.pop();
        body.map(StmtKind::Block)
    }

    /// The tokens of the arguments that come next, one list each.
    fn raw_arguments(&self) -> Vec<Vec<Token>> {
        let (mut out, mut depth): (Vec<Vec<Token>>, u32) = (vec![Vec::new()], 0);
        for ahead in 1.. {
            let token = self.token(ahead);
            match token.kind {
                Kind::Open | Kind::OpenBracket => depth += 1,
                Kind::Close | Kind::CloseBracket if depth > 0 => depth -= 1,
                Kind::Comma if depth == 0 => {
                    out.push(Vec::new());
                    continue;
                }
                Kind::Close | Kind::TextEnd => break,
                _ => {}
            }
            if let Some(last) = out.last_mut() {
                last.push(token.clone());
            }
        }
        out
    }

    /// The inline that the last token was probably meant to be, or the proctype that is to be run.
    pub(super) fn similar_inline(&self) -> String {
        if self.all_proctypes.contains(self.last_text()) {
            return format!("to start a process, write `run {}(...)`", self.last_text());
        }
        let mut names: Vec<&str> = self.inlines.keys().map(|name| &**name).collect();
        names.sort_unstable();
        let otherwise = || "there is no inline of this name so far; it must stand before its use".to_owned();
        suggestion(self.last_text(), names).unwrap_or_else(otherwise)
    }
}

impl Inline {
    /// The body in the place of a call.
    fn expanded(&self, arguments: &[Vec<Token>], at: Span) -> Vec<Token> {
        let mut out = Vec::with_capacity(self.body.len());
        for token in &self.body {
            let parameter = self.parameters.iter().position(|parameter| *parameter == token.text);
            match parameter {
                Some(index) => {
                    let argument = arguments[index].iter().enumerate();
                    out.extend(argument.map(|(i, argument)| Token {
                        before: if i == 0 { token.before } else { Break::None },
                        home: token.home,
                        ..argument.clone()
                    }));
                }
                None => out.push(Token { span: at, ..token.clone() }),
            }
        }
        out
    }
}

fn count(name: &str, wanted: usize, found: usize, at: Span) -> Box<Diagnostic> {
    let plural = if wanted == 1 { "" } else { "s" };
    let message = format!("the inline `{name}` has {wanted} parameter{plural}, not {found}");
    Box::new(Diagnostic::error(at, message).label(if found > wanted {
        "too many arguments"
    } else {
        "too few arguments"
    }))
}
