//! What the preprocessor leaves, but no part of the language begins with: characters without meaning, and C.

use crate::Diagnostic;
use crate::promela::limits;
use crate::promela::token::{Kind, Token, no_token};

/// The words that begin a text in C.
const C: [&str; 5] = ["c_code", "c_expr", "c_decl", "c_state", "c_track"];

/// The mistakes among the tokens; what stands in C is one each.
pub(super) fn refusals(tokens: &[Token]) -> Vec<Diagnostic> {
    let (mut out, mut next) = (Vec::new(), 0);
    while next < tokens.len() && out.len() < limits::DIAGNOSTICS {
        let token = &tokens[next];
        next += 1;
        if token.kind == Kind::Word && C.contains(&&*token.text) {
            out.push(embedded(token));
            next += block(&tokens[next..]);
        } else if token.kind == Kind::Bad {
            out.push(no_token(&token.text, token.span));
        }
    }
    out
}

fn embedded(token: &Token) -> Diagnostic {
    let message = format!("`{}` is not supported: what C code does cannot be verified", token.text);
    let help = "say it in Promela itself: `d_step { ... }` takes no more states than a block of C";
    Diagnostic::error(token.span, message).label("C code begins here").help(help)
}

/// How many tokens a block in braces has, with what stands before it; none if no block follows.
fn block(tokens: &[Token]) -> usize {
    let Some(open) = tokens.iter().position(|token| token.kind == Kind::OpenBrace) else { return 0 };
    if tokens[..open].iter().any(|token| matches!(token.kind, Kind::Semicolon | Kind::CloseBrace | Kind::String)) {
        return 0;
    }
    let mut depth = 0_usize;
    let end = tokens.iter().position(|token| {
        match token.kind {
            Kind::OpenBrace => depth += 1,
            Kind::CloseBrace => depth -= 1,
            _ => return false,
        }
        depth == 0
    });
    end.map_or(tokens.len(), |end| end + 1)
}
