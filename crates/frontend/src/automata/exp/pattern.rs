//! Basic regular expressions for labels: `.`, `[...]`, `*` after one of these or a character, `^`, `$`, and `\(...\)`
//! for parts that the new label of a renaming uses as `\1` to `\9`. Everything else is refused by name.
//!
//! Matching backtracks, but never twice from the same place: it takes at most length of pattern times length of label.

use std::ops::Range;

/// A pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    items: Vec<Item>,
}

#[derive(Clone, Debug)]
struct Item {
    atom: Atom,
    repeated: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Atom {
    Char(char),
    Any,
    Set { negated: bool, ranges: Vec<(char, char)> },
    Start,
    End,
    Open(usize),
    Close(usize),
}

/// Where a pattern fits: the whole part, and its groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) range: Range<usize>,
    groups: Vec<Range<usize>>,
}

const MAX_GROUPS: usize = 9;

impl Pattern {
    /// Compiles a pattern, or says what is not supported.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let mut compiler = Compiler { chars: text.chars().collect(), at: 0, open: Vec::new(), groups: 0 };
        let mut items: Vec<Item> = Vec::new();
        while compiler.at < compiler.chars.len() {
            let first = items.is_empty() || matches!(items.last(), Some(Item { atom: Atom::Open(_), .. }));
            let atom = compiler.atom(first)?;
            let repeatable = matches!(atom, Atom::Char(_) | Atom::Any | Atom::Set { .. });
            let repeated = compiler.peek() == Some('*');
            if repeated && matches!(atom, Atom::Close(_)) {
                return Err("repetition of a group".to_owned());
            }
            if repeated && repeatable {
                compiler.at += 1;
            }
            items.push(Item { repeated: repeated && repeatable, atom });
        }
        if compiler.open.is_empty() { Ok(Self { items }) } else { Err("a group that is not closed".to_owned()) }
    }

    /// Whether and how the pattern fits the whole text.
    pub(super) fn whole(&self, text: &str) -> Option<Match> {
        Search::new(&self.items, text, true).at(0)
    }

    /// The first part at or after a place that the pattern fits.
    pub(super) fn first(&self, text: &str, from: usize) -> Option<Match> {
        let mut search = Search::new(&self.items, text, false);
        (search.place(from)..=search.chars.len()).find_map(|start| search.at(start))
    }
}

impl Match {
    /// The new label: `\1` to `\9` are the groups of this match.
    pub(super) fn fill(&self, template: &str, text: &str) -> String {
        let mut out = String::new();
        let mut chars = template.chars();
        while let Some(c) = chars.next() {
            match (c, c == '\\') {
                (_, true) => match chars.next() {
                    Some(d @ '1'..='9') => {
                        let group = self.groups.get(d as usize - '1' as usize);
                        out.push_str(group.map_or("", |range| &text[range.clone()]));
                    }
                    other => out.extend(other),
                },
                (c, false) => out.push(c),
            }
        }
        out
    }
}

struct Compiler {
    chars: Vec<char>,
    at: usize,
    open: Vec<usize>,
    groups: usize,
}

impl Compiler {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += 1;
        c
    }

    /// `first`: nothing stands before it, so that `*` and `^` are special or not.
    fn atom(&mut self, first: bool) -> Result<Atom, String> {
        Ok(match self.next() {
            Some('.') => Atom::Any,
            Some('[') => self.set()?,
            Some('^') if first => Atom::Start,
            Some('$') if self.peek().is_none() => Atom::End,
            Some('\\') => return self.escaped(),
            Some(c) => Atom::Char(c),
            None => return Err("an end within a pattern".to_owned()),
        })
    }

    fn escaped(&mut self) -> Result<Atom, String> {
        match self.next() {
            Some('(') => {
                self.groups += 1;
                self.open.push(self.groups - 1);
                if self.groups > MAX_GROUPS {
                    Err("more than nine groups".to_owned())
                } else {
                    Ok(Atom::Open(self.groups - 1))
                }
            }
            Some(')') => self.open.pop().map(Atom::Close).ok_or_else(|| "a group that is not open".to_owned()),
            Some('{') => Err("repetition with numbers (`\\{...\\}`)".to_owned()),
            Some(c @ ('|' | '+' | '?' | '<' | '>')) => Err(format!("the operator `\\{c}`")),
            Some(c @ '1'..='9') => Err(format!("a reference to a group within the pattern (`\\{c}`)")),
            Some(c) => Ok(Atom::Char(c)),
            None => Err("a backslash at the end".to_owned()),
        }
    }

    fn set(&mut self) -> Result<Atom, String> {
        let unclosed = || "a set of characters that is not closed".to_owned();
        let negated = self.peek() == Some('^');
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        loop {
            let c = self.next().ok_or_else(unclosed)?;
            if c == ']' && !ranges.is_empty() {
                return Ok(Atom::Set { negated, ranges });
            }
            if c == '[' && matches!(self.peek(), Some(':' | '.' | '=')) {
                return Err("a class of characters (`[[:...:]]`)".to_owned());
            }
            let range = self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|c| *c != ']');
            self.at += usize::from(range);
            let last = if range { self.next().ok_or_else(unclosed)? } else { c };
            ranges.push((c, last));
        }
    }
}

/// One label that is searched.
struct Search<'a> {
    items: &'a [Item],
    /// The characters with where they start, and the length of the text.
    chars: Vec<(usize, char)>,
    length: usize,
    anchored: bool,
    /// By item and place: nothing fits from here.
    failed: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(items: &'a [Item], text: &str, anchored: bool) -> Self {
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        let failed = vec![false; (items.len() + 1) * (chars.len() + 1)];
        Self { items, chars, length: text.len(), anchored, failed }
    }

    fn byte(&self, place: usize) -> usize {
        self.chars.get(place).map_or(self.length, |c| c.0)
    }

    fn place(&self, byte: usize) -> usize {
        self.chars.partition_point(|c| c.0 < byte)
    }

    /// The leftmost choices, each repetition as long as possible: a stack of what else could be tried.
    fn at(&mut self, start: usize) -> Option<Match> {
        let mut stack = vec![(0, start, vec![0..0; MAX_GROUPS])];
        while let Some((item, place, mut groups)) = stack.pop() {
            let seen = item * (self.chars.len() + 1) + place;
            if std::mem::replace(&mut self.failed[seen], true) {
                continue;
            }
            let Some(Item { atom, repeated }) = self.items.get(item) else {
                if self.anchored && place < self.chars.len() {
                    continue;
                }
                return Some(Match { range: self.byte(start)..self.byte(place), groups });
            };
            let fits = self.chars.get(place).is_some_and(|(_, c)| atom.admits(*c));
            match atom {
                Atom::Start if place > 0 => {}
                Atom::End if place < self.chars.len() => {}
                Atom::Start | Atom::End => stack.push((item + 1, place, groups)),
                Atom::Open(k) => {
                    groups[*k] = self.byte(place)..self.byte(place);
                    stack.push((item + 1, place, groups));
                }
                Atom::Close(k) => {
                    groups[*k].end = self.byte(place);
                    stack.push((item + 1, place, groups));
                }
                _ if *repeated => {
                    stack.push((item + 1, place, groups.clone()));
                    stack.extend(fits.then_some((item, place + 1, groups)));
                }
                _ => stack.extend(fits.then_some((item + 1, place + 1, groups))),
            }
        }
        None
    }
}

impl Atom {
    fn admits(&self, c: char) -> bool {
        match self {
            Atom::Char(own) => *own == c,
            Atom::Any => true,
            Atom::Set { negated, ranges } => ranges.iter().any(|(a, b)| (*a..=*b).contains(&c)) != *negated,
            Atom::Start | Atom::End | Atom::Open(_) | Atom::Close(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(pattern: &str, text: &str) -> bool {
        Pattern::new(pattern).expect("supported").whole(text).is_some()
    }

    #[test]
    fn whole_labels() {
        for (pattern, text, fits) in [
            ("PUT !1", "PUT !1", true),
            ("PUT", "PUT !1", false),
            ("PUT.*", "PUT !1", true),
            ("[A-C]*!.", "ABCA!x", true),
            ("[^A]", "A", false),
            ("[]x]", "]", true),
            ("*a", "*a", true),
            ("a\\.b", "a.b", true),
            ("a\\.b", "axb", false),
            ("^a$", "a", true),
            ("a+", "aa", false),
            ("", "", true),
            ("\u{e9}*", "\u{e9}\u{e9}", true),
        ] {
            assert_eq!(whole(pattern, text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn parts_and_groups() {
        let pattern = Pattern::new("\\([0-9]*\\)!\\([a-z]*\\)").expect("supported");
        let text = "x 12!ab 3!c";
        let first = pattern.first(text, 0).expect("fits");
        assert_eq!((&text[first.range.clone()], first.fill("<\\2.\\1>", text)), ("12!ab", "<ab.12>".to_owned()));
        let second = pattern.first(text, first.range.end).expect("fits");
        assert_eq!(&text[second.range.clone()], "3!c");
        assert_eq!(pattern.first("ab", 0), None);
    }

    #[test]
    fn hard_patterns_end() {
        let pattern = ".*.*.*.*.*.*.*.*x";
        assert!(!whole(pattern, &"a".repeat(3000)));
    }

    #[test]
    fn the_rest_is_refused() {
        for pattern in ["a\\|b", "a\\{2\\}", "\\(a\\)*", "\\(a", "a\\)", "[a", "[[:alpha:]]", "\\(a\\)\\1", "a\\"] {
            assert!(Pattern::new(pattern).is_err(), "{pattern}");
        }
    }
}
