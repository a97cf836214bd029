//! The exit codes, all of them.

use std::process::ExitCode;

use driver::{ReportResult, Violation};
use formats::Case;

use crate::diagnostics::Mistake;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Everything asked holds, or the command did what it should.
    Holds = 0,
    /// The arguments make no sense.
    Usage = 2,
    /// A file cannot be read or written, or a text has mistakes.
    BadInput = 3,
    /// Not decided, or out of budget.
    Unknown = 10,
    /// A deadlock, whole or partial.
    Deadlock = 11,
    /// A safety property is violated, or the model has an error.
    Safety = 12,
    /// A liveness property is violated.
    Liveness = 13,
    /// A bug of this program.
    Internal = 70,
}

impl Exit {
    /// The code of one answer.
    pub(crate) fn of(result: &ReportResult) -> Self {
        match (result.verdict, result.violation) {
            ("holds", _) => Exit::Holds,
            (_, Some(Violation::Deadlock | Violation::PartialDeadlock)) => Exit::Deadlock,
            (_, Some(Violation::Safety | Violation::ModelError)) => Exit::Safety,
            (_, Some(Violation::Liveness)) => Exit::Liveness,
            (_, None) => Exit::Unknown,
        }
    }

    /// The code of the answer to a claim whose author denies it: that it holds breaks what is asserted.
    pub(crate) fn of_denied(result: &ReportResult) -> Self {
        match result.verdict {
            "violated" => Exit::Holds,
            "holds" => Exit::Safety,
            _ => Exit::Unknown,
        }
    }

    /// What it means, in a few words.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Exit::Holds => "everything is as it should be",
            Exit::Usage => "wrong usage",
            Exit::BadInput => "bad input",
            Exit::Unknown => "unknown, or out of budget",
            Exit::Deadlock => "deadlock",
            Exit::Safety => "safety property violated, an error in the model, or not as expected",
            Exit::Liveness => "liveness property violated",
            Exit::Internal => "internal error",
        }
    }

    /// The worse of two codes: a broken tool, then bad input, then a violation (the lowest code), then no answer.
    pub(crate) fn worst(self, other: Self) -> Self {
        let rank = |e: Exit| match e {
            Exit::Internal => 0,
            Exit::Usage => 1,
            Exit::BadInput => 2,
            Exit::Deadlock => 3,
            Exit::Safety => 4,
            Exit::Liveness => 5,
            Exit::Unknown => 6,
            Exit::Holds => 7,
        };
        if rank(other) < rank(self) { other } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command ends early.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// For standard error.
    pub(crate) message: String,
    /// The same in one sentence.
    pub(crate) summary: String,
    /// The mistakes in a text, if that is what is wrong.
    pub(crate) mistakes: Vec<Mistake>,
}

impl Failure {
    /// The arguments are at fault.
    pub(crate) fn usage(summary: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, ..Self::input(summary) }
    }

    /// The user's files are at fault.
    pub(crate) fn input(summary: impl Into<String>) -> Self {
        let summary = summary.into();
        Self { exit: Exit::BadInput, message: format!("error: {summary}"), summary, mistakes: Vec::new() }
    }

    /// Nobody is at fault: there was no time to find out.
    pub(crate) fn unknown(summary: impl Into<String>) -> Self {
        let summary = summary.into();
        Self { exit: Exit::Unknown, message: format!("unknown: {summary}"), ..Self::input(summary) }
    }

    /// The program is at fault.
    pub(crate) fn internal(summary: impl Into<String>) -> Self {
        let summary = summary.into();
        let message = format!("internal error: {summary}\nPlease report this: no answer can be trusted.");
        Self { exit: Exit::Internal, message, ..Self::input(summary) }
    }
}

impl Failure {
    /// The same for programs that count cases: one for each mistake in a text, or one for all.
    pub(crate) fn cases(&self, file: &str) -> Vec<Case> {
        if self.mistakes.is_empty() {
            return vec![Case::unusable(file, self.summary.clone(), None)];
        }
        self.mistakes.iter().map(|m| Case::unusable(file, m.sentence(), Some(m.region()))).collect()
    }
}

/// What every command returns.
pub(crate) type Done = Result<Exit, Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_has_its_code() {
        let undecided = || ReportResult::undecided(String::new(), "ltl", String::new());
        let result = |verdict, violation| ReportResult { verdict, violation, ..undecided() };
        let code = |verdict, violation| Exit::of(&result(verdict, violation)) as u8;
        assert_eq!(code("holds", None), 0);
        assert_eq!(code("unknown", None), 10);
        assert_eq!(code("violated", Some(Violation::Deadlock)), 11);
        assert_eq!(code("violated", Some(Violation::PartialDeadlock)), 11);
        assert_eq!(code("violated", Some(Violation::Safety)), 12);
        assert_eq!(code("violated", Some(Violation::ModelError)), 12);
        assert_eq!(code("violated", Some(Violation::Liveness)), 13);
        assert_eq!(Failure::internal("x").exit as u8, 70);
        assert_eq!((Failure::usage("x").exit as u8, Failure::input("x").exit as u8), (2, 3));
    }

    #[test]
    fn the_worst_code_wins() {
        let all = [Exit::Holds, Exit::Unknown, Exit::Liveness, Exit::Safety, Exit::Deadlock, Exit::BadInput];
        for (i, a) in all.iter().enumerate() {
            for b in &all[i..] {
                assert_eq!(a.worst(*b), *b);
                assert_eq!(b.worst(*a), *b);
            }
        }
        assert_eq!(Exit::Deadlock.worst(Exit::Internal), Exit::Internal);
    }
}
