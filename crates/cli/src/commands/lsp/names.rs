//! Which declaration a word of a text refers to.

use crate::worker::Entry;

/// The declaration that is meant at a place, and where the word is.
pub(super) fn find<'e>(names: &'e [Entry], text: &str, at: usize, net: bool) -> Option<(&'e Entry, (usize, usize))> {
    let (start, end) = word(text, at, net)?;
    let named: Vec<&Entry> = names.iter().filter(|e| e.name == text[start..end]).collect();
    let holds = |(from, to): (usize, usize)| from <= at && at <= to;
    let declared = named.iter().find(|e| holds(e.span));
    let member = || {
        let inside = names.iter().find(|e| e.inside.is_some() && head(text, start) == Some(&e.name))?.inside;
        named.iter().find(|e| e.scope == inside)
    };
    let visible = || {
        let near = named.iter().filter(|e| e.scope.is_none_or(holds));
        near.min_by_key(|e| e.scope.map_or(usize::MAX, |(from, to)| to - from))
    };
    let found = declared.or_else(member).or_else(visible).or_else(|| named.first());
    found.map(|entry| (*entry, (start, end)))
}

/// The word around a place. In a net it is whatever stands between quotes or tags.
fn word(text: &str, at: usize, net: bool) -> Option<(usize, usize)> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let id = |c: char| !c.is_whitespace() && !matches!(c, '"' | '\'' | '<' | '>' | '=');
    let is_part = |c: char| if net { id(c) } else { plain(c) };
    let (before, after) = (text.get(..at)?, text.get(at..)?);
    let start = before.rfind(|c| !is_part(c)).map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
    let end = at + after.find(|c| !is_part(c)).unwrap_or(after.len());
    (start < end).then_some((start, end))
}

/// The process whose member a word is: `P.x`, `P[1].x`, `P[0]:x`, `P@label`, `P[i] at state`.
fn head(text: &str, start: usize) -> Option<&str> {
    let before = text[..start].trim_end();
    let owner = before.strip_suffix(['.', ':', '@']).or_else(|| {
        let rest = before.strip_suffix("at")?;
        rest.ends_with(|c: char| c.is_whitespace() || c == ']').then_some(rest)
    })?;
    let mut owner = owner.trim_end();
    while let Some(inner) = owner.strip_suffix(']') {
        let mut depth = 1;
        let open = inner.char_indices().rev().find(|(_, c)| {
            depth = match c {
                '[' => depth - 1,
                ']' => depth + 1,
                _ => depth,
            };
            depth == 0
        });
        owner = &inner[..open?.0];
    }
    let (from, to) = word(owner, owner.len(), false)?;
    Some(&owner[from..to])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_refer_to_what_is_nearest() {
        let text = "x P { x a } Q { a } P[f[1]].x  Q at a  x";
        let entry = |name: &str, span, scope, inside| Entry {
            name: name.to_owned(),
            kind: "object".to_owned(),
            span,
            scope,
            inside,
            facts: Vec::new(),
        };
        let (p, q) = (Some((2, 11)), Some((12, 19)));
        let names = [
            entry("x", (0, 1), None, None),
            entry("P", (2, 3), None, p),
            entry("x", (6, 7), p, None),
            entry("a", (8, 9), p, None),
            entry("Q", (12, 13), None, q),
            entry("a", (16, 17), q, None),
        ];
        let found = |at| find(&names, text, at, false).map(|(entry, _)| entry.span);
        assert_eq!(found(0), Some((0, 1)));
        assert_eq!(found(7), Some((6, 7)), "at the end of the word");
        assert_eq!(found(8), Some((8, 9)));
        let member = text.find(".x").expect("it is there") + 1;
        assert_eq!(found(member), Some((6, 7)));
        let state = text.find("at a").expect("it is there") + 3;
        assert_eq!(found(state), Some((16, 17)));
        assert_eq!(found(text.len()), Some((0, 1)));
        assert_eq!(found(4), None);
        assert_eq!(find(&names, "<arc source=\"P\"/>", 14, true).map(|(e, _)| e.span), Some((2, 3)));
    }
}
