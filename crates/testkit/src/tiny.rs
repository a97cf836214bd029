//! All systems of a tiny world: two processes of two locations with up to three edges, for each kind of object one
//! menu of what an edge may do.
//!
//! Whatever goes wrong in a large system mostly goes wrong in one of these too, and here nothing is left to chance.

use model::{ActionId, Builder, ChannelType, Command, Domain, Edge, Expr, Kind, LocationId, ObjectId, Observer};
use model::{ObserverEdge, ObserverLocation, Pattern, ProcessId, Property, Retrieve, System, TransitionId};

/// The most edges for which [`all`] is meant to run in seconds.
pub const EDGES: usize = 3;

/// What an edge does, besides moving its process.
#[derive(Clone, Debug)]
enum Dish {
    Skip,
    When(Expr),
    Do(Command),
    /// Its process is filled in.
    Acquire,
    Release,
    Sync,
}

/// An object and what edges may do with it.
#[derive(Clone, Debug)]
struct World {
    kind: Kind,
    menu: Vec<Dish>,
}

const OBJECT: ObjectId = ObjectId(0);
const PROCESSES: u32 = 2;
const LOCATIONS: u32 = 2;

/// All systems with at most so many edges, in a fixed order.
pub fn all(edges: usize) -> impl Iterator<Item = System> {
    worlds().into_iter().flat_map(move |world| (0..=edges).flat_map(move |n| world.clone().systems(n)))
}

fn worlds() -> Vec<World> {
    let target = || OBJECT.into();
    let read = || Expr::read(OBJECT);
    let send = |v: i64| Dish::Do(Command::Send(target(), vec![v.into()]));
    let receive = |p: Pattern| Dish::Do(Command::Receive(target(), vec![p]));
    let assign = |e: Expr| Dish::Do(Command::Assign(target(), e));
    let channel = |capacity, lossy| Kind::Channel(ChannelType { capacity, lossy, fields: vec![Domain::Bool] });
    let counter = Kind::Counter { max: 1 };
    let messages = vec![send(0), send(1), receive(Pattern::Ignore), receive(Pattern::Match(1.into()))];
    let wider = [messages.clone(), vec![Dish::When(Expr::Full(target()))]].concat();
    vec![
        World {
            kind: Kind::Variable(Domain::Bool),
            menu: vec![Dish::When(read()), Dish::When(read().negate()), assign(read().negate()), assign(2.into())],
        },
        World {
            kind: Kind::Lock,
            menu: vec![Dish::Skip, Dish::Acquire, Dish::Release, Dish::When(Expr::Free(target()))],
        },
        World {
            kind: counter.clone(),
            menu: vec![
                Dish::Do(Command::Gain(target(), 1)),
                Dish::Do(Command::Take(target(), 1)),
                Dish::When(read().is(0)),
                Dish::When(Expr::from(1).op(model::Binary::Div, read())),
            ],
        },
        World { kind: channel(1, false), menu: wider },
        World { kind: channel(1, true), menu: messages.clone() },
        World { kind: channel(0, false), menu: messages },
        World { kind: channel(2, false), menu: out_of_order() },
        World { kind: counter, menu: vec![Dish::Skip, Dish::Sync, Dish::Do(Command::Gain(target(), 1))] },
    ]
}

/// Sorted sends, and looking for messages behind others.
fn out_of_order() -> Vec<Dish> {
    let target = || OBJECT.into();
    let insert = |v: i64| Dish::Do(Command::Insert(target(), vec![v.into()]));
    let one = || vec![Pattern::Match(1.into())];
    let retrieve = |keep| Dish::Do(Command::Retrieve(target(), one(), Retrieve { anywhere: true, keep }));
    vec![insert(0), insert(1), retrieve(false), retrieve(true), Dish::When(Expr::Offers(target(), one(), true))]
}

impl World {
    /// All sets of `n` edges.
    fn systems(self, n: usize) -> impl Iterator<Item = System> {
        let edges = self.edges();
        let mut choice: Option<Vec<usize>> = Some((0..n).collect());
        std::iter::from_fn(move || {
            let chosen = choice.take()?;
            choice = following(chosen.clone(), edges.len());
            Some(self.system(chosen.iter().map(|&i| edges[i].clone())))
        })
    }

    fn edges(&self) -> Vec<Edge> {
        let mut all = Vec::new();
        for place in 0..PROCESSES * LOCATIONS * LOCATIONS {
            let process = ProcessId(place / (LOCATIONS * LOCATIONS));
            let (from, to) = (LocationId(place / LOCATIONS % LOCATIONS), LocationId(place % LOCATIONS));
            all.extend(self.menu.iter().map(|dish| dish.serve(Edge::new(process, from, to))));
        }
        all
    }

    fn system(&self, edges: impl Iterator<Item = Edge>) -> System {
        let mut builder = Builder::new("tiny");
        builder.object("o", self.kind.clone());
        let action = builder.action("a");
        for p in 0..PROCESSES {
            let process = builder.process(format!("P{p}"));
            builder.location(process, "start");
            let end = builder.location(process, "end");
            builder.end(process, end);
            builder.alphabet(process, action);
        }
        edges.for_each(|e| builder.edge(e));
        builder.build().expect("single operations are never refused")
    }
}

impl Dish {
    fn serve(&self, edge: Edge) -> Edge {
        let process = edge.process;
        match self {
            Dish::Skip => edge,
            Dish::When(condition) => edge.when(condition.clone()),
            Dish::Do(command) => edge.run(command.clone()),
            Dish::Acquire => edge.run(Command::Acquire(OBJECT.into(), process)),
            Dish::Release => edge.run(Command::Release(OBJECT.into(), process)),
            Dish::Sync => edge.sync(ActionId(0)),
        }
    }
}

/// The next set of numbers below `n`, in lexicographic order.
fn following(mut chosen: Vec<usize>, n: usize) -> Option<Vec<usize>> {
    let k = chosen.len();
    let wheel = (0..k).rev().find(|&i| chosen[i] < n - k + i)?;
    chosen[wheel] += 1;
    for i in wheel + 1..k {
        chosen[i] = chosen[i - 1] + 1;
    }
    Some(chosen)
}

/// Questions for a tiny system: one of each kind that is decided by finite runs.
pub fn properties(system: &System) -> Vec<Property> {
    let at = |p: u32, l: u32| Expr::At(ProcessId(p), LocationId(l));
    let both = |l: u32| at(0, l).op(model::Binary::And, at(1, l));
    vec![
        Property::DeadlockFree,
        Property::Invariant(both(1).negate()),
        Property::Reachable(at(0, 1).op(model::Binary::And, at(1, 0))),
        Property::Safety(twice(system)),
    ]
}

/// The last transition must not happen twice while the first process is at its start afterwards.
fn twice(system: &System) -> Observer {
    let location = |name: &str, error| ObserverLocation { name: name.to_owned(), error };
    let last = system.transitions().len().checked_sub(1).map(TransitionId::new);
    let step = |from: u32, when: Expr| ObserverEdge {
        from: LocationId(from),
        to: LocationId(from + 1),
        on: Some(last.into_iter().collect()),
        when,
        span: None,
    };
    Observer {
        locations: vec![location("none", false), location("once", false), location("twice", true)],
        initial: LocationId(0),
        edges: vec![step(0, Expr::TRUE), step(1, Expr::At(ProcessId(0), LocationId(0)))],
    }
}
