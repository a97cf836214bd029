//! Each store against a map, under real threads, with several seeds; and what a lost race would look like.

use std::collections::{BTreeMap, HashMap};
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;

const THREADS: u64 = 4;

/// The states that a thread offers: many of them are those of others.
fn offered(seed: u64, words: usize, domain: u64, count: usize) -> Vec<Vec<u64>> {
    let mut random = seed;
    let mut next = || {
        random = fold(random, 0x2545_f491_4f6c_dd1d).wrapping_add(1);
        random
    };
    (0..count).map(|_| (0..words).map(|_| next() % domain).collect()).collect()
}

/// Inserts with growing, as the search does.
fn offer_to<S: Visited>(store: &RwLock<S>, state: &[u64], desk: &mut S::Desk) -> Inserted {
    let means = Means { threads: 2, helpers: &Helpers::new(), allows: &|_| Ok(()) };
    loop {
        let attempt = {
            let store = store.read().expect("nobody panics");
            let inserted = store.key(state, desk).and_then(|key| store.insert(state, key, desk));
            let more = if let Ok(Inserted::New(_)) = inserted { store.add(1) } else { None };
            (inserted, more)
        };
        let grow = |full| store.write().expect("nobody panics").grow(full, &means).expect("there is no limit");
        attempt.1.into_iter().for_each(grow);
        match attempt.0 {
            Ok(inserted) => return inserted,
            Err(full) => grow(full),
        }
    }
}

/// Several threads insert; each state must be new once, have one number, and be told by it.
fn agrees_with_a_map<S: Visited + Send>(store: S, words: usize, domain: u64, seed: u64) -> Result<(), String> {
    let (store, found) = (RwLock::new(store), std::sync::Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, found) = (&store, &found);
            scope.spawn(move || {
                let mut desk = store.read().expect("nobody panics").desk();
                let told: Vec<(Vec<u64>, Inserted)> = offered(seed + thread % 2, words, domain, 6_000)
                    .into_iter()
                    .map(|state| {
                        let inserted = offer_to(store, &state, &mut desk);
                        (state, inserted)
                    })
                    .collect();
                found.lock().expect("nobody panics").extend(told);
            });
        }
    });
    let (store, found) = (store.into_inner().expect("nobody panics"), found.into_inner().expect("nobody panics"));
    let (mut numbers, mut new) = (BTreeMap::new(), HashMap::new());
    for (state, inserted) in &found {
        let (Inserted::New(number) | Inserted::Old(number)) = *inserted;
        if *numbers.entry(state).or_insert(number) != number {
            return Err(format!("{state:?} has two numbers"));
        }
        *new.entry(number).or_insert(0) += u32::from(matches!(inserted, Inserted::New(_)));
    }
    if let Some((number, times)) = new.iter().find(|(_, times)| **times != 1) {
        return Err(format!("state {number} was new {times} times"));
    }
    if new.len() != numbers.len() {
        return Err(format!("{} numbers for {} states", new.len(), numbers.len()));
    }
    if S::TELLS {
        let (mut desk, mut state) = (store.desk(), vec![0; words]);
        for (expected, number) in numbers {
            store.open(number, &mut desk, &mut state);
            if state != *expected {
                return Err(format!("{expected:?} came back as {state:?}"));
            }
        }
    }
    Ok(())
}

#[test]
fn stores_are_sets_under_threads() {
    for seed in 0..6 {
        for (words, domain) in [(1, 3000), (1, u64::MAX), (2, 60), (3, 9), (7, 2), (5, u64::MAX)] {
            let at = |e| panic!("{words} words below {domain}, seed {seed}: {e}");
            let bits = vec![64; words];
            agrees_with_a_map(Tree::new(&bits), words, domain, seed).unwrap_or_else(at);
            agrees_with_a_map(Plain::new(words), words, domain, seed).unwrap_or_else(at);
            agrees_with_a_map(Fingerprints::new(64), words, domain, seed).unwrap_or_else(at);
        }
    }
    let narrow = [5, 1, 0, 64];
    let states = |seed| offered(seed, 4, u64::MAX, 4000).into_iter().map(move |s| masked(s, &narrow));
    let (tree, mut numbers) = (RwLock::new(Tree::new(&narrow)), BTreeMap::new());
    let mut desk = tree.read().expect("nobody panics").desk();
    for state in states(7) {
        let (Inserted::New(n) | Inserted::Old(n)) = offer_to(&tree, &state, &mut desk);
        numbers.insert(state, n);
    }
    let (tree, mut state) = (tree.into_inner().expect("nobody panics"), vec![0; 4]);
    for (expected, number) in numbers {
        tree.open(number, &mut desk, &mut state);
        assert_eq!(state, expected, "bits that are not used are left out");
    }
}

fn masked(mut state: Vec<u64>, used: &[u32]) -> Vec<u64> {
    state.iter_mut().zip(used).for_each(|(word, bits)| *word &= !u64::MAX.checked_shl(*bits).unwrap_or(0));
    state
}

/// After a state was opened only what changed is looked up: the number is the same as without.
#[test]
fn the_parent_does_not_matter() {
    let tree = RwLock::new(Tree::new(&[64, 64, 40]));
    let (mut warm, mut cold) = (tree.read().expect("nobody panics").desk(), tree.read().expect("nobody panics").desk());
    let mut state = vec![0; 3];
    let mut last = offer_to(&tree, &state, &mut warm);
    for (i, changes) in offered(3, 3, 1 << 20, 5000).into_iter().enumerate() {
        let (Inserted::New(number) | Inserted::Old(number)) = last;
        tree.read().expect("nobody panics").open(number, &mut warm, &mut state);
        let mut next = state.clone();
        next[i % 3] = changes[0] % 50;
        last = offer_to(&tree, &next, &mut warm);
        let (Inserted::New(a) | Inserted::Old(a)) = last;
        assert_eq!(offer_to(&tree, &next, &mut cold), Inserted::Old(a));
    }
}

/// A table whose threads look first and write then, as if nobody came between.
struct Careless(Vec<AtomicU64>);

impl Visited for Careless {
    type Desk = ();
    const EXACT: bool = false;
    const TELLS: bool = false;

    fn desk(&self) {}

    fn open(&self, _: u64, (): &mut (), _: &mut [u64]) {}

    fn key(&self, state: &[u64], (): &mut ()) -> Result<u64, Full> {
        Ok(state[0] + 1)
    }

    fn touch(&self, _: u64) -> u64 {
        0
    }

    fn insert(&self, _: &[u64], key: u64, (): &mut ()) -> Result<Inserted, Full> {
        let mut slot = key as usize % self.0.len();
        loop {
            match self.0[slot].load(Ordering::SeqCst) {
                0 => {
                    std::thread::yield_now();
                    self.0[slot].store(key, Ordering::SeqCst);
                    return Ok(Inserted::New(key));
                }
                there if there == key => return Ok(Inserted::Old(key)),
                _ => slot = (slot + 1) % self.0.len(),
            }
        }
    }

    fn add(&self, _: u64) -> Option<Full> {
        None
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn grow(&mut self, _: Full, _: &Means<'_>) -> Result<(), Reason> {
        Ok(())
    }

    fn omission(&self) -> f64 {
        0.0
    }

    fn save(&self, _: &mut Writer) -> io::Result<()> {
        unreachable!("nobody wants to keep it")
    }

    fn load(&mut self, _: &mut Reader) -> io::Result<()> {
        unreachable!("nobody has kept it")
    }
}

#[test]
fn a_lost_race_is_noticed() {
    let careless = || Careless(std::iter::repeat_with(AtomicU64::default).take(1 << 14).collect());
    assert!((0..20).any(|seed| agrees_with_a_map(careless(), 1, 3000, seed).is_err()));
}

#[test]
fn growing_respects_the_memory_limit() {
    fn filled<S: Visited>(mut store: S) -> u64 {
        let allows = |bytes| if bytes > 1 << 16 { Err(Reason::Memory) } else { Ok(()) };
        let helpers = Helpers::new();
        let (mut desk, means) = (store.desk(), Means { threads: 1, helpers: &helpers, allows: &allows });
        for i in 0u64.. {
            loop {
                let inserted = store.key(&[i], &mut desk).and_then(|key| store.insert(&[i], key, &mut desk));
                let more = inserted.err().or_else(|| store.add(1));
                match more.map(|full| store.grow(full, &means)) {
                    Some(Err(_)) => return if store.bytes() <= 1 << 16 { i } else { 0 },
                    Some(Ok(())) if inserted.is_err() => {}
                    _ => break,
                }
            }
        }
        unreachable!("numbers do not end")
    }
    assert!(filled(Tree::new(&[64])) > 1000);
    assert!(filled(Plain::new(1)) > 1000);
    assert!(filled(Fingerprints::new(48)) > 1000);
}

/// What is said of omissions is about what happens.
#[test]
fn omissions_are_told() {
    let missed = |store: &dyn Fn(&[u64]) -> bool, from: u64| (from..from + 20_000).filter(|i| !store(&[*i])).count();
    let bits = Bits::new(100_000);
    let insert =
        |s: &[u64]| matches!(bits.key(s, &mut ()).and_then(|k| bits.insert(s, k, &mut ())), Ok(Inserted::New(_)));
    (0..20_000u64).for_each(|i| _ = insert(&[i]));
    let (before, share) = (bits.omission(), missed(&insert, 20_000) as f64 / 20_000.0);
    assert!(before < share && share < bits.omission(), "{before} {share} {}", bits.omission());
    let hashes = RwLock::new(Fingerprints::new(18));
    let offer = |s: &[u64]| matches!(offer_to(&hashes, s, &mut ()), Inserted::New(_));
    (0..20_000u64).for_each(|i| _ = offer(&[i]));
    let told = hashes.read().expect("nobody panics").omission();
    let share = (20_000..40_000u64).filter(|i| !offer(&[*i])).count() as f64 / 20_000.0;
    assert!(told < share && share < 2.2 * told, "{told} {share}");
}

/// What was saved and loaded knows the same states by the same numbers, and goes on as the other does.
#[test]
fn loaded_stores_go_on() {
    fn goes_on<S: Visited>(store: S, fresh: S, domain: u64) {
        let label = crate::sealed::Label { model: 1, questions: domain.into() };
        let name =
            format!("impasse-store-{}-{domain}-{}", std::any::type_name::<S>().replace("::", "-"), std::process::id());
        let path = std::env::temp_dir().join(name);
        let one = RwLock::new(store);
        let mut first = one.read().expect("nobody panics").desk();
        let states = offered(11, 3, domain, 9_000);
        let told: Vec<Inserted> = states.iter().map(|state| offer_to(&one, state, &mut first)).collect();
        crate::sealed::write(&path, (label, crate::sealed::Run::new()), |to| {
            one.read().expect("nobody panics").save(to)
        })
        .expect("there is room");
        let mut other = fresh;
        other.load(&mut Reader::open(&path, label).expect("it is whole")).expect("it is whole");
        std::fs::remove_file(path).expect("it is there");
        assert!(other.bytes() <= one.read().expect("nobody panics").bytes() * 5 / 4 + 4096);
        assert_eq!(other.omission(), one.read().expect("nobody panics").omission());
        let (other, mut second) = (RwLock::new(other), one.read().expect("nobody panics").desk());
        for (state, told) in states.iter().zip(told) {
            let (Inserted::New(number) | Inserted::Old(number)) = told;
            assert_eq!(offer_to(&other, state, &mut second), Inserted::Old(number));
        }
        for state in offered(12, 3, domain, 9_000) {
            let (a, b) = (offer_to(&one, &state, &mut first), offer_to(&other, &state, &mut second));
            assert_eq!(matches!(a, Inserted::New(_)), matches!(b, Inserted::New(_)));
        }
    }
    for domain in [30, 1 << 20, u64::MAX] {
        goes_on(Tree::new(&[64; 3]), Tree::new(&[64; 3]), domain);
        goes_on(Plain::new(3), Plain::new(3), domain);
        goes_on(Fingerprints::new(40), Fingerprints::new(40), domain);
        goes_on(Bits::new(1 << 16), Bits::new(1 << 16), domain);
    }
}
