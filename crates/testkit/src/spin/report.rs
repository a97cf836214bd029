//! What `pan` prints, read.

/// A search as `pan` reports it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// Whether all was searched: not if time, memory or depth did not suffice, nor after an error that ends the search.
    pub finished: bool,
    /// Whether an invalid end state was found.
    pub invalid_end: bool,
    /// Whether an assertion was violated.
    pub assertion: bool,
    /// Whether a `trace` or `notrace` was violated, or was not deterministic.
    pub trace: bool,
    /// The first error of another kind, such as `block in d_step seq`.
    pub other: Option<String>,
    /// States stored.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// Bytes for states and their table.
    pub bytes: u64,
    /// The time of the search by `pan`'s own clock.
    pub elapsed: f64,
    /// The time of the whole run.
    pub seconds: f64,
}

impl Search {
    /// Reads the output of a run, which may have been cut off.
    pub(super) fn read(output: &str, seconds: f64, cut: bool) -> Self {
        let unfinished =
            ["Search not completed", "max search depth too small", "out of memory", "pan: reached -DMEMLIM"];
        let mut search = Self { seconds, ..Self::default() };
        for error in output.lines().filter_map(error) {
            match error {
                e if e.starts_with("invalid end state") => search.invalid_end = true,
                e if e.starts_with("assertion violated") => search.assertion = true,
                e if e.starts_with("event_trace error") || e == "non-determinism in event-trace" => search.trace = true,
                e => drop(search.other.get_or_insert_with(|| e.to_owned())),
            }
        }
        let number = |phrase| before(output, phrase);
        let states = number("states, stored");
        search.finished = !cut && states.is_some() && !unfinished.iter().any(|phrase| output.contains(phrase));
        search.states = states.unwrap_or(0.0) as u64;
        search.transitions = number("transitions (= stored+matched)").unwrap_or(0.0) as u64;
        let stored = number("actual memory usage for states").or_else(|| number("equivalent memory usage for states"));
        let megabytes = stored.unwrap_or(0.0) + number("memory used for hash table").unwrap_or(0.0);
        search.bytes = (megabytes * 1e6) as u64;
        search.elapsed = after(output, "elapsed time").unwrap_or(0.0);
        search
    }
}

/// The message of a line such as `pan:1: invalid end state (at depth 4)`, or `error: proctype 'P' ...` before a search.
fn error(line: &str) -> Option<&str> {
    if let Some(message) = line.strip_prefix("error: ").filter(|message| message.starts_with("proctype")) {
        return Some(message);
    }
    let (number, message) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u64>().is_ok().then(|| message.rsplit_once(" (at depth").map_or(message, |(message, _)| message))
}

/// The number that stands before a phrase.
fn before(output: &str, phrase: &str) -> Option<f64> {
    let line = output.lines().find(|l| l.contains(phrase))?;
    line.split_once(phrase)?.0.split_whitespace().last()?.parse().ok()
}

/// The number that stands after a phrase.
fn after(output: &str, phrase: &str) -> Option<f64> {
    let line = output.lines().find(|l| l.contains(phrase))?;
    line.split_once(phrase)?.1.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "pan:1: invalid end state (at depth 4)\npan:2: block in d_step seq (at depth 9)\n\
        pan:3: event_trace error (no matching event) (at depth 9)\n\
        State-vector 28 byte, depth reached 6, errors: 2\n  4782968 states, stored\n\
        1.05e+08 transitions (= stored+matched)\n    1.500\tequivalent memory usage for states (stored)\n\
        0.500\tmemory used for hash table (-w16)\npan: elapsed time 21.9 seconds\n";

    #[test]
    fn reads_what_pan_prints() {
        let search = Search::read(OUTPUT, 22.0, false);
        let expected = Search {
            finished: true,
            invalid_end: true,
            assertion: false,
            trace: true,
            other: Some("block in d_step seq".to_owned()),
            states: 4_782_968,
            transitions: 105_000_000,
            bytes: 2_000_000,
            elapsed: 21.9,
            seconds: 22.0,
        };
        assert_eq!(search, expected);
    }

    #[test]
    fn what_was_cut_off_is_not_finished() {
        assert!(!Search::read(OUTPUT, 22.0, true).finished);
        assert!(!Search::read("pan:1: assertion violated (x==1) (at depth 2)\n", 22.0, false).finished);
        assert!(!Search::read(&format!("{OUTPUT}error: max search depth too small\n"), 22.0, false).finished);
    }
}
