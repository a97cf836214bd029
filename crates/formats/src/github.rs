//! Annotations of GitHub workflows: `::error file=..,line=..,title=..::message`, a line each.
//!
//! What is fine is not annotated. What was not decided is an error like what is wrong: the step fails for both. Texts of
//! users cannot end a command or begin another: line ends, and in properties commas and colons, are escaped.

use std::fmt::Write as _;

use crate::uri::uri;
use crate::{Case, Outcome};

/// One command for each case that somebody should look at.
pub fn render(cases: &[Case]) -> String {
    let mut out = String::new();
    for case in cases {
        let level = match case.outcome {
            Outcome::Passed => continue,
            Outcome::Failed | Outcome::Undecided | Outcome::Unusable => "error",
            Outcome::Noted => "notice",
        };
        let message = format!("{}\n\n{}", case.message, case.details());
        writeln!(out, "::{level} {}::{}", properties(case), message_text(message.trim_end()))
            .expect("writing to a string cannot fail");
    }
    out
}

fn properties(case: &Case) -> String {
    let mut all = vec![("file", case.file.clone())];
    if let Some(region) = &case.region {
        all = vec![("file", region.file.clone()), ("line", region.line.to_string())];
        if let Some((column, (end_line, end_column))) = region.columns {
            all.push(("endLine", end_line.to_string()));
            // Columns are ignored, with a complaint, unless both are on one line.
            if end_line == region.line {
                all.extend([("col", column.to_string()), ("endColumn", end_column.to_string())]);
            }
        }
    }
    // Standard input is no file that can be annotated.
    if uri(&all[0].1).is_none() {
        all.clear();
    }
    all.push(("title", format!("{} {}", title(case.outcome), case.name)));
    all.iter().map(|(key, value)| format!("{key}={}", property_text(value))).collect::<Vec<_>>().join(",")
}

fn title(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed:",
        Outcome::Noted => "violated (nothing expected):",
        Outcome::Failed => "failed:",
        Outcome::Undecided => "unknown:",
        Outcome::Unusable => "cannot be used:",
    }
}

/// Text for the log beside the commands: no line of it is one.
pub fn inert(text: &str) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix("::") {
        Some(rest) => format!(": :{rest}"),
        None => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n").replace("##[", "## [")
}

fn message_text(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property_text(text: &str) -> String {
    message_text(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;

    fn case(outcome: Outcome, message: &str) -> Case {
        let case = Case::unusable("a,b:c.imp", message.to_owned(), None);
        Case { name: "p".to_owned(), outcome, ..case }
    }

    #[test]
    fn nothing_breaks_out_of_a_command() {
        let line = render(&[case(Outcome::Failed, "100%\r\n::warning::x")]);
        assert_eq!(line, "::error file=a%2Cb%3Ac.imp,title=failed%3A p::100%25%0D%0A::warning::x\n");
    }

    #[test]
    fn no_line_of_the_log_is_a_command() {
        let text = "HOLDS a\n  ::stop-commands::x\n##[error]y\nb::c\n";
        assert_eq!(inert(text), "HOLDS a\n: :stop-commands::x\n## [error]y\nb::c\n");
    }

    #[test]
    fn places_are_lines_and_columns() {
        let at = |columns| {
            let region = Some(Region { file: "m.imp".to_owned(), line: 3, columns });
            render(&[Case { region, ..case(Outcome::Undecided, "m") }])
        };
        assert_eq!(at(None), "::error file=m.imp,line=3,title=unknown%3A p::m\n");
        let one_line = "::error file=m.imp,line=3,endLine=3,col=4,endColumn=9,title=unknown%3A p::m\n";
        assert_eq!(at(Some((4, (3, 9)))), one_line);
        assert_eq!(at(Some((4, (5, 1)))), "::error file=m.imp,line=3,endLine=5,title=unknown%3A p::m\n");
    }

    #[test]
    fn only_what_is_fine_is_not_annotated() {
        let fine = [Outcome::Passed];
        let notices = [Outcome::Noted];
        let errors = [Outcome::Failed, Outcome::Undecided, Outcome::Unusable];
        for (outcomes, start) in [(&fine[..], ""), (&notices, "::notice "), (&errors, "::error ")] {
            for &outcome in outcomes {
                let line = render(&[case(outcome, "m")]);
                assert!(line.starts_with(start) && line.is_empty() == start.is_empty(), "{outcome:?}: {line}");
            }
        }
    }
}
