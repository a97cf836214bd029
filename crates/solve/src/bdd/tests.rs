//! Every operation against truth tables.

use super::{Bdd, Full, Manager, Room, deep};

const VARIABLES: u32 = 6;

fn manager() -> Manager {
    Manager::new(VARIABLES, Room { nodes: 1 << 14, cache: 1 << 10 })
}

fn assignment(number: u32) -> Vec<bool> {
    (0..VARIABLES).map(|v| number >> v & 1 == 1).collect()
}

/// The diagram of a truth table.
fn of_table(manager: &Manager, table: u64) -> Bdd {
    let rows = (0..64).filter(|row| table >> row & 1 == 1);
    let cubes = rows.map(|row| manager.cube((0..VARIABLES).map(|v| (v, row >> v & 1 == 1))).expect("room"));
    cubes.fold(manager.none(), |sum, cube| sum.or(cube.set()).expect("room"))
}

fn table(set: &Bdd) -> u64 {
    (0..64).filter(|&row| set.contains(&assignment(row))).fold(0, |table, row| table | 1 << row)
}

/// Numbers that look random.
fn tables() -> Vec<u64> {
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    };
    (0..40).map(|i| if i % 3 == 0 { next() & next() & next() } else { next() }).chain([0, u64::MAX, 1]).collect()
}

#[test]
fn operations_agree_with_truth_tables() {
    let m = manager();
    let (low, high) = (m.set([0, 1]).expect("room"), m.cube([(2, true), (4, false)]).expect("room"));
    for (&a, &b) in tables().iter().zip(tables().iter().rev()) {
        let (f, g) = (of_table(&m, a), of_table(&m, b));
        assert_eq!((table(&f), table(&f.not())), (a, !a));
        assert_eq!(table(&f.and(&g).expect("room")), a & b);
        assert_eq!(table(&f.or(&g).expect("room")), a | b);
        assert_eq!(table(&f.minus(&g).expect("room")), a & !b);
        assert_eq!(f.within(&g), Ok(a & !b == 0));
        assert_eq!(f.count(VARIABLES, VARIABLES).to_string(), a.count_ones().to_string());
        assert_eq!(f.pick().is_some_and(|picked| f.contains(&picked)), a != 0);
        let any = |t: u64, row: u32| (0..4).any(|other| t >> ((row & !3) | other) & 1 == 1);
        let expected = |t: u64| (0..64).filter(|&row| any(t, row)).fold(0_u64, |t, row| t | 1 << row);
        assert_eq!(table(&f.exists(&low).expect("room")), expected(a));
        assert_eq!(table(&f.and_exists(&g, &low).expect("room")), expected(a & b));
        let given = |row: u32| a >> ((row | 4) & !16) & 1 == 1;
        let expected = (0..64).filter(|&row| given(row)).fold(0_u64, |t, row| t | 1 << row);
        assert_eq!(table(&f.given(&high).expect("room")), expected);
    }
}

#[test]
fn renamed_variables_take_the_places_of_others() {
    let m = manager();
    let forward = m.renaming(&[(1, 0), (3, 2)]).expect("room");
    let set = m.cube([(1, true), (3, false), (5, true)]).expect("room");
    let renamed = m.cube([(0, true), (2, false), (5, true)]).expect("room");
    assert_eq!(set.set().renamed(&forward).expect("room"), *renamed.set());
}

#[test]
fn restrict_agrees_where_it_matters_and_is_no_larger() {
    let m = manager();
    let mut smaller = 0;
    for (&a, &b) in tables().iter().zip(tables().iter().rev()) {
        let (f, care) = (of_table(&m, a), of_table(&m, b));
        let restricted = f.restrict(&care).expect("room");
        assert_eq!(table(&restricted) & b, a & b);
        assert!(restricted.nodes() <= f.nodes());
        smaller += u32::from(restricted.nodes() < f.nodes());
    }
    assert!(smaller > 10, "{smaller}");
}

#[test]
fn no_room_is_said_and_nothing_is_lost() {
    let m = Manager::new(64, Room { nodes: 600, cache: 64 });
    let pairs = |m: &Manager| {
        (0..32).try_fold(m.all(), |f, v| {
            let same = m.literal(v, true)?.and(&m.literal(v + 32, true)?)?;
            let neither = m.literal(v, false)?.and(&m.literal(v + 32, false)?)?;
            f.and(&same.or(&neither)?)
        })
    };
    assert_eq!(pairs(&m).map(|_| ()), Err(Full));
    let cube = m.cube((0..64).map(|v| (v, v % 2 == 0))).expect("room again");
    assert_eq!(cube.set().count(64, 64).to_string(), "1");
}

#[test]
fn deep_diagrams_do_not_overflow_the_stack() {
    let variables = 200_000;
    let nodes = deep(variables as usize, || {
        let m = Manager::new(variables, Room { nodes: 1 << 21, cache: 1 << 12 });
        let cube = m.cube((0..variables).map(|v| (v, true))).expect("room");
        let other = cube.set().and(&m.literal(variables / 2, true).expect("room")).expect("room");
        assert_eq!(cube.set().restrict(&other).expect("room").nodes(), 1);
        other.nodes()
    });
    assert_eq!(nodes, variables as usize + 1);
}
