//! The rules, one a file: condition, classes preserved, and why.

pub(crate) mod agglomerate;
mod constant;
mod dead_bound;
pub(crate) mod deathless;
mod dominated;
pub(crate) mod equivalent;
pub(crate) mod everlasting;
mod free;
mod idle;
mod implied;
mod neutral;
mod outdone;
mod outlived;
mod plentiful;
pub(crate) mod pool;
mod post;
pub(crate) mod pre;
mod sink;
mod siphon;
mod slice;
pub(crate) mod source;
pub(crate) mod sum;
pub(crate) mod transient;

pub use agglomerate::Growth;
pub use constant::ConstantPlace;
pub use dead_bound::DeadByBound;
pub use deathless::NeverDead;
pub use dominated::DominatedTransition;
pub use equivalent::EquivalentPlaces;
pub use everlasting::EverlastingToken;
pub use free::FreeAgglomeration;
pub use idle::IdleTransition;
pub use implied::ImpliedPlace;
pub use neutral::NeutralTransition;
pub use outdone::OutdoneTransition;
pub use outlived::OutlivedArc;
pub use plentiful::PlentifulPlace;
pub use pool::FreePool;
pub use post::PostAgglomeration;
pub use pre::PreAgglomeration;
pub use sink::SinkPlace;
pub use siphon::UnmarkedSiphon;
pub use slice::IrrelevantPart;
pub use source::SourceTransition;
pub use sum::ImpliedBySum;
pub use transient::TransientPart;

use crate::class::{Class, Deadlocks, Everything, Observations, Prefixes, Preserves, Runs, Stuttering};
use crate::scheduler::Scheduler;

impl<C: Class> Scheduler<C>
where
    ConstantPlace: Preserves<C>,
    DeadByBound: Preserves<C>,
    SinkPlace: Preserves<C>,
    PlentifulPlace: Preserves<C>,
    ImpliedPlace: Preserves<C>,
    UnmarkedSiphon: Preserves<C>,
    DominatedTransition: Preserves<C>,
    EquivalentPlaces: Preserves<C>,
    ImpliedBySum: Preserves<C>,
    OutlivedArc: Preserves<C>,
{
    /// The rules that serve every class.
    fn common() -> Self {
        Self::new()
            .global(UnmarkedSiphon)
            .global(DominatedTransition)
            .global(EquivalentPlaces)
            .global(ImpliedBySum)
            .local(0, ConstantPlace)
            .local(0, DeadByBound)
            .local(0, SinkPlace)
            .local(0, PlentifulPlace)
            .local(2, ImpliedPlace)
            .local(2, OutlivedArc)
    }

    /// Rules that join steps nobody sees.
    fn joining(self) -> Self
    where
        FreePool: Preserves<C>,
        PostAgglomeration: Preserves<C>,
        PreAgglomeration: Preserves<C>,
    {
        self.global(FreePool)
            .local(1, PostAgglomeration(Growth::SMALL))
            .local(1, PreAgglomeration(Growth::SMALL))
            .local(3, PostAgglomeration(Growth::NONE))
            .local(3, PreAgglomeration(Growth::NONE))
            .local(4, PostAgglomeration(Growth::SOME))
            .local(4, PreAgglomeration(Growth::SOME))
    }

    /// Rules that leave out steps that a run can do without.
    fn leaving_out(self) -> Self
    where
        NeutralTransition: Preserves<C>,
        IrrelevantPart: Preserves<C>,
        IdleTransition: Preserves<C>,
        OutdoneTransition: Preserves<C>,
        SourceTransition: Preserves<C>,
        FreeAgglomeration: Preserves<C>,
    {
        self.global(NeutralTransition)
            .global(IrrelevantPart)
            .global(IdleTransition)
            .global(OutdoneTransition)
            .global(SourceTransition)
            .local(1, FreeAgglomeration(Growth::SMALL))
            .local(3, FreeAgglomeration(Growth::NONE))
            .local(4, FreeAgglomeration(Growth::SOME))
    }
}

impl Scheduler<Deadlocks> {
    /// All rules for goals that ask for dead markings alone.
    pub fn all() -> Self {
        Self::common()
            .joining()
            .global(NeutralTransition)
            .global(TransientPart)
            .global(NeverDead)
            .local(0, EverlastingToken)
    }
}

impl Scheduler<Observations> {
    /// All rules for goals that look at places.
    pub fn all() -> Self {
        Self::common().joining().leaving_out()
    }
}

impl Scheduler<Everything> {
    /// All rules for goals of both kinds.
    pub fn all() -> Self {
        Self::common().joining().global(NeutralTransition)
    }
}

impl Scheduler<Runs> {
    /// All rules for what is asked of runs, each step of which counts.
    pub fn all() -> Self {
        Self::common()
    }
}

impl Scheduler<Stuttering> {
    /// All rules for what is asked of runs, whatever is repeated in them.
    pub fn all() -> Self {
        Self::common().joining()
    }
}

impl Scheduler<Prefixes> {
    /// All rules for what runs begin with.
    pub fn all() -> Self {
        Self::common().joining().leaving_out()
    }
}
