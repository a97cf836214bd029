//! Proofs for tests, in the simplest way: all groups of some size, all joint states that they do not reach, all traps
//! that matter. Nothing is shared with the engine that writes proofs for users.

use std::collections::BTreeSet;

use evidence::{Given, Goal, Group, LocalProof, LratStep, Refutation, Sign, StateSet, Table, Why};
use model::views::{ComponentId, EventId, Network, StateId};
use solve::lrat::elaborate;
use solve::sat::{Answer, Literal, Sat};

/// A proof in the making.
#[derive(Debug, Default)]
pub(crate) struct Producer {
    pub(crate) proof: LocalProof,
}

impl Producer {
    /// The variable of a set, as a positive literal.
    pub(crate) fn set(&mut self, component: usize, states: &[usize]) -> Sign {
        let set = StateSet { component, states: states.to_vec() };
        let known = self.proof.sets.iter().position(|s| *s == set);
        let number = known.unwrap_or_else(|| {
            self.proof.sets.push(set);
            self.proof.sets.len() - 1
        });
        number as Sign + 1
    }

    /// Adds the refutation of a goal from clauses that hold, if they are contradictory.
    pub(crate) fn refute(&mut self, goal: Goal, given: Vec<Given>) -> bool {
        let Some((used, steps)) = refutation(&given) else { return false };
        let given = used.into_iter().map(|number| given[number].clone()).collect();
        self.proof.refutations.push(Refutation { goal, given, steps });
        true
    }
}

/// The clauses that are used and the steps to the empty clause.
fn refutation(given: &[Given]) -> Option<(Vec<usize>, Vec<LratStep>)> {
    let literal = |&sign: &Sign| Literal::new(sign.unsigned_abs() as usize - 1, sign > 0);
    let clauses: Vec<Vec<Literal>> = given.iter().map(|g| g.clause.iter().map(literal).collect()).collect();
    let mut sat = Sat::new(Box::new(|| false));
    sat.keep_learned();
    let variables = clauses.iter().flatten().map(|l| l.variable() + 1).max().unwrap_or(0);
    (0..variables).for_each(|_| _ = sat.fresh());
    clauses.iter().for_each(|clause| sat.clause(clause));
    if sat.solve() != Answer::Impossible {
        return None;
    }
    let proof = elaborate(&clauses, sat.learned(), &|| false).expect("the learned clauses lead to a contradiction");
    let sign = |l: &Literal| if l.is_positive() { l.variable() as Sign + 1 } else { -(l.variable() as Sign + 1) };
    let step = |s: solve::lrat::Step| LratStep { clause: s.clause.iter().map(sign).collect(), hints: s.hints };
    Some((proof.used, proof.steps.into_iter().map(step).collect()))
}

/// A proof by the joint states of all groups of a size, and by traps; `None` if that is not enough.
pub(crate) fn prove(network: &Network, size: usize, traps: bool) -> Option<LocalProof> {
    let mut producer = Producer::default();
    let mut facts = components(network, &mut producer);
    for members in subsets(network.components().len(), size) {
        facts.extend(group(network, members, &mut producer));
    }
    if traps {
        facts.extend(all_traps(network, &mut producer));
    }
    let faults = network.rule_ids().filter(|&r| network.rule(r).fault).map(|r| Goal::Enabled(r.index()));
    for goal in faults.chain([Goal::Deadlock]) {
        let given = facts.iter().cloned().chain(goal_clauses(network, goal, &mut producer)).collect();
        if !producer.refute(goal, given) {
            return None;
        }
    }
    Some(producer.proof)
}

fn states(network: &Network, c: usize) -> usize {
    network.components()[c].states().len()
}

/// Each component is in one state, and in no other; a set is entered with its states.
fn components(network: &Network, producer: &mut Producer) -> Vec<Given> {
    let mut given = Vec::new();
    for c in 0..network.components().len() {
        let single: Vec<Sign> = (0..states(network, c)).map(|s| producer.set(c, &[s])).collect();
        let pairs = (0..single.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        given.extend(pairs.map(|(a, b)| vec![-single[a], -single[b]]));
        given.push(single);
    }
    given.into_iter().map(|clause| Given { clause, why: Why::Component }).collect()
}

/// All groups of so many components, or of all if there are fewer.
fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let all = (0..1_usize << n).map(|set| (0..n).filter(|i| set >> i & 1 == 1).collect::<Vec<_>>());
    all.filter(|set| set.len() == size.min(n) && !set.is_empty()).collect()
}

/// What a group reaches together, by the definition.
pub(crate) fn reach(network: &Network, members: &[usize]) -> BTreeSet<Vec<usize>> {
    let initial: Vec<usize> = members.iter().map(|&c| network.components()[c].initial().index()).collect();
    let (mut known, mut waiting) = (BTreeSet::from([initial.clone()]), vec![initial]);
    while let Some(state) = waiting.pop() {
        for rule in network.rules() {
            let mut next = vec![state.clone()];
            for &(c, event) in &rule.participants {
                let Ok(position) = members.binary_search(&c.index()) else { continue };
                let moves = network.component(c).moves_with(StateId::new(state[position]), event);
                let moved = |mut s: Vec<usize>, to: StateId| {
                    s[position] = to.index();
                    s
                };
                next = next.iter().flat_map(|s| moves.iter().map(|m| moved(s.clone(), m.to))).collect();
            }
            waiting.extend(next.into_iter().filter(|next| known.insert(next.clone())));
        }
    }
    known
}

/// The clauses that exclude what a group does not reach.
fn group(network: &Network, members: Vec<usize>, producer: &mut Producer) -> Vec<Given> {
    let reached = reach(network, &members);
    let number = producer.proof.groups.len();
    let mut product: Vec<Vec<usize>> = vec![Vec::new()];
    for &c in &members {
        let with = |row: &Vec<usize>, s: usize| row.iter().copied().chain([s]).collect::<Vec<_>>();
        product = product.iter().flat_map(|row| (0..states(network, c)).map(|s| with(row, s))).collect();
    }
    let excluded = product.iter().filter(|row| !reached.contains(*row));
    let clauses: Vec<Vec<Sign>> =
        excluded.map(|row| row.iter().zip(&members).map(|(&s, &c)| -producer.set(c, &[s])).collect()).collect();
    let table = Table { width: members.len(), states: reached.into_iter().flatten().collect() };
    let known = producer.proof.tables.iter().position(|t| *t == table).unwrap_or(producer.proof.tables.len());
    if known == producer.proof.tables.len() {
        producer.proof.tables.push(table);
    }
    producer.proof.groups.push(Group { members, table: known });
    clauses.into_iter().map(|clause| Given { clause, why: Why::Group(number) }).collect()
}

/// For every choice of one state of each component, the greatest trap without these states, if it is marked.
fn all_traps(network: &Network, producer: &mut Producer) -> Vec<Given> {
    let components = network.components();
    let choices: usize = components.iter().map(|c| c.states().len()).product();
    for mut choice in 0..choices.min(64) {
        let mut trap: Vec<(usize, usize)> = Vec::new();
        for (c, component) in components.iter().enumerate() {
            let n = component.states().len();
            trap.extend((0..n).filter(|&s| s != choice % n).map(|s| (c, s)));
            choice /= n;
        }
        shrink(network, &mut trap);
        let marked = trap.iter().any(|&(c, s)| components[c].initial().index() == s);
        if marked && !producer.proof.traps.contains(&trap) {
            producer.proof.traps.push(trap);
        }
    }
    let traps = producer.proof.traps.clone();
    let clause = |trap: Vec<(usize, usize)>| trap.into_iter().map(|(c, s)| producer.set(c, &[s])).collect();
    let clauses: Vec<Vec<Sign>> = traps.into_iter().map(clause).collect();
    clauses.into_iter().enumerate().map(|(t, clause)| Given { clause, why: Why::Trap(t) }).collect()
}

/// Takes states out until every rule that takes from the set puts into it, whatever is chosen.
fn shrink(network: &Network, trap: &mut Vec<(usize, usize)>) {
    'again: loop {
        for rule in network.rules() {
            let outside = |c: ComponentId, event: EventId, trap: &[(usize, usize)]| -> Vec<(usize, usize)> {
                let all = (0..states(network, c.index())).map(StateId::new);
                let moves =
                    all.flat_map(|from| network.component(c).moves_with(from, event).iter().map(move |m| (from, m)));
                let enters = |to: StateId| trap.contains(&(c.index(), to.index()));
                moves.filter(|(_, m)| !enters(m.to)).map(|(from, _)| (c.index(), from.index())).collect()
            };
            let moves: Vec<Vec<(usize, usize)>> = rule.participants.iter().map(|&(c, e)| outside(c, e, trap)).collect();
            let left = moves.iter().flatten().find(|from| trap.contains(from)).copied();
            if let Some(from) = left.filter(|_| moves.iter().all(|m| !m.is_empty())) {
                trap.retain(|&state| state != from);
                continue 'again;
            }
        }
        return;
    }
}

/// What the goal says.
fn goal_clauses(network: &Network, goal: Goal, producer: &mut Producer) -> Vec<Given> {
    let mut given = Vec::new();
    match goal {
        Goal::Deadlock => {
            for (r, rule) in network.rules().iter().enumerate() {
                let offers = |&(c, event): &(ComponentId, EventId)| -offer(network, c, event, producer, &mut given);
                let clause = rule.participants.iter().map(offers).collect();
                given.push(Given { clause, why: Why::Rule(r) });
            }
            let end = |c: usize| -> Vec<usize> {
                let states = network.components()[c].states().iter().enumerate();
                states.filter(|(_, s)| s.end).map(|(s, _)| s).collect()
            };
            let clause = (0..network.components().len()).map(|c| -define(c, &end(c), producer, &mut given)).collect();
            if !network.components().is_empty() {
                given.push(Given { clause, why: Why::End });
            }
        }
        Goal::Enabled(r) => {
            for &(c, event) in &network.rules()[r].participants {
                let clause = vec![offer(network, c, event, producer, &mut given)];
                given.push(Given { clause, why: Why::Disabled });
            }
        }
    }
    given
}

/// The set of states in which a component offers an event.
fn offer(network: &Network, c: ComponentId, event: EventId, producer: &mut Producer, given: &mut Vec<Given>) -> Sign {
    let offers = |&s: &usize| !network.component(c).moves_with(StateId::new(s), event).is_empty();
    let states: Vec<usize> = (0..states(network, c.index())).filter(offers).collect();
    define(c.index(), &states, producer, given)
}

/// The variable of a set with clauses that tie it to its states.
fn define(c: usize, states: &[usize], producer: &mut Producer, given: &mut Vec<Given>) -> Sign {
    let set = producer.set(c, states);
    let single: Vec<Sign> = states.iter().map(|&s| producer.set(c, &[s])).collect();
    let mut clauses: Vec<Vec<Sign>> = single.iter().map(|&s| vec![set, -s]).collect();
    clauses.push(single.into_iter().chain([-set]).collect());
    given.extend(clauses.into_iter().map(|clause| Given { clause, why: Why::Component }));
    set
}
