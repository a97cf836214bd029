//! What was solved, by whom, and what was wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Given {
    Right,
    /// The answer that was given.
    Wrong(String),
    Nothing,
}

/// One run of an instance.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) instance: String,
    pub(super) family: String,
    pub(super) examination: String,
    pub(super) engines: String,
    /// Question, what came of it, the techniques.
    pub(super) answers: Vec<(String, Given, String)>,
    pub(super) seconds: f64,
    pub(super) code: Option<i32>,
}

impl Outcome {
    fn count(&self, test: impl Fn(&Given) -> bool) -> usize {
        self.answers.iter().filter(|(_, given, _)| test(given)).count()
    }

    /// One line as the run ends.
    pub(super) fn line(&self) -> String {
        let right = self.count(|g| *g == Given::Right);
        let wrong: Vec<String> = self
            .answers
            .iter()
            .filter_map(|(q, given, by)| match given {
                Given::Wrong(answer) => Some(format!(" WRONG {q} {answer} by {by}")),
                Given::Right | Given::Nothing => None,
            })
            .collect();
        let ended = if matches!(self.code, Some(0 | 10)) { String::new() } else { format!(" exit {:?}", self.code) };
        let Self { instance, examination, engines, seconds, .. } = self;
        let of = self.answers.len();
        format!("{instance} {examination} [{engines}] {right}/{of} {seconds:.1}s{ended}{}", wrong.concat())
    }
}

/// All runs.
#[derive(Debug, Default)]
pub(super) struct Tally {
    outcomes: Vec<Outcome>,
}

/// Right, wrong, nothing.
type Counts = [usize; 3];

impl Tally {
    pub(super) fn add(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
    }

    pub(super) fn wrong(&self) -> usize {
        self.outcomes.iter().map(|o| o.count(|g| matches!(g, Given::Wrong(_)))).sum()
    }

    /// The counts by some key.
    fn by(&self, key: impl Fn(&Outcome) -> String) -> BTreeMap<String, Counts> {
        let mut out: BTreeMap<String, Counts> = BTreeMap::new();
        for outcome in &self.outcomes {
            let counts = out.entry(key(outcome)).or_default();
            counts[0] += outcome.count(|g| *g == Given::Right);
            counts[1] += outcome.count(|g| matches!(g, Given::Wrong(_)));
            counts[2] += outcome.count(|g| *g == Given::Nothing);
        }
        out
    }

    /// All tables.
    pub(super) fn tables(&self) -> String {
        let mut out = String::new();
        table(&mut out, "family, examination", self.by(|o| format!("{} {}", o.family, o.examination)));
        table(&mut out, "examination, engines", self.by(|o| format!("{} {}", o.examination, o.engines)));
        self.techniques(&mut out);
        self.alone(&mut out);
        out
    }

    fn techniques(&self, out: &mut String) {
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for outcome in &self.outcomes {
            for (_, _, by) in outcome.answers.iter().filter(|(_, given, _)| *given == Given::Right) {
                *counts.entry((&outcome.examination, by)).or_default() += 1;
            }
        }
        let _ = writeln!(out, "\nright answers by technique");
        for ((examination, by), count) in counts {
            let _ = writeln!(out, "{count:7}  {examination} {by}");
        }
    }

    /// What only one set of engines solved, where several were run.
    fn alone(&self, out: &mut String) {
        let mut solvers: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
        let parts: Vec<&Outcome> = self.outcomes.iter().filter(|o| o.engines.matches(',').count() == 1).collect();
        for outcome in parts {
            for (question, _, _) in outcome.answers.iter().filter(|(_, given, _)| *given == Given::Right) {
                solvers.entry((&outcome.instance, question)).or_default().insert(&outcome.engines);
            }
        }
        let mut alone: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for ((instance, question), by) in solvers.iter().filter(|(_, by)| by.len() == 1) {
            alone.entry(by.first().expect("it has one")).or_default().push(format!("{instance} {question}"));
        }
        for (engines, questions) in alone {
            let _ = writeln!(out, "\n{:7}  solved by {engines} alone:", questions.len());
            questions.iter().for_each(|q| out.push_str(&format!("         {q}\n")));
        }
    }
}

fn table(out: &mut String, title: &str, rows: BTreeMap<String, Counts>) {
    let _ = writeln!(out, "\n right  wrong  open   solved  {title}");
    for (key, [right, wrong, open]) in rows {
        let share = 100.0 * right as f64 / (right + wrong + open).max(1) as f64;
        let _ = writeln!(out, "{right:6} {wrong:6} {open:5} {share:7.1}%  {key}");
    }
}
