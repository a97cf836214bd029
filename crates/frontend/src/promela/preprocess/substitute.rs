//! The text of a macro with its arguments in the place of its parameters, `#` and `##` done.

use model::Span;

use super::Preprocessor;
use super::expand::{Hidden, Item, union};
use super::macros::{Macro, given};
use crate::Diagnostic;
use crate::promela::limits;
use crate::promela::token::{Break, Kind, Token, tokens};

impl Preprocessor<'_> {
    /// The text of a call, from `at` and with everything hidden that `context` says.
    pub(super) fn substitute(
        &mut self,
        known: &Macro,
        arguments: Vec<Vec<Item>>,
        context: (Span, &Hidden),
        depth: u32,
    ) -> Result<Vec<Item>, Box<Diagnostic>> {
        let (at, hidden) = context;
        if depth == limits::ARGUMENTS {
            let message = format!("macros in the arguments of macros, more than {} deep", limits::ARGUMENTS);
            return Err(Box::new(Diagnostic::error(at, message).label("one too many")));
        }
        let mut expanded: Vec<Option<Vec<Item>>> = vec![None; arguments.len()];
        let (mut out, mut next): (Vec<Item>, usize) = (Vec::new(), 0);
        while next < known.body.len() {
            let (token, before) = (&known.body[next], out.len());
            let follows = known.body.get(next + 1);
            let parameter = known.parameter(token);
            let pasted = follows.is_some_and(|token| token.kind == Kind::HashHash)
                || next > 0 && known.body[next - 1].kind == Kind::HashHash;
            next += 1;
            let own = |token: &Token| Item { token: given(token, &known.name, at), hidden: hidden.clone() };
            match (token.kind, parameter) {
                (Kind::Hash, _) if follows.and_then(|token| known.parameter(token)).is_some() => {
                    let index = follows.and_then(|token| known.parameter(token)).unwrap_or_default();
                    let text = self.words.intern(&quoted(&arguments[index]));
                    out.push(own(&Token { kind: Kind::String, text, ..token.clone() }));
                    next += 1;
                }
                // `, ## rest`: without a rest there is no comma.
                (Kind::HashHash, _) if before_rest(known, next - 1) => {
                    if arguments.last().is_some_and(Vec::is_empty) {
                        out.pop();
                    }
                }
                (Kind::HashHash, _) => out.push(own(token)),
                (_, Some(index)) if pasted => {
                    out.extend(arguments[index].iter().cloned());
                    // Something must stand beside the `##`.
                    out.extend(arguments[index].is_empty().then(|| own(&nothing(token))));
                }
                (_, Some(index)) => {
                    if expanded[index].is_none() {
                        expanded[index] = Some(self.expand_items(arguments[index].clone(), depth + 1));
                    }
                    out.extend(expanded[index].iter().flatten().cloned().map(|item| placed(item, hidden)));
                }
                _ => out.push(own(token)),
            }
            self.work += out.len().saturating_sub(before);
            self.measure(known, at)?;
        }
        Ok(self.paste(out))
    }

    /// The tokens with those beside a `##` made one.
    fn paste(&mut self, items: Vec<Item>) -> Vec<Item> {
        if items.iter().all(|item| item.token.kind != Kind::HashHash && !is_nothing(&item.token)) {
            return items;
        }
        let (mut out, mut glue): (Vec<Item>, bool) = (Vec::new(), false);
        for item in items {
            if item.token.kind == Kind::HashHash {
                glue = true;
                continue;
            }
            let left = if glue { out.pop() } else { None };
            match left {
                Some(left) => out.extend(self.pasted(&left, &item)),
                None => out.push(item),
            }
            glue = false;
        }
        out.retain(|item| !is_nothing(&item.token));
        out
    }

    /// Two tokens as one, or as many as their joined text has.
    fn pasted(&mut self, left: &Item, right: &Item) -> Vec<Item> {
        let text = format!("{}{}", left.token.text, right.token.text);
        let found = tokens(&text, Span::new(0, text.len()), &mut self.words);
        let item = |token: Token| Item {
            token: Token { kind: token.kind, text: token.text, ..left.token.clone() },
            hidden: left.hidden.clone(),
        };
        let found: Vec<Item> = found.into_iter().map(item).collect();
        if found.is_empty() { vec![left.clone()] } else { found }
    }
}

/// Whether a `##` of a macro stands between a comma and the parameter that takes what is left.
fn before_rest(known: &Macro, at: usize) -> bool {
    let last = known.parameters.as_ref().map_or(0, Vec::len).checked_sub(1);
    let rest = known.body.get(at + 1).and_then(|token| known.parameter(token));
    known.variadic && at > 0 && known.body[at - 1].kind == Kind::Comma && rest.is_some() && rest == last
}

/// What stands for an argument without text beside a `##`.
fn nothing(token: &Token) -> Token {
    Token { kind: Kind::Bad, text: "".into(), ..token.clone() }
}

fn is_nothing(token: &Token) -> bool {
    token.kind == Kind::Bad && token.text.is_empty()
}

/// An argument in the text of a macro: all on one line.
fn placed(item: Item, hidden: &Hidden) -> Item {
    Item { hidden: union(&item.hidden, hidden), token: Token { before: Break::None, ..item.token } }
}

/// An argument as a text, for `#`.
fn quoted(argument: &[Item]) -> String {
    let mut out = String::from("\"");
    for (i, item) in argument.iter().enumerate() {
        let apart = i > 0 && argument[i - 1].token.span.end != item.token.span.start;
        out.extend(apart.then_some(' '));
        for c in item.token.text.chars() {
            out.extend((c == '"' || c == '\\').then_some('\\'));
            out.push(c);
        }
    }
    out.push('"');
    out
}
