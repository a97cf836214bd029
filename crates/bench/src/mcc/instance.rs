//! One instance of the contest: its archive, its known answers, and a run of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::options::Options;
use super::tally::{Given, Outcome};
use crate::measure::run;

/// Questions whose listed answer is wrong by an argument that needs no tool.
///
/// TokenRing: every process has exactly one value. If nothing is enabled, each process other than the first has the value
/// of the one before it, so all values are equal; then the first and the last have the same, and the first may move.
const DISPUTED: [(&str, &str); 1] = [("TokenRing-COL-100", "ReachabilityDeadlock")];

/// An instance with the answers that are known.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) name: String,
    family: String,
    archive: String,
    /// By question.
    expected: BTreeMap<String, String>,
}

/// All instances of a sample, in the order of its table.
pub(super) fn instances(sample: &Path) -> Result<Vec<Instance>, String> {
    let table = sample.join("verdicts.csv");
    let text = fs::read_to_string(&table).map_err(|e| format!("{}: {e}", table.display()))?;
    let mut out: Vec<Instance> = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, archive, question, answer, family] = fields[..] else {
            return Err(format!("{}: not five fields: {line}", table.display()));
        };
        if out.last().is_none_or(|last| last.name != name) {
            let (name, family, archive) = (name.to_owned(), family.to_owned(), archive.to_owned());
            out.push(Instance { name, family, archive, expected: BTreeMap::new() });
        }
        if DISPUTED.contains(&(name, question)) {
            println!("disputed: {name} {question}, listed as {answer}, is not counted");
            continue;
        }
        let instance = out.last_mut().expect("it was pushed");
        instance.expected.insert(question.to_owned(), answer.to_owned());
    }
    Ok(out)
}

/// An unpacked archive; removed when dropped.
#[derive(Debug)]
pub(super) struct Unpacked(PathBuf);

impl Unpacked {
    pub(super) fn new(sample: &Path, instance: &Instance) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("impasse-mcc-{}-{}", std::process::id(), instance.name));
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let unpacked = Self(folder);
        let archive = sample.join(&instance.archive);
        let args = ["xzf", &archive.to_string_lossy(), "--strip-components=1"];
        match run(Path::new("tar"), &args, &unpacked.0)?.code {
            Some(0) => Ok(unpacked),
            _ => Err(format!("{} cannot be unpacked", archive.display())),
        }
    }
}

impl Unpacked {
    /// The folder.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// The names of the formulas of an examination, in the order of their file; none if there is no file.
    fn ids(&self, examination: &str) -> Vec<String> {
        let text = fs::read_to_string(self.0.join(format!("{examination}.xml"))).unwrap_or_default();
        let ids = text.split("<id>").skip(1).filter_map(|rest| rest.split_once("</id>"));
        ids.map(|(id, _)| id.trim().to_owned()).collect()
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        // What stays behind is in a temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Instance {
    /// The questions of an examination whose answers are known.
    ///
    /// The table lists answers by the position of formulas in their file, but they were given in the order of the names
    /// of formulas. The two differ where a file has formulas of several years, so answers are moved to their formulas.
    fn questions(&self, examination: &str, folder: &Unpacked) -> Vec<(String, &str)> {
        let space = format!("{examination}.");
        let plain = self.expected.iter().filter(|(q, _)| *q == examination || q.starts_with(&space));
        let ids = folder.ids(examination);
        let mut sorted = ids.clone();
        sorted.sort();
        let formulas = ids.iter().zip(sorted).filter_map(|(listed, meant)| Some((meant, self.expected.get(listed)?)));
        plain.map(|(q, a)| (q.clone(), a)).chain(formulas).map(|(q, a)| (q, a.as_str())).collect()
    }

    /// Runs an examination.
    pub(super) fn run(
        &self,
        binary: &Path,
        folder: &Unpacked,
        examination: &str,
        engines: &str,
        options: &Options,
    ) -> Result<Outcome, String> {
        let (time, threads) = (format!("{}s", options.seconds), options.threads.to_string());
        // A tool that does not keep its own limit is stopped, and has no more answers.
        let limit = format!("{}", options.seconds + 10);
        let program = binary.to_string_lossy();
        let args = [
            &*limit,
            &program,
            "mcc",
            ".",
            examination,
            "--timeout",
            &time,
            "--threads",
            &threads,
            "--engines",
            engines,
        ];
        let ran = run(Path::new("timeout"), &args, &folder.0)?;
        let given: BTreeMap<&str, (&str, &str)> = ran.stdout.lines().filter_map(line).collect();
        let judged = self.questions(examination, folder).into_iter().map(|(question, expected)| {
            let key = question.strip_prefix("StateSpace.").unwrap_or(&question);
            let found = given.get(key).copied().filter(|(answer, _)| *answer != "CANNOT_COMPUTE");
            match found {
                None => (question, Given::Nothing, String::new()),
                Some((answer, by)) if answer == expected => (question, Given::Right, by.to_owned()),
                Some((answer, by)) => (question, Given::Wrong(answer.to_owned()), by.to_owned()),
            }
        });
        Ok(Outcome {
            instance: self.name.clone(),
            family: self.family.clone(),
            examination: examination.to_owned(),
            engines: engines.to_owned(),
            answers: judged.collect(),
            seconds: ran.seconds,
            code: ran.code,
        })
    }
}

/// The question, the answer and the techniques of a line of output.
fn line(line: &str) -> Option<(&str, (&str, &str))> {
    let rest = line.strip_prefix("FORMULA ").or_else(|| line.strip_prefix("STATE_SPACE "))?;
    let (question, rest) = rest.split_once(' ')?;
    let (answer, techniques) = rest.split_once(" TECHNIQUES ").unwrap_or((rest, ""));
    Some((question, (answer, techniques)))
}
