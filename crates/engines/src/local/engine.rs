//! Local analysis as an engine for systems: those that can be seen as networks.

use std::time::Instant;

use evidence::{Budget, Certificate, Evidence, Exhausted, Outcome, Progress, Reason, Statistics, Verdict};

use super::{Analysis, Candidate, Local, LocalVerdict};
use crate::question::{self, Networks, Question};

impl Networks for Local {
    fn name(&self) -> &'static str {
        "local"
    }

    fn decide(&self, question: &Question<'_>, budget: &Budget, _: &dyn Progress) -> Outcome {
        let start = Instant::now();
        let analysis = self.analysis(question, budget);
        let statistics = Statistics {
            candidates: Some(analysis.figures.candidates as u64),
            seconds: start.elapsed().as_secs_f64(),
            ..Statistics::default()
        };
        let techniques = analysis.techniques.clone();
        Outcome { techniques, ..Outcome::new(verdict(question, analysis), statistics) }
    }
}

impl Local {
    /// What is wished for may be reached though there are model errors: those are asked for only if it is not.
    fn analysis(&self, question: &Question<'_>, budget: &Budget) -> Analysis {
        let asked = question.asked();
        if question.is_wish() && asked.len() < question.goals.len() {
            let first = self.exclude_fed(&question.network, asked, &budget.share(2), question.others);
            if !matches!(first.verdict, LocalVerdict::Proved(_) | LocalVerdict::Exhausted) {
                return first;
            }
        }
        self.exclude_fed(&question.network, &question.goals, budget, question.others)
    }
}

fn verdict(question: &Question<'_>, analysis: Analysis) -> Verdict {
    match analysis.verdict {
        LocalVerdict::Stopped(reason) => Verdict::Unknown(reason),
        LocalVerdict::Open(candidates) => Verdict::Unknown(open(question, &candidates)),
        LocalVerdict::Proved(proof) => question
            .never(proof.map_or_else(unchecked, |proof| Evidence::Certificate(Certificate::Local(proof.into())))),
        LocalVerdict::Exhausted => question.never(Evidence::Exhausted(Exhausted::Network)),
        LocalVerdict::Reached(run) => question.reached(&run),
    }
}

fn open(question: &Question<'_>, candidates: &[Candidate]) -> Reason {
    Reason::Candidates(candidates.iter().map(|c| question::show(&question.network, &c.states)).collect())
}

/// What a proof without a certificate rests on.
fn unchecked() -> Evidence {
    Evidence::Structure("local analysis excludes it".to_owned())
}
