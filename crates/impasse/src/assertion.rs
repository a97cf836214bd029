//! Assertions: what the macros call.

use crate::{Answer, Check, Question, Subject, Verdict};

/// Panics unless a question has this answer.
#[track_caller]
pub fn assert_verdict(subject: &impl Subject, question: Question, check: &Check, expected: Verdict) -> Answer {
    // Not in a closure: it would be the place of the panic, instead of the assertion.
    let answer = match check.ask(subject, &question) {
        Ok(answer) => answer,
        Err(mistakes) => panic!("nothing can be asked:\n{mistakes}"),
    };
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
