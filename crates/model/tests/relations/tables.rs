//! The tables that the thesis prints, cell by cell.

use model::objects::{Operation, Relations};

use crate::literal::weakly_uniform;
use crate::world;

/// Examples 3.14 and 3.16: boolean variables, `+` dependent, `-` independent.
const BOOLEAN: &str = "
             Write  Compl  Read
      Write  +      +      +
      Compl  +      -      +
      Read   +      +      -";

/// Example 3.19, the constant table for channels.
const CONSTANT: &str = "
               Send  Receive  Length
      Send     +     +        +
      Receive  +     +        +
      Length   +     +        -";

/// Example 3.20, which contains the conditional table of Example 3.19.
const CONDITIONAL: &str = "
               Send       Receive    Length  Empty  Full
      Send     n<N        n=0|n=N    n<N     n=0    n=N-1
      Receive  n=0|n=N    n>0        n>0     n=1    n=N
      Length   n<N        n>0        -       -      -
      Empty    n=0        n=1        -       -      -
      Full     n=N-1      n=N        -       -      -";

/// Example 4.29: the row is disturbed first by the column.
const FIRST: &str = "
               Send       Receive    Length  Empty  Full
      Send     n<N        n=N        n<N     n<N    n=N-1
      Receive  n=0        n>0        n>0     n=1    n>0
      Length   n<N        n>0        -       -      -
      Empty    n=0        n>0        -       -      -
      Full     n<N        n=N        -       -      -";

/// Example 6.7: Example 3.20 made weakly uniform.
const UNIFORM: &str = "
               Send       Receive    Length  Empty  Full
      Send     n<N        n=0|n=N    n<N     n<N    n<N
      Receive  n=0|n=N    n>0        n>0     n>0    n>0
      Length   n<N        n>0        -       -      -
      Empty    n<N        n>0        -       -      -
      Full     n<N        n>0        -       -      -";

/// Calls `check` with row, column and cell of a table.
fn cells(table: &str, mut check: impl FnMut(&str, &str, &str)) {
    let mut lines = table.lines().map(|l| l.split_whitespace().collect::<Vec<_>>()).filter(|l| !l.is_empty());
    let columns = lines.next().expect("a table has a head");
    for line in lines {
        assert_eq!(line.len(), columns.len() + 1, "a row is complete");
        for (column, cell) in columns.iter().zip(&line[1..]) {
            check(line[0], column, cell);
        }
    }
}

fn is_true(condition: &str, n: i64, capacity: i64) -> bool {
    match condition {
        "+" => true,
        "-" => false,
        "n=0" => n == 0,
        "n=1" => n == 1,
        "n>0" => n > 0,
        "n<N" => n < capacity,
        "n=N" => n == capacity,
        "n=N-1" => n == capacity - 1,
        "n=0|n=N" => n == 0 || n == capacity,
        _ => panic!("{condition} is no condition of the thesis"),
    }
}

fn operation(name: &str, capacity: u32) -> Operation {
    match name {
        "Send" => Operation::Send,
        "Receive" => Operation::Receive,
        "Length" | "Read" => Operation::Read,
        "Empty" => Operation::EMPTY,
        "Full" => Operation::full(capacity),
        "Write" => Operation::Write,
        "Compl" => Operation::Complement,
        _ => panic!("{name} is no operation of the thesis"),
    }
}

fn channels_follow(table: &str, relation: impl Fn(&dyn Relations, Operation, Operation, i64) -> bool) {
    for capacity in 1..=4 {
        let world = world::channel(capacity, 2);
        cells(table, |row, column, cell| {
            let (a, b) = (operation(row, capacity), operation(column, capacity));
            for n in 0..=i64::from(capacity) {
                let expected = is_true(cell, n, i64::from(capacity));
                assert_eq!(relation(&*world.relations, a, b, n), expected, "{row} and {column} at {n} of {capacity}");
            }
        });
    }
}

#[test]
fn booleans_of_examples_3_14_and_3_16() {
    let world = world::variable(0, 1);
    cells(BOOLEAN, |row, column, cell| {
        let (a, b) = (operation(row, 0), operation(column, 0));
        assert_eq!(world.relations.can_be_dependent(a, b), cell == "+", "{row} and {column}");
        for v in 0..=1 {
            assert_eq!(world.relations.dependent(a, b, v), cell == "+", "{row} and {column} at {v}");
        }
    });
}

#[test]
fn channels_of_examples_3_19_and_3_20() {
    channels_follow(CONSTANT, |r, a, b, _| r.can_be_dependent(a, b));
    channels_follow(CONDITIONAL, |r, a, b, n| r.dependent(a, b, n));
}

#[test]
fn first_interference_of_example_4_29() {
    channels_follow(FIRST, |r, a, b, n| r.may_interfere_first(a, b, n));
}

#[test]
fn uniform_channels_of_example_6_7() {
    channels_follow(UNIFORM, |r, a, b, n| r.uniformly_dependent(a, b, n));
    let only = |names: &[&str], capacity: u32| {
        let mut world = world::channel(capacity, 2);
        let kept: Vec<usize> = names.iter().map(|n| world.position(operation(n, capacity))).collect();
        world.meanings = kept.iter().map(|&i| world.meanings[i].clone()).collect();
        world.operations = kept.iter().map(|&i| world.operations[i]).collect();
        world
    };
    let plain = only(&["Send", "Receive", "Length"], 3);
    weakly_uniform(&plain, |a, b, n| plain.relations.dependent(a, b, n)).expect("Example 3.19 is weakly uniform");
    let refined = only(&["Send", "Receive", "Length", "Empty", "Full"], 3);
    let verdict = weakly_uniform(&refined, |a, b, n| refined.relations.dependent(a, b, n));
    assert!(verdict.is_err(), "Example 3.20 is not weakly uniform");
}
