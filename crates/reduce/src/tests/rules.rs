//! Each rule alone, for each class that it claims, and all rules together.

use model::views::PlaceId;

use super::compare::{deadlocks, observations, prefixes, runs};
use super::samples::{Sample, quick, samples, watched};
use crate::rules::*;
use crate::scheduler::{Global, Local, Rule, Stop};
use crate::work::Work;
use crate::{Class, Deadlocks, Everything, Observations, Prefixes, Preserves, Runs, Scheduler, Stuttering, Uses};

fn describe(Sample { name, net }: &Sample) -> String {
    let tokens = net.initial_marking();
    let arcs: Vec<String> = net.transition_ids().map(|t| format!("{:?}->{:?}", net.pre(t), net.post(t))).collect();
    format!("{name}: {tokens:?} {arcs:?}")
}

fn add(total: &mut Uses, uses: Uses) {
    for (name, times) in uses {
        *total.entry(name).or_default() += times;
    }
}

fn for_deadlocks<C: Class>(rules: &Scheduler<C>, which: &[Sample]) -> Uses {
    let mut total = Uses::new();
    for sample in which {
        let uses = deadlocks(rules, &sample.net).unwrap_or_else(|e| panic!("{e}\n{}\n{rules:?}", describe(sample)));
        add(&mut total, uses);
    }
    total
}

fn for_observations<C: Class>(rules: &Scheduler<C>, which: &[Sample]) -> Uses {
    let mut total = Uses::new();
    for (i, sample) in which.iter().enumerate() {
        let places = watched(&sample.net, i as u64);
        let uses = observations(rules, &sample.net, &places)
            .unwrap_or_else(|e| panic!("{places:?}: {e}\n{}\n{rules:?}", describe(sample)));
        add(&mut total, uses);
    }
    total
}

fn for_runs<C: Class>(rules: &Scheduler<C>, which: &[Sample], next: u32) -> Uses {
    let mut total = Uses::new();
    for (i, sample) in which.iter().enumerate() {
        let uses =
            runs(rules, &sample.net, i as u64, next).unwrap_or_else(|e| panic!("{e}\n{}\n{rules:?}", describe(sample)));
        add(&mut total, uses);
    }
    total
}

fn each_step<C: Class>(rules: &Scheduler<C>, which: &[Sample]) -> Uses {
    for_runs(rules, which, 30)
}

fn up_to_stuttering<C: Class>(rules: &Scheduler<C>, which: &[Sample]) -> Uses {
    for_runs(rules, which, 0)
}

fn beginnings<C: Class>(rules: &Scheduler<C>, which: &[Sample]) -> Uses {
    let mut total = Uses::new();
    for (i, sample) in which.iter().enumerate() {
        let uses =
            prefixes(rules, &sample.net, i as u64).unwrap_or_else(|e| panic!("{e}\n{}\n{rules:?}", describe(sample)));
        add(&mut total, uses);
    }
    total
}

/// The rule was applied, often enough for the test to mean something.
fn assert_used(uses: &Uses, name: &str) {
    assert!(uses.get(name).is_some_and(|&n| n >= 20), "{name}: {uses:?}");
}

macro_rules! alone {
    ($test:ident, $class:ty, $run:ident, $name:literal, $($build:tt)*) => {
        #[test]
        fn $test() {
            assert_used(&$run(&Scheduler::<$class>::new().$($build)*, quick()), $name);
        }
    };
}

macro_rules! both {
    ($dead:ident, $views:ident, $name:literal, $($build:tt)*) => {
        alone!($dead, Deadlocks, for_deadlocks, $name, $($build)*);
        alone!($views, Observations, for_observations, $name, $($build)*);
    };
}

both!(constant_dead, constant_views, "constant place", local(0, ConstantPlace));
both!(bound_dead, bound_views, "dead by bound", local(0, DeadByBound));
both!(sink_dead, sink_views, "sink place", local(0, SinkPlace));
both!(plentiful_dead, plentiful_views, "plentiful place", local(0, PlentifulPlace));
both!(implied_dead, implied_views, "implied place", local(0, ImpliedPlace));
both!(post_dead, post_views, "post-agglomeration", local(0, PostAgglomeration(Growth::SOME)));
both!(pre_dead, pre_views, "pre-agglomeration", local(0, PreAgglomeration(Growth::SOME)));
both!(siphon_dead, siphon_views, "unmarked siphon", global(UnmarkedSiphon));
both!(dominated_dead, dominated_views, "dominated transition", global(DominatedTransition));
both!(neutral_dead, neutral_views, "neutral transition", global(NeutralTransition));
both!(equivalent_dead, equivalent_views, "equivalent places", global(EquivalentPlaces));
both!(pool_dead, pool_views, "free pool", global(FreePool));
both!(outlived_dead, outlived_views, "outlived arc", local(0, OutlivedArc));
both!(sum_dead, sum_views, "implied by a sum", global(ImpliedBySum));
alone!(constant_runs, Runs, each_step, "constant place", local(0, ConstantPlace));
alone!(bound_runs, Runs, each_step, "dead by bound", local(0, DeadByBound));
alone!(sink_runs, Runs, each_step, "sink place", local(0, SinkPlace));
alone!(plentiful_runs, Runs, each_step, "plentiful place", local(0, PlentifulPlace));
alone!(implied_runs, Runs, each_step, "implied place", local(0, ImpliedPlace));
alone!(siphon_runs, Runs, each_step, "unmarked siphon", global(UnmarkedSiphon));
alone!(dominated_runs, Runs, each_step, "dominated transition", global(DominatedTransition));
alone!(equivalent_runs, Runs, each_step, "equivalent places", global(EquivalentPlaces));
alone!(outlived_runs, Runs, each_step, "outlived arc", local(0, OutlivedArc));
alone!(sum_runs, Runs, each_step, "implied by a sum", global(ImpliedBySum));
alone!(post_runs, Stuttering, up_to_stuttering, "post-agglomeration", local(0, PostAgglomeration(Growth::SOME)));
alone!(pre_runs, Stuttering, up_to_stuttering, "pre-agglomeration", local(0, PreAgglomeration(Growth::SOME)));
alone!(pool_runs, Stuttering, up_to_stuttering, "free pool", global(FreePool));
alone!(neutral_begun, Prefixes, beginnings, "neutral transition", global(NeutralTransition));
alone!(slice_begun, Prefixes, beginnings, "irrelevant part", global(IrrelevantPart));
alone!(idle_begun, Prefixes, beginnings, "idle transition", global(IdleTransition));
alone!(outdone_begun, Prefixes, beginnings, "outdone transition", global(OutdoneTransition));
alone!(source_begun, Prefixes, beginnings, "source transition", global(SourceTransition));
alone!(free_begun, Prefixes, beginnings, "free agglomeration", local(0, FreeAgglomeration(Growth::SOME)));
alone!(transient, Deadlocks, for_deadlocks, "transient part", global(TransientPart));
alone!(everlasting, Deadlocks, for_deadlocks, "everlasting token", local(0, EverlastingToken));
alone!(never_dead, Deadlocks, for_deadlocks, "never dead", global(NeverDead));
alone!(outdone, Observations, for_observations, "outdone transition", global(OutdoneTransition));
alone!(free, Observations, for_observations, "free agglomeration", local(0, FreeAgglomeration(Growth::SOME)));
alone!(source, Observations, for_observations, "source transition", global(SourceTransition));
alone!(idle, Observations, for_observations, "idle transition", global(IdleTransition));
alone!(slice, Observations, for_observations, "irrelevant part", global(IrrelevantPart));

fn all_together(which: &[Sample]) -> [Uses; 4] {
    [
        for_deadlocks(&Scheduler::<Deadlocks>::all(), which),
        for_observations(&Scheduler::<Observations>::all(), which),
        for_deadlocks(&Scheduler::<Everything>::all(), which),
        for_observations(&Scheduler::<Everything>::all(), which),
    ]
}

#[test]
fn all_rules() {
    for uses in all_together(quick()) {
        assert!(uses.len() >= 7, "{uses:?}");
    }
}

#[test]
#[ignore = "minutes: all rules on most of the tiny world and on many random nets"]
fn campaign() {
    for part in 0..100 {
        let seeds = 300 * part..300 * (part + 1);
        let tiny = if part == 0 { 3 } else { usize::MAX };
        eprintln!("{part}: {:?}", all_together(&samples(tiny, seeds)));
    }
}

#[test]
fn all_rules_for_runs() {
    each_step(&Scheduler::<Runs>::all(), quick());
    up_to_stuttering(&Scheduler::<Stuttering>::all(), quick());
    beginnings(&Scheduler::<Prefixes>::all(), quick());
}

/// A rule that is believed to preserve runs.
#[derive(Debug)]
struct Believed<R>(R);

impl<R> Preserves<Stuttering> for Believed<R> {}

impl<R: Rule> Rule for Believed<R> {
    fn name(&self) -> &'static str {
        self.0.name()
    }
}

impl<R: Global> Global for Believed<R> {
    fn everywhere(&self, work: &mut Work, stop: Stop<'_>) -> usize {
        self.0.everywhere(work, stop)
    }
}

impl<R: Local> Local for Believed<R> {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        self.0.at(work, p)
    }
}

/// Rules that keep what runs begin with do not keep runs, and the comparison notices.
#[test]
fn what_does_not_preserve_runs_is_noticed() {
    let rules = || Scheduler::<Stuttering>::new();
    let wrong = [
        rules().global(Believed(NeutralTransition)),
        rules().global(Believed(IrrelevantPart)),
        rules().global(Believed(IdleTransition)),
        rules().local(0, Believed(FreeAgglomeration(Growth::SOME))),
    ];
    for rules in &wrong {
        let asked = |i: usize, s: &Sample| (0..24).any(|k| runs(rules, &s.net, i as u64 + 100_000 * k, 0).is_err());
        let noticed = quick().iter().enumerate().any(|(i, s)| asked(i, s));
        assert!(noticed, "{rules:?}");
    }
    // Steps that are joined are fewer.
    let each = quick()
        .iter()
        .enumerate()
        .any(|(i, s)| runs(&rules().local(0, PostAgglomeration(Growth::SOME)), &s.net, i as u64, 60).is_err());
    assert!(each);
}

#[test]
#[ignore = "the same on many more nets: takes minutes"]
fn all_rules_for_runs_on_many() {
    let many = samples(19, 10_000..15_000);
    each_step(&Scheduler::<Runs>::all(), &many);
    up_to_stuttering(&Scheduler::<Stuttering>::all(), &many);
    beginnings(&Scheduler::<Prefixes>::all(), &many);
}
