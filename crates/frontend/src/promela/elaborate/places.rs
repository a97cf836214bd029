//! What `pc_value` gives: the number of the control state at which a process is, as SPIN numbers them; and where neither
//! it nor `enabled` can be asked.
//!
//! SPIN moves a process to its next state at the end of a step. Two of its steps have a middle in which somebody may ask:
//! a `d_step`, during which the process is where it began, and a rendezvous, during which the sender has moved already.

use super::scope::Scope;
use super::term::Term;
use super::walk::{edge_expressions, walk};
use super::world::World;
use super::{Checked, refuse};
use crate::promela::ir::{Action, Binary, Expr, Hold, NodeId};

/// Refuses questions from within a step whose answer the state does not tell.
pub(super) fn check(world: &World<'_>) -> Checked<()> {
    let rendezvous = world.ground.channels.iter().any(|c| c.capacity == 0);
    for proctype in &world.ground.program.proctypes {
        let graph = &proctype.graph;
        for edge in &graph.edges {
            let inside = graph.nodes[edge.from.0 as usize].hold == Hold::Step;
            let receives = rendezvous && matches!(edge.action, Action::Receive(_));
            for what in edge_expressions(edge).into_iter().filter_map(asked) {
                let where_ = match (inside, receives) {
                    (true, _) if what == "pc_value" => "inside a `d_step`",
                    (_, true) => "in a receive, where there are rendezvous",
                    _ => continue,
                };
                return refuse(edge.span, format!("`{what}` is not supported {where_}: ask in a statement before it"));
            }
        }
        if let Some(what) = proctype.provided.as_ref().and_then(asked).filter(|_| rendezvous) {
            let message = format!("`{what}` is not supported in `provided` clauses, where there are rendezvous");
            return refuse(proctype.span, message);
        }
    }
    Ok(())
}

/// The word by which an expression asks where the process with a number is.
fn asked(e: &Expr) -> Option<&'static str> {
    let mut found = None;
    walk(e, &mut |e| {
        found = found.or(match e {
            Expr::PcValue(_) => Some("pc_value"),
            Expr::Enabled(_) => Some("enabled"),
            _ => None,
        });
    });
    found
}

impl Scope<'_, '_> {
    /// The number of the state of the process with a number; 0 if there is none.
    pub(super) fn pc_value(&self, pid: &Expr) -> Checked<Term> {
        let pid = self.term(pid)?;
        let mut value = Term::constant(0);
        for (seat, taken) in self.ground().seats.iter().enumerate() {
            let meant = Term::binary(Binary::Eq, pid.clone(), Term::constant(i64::from(taken.slot)));
            let here = meant.and(self.is_there(seat));
            value = Term::choice(here, self.state(seat), value);
        }
        Ok(value)
    }

    /// The number of the state of a process that is there.
    fn state(&self, seat: usize) -> Term {
        let nodes = &self.ground().proctype(seat).graph.nodes;
        let state = |node: &NodeId| i64::from(nodes[node.0 as usize].state);
        let mut states: Vec<i64> = self.world.flow(seat).nodes.iter().map(state).collect();
        // One that is not there is not asked; one that is dying is at its end.
        let end = i64::from(nodes.last().map_or(0, |n| n.state));
        states.extend([0, end]);
        self.at_location(seat, &states)
    }
}
