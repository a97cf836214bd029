//! What the solver found, as a certificate: only the clauses, sets, tables and invariants that its proof uses.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use evidence::{Given, Goal, Group, LocalProof, LratStep, Refutation, Sign, StateSet, Table, Why};
use model::views::{ComponentId, EventId, RuleId, StateId};
use solve::lrat::elaborate;
use solve::sat::Literal;

use super::encoding::Formula;
use super::survey::{Cause, Survey};
use crate::lemma::{Because, JointStates, Lemma};

/// Certificates with more table entries than this are not made.
const ENTRIES: usize = 1 << 25;

/// A certificate in the making.
#[derive(Debug)]
pub(super) struct Certificate<'a> {
    survey: &'a Survey<'a>,
    proof: LocalProof,
    entries: usize,
    sets: HashMap<StateSet, usize>,
    /// By what a table says and how its members number their states.
    tables: HashMap<Origin, usize>,
    groups: HashMap<Reached, usize>,
    inequalities: HashMap<usize, usize>,
    traps: HashMap<usize, usize>,
}

/// Who reaches something together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reached {
    Alone(ComponentId),
    Pair(usize),
    Lemma(usize),
}

/// What a table depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Origin {
    Alone { class: usize, numbering: usize },
    Pair { kind: usize, numberings: [usize; 2], turned: bool },
    Lemma(usize),
}

impl<'a> Certificate<'a> {
    pub(super) fn new(survey: &'a Survey<'a>) -> Self {
        Self {
            survey,
            proof: LocalProof::default(),
            entries: 0,
            sets: HashMap::new(),
            tables: HashMap::new(),
            groups: HashMap::new(),
            inequalities: HashMap::new(),
            traps: HashMap::new(),
        }
    }

    /// Adds the refutation of a goal; `None` if it becomes too large, or `stop` said so.
    pub(super) fn refute(
        &mut self,
        goal: Goal,
        formula: &mut Formula,
        lemmas: &[Lemma],
        stop: &dyn Fn() -> bool,
    ) -> Option<()> {
        let assumed = match goal {
            Goal::Deadlock => Vec::new(),
            Goal::Enabled(rule) => formula.enabling(self.survey, RuleId::new(rule)),
        };
        let sound = formula.clauses().filter_map(|(clause, cause)| Some((clause.to_vec(), cause?)));
        let (mut clauses, mut causes): (Vec<Vec<Literal>>, Vec<Cause>) = sound.unzip();
        for literal in assumed {
            clauses.push(vec![literal]);
            causes.push(Cause::Enabled);
        }
        // By variable, the number of its set.
        let mut names = vec![None; formula.sets().len()];
        let elaborated = elaborate(&clauses, formula.learned(), stop)?;
        let mut given = Vec::with_capacity(elaborated.used.len());
        for &k in &elaborated.used {
            let why = self.why(causes[k], lemmas)?;
            given.push(Given { clause: self.signs(formula, &mut names, &clauses[k]), why });
        }
        let mut steps = Vec::with_capacity(elaborated.steps.len());
        for step in elaborated.steps {
            steps.push(LratStep { clause: self.signs(formula, &mut names, &step.clause), hints: step.hints });
        }
        self.proof.refutations.push(Refutation { goal, given, steps });
        Some(())
    }

    /// Adds the refutation of a rule that participants with these events show by themselves never to be enabled; `None`
    /// if it becomes too large.
    pub(super) fn refute_rule(
        &mut self,
        rule: usize,
        (cause, shown): (Cause, &[(ComponentId, EventId)]),
        lemmas: &[Lemma],
    ) -> Option<()> {
        let offers = |&(c, e): &(ComponentId, EventId)| (c, self.survey.wiring.offering(c, e));
        let sets: Vec<(ComponentId, Vec<StateId>)> = shown.iter().map(offers).collect();
        let sets: Vec<Sign> = sets.iter().map(|set| self.set(set) as Sign + 1).collect();
        let mut given: Vec<Given> = sets.iter().map(|&s| Given { clause: vec![s], why: Why::Disabled }).collect();
        given.push(Given { clause: sets.iter().map(|s| -s).collect(), why: self.why(cause, lemmas)? });
        let steps = vec![LratStep { clause: Vec::new(), hints: (0..given.len()).collect() }];
        self.proof.refutations.push(Refutation { goal: Goal::Enabled(rule), given, steps });
        Some(())
    }

    /// The certificate of all goals.
    pub(super) fn finish(self) -> LocalProof {
        self.proof
    }

    fn signs(&mut self, formula: &Formula, names: &mut [Option<usize>], clause: &[Literal]) -> Vec<Sign> {
        let sign = |literal: &Literal| {
            let name = &mut names[literal.variable()];
            let number = *name.get_or_insert_with(|| self.set(&formula.sets()[literal.variable()]));
            let number = Sign::try_from(number).expect("fewer than 2^63 sets") + 1;
            if literal.is_positive() { number } else { -number }
        };
        clause.iter().map(sign).collect()
    }

    /// The number of a set.
    fn set(&mut self, (c, states): &(ComponentId, Vec<StateId>)) -> usize {
        match self.sets.entry(StateSet { component: c.index(), states: numbers(states) }) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.proof.sets.push(new.key().clone());
                *new.insert(self.proof.sets.len() - 1)
            }
        }
    }

    fn why(&mut self, cause: Cause, lemmas: &[Lemma]) -> Option<Why> {
        Some(match cause {
            Cause::Component => Why::Component,
            Cause::Rule(r) => Why::Rule(r.index()),
            Cause::End => Why::End,
            Cause::Enabled => Why::Disabled,
            Cause::Alone(c) => Why::Group(self.group(Reached::Alone(c), lemmas)?),
            Cause::Pair(p) => Why::Group(self.group(Reached::Pair(p), lemmas)?),
            Cause::Lemma(k) => match &lemmas[k].because {
                Because::Elsewhere => return None,
                Because::Pair(p) => Why::Group(self.group(Reached::Pair(*p), lemmas)?),
                Because::Group(group) => Why::Group(self.group(Reached::Lemma(first_with(lemmas, group)), lemmas)?),
                Because::Inequality(inequality) => Why::Inequality(*self.inequalities.entry(k).or_insert_with(|| {
                    self.proof.inequalities.push(inequality.clone());
                    self.proof.inequalities.len() - 1
                })),
                Because::Trap(states) => Why::Trap(*self.traps.entry(k).or_insert_with(|| {
                    self.proof.traps.push(states.iter().map(|(c, s)| (c.index(), s.index())).collect());
                    self.proof.traps.len() - 1
                })),
            },
        })
    }

    fn group(&mut self, reached: Reached, lemmas: &[Lemma]) -> Option<usize> {
        if let Some(&known) = self.groups.get(&reached) {
            return Some(known);
        }
        let (members, origin) = self.origin(reached, lemmas);
        let table = match self.tables.get(&origin) {
            Some(&known) => known,
            None => {
                let states = self.table(reached, lemmas);
                self.entries += states.len();
                if self.entries > ENTRIES {
                    return None;
                }
                self.proof.tables.push(Table { width: members.len(), states });
                self.tables.insert(origin, self.proof.tables.len() - 1);
                self.proof.tables.len() - 1
            }
        };
        self.proof.groups.push(Group { members: members.iter().map(|c| c.index()).collect(), table });
        self.groups.insert(reached, self.proof.groups.len() - 1);
        Some(self.proof.groups.len() - 1)
    }

    fn origin(&self, reached: Reached, lemmas: &[Lemma]) -> (Vec<ComponentId>, Origin) {
        let classes = &self.survey.classes;
        match reached {
            Reached::Alone(c) => {
                (vec![c], Origin::Alone { class: classes.class(c), numbering: classes.numbering_id(c) })
            }
            Reached::Pair(p) => {
                let pair = &self.survey.kinds.pairs[p];
                let numberings = pair.members.map(|c| classes.numbering_id(c));
                let turned = pair.members[0] > pair.members[1];
                let mut members = pair.members.to_vec();
                members.sort_unstable();
                (members, Origin::Pair { kind: pair.kind, numberings, turned })
            }
            Reached::Lemma(k) => {
                let Because::Group(group) = &lemmas[k].because else { unreachable!("the lemma of a group") };
                (group.members.clone(), Origin::Lemma(k))
            }
        }
    }

    /// The joint states, one after the other.
    fn table(&self, reached: Reached, lemmas: &[Lemma]) -> Vec<usize> {
        let classes = &self.survey.classes;
        match reached {
            Reached::Alone(c) => {
                let (alone, numbers) = (&classes.reached[classes.class(c)], &classes.numbering(c).states);
                (0..numbers.len()).filter(|&s| alone[numbers[s] as usize]).collect()
            }
            Reached::Pair(p) => self.pair_table(p),
            Reached::Lemma(k) => {
                let Because::Group(group) = &lemmas[k].because else { unreachable!("the lemma of a group") };
                numbers(&group.table)
            }
        }
    }

    fn pair_table(&self, p: usize) -> Vec<usize> {
        let pair = &self.survey.kinds.pairs[p];
        let reach = self.survey.reach(p).expect("what a pair reaches is known where it is used");
        let turned = pair.members[0] > pair.members[1];
        let [first, second] = pair.members.map(|c| &self.survey.classes.numbering(c).states);
        let (outer, inner) = if turned { (second, first) } else { (first, second) };
        let mut states = Vec::new();
        for (s, &own) in outer.iter().enumerate() {
            for (t, &other) in inner.iter().enumerate() {
                let (a, b) = if turned { (other, own) } else { (own, other) };
                if reach.has(a as usize, b as usize) {
                    states.extend([s, t]);
                }
            }
        }
        states
    }
}

fn numbers(states: &[StateId]) -> Vec<usize> {
    states.iter().map(|s| s.index()).collect()
}

/// The first lemma about a group: all of them share its table.
fn first_with(lemmas: &[Lemma], group: &Arc<JointStates>) -> usize {
    let same = |lemma: &Lemma| matches!(&lemma.because, Because::Group(other) if Arc::ptr_eq(other, group));
    lemmas.iter().position(same).expect("the lemma itself is one")
}
