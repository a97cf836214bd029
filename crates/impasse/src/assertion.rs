//! Assertions: what the macros call.

use crate::{Answer, Check, Question, Subject, Verdict};

/// Panics unless a question has this answer.
#[track_caller]
pub fn assert_verdict(subject: &impl Subject, question: Question, check: &Check, expected: Verdict) -> Answer {
    let answer = check.ask(subject, &question).unwrap_or_else(|mistakes| panic!("nothing can be asked:\n{mistakes}"));
    if answer.verdict() == expected {
        return answer;
    }
    let why = match (answer.verdict(), expected) {
        (Verdict::Unknown, _) => "not decided, and so not a pass: a property",
        (_, Verdict::Holds) => "does not hold: a property",
        _ => "holds, and should not: a property",
    };
    panic!("{why} of the model `{}`\n\n{answer}", answer.report().model.name)
}
