//! JUnit XML: a test suite for each file, a test case for each question. What was not decided is an error.

use std::fmt::Write as _;

use crate::xml::escape;
use crate::{Case, Outcome, Times};

/// All cases; those of a file stand together.
pub fn render(cases: &[Case], times: Times) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    write_all(&mut out, cases, times).expect("writing to a string cannot fail");
    out
}

fn write_all(out: &mut String, cases: &[Case], times: Times) -> std::fmt::Result {
    writeln!(out, "<testsuites name=\"impasse\"{}>", counts(cases, times))?;
    for suite in cases.chunk_by(|a, b| a.file == b.file) {
        writeln!(out, "  <testsuite name=\"{}\"{}>", escape(&suite[0].file), counts(suite, times))?;
        suite.iter().try_for_each(|c| write_case(out, c, times))?;
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The attributes that sum up some cases.
fn counts(cases: &[Case], times: Times) -> String {
    let count = |outcomes: &[Outcome]| cases.iter().filter(|c| outcomes.contains(&c.outcome)).count();
    format!(
        " tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\"{}",
        cases.len(),
        count(&[Outcome::Failed]),
        count(&[Outcome::Undecided, Outcome::Unusable]),
        time(cases.iter().map(|c| c.seconds).sum(), times),
    )
}

fn time(seconds: f64, times: Times) -> String {
    if times == Times::Shown { format!(" time=\"{seconds:.3}\"") } else { String::new() }
}

fn write_case(out: &mut String, case: &Case, times: Times) -> std::fmt::Result {
    let details = case.details();
    let message = escape(&case.message);
    let told = |element: &str, kind: &str| match &*details {
        "" => format!("<{element} message=\"{message}\" type=\"{kind}\"/>"),
        details => {
            // Lines stay lines: people read this.
            let text = escape(details).replace("&#10;", "\n");
            format!("<{element} message=\"{message}\" type=\"{kind}\">{text}</{element}>")
        }
    };
    let inside = match case.outcome {
        // JUnit has no word for what is neither right nor wrong: it is told.
        Outcome::Passed | Outcome::Noted => format!("<system-out>{message}</system-out>"),
        Outcome::Failed => told("failure", case.kind),
        Outcome::Undecided => told("error", "unknown"),
        Outcome::Unusable => told("error", "input"),
    };
    let (class, name, time) = (escape(&case.file), escape(&case.name), time(case.seconds, times));
    let line = case.region.as_ref().filter(|r| r.file == case.file).map(|r| format!(" line=\"{}\"", r.line));
    let place = format!(" file=\"{class}\"{}", line.unwrap_or_default());
    writeln!(out, "    <testcase classname=\"{class}\" name=\"{name}\"{place}{time}>{inside}</testcase>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_escaped() {
        let case = Case::unusable("m.imp", "x\ny".to_owned(), None);
        let case = Case { name: "a < b && \"c\"\u{1}".to_owned(), outcome: Outcome::Failed, seconds: 0.5, ..case };
        let xml = render(std::slice::from_ref(&case), Times::Shown);
        assert!(xml.contains("name=\"a &lt; b &amp;&amp; &quot;c&quot;\u{FFFD}\""));
        assert!(xml.contains("failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0.500\""));
        assert!(xml.contains("message=\"x&#10;y\""));
        assert!(!render(&[case], Times::Hidden).contains("time="));
    }

    #[test]
    fn only_a_pass_passes() {
        let all = [Outcome::Passed, Outcome::Failed, Outcome::Undecided, Outcome::Unusable];
        let cases = all.map(|outcome| Case { outcome, ..Case::unusable("m.imp", String::new(), None) });
        let xml = render(&cases, Times::Hidden);
        assert!(xml.contains("tests=\"4\" failures=\"1\" errors=\"2\" skipped=\"0\">"), "{xml}");
        assert_eq!(xml.matches("<error ").count(), 2);
    }
}
