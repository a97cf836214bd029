//! The names that CSPm knows without a definition.

/// A predefined value or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::csp) enum Builtin {
    Stop,
    Skip,
    Div,
    Run,
    Chaos,
    Loop,
    Events,
    Int,
    Bool,
    Char,
    Proc,
    Union,
    Inter,
    Diff,
    BigUnion,
    BigInter,
    Member,
    Card,
    Empty,
    MakeSet,
    PowerSet,
    Sequences,
    SetToSequence,
    Null,
    Head,
    Tail,
    Concat,
    Elem,
    Length,
    Productions,
    Extensions,
    Error,
    Show,
    EmptyMap,
    MapFromList,
    MapLookup,
    MapMember,
    MapToList,
    MapUpdate,
    MapUpdateMultiple,
    MapDelete,
    MapSet,
    Transpose,
    RelationalImage,
    RelationalInverseImage,
    Transclose,
    /// A compression that changes no behaviour.
    Same,
    /// Known, but not supported.
    Unsupported(&'static str),
}

const NAMES: [(&str, Builtin, Option<usize>); 47] = [
    ("STOP", Builtin::Stop, None),
    ("SKIP", Builtin::Skip, None),
    ("DIV", Builtin::Div, None),
    ("RUN", Builtin::Run, Some(1)),
    ("CHAOS", Builtin::Chaos, Some(1)),
    ("Events", Builtin::Events, None),
    ("Int", Builtin::Int, None),
    ("Bool", Builtin::Bool, None),
    ("Char", Builtin::Char, None),
    ("Proc", Builtin::Proc, None),
    ("union", Builtin::Union, Some(2)),
    ("inter", Builtin::Inter, Some(2)),
    ("diff", Builtin::Diff, Some(2)),
    ("Union", Builtin::BigUnion, Some(1)),
    ("Inter", Builtin::BigInter, Some(1)),
    ("member", Builtin::Member, Some(2)),
    ("card", Builtin::Card, Some(1)),
    ("empty", Builtin::Empty, Some(1)),
    ("set", Builtin::MakeSet, Some(1)),
    ("Set", Builtin::PowerSet, Some(1)),
    ("Seq", Builtin::Sequences, Some(1)),
    ("seq", Builtin::SetToSequence, Some(1)),
    ("null", Builtin::Null, Some(1)),
    ("head", Builtin::Head, Some(1)),
    ("tail", Builtin::Tail, Some(1)),
    ("concat", Builtin::Concat, Some(1)),
    ("elem", Builtin::Elem, Some(2)),
    ("length", Builtin::Length, Some(1)),
    ("productions", Builtin::Productions, Some(1)),
    ("extensions", Builtin::Extensions, Some(1)),
    ("error", Builtin::Error, Some(1)),
    ("show", Builtin::Show, Some(1)),
    ("emptyMap", Builtin::EmptyMap, None),
    ("mapFromList", Builtin::MapFromList, Some(1)),
    ("mapLookup", Builtin::MapLookup, Some(2)),
    ("mapMember", Builtin::MapMember, Some(2)),
    ("mapToList", Builtin::MapToList, Some(1)),
    ("mapUpdate", Builtin::MapUpdate, Some(3)),
    ("mapUpdateMultiple", Builtin::MapUpdateMultiple, Some(2)),
    ("mapDelete", Builtin::MapDelete, Some(2)),
    ("Map", Builtin::MapSet, Some(2)),
    ("BUFFER", Builtin::Unsupported("the process BUFFER"), None),
    ("WEAK_BUFFER", Builtin::Unsupported("the process WEAK_BUFFER"), None),
    ("WAIT", Builtin::Unsupported("the timed process WAIT"), None),
    ("TSTOP", Builtin::Unsupported("the timed process TSTOP"), None),
    ("TSKIP", Builtin::Unsupported("the timed process TSKIP"), None),
    ("timed_priority", Builtin::Unsupported("timed_priority"), None),
];

const DECLARED: [(&str, Builtin, Option<usize>); 25] = [
    ("normal", Builtin::Same, Some(1)),
    ("normalise", Builtin::Same, Some(1)),
    ("sbisim", Builtin::Same, Some(1)),
    ("dbisim", Builtin::Same, Some(1)),
    ("wbisim", Builtin::Same, Some(1)),
    ("diamond", Builtin::Same, Some(1)),
    ("explicate", Builtin::Same, Some(1)),
    ("model_compress", Builtin::Same, Some(1)),
    ("tau_loop_factor", Builtin::Same, Some(1)),
    ("lazyenumerate", Builtin::Same, Some(1)),
    ("lazynorm", Builtin::Same, Some(1)),
    ("loop", Builtin::Loop, Some(1)),
    ("transpose", Builtin::Transpose, Some(1)),
    ("relational_image", Builtin::RelationalImage, Some(1)),
    ("relational_inverse_image", Builtin::RelationalInverseImage, Some(1)),
    ("mtransclose", Builtin::Transclose, Some(2)),
    ("chase", Builtin::Unsupported("chase (not safe for every process)"), None),
    ("chase_nocache", Builtin::Unsupported("chase_nocache (not safe for every process)"), None),
    ("deter", Builtin::Unsupported("deter"), None),
    ("prioritise", Builtin::Unsupported("prioritise"), None),
    ("prioritise_nocache", Builtin::Unsupported("prioritise_nocache"), None),
    ("prioritisepo", Builtin::Unsupported("prioritisepo"), None),
    ("failure_watchdog", Builtin::Unsupported("failure_watchdog"), None),
    ("trace_watchdog", Builtin::Unsupported("trace_watchdog"), None),
    ("timed_priority", Builtin::Unsupported("timed_priority"), None),
];

impl Builtin {
    /// The predefined value of a name.
    pub(in crate::csp) fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// The function that `transparent` or `external` makes known under a name.
    pub(in crate::csp) fn declared(name: &str) -> Option<Self> {
        DECLARED.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// How many arguments it takes; none for a value.
    pub(in crate::csp) fn parameters(self) -> Option<usize> {
        NAMES.iter().chain(&DECLARED).find(|entry| entry.1 == self).and_then(|entry| entry.2)
    }

    /// How it is written.
    pub(in crate::csp) fn name(self) -> &'static str {
        NAMES.iter().chain(&DECLARED).find(|entry| entry.1 == self).map_or("?", |entry| entry.0)
    }

    /// Whether it is a process, or a function that makes one.
    pub(in crate::csp) fn is_process(self) -> bool {
        matches!(self, Self::Stop | Self::Skip | Self::Div | Self::Run | Self::Chaos | Self::Loop | Self::Same)
    }

    /// All predefined names.
    pub(in crate::csp) fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|entry| entry.0)
    }
}
