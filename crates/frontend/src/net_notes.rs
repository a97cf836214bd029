//! What the author of a net expects, said in comments that have a line of their own: `<!-- expect: deadlock-free holds -->`
//! in PNML, `{ expect: 4 states }` in LoLA's nets, `# expect: deadlock-free violated` in TINA's. PEP's nets have no comments.

use std::path::Path;

use model::{Expectation, Span};

use crate::notes::Notes;
use crate::{Diagnostic, ExpectedSize};

/// What is expected of deadlock freedom, and the size of the state space that is.
pub fn net_expectations(path: &Path, bytes: &[u8]) -> Result<(Option<Expectation>, ExpectedSize), Diagnostic> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let (open, close) = match &*extension {
        "pnml" | "xml" => ("<!--", "-->"),
        "lola" => ("{", "}"),
        "net" => ("#", ""),
        _ => return Ok((None, ExpectedSize::default())),
    };
    let (mut notes, mut start) = (Notes::default(), 0);
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let trimmed = line.trim_ascii();
        let comment = trimmed.strip_prefix(open.as_bytes()).and_then(|rest| rest.strip_suffix(close.as_bytes()));
        if let Some(comment) = comment.and_then(|c| str::from_utf8(c).ok()) {
            let at = start + (line.len() - line.trim_ascii_start().len());
            notes.read(comment, Span::new(at, at + trimmed.len()))?;
        }
        start += line.len();
    }
    Ok((notes.deadlock_free()?, notes.size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(file: &str, text: &str) -> Result<(Option<Expectation>, Option<u64>), String> {
        let found = net_expectations(Path::new(file), text.as_bytes());
        found.map(|(expect, size)| (expect, size.states)).map_err(|d| d.message)
    }

    #[test]
    fn every_format_has_its_comments() {
        let both = Ok((Some(Expectation::Violated), Some(4)));
        let xml =
            "<?xml version=\"1.0\"?>\n  <!-- expect: deadlock-free violated -->\n<!-- expect: 4 states -->\n<pnml/>";
        assert_eq!(expected("n.pnml", xml), both);
        assert_eq!(expected("n.lola", "{ expect: deadlock-free violated }\r\n{expect: 4 states}\nPLACE a;"), both);
        assert_eq!(expected("n.net", "# expect: 4 states\n#expect: deadlock-free violated"), both);
        assert_eq!(expected("n.net", "# anything\ntr t a -> b\n"), Ok((None, None)));
        assert_eq!(expected("n.ll_net", "# expect: 4 states"), Ok((None, None)));
    }

    #[test]
    fn mistakes_are_told() {
        assert!(expected("n.net", "# expect: something").is_err());
        assert_eq!(expected("n.net", "# expect: safe holds"), Err("there is no property `safe`".to_owned()));
    }
}
