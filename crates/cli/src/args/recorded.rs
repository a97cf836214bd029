//! How a model was read when something about it was saved: what is verified rests on that, so it is told, and a command
//! line that says otherwise is refused.

use super::{ExternalChoice, FairnessChoice, ModelArgs};
use crate::quantity;

impl ModelArgs {
    /// The model, read as a saved file says. The command line may repeat that, and set parameters that the file does not.
    pub(crate) fn as_recorded(&self, set: &[String], options: &[String]) -> Result<Self, String> {
        let mut recorded = self.reading_by(options)?;
        recorded.set = set.iter().map(|s| quantity::setting(s)).collect::<Result<_, _>>()?;
        match self.contradiction(&recorded) {
            Some(given) => Err(format!("it was made {}, and {given} is given", recorded.told())),
            None => {
                let new = self.set.iter().filter(|(name, _)| recorded.set.iter().all(|(known, _)| known != name));
                let new: Vec<_> = new.cloned().collect();
                recorded.set.extend(new);
                Ok(recorded)
            }
        }
    }

    /// What the command line says that is not as recorded.
    fn contradiction(&self, recorded: &Self) -> Option<String> {
        let differs = |(name, value): &&(String, i64)| recorded.set.iter().any(|(n, v)| n == name && v != value);
        if let Some((name, value)) = self.set.iter().find(differs) {
            return Some(format!("--set {name}={value}"));
        }
        if let Some((name, text)) = self.define.iter().find(|d| !recorded.define.contains(d)) {
            return Some(format!("-D {name}={text}"));
        }
        let process = self.process().filter(|p| recorded.process() != Some(p));
        if let Some(process) = process {
            return Some(format!("--process {process}"));
        }
        let how = |args: &Self| args.external.unwrap_or(ExternalChoice::Abstract);
        if self.external.is_some() && how(self) != how(recorded) {
            return Some("another --external".to_owned());
        }
        if self.fairness.is_some() && self.fairness.unwrap_or_default() != recorded.fairness.unwrap_or_default() {
            return Some("another --fairness".to_owned());
        }
        let flags = [
            ("--no-assertions", self.no_assertions, recorded.no_assertions),
            ("--no-end-states", self.no_end_states, recorded.no_end_states),
            ("--empty-channels", self.empty_channels, recorded.empty_channels),
            ("--non-progress", self.non_progress, recorded.non_progress),
        ];
        flags.iter().find(|(_, given, known)| *given && !known).map(|(flag, ..)| (*flag).to_owned())
    }

    /// The same for messages: `without options` where there are none.
    fn told(&self) -> String {
        let conditions = self.conditions();
        if conditions.is_empty() { "without options".to_owned() } else { conditions.join(", ") }
    }

    /// What a claim about the model rests on beside the text of the model: every option and parameter.
    pub(crate) fn conditions(&self) -> Vec<String> {
        let set = self.set.iter().map(|(name, value)| format!("{name}={value}"));
        let defined = self.define.iter().map(|(name, text)| format!("-D {name}={text}"));
        let values: Vec<String> = set.chain(defined).collect();
        let with = (!values.is_empty()).then(|| format!("with {}", values.join(", ")));
        let process = self.process().map(|process| format!("as the process {process}"));
        let external = self.external.map(|how| match how {
            ExternalChoice::Abstract => "with external functions abstracted",
            ExternalChoice::Refuse => "with external functions refused",
        });
        let fairness = match self.fairness.unwrap_or_default() {
            FairnessChoice::None => None,
            FairnessChoice::Weak => Some("under weak fairness"),
            FairnessChoice::Strong => Some("under strong fairness"),
        };
        let flags = [
            (self.no_assertions, "without assertions"),
            (self.no_end_states, "without invalid end states"),
            (self.empty_channels, "with empty channels at the end"),
            (self.non_progress, "with non-progress cycles"),
        ];
        let flags = flags.into_iter().filter(|(given, _)| *given).map(|(_, words)| words);
        let words = external.into_iter().chain(flags).chain(fairness).map(str::to_owned);
        with.into_iter().chain(process).chain(words).collect()
    }
}
