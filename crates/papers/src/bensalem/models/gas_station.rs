//! A gas station: customers pay an operator in advance, which activates their pump, fill up, and get their change.
//!
//! Components are the operator, the pumps, and then the customers, pump by pump.

use model::views::Network;

use super::interaction;
use crate::parts::{Given, Part, composed};

/// The paper's station: the operator can remember one customer fewer than there are pumps.
pub fn gas(pumps: usize, customers: usize) -> Network {
    counting_gas_station(pumps, customers, pumps - 1)
}

/// The operator counts who has paid and not got the change. The next payment after `limit` of them is an error after
/// which he does nothing. The deadlocks are the choices of `limit + 1` pumps and one customer at each.
pub fn counting_gas_station(pumps: usize, customers: usize, limit: usize) -> Network {
    station("gas-station-limited", counting_operator(limit), pumps, customers)
}

/// The station of the predecessor: the operator takes any number of payments. There is no deadlock.
pub fn gas_station(pumps: usize, customers: usize) -> Network {
    let arrows = [("attends", "prepay", "attends"), ("attends", "finish", "owes"), ("owes", "change", "attends")];
    station("gas-station", Part::of_arrows("Operator", &arrows), pumps, customers)
}

fn counting_operator(limit: usize) -> Part {
    let mut operator = Part::new("Operator");
    let counts: Vec<_> = (0..=limit).map(|k| operator.state(format!("paid_{k}"))).collect();
    for (k, pair) in (1..).zip(counts.windows(2)) {
        let owes = operator.state(format!("owes_{k}"));
        operator.moves(pair[0], "prepay", pair[1]);
        operator.moves(pair[1], "finish", owes);
        operator.moves(owes, "change", pair[0]);
    }
    let error = operator.state("error");
    operator.moves(counts[limit], "prepay", error);
    for event in ["finish", "change"] {
        operator.event(event);
    }
    operator
}

/// `customers` are those of each pump.
fn station(name: &str, operator: Part, pumps: usize, customers: usize) -> Network {
    let mut parts = vec![operator];
    parts.extend((0..pumps).map(pump));
    let mut rules = Vec::new();
    for i in 0..pumps {
        for j in 0..customers {
            rules.extend(service(1 + i, parts.len(), &format!("{i}_{j}")));
            parts.push(customer(i, j));
        }
    }
    composed(name, parts, &rules)
}

fn pump(i: usize) -> Part {
    let arrows = [("idle", "activate", "ready"), ("ready", "start", "pumping"), ("pumping", "finish", "idle")];
    Part::of_arrows(format!("Pump_{i}"), &arrows)
}

fn customer(i: usize, j: usize) -> Part {
    let arrows = [
        ("idle", "prepay", "paid"),
        ("paid", "start", "filling"),
        ("filling", "finish", "done"),
        ("done", "change", "idle"),
    ];
    Part::of_arrows(format!("Customer_{i}_{j}"), &arrows)
}

/// What the operator, a pump and one of its customers do together.
fn service(pump: usize, customer: usize, who: &str) -> [Given; 4] {
    [
        interaction(format!("prepay_{who}"), &[(0, "prepay"), (pump, "activate"), (customer, "prepay")]),
        interaction(format!("start_{who}"), &[(pump, "start"), (customer, "start")]),
        interaction(format!("finish_{who}"), &[(0, "finish"), (pump, "finish"), (customer, "finish")]),
        interaction(format!("change_{who}"), &[(0, "change"), (customer, "change")]),
    ]
}
