//! JUnit XML: a test suite for each model, a test case for each property.

use std::fmt::Write as _;

use super::xml::escape;
use crate::commands::test::{Check, Outcome, Tested};

/// All models.
pub(crate) fn render(tested: &[Tested]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"impasse\">\n");
    for t in tested {
        suite(&mut out, t).expect("writing to a string cannot fail");
    }
    out.push_str("</testsuites>\n");
    out
}

fn suite(out: &mut String, t: &Tested) -> std::fmt::Result {
    let count = |f: fn(&Outcome) -> bool| t.checks.iter().filter(|c| f(&c.outcome)).count();
    writeln!(
        out,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\">",
        escape(&t.path),
        t.checks.len(),
        count(|o| matches!(o, Outcome::Failed(_))),
        count(|o| matches!(o, Outcome::Unknown(_) | Outcome::Unreadable(_))),
        count(|o| matches!(o, Outcome::Skipped(_))),
        t.seconds,
    )?;
    t.checks.iter().try_for_each(|c| case(out, &t.path, c))?;
    writeln!(out, "  </testsuite>")
}

fn case(out: &mut String, path: &str, check: &Check) -> std::fmt::Result {
    let inside = match &check.outcome {
        Outcome::Passed => None,
        Outcome::Decided(verdict) => Some(format!("<system-out>{}</system-out>", escape(verdict))),
        Outcome::Failed(m) => Some(format!("<failure message=\"{}\"/>", escape(m))),
        Outcome::Unknown(m) | Outcome::Unreadable(m) => Some(format!("<error message=\"{}\"/>", escape(m))),
        Outcome::Skipped(m) => Some(format!("<skipped message=\"{}\"/>", escape(m))),
    };
    let (class, name) = (escape(path), escape(&check.name));
    match inside {
        None => writeln!(out, "    <testcase classname=\"{class}\" name=\"{name}\"/>"),
        Some(inside) => writeln!(out, "    <testcase classname=\"{class}\" name=\"{name}\">{inside}</testcase>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_escaped() {
        let check = Check { name: "a < b && \"c\"\u{1}".to_owned(), outcome: Outcome::Failed("x\ny".to_owned()) };
        let tested = Tested { path: "m.imp".into(), checks: vec![check], statistics: Default::default(), seconds: 0.5 };
        let xml = render(&[tested]);
        assert!(xml.contains("name=\"a &lt; b &amp;&amp; &quot;c&quot;\u{FFFD}\""));
        assert!(xml.contains("failures=\"1\" errors=\"0\""));
        assert!(xml.contains("message=\"x&#10;y\""));
    }
}
