//! Some components of a network by themselves: whatever the whole network does, they do as well if all others are
//! ignored (Definition 5 of the paper, for any number of components).

use std::collections::HashMap;

use model::views::{ComponentId, EventId, LocalMove, Network, RuleId, StateId};

/// The projection of a network on some components.
#[derive(Debug)]
pub(super) struct Projection<'a> {
    network: &'a Network,
    members: Vec<ComponentId>,
    steps: Vec<JointStep>,
    /// By member and event: the steps whose first participant takes part with it.
    first: Vec<Vec<Vec<u32>>>,
    fields: Vec<Field>,
    words: usize,
}

/// What the members do in some rules of the network.
#[derive(Debug)]
pub(super) struct JointStep {
    /// The members that take part, by position, with their events.
    parts: Vec<(usize, EventId)>,
    /// The rules in which they do this.
    pub(super) rules: Vec<RuleId>,
}

/// Where the state of a member is packed.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
}

impl<'a> Projection<'a> {
    /// The projection on `members`, in increasing order, of which `rules` are all rules that concern them.
    pub(super) fn new(network: &'a Network, members: Vec<ComponentId>, rules: impl Iterator<Item = RuleId>) -> Self {
        let position: HashMap<ComponentId, usize> = members.iter().enumerate().map(|(i, &c)| (c, i)).collect();
        let mut known: HashMap<Vec<(usize, EventId)>, Vec<RuleId>> = HashMap::new();
        for id in rules {
            let rule = network.rule(id);
            let parts = rule.participants.iter().filter_map(|(c, e)| Some((*position.get(c)?, *e)));
            let parts: Vec<(usize, EventId)> = parts.collect();
            // A fault changes nothing.
            if !parts.is_empty() && !rule.fault {
                known.entry(parts).or_default().push(id);
            }
        }
        let mut steps: Vec<JointStep> = known.into_iter().map(|(parts, rules)| JointStep { parts, rules }).collect();
        steps.sort_unstable_by(|a, b| a.parts.cmp(&b.parts));
        let events = |c: &ComponentId| vec![Vec::new(); network.component(*c).events().len()];
        let mut first: Vec<Vec<Vec<u32>>> = members.iter().map(events).collect();
        for (number, step) in steps.iter().enumerate() {
            let (member, event) = step.parts[0];
            first[member][event.index()].push(number as u32);
        }
        let (fields, words) = fields(network, &members);
        Self { network, members, steps, first, fields, words }
    }

    pub(super) fn members(&self) -> &[ComponentId] {
        &self.members
    }

    pub(super) fn step(&self, number: u32) -> &JointStep {
        &self.steps[number as usize]
    }

    /// The words of a packed joint state.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn initial(&self) -> Vec<StateId> {
        self.members.iter().map(|&c| self.network.component(c).initial()).collect()
    }

    pub(super) fn pack(&self, states: &[StateId], packed: &mut Vec<u64>) {
        packed.clear();
        packed.resize(self.words, 0);
        for (field, state) in self.fields.iter().zip(states) {
            packed[field.word] |= u64::from(state.0) << field.shift;
        }
    }

    /// Changes the state of one member.
    pub(super) fn repack(&self, packed: &mut [u64], member: usize, state: StateId) {
        let Field { word, shift, mask } = self.fields[member];
        packed[word] = packed[word] & !(mask << shift) | u64::from(state.0) << shift;
    }

    pub(super) fn unpack(&self, packed: &[u64], states: &mut Vec<StateId>) {
        states.clear();
        let state = |f: &Field| StateId(((packed[f.word] >> f.shift) & f.mask) as u32);
        states.extend(self.fields.iter().map(state));
    }

    /// Calls with every step from a joint state: its number, and the members that it moves with their new states.
    pub(super) fn each_successor(&self, states: &[StateId], mut call: impl FnMut(u32, &[(usize, StateId)])) {
        let mut moved = Vec::new();
        for (member, &state) in states.iter().enumerate() {
            let mut last = None;
            for LocalMove { event, .. } in self.network.component(self.members[member]).moves(state) {
                if last.replace(*event) == Some(*event) {
                    continue;
                }
                for &number in &self.first[member][event.index()] {
                    self.choose(states, number, &mut moved, &mut call);
                }
            }
        }
    }

    /// All combinations of moves of the participants that are left.
    fn choose(
        &self,
        states: &[StateId],
        number: u32,
        moved: &mut Vec<(usize, StateId)>,
        call: &mut impl FnMut(u32, &[(usize, StateId)]),
    ) {
        let Some(&(member, event)) = self.steps[number as usize].parts.get(moved.len()) else {
            call(number, moved);
            return;
        };
        for m in self.network.component(self.members[member]).moves_with(states[member], event) {
            moved.push((member, m.to));
            self.choose(states, number, moved, call);
            moved.pop();
        }
    }
}

fn fields(network: &Network, members: &[ComponentId]) -> (Vec<Field>, usize) {
    let (mut word, mut used) = (0, 0);
    let mut place = |&c: &ComponentId| {
        let most = network.component(c).states().len() as u64 - 1;
        let bits = (u64::BITS - most.leading_zeros()).max(1);
        if used + bits > u64::BITS {
            (word, used) = (word + 1, 0);
        }
        let field = Field { word, shift: used, mask: (1 << bits) - 1 };
        used += bits;
        field
    };
    let fields = members.iter().map(&mut place).collect();
    (fields, word + 1)
}
