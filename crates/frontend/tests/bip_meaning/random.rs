//! Random connectors and priorities, against a direct reading of BIP's rules on explicit sets of ports.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use testkit::Rng;

use crate::support::size;

const ATOMS: usize = 4;
const PORTS: usize = 2;
const PLACES: usize = 3;

/// A port of an atom: its atom and its number there.
type Port = (usize, usize);

/// An interaction: a connector and the positions of those of its ports that take part.
type Interaction = (usize, BTreeSet<usize>);

struct World {
    /// By atom, port and place: where it leads.
    moves: Vec<[[Option<usize>; PLACES]; PORTS]>,
    connectors: Vec<Connector>,
    /// What waits, and for what.
    rules: Vec<(Interaction, Interaction)>,
}

struct Connector {
    ports: Vec<Port>,
    triggers: Vec<bool>,
    /// An interaction that is forbidden.
    forbidden: Option<BTreeSet<usize>>,
}

impl Connector {
    fn new(rng: &mut Rng) -> Self {
        let mut ports: Vec<Port> = Vec::new();
        for atom in 0..ATOMS {
            if rng.below(3) > 0 {
                ports.push((atom, rng.below(PORTS)));
            }
        }
        if ports.is_empty() {
            ports.push((0, 0));
        }
        let triggers = ports.iter().map(|_| rng.below(3) == 0).collect();
        let mut this = Self { ports, triggers, forbidden: None };
        let all = this.interactions();
        if rng.below(2) == 0 {
            this.forbidden = all.get(rng.below(all.len())).cloned();
        }
        this
    }

    fn interactions(&self) -> Vec<BTreeSet<usize>> {
        let subsets = 1..1_usize << self.ports.len();
        let sets =
            subsets.map(|bits| (0..self.ports.len()).filter(|i| bits >> i & 1 == 1).collect::<BTreeSet<usize>>());
        let triggered = self.triggers.contains(&true);
        sets.filter(|s| if triggered { s.iter().any(|&i| self.triggers[i]) } else { s.len() == self.ports.len() })
            .collect()
    }
}

impl World {
    fn new(rng: &mut Rng) -> Self {
        let mut step = |_| rng.chance(70).then(|| rng.below(PLACES));
        let moves = (0..ATOMS).map(|_| std::array::from_fn(|_| std::array::from_fn(&mut step))).collect();
        let connectors: Vec<Connector> = (0..3).map(|_| Connector::new(rng)).collect();
        let mut this = Self { moves, connectors, rules: Vec::new() };
        for _ in 0..rng.below(4) {
            let (low, high) = (this.some(rng), this.some(rng));
            this.rules.push((low, high));
            if this.all().iter().any(|i| this.above(i).contains(i)) {
                this.rules.pop();
            }
        }
        this
    }

    fn all(&self) -> Vec<Interaction> {
        let of = |c: usize| self.connectors[c].interactions().into_iter().map(move |i| (c, i));
        (0..self.connectors.len()).flat_map(of).collect()
    }

    fn some(&self, rng: &mut Rng) -> Interaction {
        let all = self.all();
        all[rng.below(all.len())].clone()
    }

    /// Everything that an interaction waits for: the closure of the rules and of inclusion in one connector.
    fn above(&self, low: &Interaction) -> HashSet<Interaction> {
        let mut found = HashSet::new();
        let mut open = vec![low.clone()];
        while let Some(at) = open.pop() {
            let larger = self.all().into_iter().filter(|o| o.0 == at.0 && o.1.is_superset(&at.1) && o.1 != at.1);
            let ruled = self.rules.iter().filter(|r| r.0 == at).map(|r| r.1.clone());
            for next in larger.chain(ruled) {
                if found.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        found
    }

    fn next(&self, state: &[usize], interaction: &Interaction) -> Option<Vec<usize>> {
        let connector = &self.connectors[interaction.0];
        if connector.forbidden.as_ref() == Some(&interaction.1) {
            return None;
        }
        let mut next = state.to_vec();
        for &position in &interaction.1 {
            let (atom, port) = connector.ports[position];
            next[atom] = self.moves[atom][port][state[atom]]?;
        }
        Some(next)
    }

    /// The numbers of states, steps and deadlocks, interaction by interaction; with the planted bug, nobody waits.
    fn count(&self, planted: bool) -> (usize, usize, usize) {
        let ranked: Vec<(Interaction, HashSet<Interaction>)> = self
            .all()
            .into_iter()
            .map(|i| (i.clone(), if planted { HashSet::new() } else { self.above(&i) }))
            .collect();
        let mut states = vec![vec![0; ATOMS]];
        let (mut at, mut steps, mut deadlocks) = (0, 0, 0);
        while at < states.len() {
            let state = states[at].clone();
            let possible = ranked.iter().filter(|(_, above)| !above.iter().any(|o| self.next(&state, o).is_some()));
            let nexts: Vec<Vec<usize>> = possible.filter_map(|(i, _)| self.next(&state, i)).collect();
            steps += nexts.len();
            deadlocks += usize::from(nexts.is_empty());
            for next in nexts {
                if !states.contains(&next) {
                    states.push(next);
                }
            }
            at += 1;
        }
        (states.len(), steps, deadlocks)
    }

    fn text(&self) -> String {
        let mut text = "package model\nport type P()\n".to_owned();
        for (a, ports) in self.moves.iter().enumerate() {
            let names: Vec<String> = (0..PORTS).map(|p| format!("p{p}()")).collect();
            let places: Vec<String> = (0..PLACES).map(|s| format!("S{s}")).collect();
            let (names, places) = (names.join(", "), places.join(", "));
            writeln!(text, "atom type A{a}() export port P {names} place {places} initial to S0")
                .expect("a text grows");
            for (p, ways) in ports.iter().enumerate() {
                for (from, to) in ways.iter().enumerate().filter_map(|(from, to)| Some((from, (*to)?))) {
                    writeln!(text, "on p{p} from S{from} to S{to}").expect("a text grows");
                }
            }
            text.push_str("end\n");
        }
        for (c, connector) in self.connectors.iter().enumerate() {
            let ports: Vec<String> = (0..connector.ports.len()).map(|i| format!("P q{i}")).collect();
            let quote = |i: usize| if connector.triggers[i] { "'" } else { "" };
            let define: Vec<String> = (0..connector.ports.len()).map(|i| format!("q{i}{}", quote(i))).collect();
            writeln!(text, "connector type C{c}({}) define {}", ports.join(", "), define.join(" "))
                .expect("a text grows");
            if let Some(forbidden) = &connector.forbidden {
                let ports: Vec<String> = forbidden.iter().map(|i| format!("q{i}")).collect();
                writeln!(text, "on {} provided (false)", ports.join(" ")).expect("a text grows");
            }
            text.push_str("end\n");
        }
        text.push_str("compound type Root()\n");
        (0..ATOMS).for_each(|a| writeln!(text, "component A{a} a{a}()").expect("a text grows"));
        for (c, connector) in self.connectors.iter().enumerate() {
            let ports: Vec<String> = connector.ports.iter().map(|(a, p)| format!("a{a}.p{p}")).collect();
            writeln!(text, "connector C{c} c{c}({})", ports.join(", ")).expect("a text grows");
        }
        for (r, (low, high)) in self.rules.iter().enumerate() {
            writeln!(text, "priority r{r} {} < {}", self.side(low), self.side(high)).expect("a text grows");
        }
        text + "end\nend\n"
    }

    fn side(&self, (connector, positions): &Interaction) -> String {
        let port = |&i: &usize| self.connectors[*connector].ports[i];
        let ports: Vec<String> = positions.iter().map(port).map(|(a, p)| format!("a{a}.p{p}")).collect();
        format!("c{connector}:{}", ports.join(","))
    }
}

#[test]
fn guards_mean_maximal_progress_and_priorities() {
    let (mut ruled, mut moving, mut caught) = (0, 0, 0);
    for seed in 0..400 {
        let world = World::new(&mut Rng::new(seed));
        let text = world.text();
        let (states, steps, deadlocks, faults) = size(&text);
        assert_eq!(((states, steps, deadlocks), faults), (world.count(false), 0), "seed {seed}:\n{text}");
        ruled += usize::from(!world.rules.is_empty());
        moving += usize::from(states > 3);
        caught += usize::from(world.count(true) != (states, steps, deadlocks));
    }
    assert!(ruled > 100 && moving > 100, "the worlds are worth it: {ruled}, {moving}");
    assert!(caught > 100, "worlds where waiting matters: {caught}");
}
