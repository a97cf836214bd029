//! Names of states: the process that was called by name, and what has happened since. Names are told apart.

use std::collections::{HashMap, HashSet, VecDeque};

/// Beyond these sizes nobody reads names: states without one are numbered.
const STATES: usize = 1 << 17;
const MOVES: usize = 1 << 21;
/// A way of so many events is shown whole; of a longer one, only the last events.
const WHOLE: u32 = 3;
const LAST: u32 = 2;
/// Of what a state offers, so many events are shown.
const OFFERS: usize = 2;
/// Longer events are of no use in a name.
const EVENT: usize = 40;

/// The moves between states: from, event, to.
pub(super) struct Graph<'a> {
    pub(super) initial: u32,
    pub(super) moves: &'a [(u32, u32, u32)],
    pub(super) texts: &'a [String],
    /// The event that is an internal step, if there is one.
    pub(super) silent: Option<u32>,
}

/// Gives names to the states that have none, after the nearest state before them that has one: `PHIL(0) after pick.0.0`.
/// Internal steps are not told; what a state offers after one is.
pub(super) fn readable(names: Vec<Option<String>>, graph: &Graph<'_>) -> Vec<String> {
    if names.len() > STATES || graph.moves.len() > MOVES {
        let number = |(i, name): (usize, Option<String>)| name.unwrap_or_else(|| format!("s{i}"));
        return distinct(names.into_iter().enumerate().map(number).collect());
    }
    let namer = Namer::new(&names, graph);
    distinct((0..names.len() as u32).map(|state| namer.name(state)).collect())
}

/// How a state is reached from one that has a name.
#[derive(Clone, Copy)]
struct Way {
    origin: u32,
    /// Events on the way.
    length: u32,
    /// The last event, and the state before it.
    last: Option<(u32, u32)>,
    /// Whether an internal step came after it.
    silently: bool,
}

struct Namer<'a> {
    names: &'a [Option<String>],
    graph: &'a Graph<'a>,
    /// In order, by the state that they leave.
    moves: Vec<(u32, u32, u32)>,
    ways: Vec<Option<Way>>,
}

impl<'a> Namer<'a> {
    fn new(names: &'a [Option<String>], graph: &'a Graph<'a>) -> Self {
        let mut moves = graph.moves.to_vec();
        moves.sort_unstable();
        moves.dedup();
        let mut namer = Self { names, graph, moves, ways: vec![None; names.len()] };
        namer.search();
        namer
    }

    fn moves(&self, from: u32) -> &[(u32, u32, u32)] {
        let start = self.moves.partition_point(|m| m.0 < from);
        let length = self.moves[start..].partition_point(|m| m.0 == from);
        &self.moves[start..start + length]
    }

    /// Finds shortest ways, breadth first from all states with names at once.
    fn search(&mut self) {
        let named = (0..self.names.len() as u32).filter(|s| self.names[*s as usize].is_some());
        let origins: Vec<u32> = [self.graph.initial].into_iter().chain(named).collect();
        for &origin in &origins {
            self.ways[origin as usize] = Some(Way { origin, length: 0, last: None, silently: false });
        }
        let mut open = VecDeque::from(origins);
        while let Some(from) = open.pop_front() {
            let way = self.ways[from as usize].expect("a state is open when its way is known");
            for (_, event, to) in self.moves(from).to_vec() {
                if self.ways[to as usize].is_none() {
                    self.ways[to as usize] = Some(way.then(from, event, self.graph.silent));
                    open.push_back(to);
                }
            }
        }
    }

    fn name(&self, state: u32) -> String {
        if let Some(name) = &self.names[state as usize] {
            return name.clone();
        }
        let Some(way) = self.ways[state as usize] else { return format!("s{state}") };
        let origin = self.names[way.origin as usize].as_deref();
        let mut name = match (way.length, origin) {
            (0, origin) => origin.unwrap_or("start").to_owned(),
            (_, Some(origin)) => format!("{origin} after {}", self.events(way)),
            (_, None) => format!("after {}", self.events(way)),
        };
        if way.silently {
            name.push_str(&self.offers(state));
        }
        name
    }

    /// The last events of a way.
    fn events(&self, way: Way) -> String {
        let shown = if way.length <= WHOLE { way.length } else { LAST };
        let mut list = vec![];
        let mut at = way;
        for _ in 0..shown {
            let (before, event) = at.last.expect("a way has as many events as it is long");
            list.push(self.text(event));
            at = self.ways[before as usize].expect("a way leads through states with ways");
        }
        list.extend((shown < way.length).then(|| "...".to_owned()));
        list.reverse();
        list.join(", ")
    }

    /// What a state offers to its environment.
    fn offers(&self, state: u32) -> String {
        let mut events: Vec<u32> = self.moves(state).iter().map(|m| m.1).collect();
        events.dedup();
        events.retain(|e| Some(*e) != self.graph.silent);
        if events.is_empty() {
            return String::new();
        }
        let shown = events.iter().take(OFFERS).map(|e| self.text(*e));
        let more = (events.len() > OFFERS).then(|| "...".to_owned());
        format!(", offering {}", shown.chain(more).collect::<Vec<_>>().join(", "))
    }

    fn text(&self, event: u32) -> String {
        let text = &self.graph.texts[event as usize];
        match text.char_indices().nth(EVENT) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text.clone(),
        }
    }
}

impl Way {
    /// One step further.
    fn then(self, from: u32, event: u32, silent: Option<u32>) -> Self {
        if Some(event) == silent {
            return Self { silently: true, ..self };
        }
        Self { length: self.length + 1, last: Some((from, event)), silently: false, ..self }
    }
}

/// Makes names distinct: the second `P` becomes `P#2`.
pub(super) fn distinct(names: Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut counts = HashMap::new();
    let all: HashSet<String> = names.iter().cloned().collect();
    let mut out = Vec::with_capacity(names.len());
    for name in names {
        if taken.insert(name.clone()) {
            out.push(name);
            continue;
        }
        let count = counts.entry(name.clone()).or_insert(1);
        let new = loop {
            *count += 1;
            let candidate = format!("{name}#{count}");
            if !all.contains(&candidate) && taken.insert(candidate.clone()) {
                break candidate;
            }
        };
        out.push(new);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Graph, STATES, distinct, readable};

    fn named(names: &[Option<&str>], moves: &[(u32, u32, u32)]) -> Vec<String> {
        let texts = ["tau", "a", "b", "c", "d"].map(str::to_owned);
        let graph = Graph { initial: 0, moves, texts: &texts, silent: Some(0) };
        readable(names.iter().map(|n| n.map(str::to_owned)).collect(), &graph)
    }

    #[test]
    fn repeated_names_are_numbered() {
        let names = ["P", "Q", "P", "P#2", "P"].map(str::to_owned).to_vec();
        assert_eq!(distinct(names), ["P", "Q", "P#3", "P#2", "P#4"]);
    }

    #[test]
    fn states_are_named_after_the_nearest_name() {
        let moves = [(0, 1, 1), (1, 2, 2), (2, 3, 3), (3, 4, 0), (2, 4, 4), (4, 1, 3)];
        assert_eq!(
            named(&[Some("P"), None, None, None, Some("Q")], &moves),
            ["P", "P after a", "P after a, b", "Q after a", "Q"]
        );
    }

    #[test]
    fn long_ways_are_cut() {
        let moves = [(0, 1, 1), (1, 2, 2), (2, 3, 3), (3, 4, 4), (4, 1, 5)];
        let names = named(&[None; 6], &moves);
        assert_eq!(names, ["start", "after a", "after a, b", "after a, b, c", "after ..., c, d", "after ..., d, a"]);
    }

    #[test]
    fn internal_steps_tell_what_is_offered() {
        let moves = [(0, 1, 1), (1, 0, 2), (1, 0, 3), (2, 2, 0), (3, 1, 0), (3, 2, 0), (3, 3, 0), (2, 3, 4), (4, 0, 4)];
        let names = named(&[Some("P"), None, None, None, None], &moves);
        assert_eq!(
            names,
            ["P", "P after a", "P after a, offering b, c", "P after a, offering a, b, ...", "P after a, c"]
        );
    }

    #[test]
    fn many_states_are_numbered() {
        let mut names = vec![None; STATES + 1];
        names[7] = Some("P");
        let names = named(&names, &[(7, 1, 8)]);
        assert_eq!((names[7].as_str(), names[8].as_str()), ("P", "s8"));
    }
}
