//! Which engine is to run, with its switches: `explore:order=depth,finish=0`. The only place that knows this spelling.

use std::fmt;
use std::str::FromStr;

use engines::explore::{Explore, Keep, Order, Persistent, Proviso, Wish};
use engines::invariant::Invariants;
use engines::liveness::Liveness;
use engines::local::Local;
use engines::persistent::{Algorithm, Interference};
use engines::symbolic::Symbolic;
use engines::unfold::stubborn::StubbornUnfolding;
use engines::unfold::{Reads, Unfolding};
use engines::{Engine, Problem};
use model::{Property, System};

use crate::auto::Auto;
use crate::nets::NetEngines;
use crate::on_network::{self, Method, OnNetwork};
use crate::on_view::OnView;
use crate::{invariant, liveness, stubborn, symbolic, unfold};

/// Every engine with its options, as help and error messages show them.
pub const ENGINES: &[(&str, &str)] = &[
    ("auto", "no options"),
    (
        "explore",
        "order=breadth|depth, finish=STATES|unlimited, persistent=none|conflict|overman|stubborn|conditional|weak, \
         relation=can-be-dependent|do-not-accord|first, sleep, proviso=none|stack|queue|component|goal, merge, live, all, cache=STATES, \
         store=tree|plain|hash-compact[=BITS]|bitstate[=BITS]",
    ),
    (
        "unfold",
        "order=total|parikh|mcmillan, reads=loops|replicas|contexts|auto; or stubborn=breadth|depth, \
         sets=cheap|fewest, until=first|all|end, reads=loops|replicas",
    ),
    ("local", "some of sdd, pairs, linear, traps, groups=MEMBERS, search; all of them unless some are named"),
    (
        "invariant",
        "components=on|off, traps=lazy|symbolic|none, linear=on|off, exact=in-turn|chains|rings|forward|none, restrict=on|off, \
         single=NODES|off, order=best|declared|search|cuthill-mckee|sloan|force",
    ),
    ("symbolic", "direction=forward|backward, order=best|declared|search|cuthill-mckee|sloan|force"),
    ("ltl", "reduce=none|conflict|overman|stubborn|conditional|weak, proviso=peled|valmari, search=components|nested"),
    (
        "net",
        "for Petri nets and what can be seen as one: some of reduce, walk, structural, bmc, ic3, unfold, search; all of them unless some are named",
    ),
    ("ic3", "no options: what `net:bmc,ic3` is, short runs and inductive invariants by satisfiability"),
];

/// The algorithms for persistent sets, with the relation that each uses unless told otherwise.
pub(crate) const PERSISTENT: &[(&str, Persistent)] = &[
    ("conflict", Persistent { algorithm: Algorithm::Conflict, interference: Interference::CanBeDependent }),
    ("overman", Persistent { algorithm: Algorithm::Overman, interference: Interference::CanBeDependent }),
    ("stubborn", Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord }),
    ("conditional", Persistent { algorithm: Algorithm::Stubborn, interference: Interference::First }),
    ("weak", Persistent { algorithm: Algorithm::Weak, interference: Interference::DoNotAccord }),
];

const PROVISOS: &[(&str, Proviso)] = &[
    ("none", Proviso::None),
    ("stack", Proviso::Stack),
    ("queue", Proviso::Queue),
    ("component", Proviso::Component),
    ("goal", Proviso::Goal),
];

/// The bits of a hash unless told otherwise, and those of the field of bits.
const HASH_BITS: u32 = 48;
const FIELD_BITS: u64 = 1 << 30;

const RELATIONS: &[(&str, Interference)] = &[
    ("can-be-dependent", Interference::CanBeDependent),
    ("do-not-accord", Interference::DoNotAccord),
    ("first", Interference::First),
];

/// An engine and its options.
#[derive(Clone, Copy, Debug, Default)]
pub enum Choice {
    /// Whatever suits the problem.
    #[default]
    Auto,
    /// Explicit search.
    Explore(Explore),
    /// Unfoldings.
    Unfold(Unfolding),
    /// Unfoldings that find deadlocks.
    Stubborn(StubbornUnfolding),
    /// Engines for Petri nets.
    Net(NetEngines),
    /// Local analysis of networks.
    Local(Local),
    /// Sets of states as decision diagrams.
    Symbolic(Symbolic),
    /// Invariants first, then exactly.
    Invariants(Invariants),
    /// Claims about runs.
    Liveness(Liveness),
}

/// What is wrong with the text of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceError(pub(crate) String);

impl Choice {
    /// The engine that answers.
    pub fn engine(&self) -> Box<dyn Engine> {
        match self {
            Choice::Auto => Box::new(Auto),
            Choice::Explore(explore) => Box::new(*explore),
            Choice::Unfold(unfolding) => Box::new(*unfolding),
            Choice::Stubborn(stubborn) => Box::new(*stubborn),
            Choice::Net(engines) => Box::new(OnView { engines: *engines, threads: 1, exchange: None }),
            Choice::Local(local) => Box::new(OnNetwork::new(None, Method::Local(*local))),
            Choice::Symbolic(symbolic) => Box::new(OnNetwork::new(None, Method::Symbolic(*symbolic))),
            Choice::Invariants(chosen) => Box::new(OnNetwork::new(None, Method::Invariants(*chosen))),
            Choice::Liveness(liveness) => Box::new(*liveness),
        }
    }

    /// The engine with its options, as a report shows it.
    pub(crate) fn name(&self) -> String {
        match self {
            Choice::Auto => Auto.name().to_owned(),
            _ => self.to_string(),
        }
    }

    /// Whether the engine can treat the problem at all; if not, why.
    pub fn supports(&self, system: &System, property: &Property) -> Result<(), String> {
        self.engine().supports(&Problem { system, property })
    }

    /// The same by workers that share nothing, which explicit search can be done by, and what nobody chose otherwise.
    #[cfg(feature = "cluster")]
    pub fn shared_by(self, team: engines::explore::Team) -> Result<Self, ChoiceError> {
        let explore = match self {
            Choice::Auto => Explore::default(),
            Choice::Explore(explore) => explore,
            other => return Err(ChoiceError(format!("workers share the work of `explore`, not of `{other}`"))),
        };
        Ok(Choice::Explore(Explore { team: Some(team), ..explore }))
    }

    /// Whether the engine can use files.
    pub fn uses_files(&self) -> bool {
        matches!(self, Choice::Explore(explore) if explore.order == Order::Breadth)
    }

    /// Explicit search that counts the whole state space whatever it meets.
    pub fn exhaustive() -> Self {
        Choice::Explore(Explore { finish: u64::MAX, ..Explore::default() })
    }
}

impl FromStr for Choice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let (name, options) = text.split_once(':').map_or((text, ""), |(n, o)| (n, o));
        let options = options.split(',').map(str::trim).filter(|o| !o.is_empty());
        match name {
            "auto" => match options.into_iter().next() {
                None => Ok(Choice::Auto),
                Some(o) => Err(unknown_option(name, o)),
            },
            "explore" => {
                let options: Vec<&str> = options.collect();
                only_once(name, &options)?;
                let explore = options.into_iter().try_fold(Explore::default(), explore_option)?;
                fits_together(&explore).map(|()| Choice::Explore(explore))
            }
            "unfold" => {
                let options: Vec<&str> = options.collect();
                only_once(name, &options)?;
                unfold_options(&options)
            }
            "local" => {
                let options: Vec<&str> = options.collect();
                only_once(name, &options)?;
                let unknown = |option: &str| unknown_option(name, option);
                on_network::options(&options, unknown).map(Choice::Local)
            }
            "invariant" => {
                let options: Vec<&str> = options.collect();
                only_once(name, &options)?;
                read(name, Invariants::default(), &options, invariant::option).map(Choice::Invariants)
            }
            "symbolic" => {
                let options: Vec<&str> = options.collect();
                only_once(name, &options)?;
                read(name, Symbolic::default(), &options, symbolic::option).map(Choice::Symbolic)
            }
            "ltl" => {
                let options: Vec<&str> = options.collect();
                only_once(name, &options)?;
                read(name, Liveness::default(), &options, liveness::option).map(Choice::Liveness)
            }
            "net" => match options.collect::<Vec<_>>().join(",") {
                all if all.is_empty() => Ok(Choice::Net(NetEngines::default())),
                some => some.parse().map(Choice::Net).map_err(ChoiceError),
            },
            "ic3" => match options.into_iter().next() {
                None => Ok(Choice::Net(NetEngines::IC3)),
                Some(o) => Err(unknown_option(name, o)),
            },
            _ => {
                let known: Vec<&str> = ENGINES.iter().map(|(n, _)| *n).collect();
                Err(ChoiceError(format!("there is no engine `{name}`; there are: {}", known.join(", "))))
            }
        }
    }
}

fn only_once(engine: &str, options: &[&str]) -> Result<(), ChoiceError> {
    let key = |option: &&str| option.split('=').next().unwrap_or_default().trim().to_owned();
    let keys: Vec<String> = options.iter().map(key).collect();
    match keys.iter().enumerate().find(|(i, k)| keys[..*i].contains(k)) {
        None => Ok(()),
        Some((_, key)) => Err(ChoiceError(format!("the option `{key}` of `{engine}` is given twice"))),
    }
}

/// Options that only stubborn unfoldings have.
const STUBBORN_ONLY: [&str; 2] = ["sets", "until"];

/// Reads `key=value` options one after the other. What is wrong with one is what it may be, or nothing if there is no
/// such option.
fn read<T>(
    engine: &str,
    start: T,
    options: &[&str],
    option: impl Fn(T, &str, &str) -> Result<T, Option<&'static str>>,
) -> Result<T, ChoiceError> {
    options.iter().try_fold(start, |sofar, text| {
        let (key, value) = text.split_once('=').map_or((*text, ""), |(k, v)| (k.trim(), v.trim()));
        option(sofar, key, value).map_err(|expected| match expected {
            Some(expected) => ChoiceError(format!("the option `{key}` of `{engine}` takes {expected}, not `{value}`")),
            None if engine == "unfold" && STUBBORN_ONLY.contains(&key) => {
                ChoiceError(format!("the option `{key}` is for stubborn unfoldings: add `stubborn=breadth`"))
            }
            None if engine == "unfold" && key == "order" => {
                ChoiceError("the option `order` is for complete prefixes: leave out `stubborn`".to_owned())
            }
            None => unknown_option(engine, text),
        })
    })
}

/// A complete prefix, unless stubborn sets are asked for.
fn unfold_options(options: &[&str]) -> Result<Choice, ChoiceError> {
    let is_stubborn = |option: &&str| option.split('=').next().is_some_and(|key| key.trim() == "stubborn");
    match options.iter().any(is_stubborn) {
        true => read("unfold", StubbornUnfolding::default(), options, stubborn::option).map(Choice::Stubborn),
        // Loops have the sizes that are published; users want answers.
        false => {
            let start = Unfolding { reads: Reads::Auto, ..Unfolding::default() };
            read("unfold", start, options, unfold::option).map(Choice::Unfold)
        }
    }
}

/// What no model and no question could make sense of.
fn fits_together(explore: &Explore) -> Result<(), ChoiceError> {
    let proviso = explore.reduce.proviso;
    if proviso != Proviso::None && explore.reduce.persistent.is_none() {
        return Err(ChoiceError("the option `proviso` is for persistent sets: add `persistent=`".to_owned()));
    }
    let depth = [
        ("sleep", explore.reduce.sleep),
        ("cache", explore.cache.is_some()),
        ("proviso", matches!(proviso, Proviso::Stack | Proviso::Component)),
    ];
    let breadth = [("store", explore.keep != Keep::default()), ("proviso=queue", proviso == Proviso::Queue)];
    if let Some((key, _)) = breadth.iter().find(|(_, given)| *given && explore.order == Order::Depth) {
        return Err(ChoiceError(format!("the option `{key}` needs breadth-first order: leave out `order=depth`")));
    }
    match depth.iter().find(|(_, given)| *given && explore.order == Order::Breadth) {
        None => Ok(()),
        Some((key, _)) => Err(ChoiceError(format!("the option `{key}` needs depth-first order: add `order=depth`"))),
    }
}

fn explore_option(mut explore: Explore, option: &str) -> Result<Explore, ChoiceError> {
    let (key, value) = option.split_once('=').map_or((option, ""), |(k, v)| (k.trim(), v.trim()));
    let wrong =
        |expected: &str| ChoiceError(format!("the option `{key}` of `explore` takes {expected}, not `{value}`"));
    match key {
        "order" => {
            explore.order = match value {
                "breadth" => Order::Breadth,
                "depth" => Order::Depth,
                _ => return Err(wrong("`breadth` or `depth`")),
            }
        }
        "finish" => {
            explore.finish = match value {
                "unlimited" => u64::MAX,
                _ => value.parse().map_err(|_| wrong("a number of states or `unlimited`"))?,
            }
        }
        "persistent" if value == "none" => explore.reduce.persistent = None,
        "persistent" => {
            let found = PERSISTENT.iter().find(|(n, _)| *n == value);
            let (_, persistent) =
                found.ok_or_else(|| wrong("`none`, `conflict`, `overman`, `stubborn`, `conditional` or `weak`"))?;
            explore.reduce.persistent = Some(*persistent);
        }
        "relation" => {
            let found = RELATIONS.iter().find(|(n, _)| *n == value);
            let (_, relation) = found.ok_or_else(|| wrong("`can-be-dependent`, `do-not-accord` or `first`"))?;
            match &mut explore.reduce.persistent {
                Some(persistent) => persistent.interference = *relation,
                None => return Err(ChoiceError("the option `relation` comes after `persistent=`".to_owned())),
            }
        }
        "sleep" if option == key => explore.reduce.sleep = true,
        "merge" if option == key => explore.merge = true,
        "live" if option == key => explore.live = true,
        "sleep" | "merge" | "live" | "all" if option != key => {
            return Err(ChoiceError(format!("the option `{key}` of `explore` takes no value")));
        }
        "proviso" => {
            let found = PROVISOS.iter().find(|(n, _)| *n == value);
            explore.reduce.proviso = found.ok_or_else(|| wrong("`none`, `stack`, `queue`, `component` or `goal`"))?.1;
        }
        "all" if value.is_empty() => explore.all = true,
        "cache" => explore.cache = Some(value.parse().map_err(|_| wrong("a number of states"))?),
        "store" => explore.keep = store(value).ok_or_else(|| wrong(STORES))?,
        _ => return Err(unknown_option("explore", option)),
    }
    Ok(explore)
}

const STORES: &str =
    "`tree`, `plain`, `hash-compact` with perhaps `=` and 8 to 64 bits, or `bitstate` with perhaps `=` and bits";

/// How states are kept.
fn store(text: &str) -> Option<Keep> {
    let (name, bits) = text.split_once('=').map_or((text, None), |(name, bits)| (name, Some(bits)));
    match (name, bits) {
        ("tree", None) => Some(Keep::Tree),
        ("plain", None) => Some(Keep::Plain),
        ("hash-compact", bits) => {
            let bits = bits.map_or(Some(HASH_BITS), |b| b.parse().ok())?;
            (8..=64).contains(&bits).then_some(Keep::Hashes(bits))
        }
        ("bitstate", bits) => bits.map_or(Some(FIELD_BITS), |b| b.parse().ok()).filter(|b| *b > 0).map(Keep::Bits),
        _ => None,
    }
}

fn show_store(keep: Keep) -> String {
    match keep {
        Keep::Tree => String::new(),
        Keep::Plain => ",store=plain".to_owned(),
        Keep::Hashes(bits) => format!(",store=hash-compact={bits}"),
        Keep::Bits(bits) => format!(",store=bitstate={bits}"),
    }
}

/// The switches of a reduction as they are spelled, each after a comma.
fn show_wish(wish: &Wish) -> String {
    let mut text = String::new();
    if let Some(persistent) = &wish.persistent {
        // The last name that fits: `conditional` is `stubborn` with another relation.
        let named = PERSISTENT.iter().rfind(|(_, p)| p == persistent);
        let named = named.or_else(|| PERSISTENT.iter().find(|(_, p)| p.algorithm == persistent.algorithm));
        let relation = RELATIONS.iter().find(|(_, r)| *r == persistent.interference);
        if let (Some((name, usual)), Some((relation, _))) = (named, relation) {
            text += &format!(",persistent={name}");
            if usual != persistent {
                text += &format!(",relation={relation}");
            }
        }
    }
    if wish.sleep {
        text += ",sleep";
    }
    if let Some((name, _)) = PROVISOS.iter().find(|(_, p)| *p == wish.proviso && *p != Proviso::None) {
        text += &format!(",proviso={name}");
    }
    text
}

fn unknown_option(engine: &str, option: &str) -> ChoiceError {
    let known = ENGINES.iter().find(|(n, _)| *n == engine).map_or("no options", |(_, o)| o);
    ChoiceError(format!("the engine `{engine}` has no option `{option}`; it has: {known}"))
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let explore = match self {
            Choice::Auto => return f.write_str("auto"),
            Choice::Unfold(unfolding) => return write!(f, "unfold:{}", unfold::spelled(unfolding)),
            Choice::Stubborn(stubborn) => return write!(f, "unfold:{}", stubborn::spelled(stubborn)),
            Choice::Net(engines) => return write!(f, "net:{engines}"),
            Choice::Local(local) => return write!(f, "local:{}", on_network::spelled(local)),
            Choice::Invariants(chosen) => return write!(f, "invariant:{}", invariant::spelled(chosen)),
            Choice::Symbolic(symbolic) => return write!(f, "symbolic:{}", symbolic::spelled(symbolic)),
            Choice::Liveness(liveness) => return write!(f, "ltl:{}", liveness::spelled(liveness)),
            Choice::Explore(explore) => explore,
        };
        let order = match explore.order {
            Order::Breadth => "breadth",
            Order::Depth => "depth",
        };
        match explore.finish {
            u64::MAX => write!(f, "explore:order={order},finish=unlimited")?,
            finish => write!(f, "explore:order={order},finish={finish}")?,
        }
        f.write_str(&show_wish(&explore.reduce))?;
        if explore.merge {
            f.write_str(",merge")?;
        }
        if explore.live {
            f.write_str(",live")?;
        }
        if explore.all {
            f.write_str(",all")?;
        }
        if let Some(states) = explore.cache {
            write!(f, ",cache={states}")?;
        }
        f.write_str(&show_store(explore.keep))?;
        #[cfg(feature = "cluster")]
        if let Some(team) = explore.team {
            write!(f, " by {} workers", team.workers * team.hosts.len().max(1))?;
        }
        Ok(())
    }
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ChoiceError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_read_back_as_they_are_shown() {
        for text in [
            "auto",
            "explore:order=depth,finish=0",
            "explore:order=breadth,finish=unlimited",
            "explore:order=depth,finish=0,persistent=stubborn,sleep,proviso=stack",
            "explore:order=breadth,finish=9,persistent=conditional",
            "explore:order=breadth,finish=9,persistent=weak",
            "explore:order=depth,finish=9,persistent=stubborn,proviso=component",
            "explore:order=depth,finish=9,persistent=conditional,sleep,proviso=goal",
            "explore:order=depth,finish=9,persistent=overman,relation=first",
            "explore:order=breadth,finish=9,persistent=stubborn,all",
            "explore:order=breadth,finish=9,persistent=stubborn,merge,all",
            "explore:order=depth,finish=9,merge",
            "explore:order=depth,finish=9,merge,live",
            "explore:order=breadth,finish=9,live",
            "explore:order=depth,finish=9,sleep,all,cache=300000",
            "explore:order=breadth,finish=9,persistent=stubborn,proviso=queue",
            "explore:order=breadth,finish=9,store=plain",
            "explore:order=breadth,finish=9,merge,store=hash-compact=40",
            "explore:order=breadth,finish=9,store=bitstate=1000000",
            "ltl:reduce=stubborn,proviso=peled",
            "ltl:reduce=none,proviso=valmari",
            "ltl:reduce=none,proviso=peled,search=nested",
            "ltl:reduce=stubborn,proviso=valmari,search=nested",
            "local:pairs",
            "local:sdd,linear,traps,groups=4,search",
            "symbolic:direction=forward,order=best",
            "symbolic:direction=backward,order=cuthill-mckee",
            "invariant:components=on,traps=lazy,linear=on,exact=in-turn,restrict=on,single=1048576,order=best",
            "invariant:components=off,traps=symbolic,linear=off,exact=none,restrict=off,single=off,order=force",
            "unfold:order=total,reads=loops",
            "unfold:order=mcmillan,reads=replicas",
            "unfold:stubborn=breadth,sets=cheap,until=first,reads=loops",
            "unfold:stubborn=depth,sets=fewest,until=end,reads=replicas",
        ] {
            assert_eq!(text.parse::<Choice>().map(|c| c.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("explore".parse::<Choice>().map(|c| c.to_string()), Ok("explore:order=breadth,finish=10000".into()));
        assert_eq!("ic3".parse::<Choice>().map(|c| c.to_string()), Ok("net:bmc,ic3".into()));
    }

    #[test]
    fn mistakes_say_what_exists() {
        let message = |text: &str| text.parse::<Choice>().expect_err("a mistake").to_string();
        assert!(message("magic").contains("auto, explore"));
        assert!(message("explore:speed=9").contains("order=breadth|depth"));
        assert!(message("explore:order=up").contains("`breadth` or `depth`"));
        assert!(message("explore:finish=-1").contains("not `-1`"));
        assert!(message("explore:order=depth,cache=many").contains("a number of states, not `many`"));
        assert!(message("explore:store=list").contains("`tree`, `plain`, `hash-compact`"));
        assert!(message("explore:store=hash-compact=65").contains("8 to 64 bits"));
        assert!(message("explore:order=depth,store=plain").contains("leave out `order=depth`"));
        assert!(message("explore:order=depth,persistent=stubborn,proviso=queue").contains("breadth-first"));
        assert!(message("explore:all=2").contains("takes no value"));
        assert!(message("ltl:proviso=stack").contains("`peled` or `valmari`, not `stack`"));
        assert!(message("ltl:reduce=all").contains("`stubborn`, `conditional` or `weak`, not `all`"));
        assert!(message("ltl:order=depth").contains("it has: reduce=none|conflict"));
        assert!(message("auto:order=depth").contains("no options"));
        assert!(message("ic3:order=depth").contains("no options"));
        assert!(message("explore:sleep").contains("add `order=depth`"));
        assert!(message("explore:cache=9").contains("add `order=depth`"));
        assert!(message("explore:order=depth,proviso=stack").contains("add `persistent=`"));
        assert!(message("explore:order=depth,order=breadth").contains("given twice"));
        assert!(message("explore:order=depth,sleep=yes").contains("takes no value"));
        assert!(message("").contains("auto, explore"));
        assert!(message("unfold:order=best").contains("`parikh` or `mcmillan`, not `best`"));
        assert!(message("unfold:stubborn").contains("`breadth` or `depth`, not ``"));
        assert!(message("unfold:stubborn=depth,order=total").contains("leave out `stubborn`"));
        assert!(message("unfold:sets=cheap").contains("add `stubborn=breadth`"));
        assert!(message("unfold:sleep").contains("reads=loops|replicas|contexts|auto"));
    }
}
