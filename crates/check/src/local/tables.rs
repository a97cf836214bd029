//! Groups of components and the tables of what they reach together.
//!
//! For a group, a rule is what is left of it for the members. What is left of a rule with one participant in the group is
//! that participant's event: such events are the *free* ones. Groups of the same kinds of components, with the same free
//! events and the same joint rules, need only one look at the table that they share.

use std::collections::HashSet;

use evidence::{Group, Table};
use model::views::{Component, EventId, LocalMove, StateId};

use super::index::Index;
use crate::certificate::{CertificateError, ensure, wrong};

/// Groups that have been checked, ready to be asked what is left of them.
pub(super) struct Groups<'a> {
    groups: &'a [Group],
    tables: Vec<Rows<'a>>,
}

/// The joint states of a table, in increasing order, and those that have a given state of a given member.
struct Rows<'a> {
    width: usize,
    rows: Vec<&'a [usize]>,
    /// By member: its states with the rows that have them.
    columns: Vec<Vec<(usize, Vec<usize>)>>,
}

/// The events of a rule's participants within a group, by position.
type Projection = Vec<(usize, EventId)>;

/// What decides whether a table is closed: its number, the kinds of the members, the rules with several members, and
/// the events that occur only in those.
type Question = (usize, Vec<usize>, Vec<Projection>, Projection);

impl<'a> Groups<'a> {
    pub(super) fn new(index: &Index<'_>, tables: &'a [Table], groups: &'a [Group]) -> Result<Self, CertificateError> {
        let rows = |(number, table): (usize, &'a Table)| {
            Rows::new(table).map_or_else(|| wrong(format!("table {number} is not in order")), Ok)
        };
        let tables = tables.iter().enumerate().map(rows).collect::<Result<Vec<_>, _>>()?;
        let mut closed: HashSet<Question> = HashSet::new();
        for (number, group) in groups.iter().enumerate() {
            let Some(rows) = fitting(index, &tables, group) else {
                return wrong(format!("group {number} has an unknown member, or does not fit its table"));
            };
            let initial = |&c: &usize| index.network.components()[c].initial().index();
            let start: Vec<usize> = group.members.iter().map(initial).collect();
            ensure(rows.contains(&start), || format!("group {number} lacks the initial states"))?;
            let question = question(index, group);
            if !closed.contains(&question) {
                let closure = Closure::new(index, group, rows, &question);
                if let Some(from) = rows.rows.iter().position(|row| !closure.keeps(row)) {
                    return wrong(format!("a rule leads from joint state {from} of group {number} out of it"));
                }
                closed.insert(question);
            }
        }
        Ok(Self { groups, tables })
    }

    /// Whether a group has a joint state that is left when its members are confined; `None` if it is not there.
    pub(super) fn is_left<'b>(&self, group: usize, left: impl Fn(usize) -> Option<&'b [usize]>) -> Option<bool> {
        let group = self.groups.get(group)?;
        let rows = &self.tables[group.table];
        let confined = group.members.iter().enumerate().filter_map(|(position, &c)| Some((position, left(c)?)));
        let confined: Vec<(usize, &[usize])> = confined.collect();
        let size = |&&(position, states): &&(usize, &[usize])| -> usize {
            states.iter().map(|&s| rows.with(position, s).len()).sum()
        };
        let Some(&(position, states)) = confined.iter().min_by_key(size) else { return Some(!rows.rows.is_empty()) };
        let is_left =
            |&row: &usize| confined.iter().all(|&(p, states)| states.binary_search(&rows.rows[row][p]).is_ok());
        Some(states.iter().flat_map(|&s| rows.with(position, s)).any(is_left))
    }
}

/// The table of a group, if its members and states are there.
fn fitting<'t, 'a>(index: &Index<'_>, tables: &'t [Rows<'a>], group: &Group) -> Option<&'t Rows<'a>> {
    let rows = tables.get(group.table)?;
    let fits = |(position, &c): (usize, &usize)| rows.greatest(position).is_none_or(|s| index.has_state(c, s));
    let sound = rows.width == group.members.len()
        && group.members.is_sorted_by(|a, b| a < b)
        && group.members.last().is_some_and(|&c| index.component(c).is_some())
        && group.members.iter().enumerate().all(fits);
    sound.then_some(rows)
}

/// What decides whether the table of a group is closed.
fn question(index: &Index<'_>, group: &Group) -> Question {
    let joint = joint_rules(index, &group.members);
    let mut uses: Projection = joint.iter().flatten().copied().collect();
    uses.sort_unstable();
    let only_joint = |events: &[(usize, EventId)]| {
        let (position, event) = events[0];
        (events.len() == index.uses(group.members[position], event)).then_some((position, event))
    };
    let bound = uses.chunk_by(|a, b| a == b).filter_map(only_joint).collect();
    let mut distinct = joint;
    distinct.sort_unstable();
    distinct.dedup();
    (group.table, group.members.iter().map(|&c| index.kind(c)).collect(), distinct, bound)
}

/// What is left of each rule in which at least two members take part: the busiest member need not be asked.
fn joint_rules(index: &Index<'_>, members: &[usize]) -> Vec<Projection> {
    let busiest = members.iter().copied().max_by_key(|&c| index.rules(c).len());
    let rules = index.rules_of(members.iter().copied().filter(|&c| Some(c) != busiest));
    let projection = |rule: usize| -> Projection {
        let participants = &index.network.rules()[rule].participants;
        let event = |&c: &usize| participants.binary_search_by_key(&c, |p| p.0.index()).ok().map(|i| participants[i].1);
        members.iter().enumerate().filter_map(|(position, c)| Some((position, event(c)?))).collect()
    };
    rules.into_iter().map(projection).filter(|p| p.len() > 1).collect()
}

/// Whether all rules lead from a table into it.
struct Closure<'q> {
    members: Vec<&'q Component>,
    rows: &'q Rows<'q>,
    joint: &'q [Projection],
    /// By position and event: whether the event occurs in a rule without another member.
    free: Vec<Vec<bool>>,
}

impl<'q> Closure<'q> {
    fn new(index: &'q Index<'_>, group: &Group, rows: &'q Rows<'q>, (_, _, joint, bound): &'q Question) -> Self {
        let members: Vec<&Component> = group.members.iter().map(|&c| &index.network.components()[c]).collect();
        let is_free = |position: usize, event: EventId| {
            index.uses(group.members[position], event) > 0 && bound.binary_search(&(position, event)).is_err()
        };
        let events = |position: usize| (0..members[position].events().len()).map(EventId::new);
        let free = (0..members.len()).map(|p| events(p).map(|event| is_free(p, event)).collect()).collect();
        Self { members, rows, joint, free }
    }

    /// Whether no rule leads out of the table from one of its joint states.
    fn keeps(&self, row: &[usize]) -> bool {
        let mut next = row.to_vec();
        (0..row.len()).all(|position| self.keeps_alone(row, position, &mut next))
            && self.joint.iter().all(|projection| self.keeps_together(row, projection, &mut next))
    }

    /// Whether the free moves of one member lead into the table.
    fn keeps_alone(&self, row: &[usize], position: usize, next: &mut [usize]) -> bool {
        let moves = self.members[position].moves(StateId::new(row[position]));
        let mut free = moves.iter().filter(|m| self.free[position][m.event.index()]);
        let inside = free.all(|m| {
            next[position] = m.to.index();
            self.rows.contains(next)
        });
        next[position] = row[position];
        inside
    }

    /// Whether every choice of moves for a rule leads into the table.
    fn keeps_together(&self, row: &[usize], rule: &Projection, next: &mut [usize]) -> bool {
        let moves = |&(p, event): &(usize, EventId)| (p, self.members[p].moves_with(StateId::new(row[p]), event));
        let moves: Vec<(usize, &[LocalMove])> = rule.iter().map(moves).collect();
        if moves.iter().any(|(_, moves)| moves.is_empty()) {
            return true;
        }
        let mut choice = vec![0; moves.len()];
        let inside = loop {
            for (&k, &(position, moves)) in choice.iter().zip(&moves) {
                next[position] = moves[k].to.index();
            }
            if !self.rows.contains(next) {
                break false;
            }
            let Some(wheel) = (0..choice.len()).rev().find(|&i| choice[i] + 1 < moves[i].1.len()) else { break true };
            choice[wheel] += 1;
            choice[wheel + 1..].fill(0);
        };
        next.copy_from_slice(row);
        inside
    }
}

impl<'a> Rows<'a> {
    /// `None` if the table is not in order.
    fn new(table: &'a Table) -> Option<Self> {
        if table.width == 0 || !table.states.len().is_multiple_of(table.width) {
            return None;
        }
        let rows: Vec<&[usize]> = table.states.chunks(table.width).collect();
        if !rows.is_sorted_by(|a, b| a < b) {
            return None;
        }
        let columns = (0..table.width).map(|position| column(&rows, position)).collect();
        Some(Self { width: table.width, rows, columns })
    }

    fn contains(&self, states: &[usize]) -> bool {
        self.rows.binary_search(&states).is_ok()
    }

    /// The greatest state of a member, if there is a row.
    fn greatest(&self, position: usize) -> Option<usize> {
        self.columns[position].last().map(|entry| entry.0)
    }

    /// The rows with a state of a member.
    fn with(&self, position: usize, state: usize) -> &[usize] {
        let column = &self.columns[position];
        column.binary_search_by_key(&state, |entry| entry.0).map_or(&[], |i| &column[i].1)
    }
}

/// The states of one member with the rows that have them.
fn column(rows: &[&[usize]], position: usize) -> Vec<(usize, Vec<usize>)> {
    let mut order: Vec<(usize, usize)> = rows.iter().enumerate().map(|(number, row)| (row[position], number)).collect();
    order.sort_unstable();
    let of_one = |rows: &[(usize, usize)]| (rows[0].0, rows.iter().map(|row| row.1).collect());
    order.chunk_by(|a, b| a.0 == b.0).map(of_one).collect()
}
