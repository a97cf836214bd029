//! Why a transition is disabled: which conjuncts of its guard are false, which of its operations are not defined.

use super::Role;
use super::recognise::Recogniser;
use crate::bounds::bounds;
use crate::compile::{Compiler, Test};
use crate::{State, System, TransitionId};

/// The tests of all transitions, one by one, in the order of evaluation. Locations are not among them.
#[derive(Clone, Debug)]
pub struct Reasons<'a> {
    system: &'a System,
    tests: Vec<Single>,
    /// For each transition, and one past the last, where its tests begin.
    starts: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Single {
    role: Role,
    test: Test,
    may_fault: bool,
}

impl<'a> Reasons<'a> {
    /// Takes the tests of a system apart.
    pub fn new(system: &'a System) -> Self {
        let compiler = Compiler { layout: &system.layout, objects: &system.objects };
        let recogniser = Recogniser { objects: &system.objects };
        let (mut tests, mut starts) = (Vec::new(), vec![0]);
        for t in &system.transitions {
            // An absorbed conjunct has no use of its own: the operation that it speaks of is not defined either.
            let own = t.guard.iter().enumerate().filter(|(_, c)| !recogniser.is_absorbed(c, &t.command));
            tests.extend(own.map(|(i, c)| Single {
                role: Role::Guard(i as u32),
                test: compiler.test(c),
                may_fault: bounds(c, &system.objects).is_none(),
            }));
            tests.extend(t.command.iter().enumerate().filter_map(|(i, c)| {
                let may_fault = c.expressions().iter().any(|e| bounds(e, &system.objects).is_none())
                    || c.target().is_some_and(|t| t.index.is_some());
                Some(Single { role: Role::Defined(i as u32), test: compiler.definedness(c)?, may_fault })
            }));
            starts.push(tests.len() as u32);
        }
        Self { system, tests, starts }
    }

    fn of(&self, t: TransitionId) -> &[Single] {
        &self.tests[self.starts[t.index()] as usize..self.starts[t.index() + 1] as usize]
    }

    /// The role of each test of a transition.
    pub fn roles(&self, t: TransitionId) -> impl ExactSizeIterator<Item = Role> {
        self.of(t).iter().map(|single| single.role)
    }

    /// Whether a test of a transition, given by its number among [`Reasons::roles`], is a reason that the transition is
    /// disabled in a state: it fails, and no earlier test is a fault there. A fault that an even earlier test hides would
    /// come to light without this test.
    pub fn fails(&self, t: TransitionId, test: usize, state: &State) -> bool {
        let holds = |single: &Single| single.test.holds(state, &self.system.layout);
        holds(&self.of(t)[test]) == Ok(false) && self.faults_before(t, test).all(|i| holds(&self.of(t)[i]).is_ok())
    }

    /// The numbers of the tests before this one that may be faults in some state: a transition becomes enabled, as far as
    /// a search is concerned, when one of them becomes a fault.
    pub fn faults_before(&self, t: TransitionId, test: usize) -> impl Iterator<Item = usize> {
        let earlier = self.of(t)[..test].iter().enumerate();
        earlier.filter(|(_, single)| single.may_fault).map(|(number, _)| number)
    }
}
