//! What leads from each element to which: jumps and joints are followed to the next statement.
//!
//! They are steps of their own only as the first statement of an option or a block, and where following them would leave
//! an `atomic` sequence with a statement that keeps control.

use super::{Element, ElementId, Flow, Kind, Run};
use crate::promela::ir::Hold;

/// More links than this in a row go round in circles.
const MOST_LINKS: usize = 500;

/// How an element is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Not, or not yet known.
    None,
    /// By its statement, to another element.
    Step(ElementId),
    /// By the first statements of these.
    Choice(Vec<ElementId>),
}

/// The rows of all elements.
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
    /// Elements from which links go round in circles.
    pub(super) circles: Vec<ElementId>,
    done: Vec<bool>,
}

impl Table {
    /// The table of a flow whose jumps all lead somewhere.
    pub(super) fn new(flow: &mut Flow<'_>) -> Self {
        let count = flow.elements.len();
        let mut table = Self { rows: vec![Row::None; count], circles: Vec::new(), done: vec![false; count] };
        if let Some(body) = flow.body {
            table.fill(flow, body);
        }
        table
    }

    fn fill(&mut self, flow: &mut Flow<'_>, run: Run) {
        for id in flow.whole(run) {
            if !std::mem::replace(&mut self.done[id.0 as usize], true) {
                self.fill_element(flow, id);
            }
        }
    }

    fn fill_element(&mut self, flow: &mut Flow<'_>, id: ElementId) {
        let Element { kind, next, keeps, step, .. } = flow.element(id);
        let (next, keeps, step) = (*next, *keeps, *step);
        match kind {
            Kind::Choice(options) => {
                let options = options.clone();
                self.rows[id.0 as usize] = Row::Choice(options.iter().map(|o| start(flow, o.first)).collect());
                options.into_iter().for_each(|o| self.fill(flow, o));
            }
            Kind::Group(run, hold) => {
                let (run, hold) = (*run, *hold);
                flow.element_mut(run.last).next = next;
                if hold != Hold::Step {
                    flow.patch_jumps(run);
                }
                self.rows[id.0 as usize] = Row::Choice(vec![start(flow, run.first)]);
                self.fill(flow, run);
            }
            Kind::Unless(main, escape) => {
                let (main, escape) = (*main, *escape);
                self.fill(flow, main);
                self.fill(flow, escape);
            }
            Kind::End => {}
            Kind::Goto(jump) => {
                let to = flow.destination(id, jump);
                self.rows[id.0 as usize] = self.step(flow, to, keeps, step);
            }
            Kind::Basic(_) | Kind::Else | Kind::Declare(..) | Kind::Joint | Kind::Exit => {
                self.rows[id.0 as usize] = self.step(flow, next, keeps, step);
            }
        }
    }

    fn step(&mut self, flow: &Flow<'_>, to: Option<ElementId>, keeps: bool, step: Option<ElementId>) -> Row {
        let Some(to) = to else { return Row::None };
        let found = match step {
            Some(step) => hunt_in_step(flow, to, step),
            None => hunt(flow, to, keeps),
        };
        match found {
            Ok(found) => Row::Step(found),
            Err(circle) => {
                self.circles.push(circle);
                Row::None
            }
        }
    }
}

/// The first statement of an option: joints before it are passed, jumps are not.
pub(super) fn start(flow: &Flow<'_>, mut at: ElementId) -> ElementId {
    loop {
        let element = flow.element(at);
        match (&element.kind, element.next) {
            (Kind::Joint, Some(next)) => at = next,
            (Kind::Unless(main, _), _) => at = main.first,
            _ => return at,
        }
    }
}

/// What a jump or a joint leads to; nothing for statements.
fn link(flow: &Flow<'_>, at: ElementId) -> Option<ElementId> {
    let element = flow.element(at);
    match &element.kind {
        Kind::Goto(jump) => flow.destination(at, jump).filter(|to| *to != at),
        Kind::Joint | Kind::Exit => element.next,
        Kind::Unless(main, _) => Some(main.first),
        _ => None,
    }
}

/// The statement that is reached by following jumps and joints; one that keeps control does not follow them out of its
/// sequence. Fails where they go round in circles.
pub(super) fn hunt(flow: &Flow<'_>, from: ElementId, keeps: bool) -> Result<ElementId, ElementId> {
    let mut at = from;
    for _ in 0..MOST_LINKS {
        match link(flow, at) {
            Some(to) if flow.element(to).keeps || !keeps => at = to,
            _ => return Ok(at),
        }
    }
    Err(from)
}

/// The same inside a `d_step`: it is one step, and only behind it its own keeping of control counts.
fn hunt_in_step(flow: &Flow<'_>, from: ElementId, step: ElementId) -> Result<ElementId, ElementId> {
    let mut at = from;
    for _ in 0..MOST_LINKS {
        if flow.element(at).step != Some(step) {
            return hunt(flow, at, flow.element(step).keeps);
        }
        match link(flow, at) {
            Some(to) => at = to,
            None => return Ok(at),
        }
    }
    Err(from)
}
