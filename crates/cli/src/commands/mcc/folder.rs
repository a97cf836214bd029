//! A model of the contest: a folder with `model.pnml` and a file of formulas for each examination.

use std::path::{Path, PathBuf};

use driver::{Asked, RunQuestion};
use frontend::mcc::{self, Formula};
use frontend::{LoadedNet, read_net};
use model::nets::Goal;

use super::answers::Question;
use super::examination::Examination;
use crate::diagnostics;
use crate::exit::Failure;
use crate::input::read_bytes;

/// A model of the contest.
pub(super) struct Folder {
    path: PathBuf,
    pub(super) loaded: LoadedNet,
}

impl Folder {
    /// Reads the net in a folder.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let file = path.join("model.pnml");
        let bytes = read_bytes(&file)?;
        let loaded = read_net(&file, &bytes).map_err(|ds| mistakes(&file, &bytes, &ds))?;
        Ok(Self { path: path.to_owned(), loaded })
    }

    /// The questions of an examination, and what they are about.
    pub(super) fn questions(&self, examination: Examination) -> Result<Exam, Failure> {
        let (net, ids) = (&self.loaded.net, &self.loaded.ids);
        let many = |(asked, goals): (Asked, Vec<Goal>)| Exam {
            questions: vec![Question::Asked(asked, 0)],
            goals,
            runs: Vec::new(),
        };
        Ok(match examination {
            Examination::OneSafe => many(Asked::one_safe(ids.each_place().map(|(_, all)| all))),
            Examination::QuasiLiveness => many(Asked::quasi_liveness(net, ids.each_transition().map(|(_, all)| all))),
            Examination::StableMarking => many(Asked::stable_marking(net, ids.each_place().map(|(_, all)| all))),
            Examination::Formulas(name) => self.formulas(&self.path.join(format!("{name}.xml")))?,
            Examination::ReachabilityDeadlock => self.deadlock()?,
            Examination::StateSpace | Examination::Other => Exam::default(),
        })
    }

    /// The file of formulas tells only the name of the question, and can be missing.
    fn deadlock(&self) -> Result<Exam, Failure> {
        let file = self.path.join("ReachabilityDeadlock.xml");
        if file.exists() {
            return self.formulas(&file);
        }
        let (asked, goal) = Asked::deadlock("ReachabilityDeadlock");
        Ok(Exam { questions: vec![Question::Asked(asked, 0)], goals: vec![goal], runs: Vec::new() })
    }

    fn formulas(&self, file: &Path) -> Result<Exam, Failure> {
        let bytes = read_bytes(file)?;
        let formulas = mcc::read(&self.loaded, &bytes).map_err(|ds| mistakes(file, &bytes, &ds))?;
        let mut exam = Exam::default();
        for named in formulas {
            if let Formula::Runs(runs) = named.formula {
                exam.questions.push(Question::Runs(named.id, exam.runs.len()));
                exam.runs.push(RunQuestion { formula: runs.formula, atoms: runs.atoms });
                continue;
            }
            match goal(&named.id, named.formula) {
                Ok((asked, goal)) => {
                    exam.questions.push(Question::Asked(asked, exam.goals.len()));
                    exam.goals.push(goal);
                }
                Err(why) => exam.questions.push(Question::Refused(named.id, why)),
            }
        }
        Ok(exam)
    }
}

/// The questions of an examination, the goals that they are about, and the formulas about runs among them.
#[derive(Default)]
pub(super) struct Exam {
    pub(super) questions: Vec<Question>,
    pub(super) goals: Vec<Goal>,
    pub(super) runs: Vec<RunQuestion>,
}

fn goal(id: &str, formula: Formula) -> Result<(Asked, Goal), String> {
    Ok(match formula {
        Formula::Deadlock => Asked::deadlock(id),
        Formula::Exists(predicate) => Asked::exists(id, predicate),
        Formula::Always(predicate) => Asked::always(id, predicate.negated().ok_or("its numbers are too large")?),
        Formula::Bound(expression) => Asked::bound(id, expression),
        Formula::Runs(_) => return Err("it is about runs".to_owned()),
        Formula::Unsupported(why) => return Err(why),
    })
}

fn mistakes(file: &Path, bytes: &[u8], ds: &[frontend::Diagnostic]) -> Failure {
    diagnostics::failure(&file.display().to_string(), &String::from_utf8_lossy(bytes), ds)
}
