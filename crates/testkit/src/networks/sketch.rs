//! Networks of bare numbers: components `C0..`, states `s0..` that start in `s0`, events `e0..`, rules `r0..`.

use model::views::{Automaton, ComponentId, EventId, LocalState, Network, Origin, Rule, StateId};

/// A component. Events are as many as its moves and the rules need.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// How many states it has.
    pub states: usize,
    /// Where it may stop for good.
    pub end: Vec<usize>,
    /// From, event, to.
    pub moves: Vec<(usize, usize, usize)>,
}

impl Sketch {
    /// A component that goes round: the first event leads from state 0 to state 1, and so on, the last one back.
    pub fn cycle(events: &[usize]) -> Self {
        let moves = events.iter().enumerate().map(|(s, &event)| (s, event, (s + 1) % events.len()));
        Self { states: events.len().max(1), end: Vec::new(), moves: moves.collect() }
    }

    /// One more than the greatest event.
    fn events(&self) -> usize {
        self.moves.iter().map(|&(_, event, _)| event + 1).max().unwrap_or(0)
    }
}

/// A rule.
#[derive(Clone, Debug, Default)]
pub struct SketchedRule {
    /// Component and event of each participant, in any order.
    pub participants: Vec<(usize, usize)>,
    /// Whether it is a model error.
    pub fault: bool,
}

impl From<&[(usize, usize)]> for SketchedRule {
    fn from(participants: &[(usize, usize)]) -> Self {
        Self { participants: participants.to_vec(), fault: false }
    }
}

/// The network of some sketches.
pub fn network(components: &[Sketch], rules: &[SketchedRule]) -> Network {
    let automata = (0..components.len()).map(|c| automaton(c, components, rules)).collect();
    let rules = rules.iter().enumerate().map(|(r, rule)| {
        let participants = rule.participants.iter().map(|&(c, e)| (ComponentId::new(c), EventId::new(e)));
        Rule { fault: rule.fault, ..Rule::new(format!("r{r}"), participants.collect()) }
    });
    Network::new("network", automata, rules.collect()).expect("the generators make sound networks")
}

fn automaton(c: usize, components: &[Sketch], rules: &[SketchedRule]) -> Automaton {
    let sketch = &components[c];
    let used = rules.iter().flat_map(|rule| &rule.participants).filter(|p| p.0 == c).map(|p| p.1 + 1).max();
    let events = sketch.events().max(used.unwrap_or(0));
    let moves = sketch.moves.iter();
    Automaton {
        name: format!("C{c}"),
        origin: Origin::Given,
        states: (0..sketch.states)
            .map(|s| LocalState { name: format!("s{s}"), end: sketch.end.contains(&s) })
            .collect(),
        initial: StateId(0),
        events: (0..events).map(|e| format!("e{e}")).collect(),
        moves: moves.map(|&(from, e, to)| (StateId::new(from), EventId::new(e), StateId::new(to))).collect(),
    }
}
