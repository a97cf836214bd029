//! Users at cash machines, one each, that share the two services of a bank.
//!
//! Components are users and machines in turn, then the services. All interactions are of two.

use model::views::Network;

use super::interaction;
use crate::parts::{Given, Part, composed};

const OF_USER: [&str; 11] =
    ["insert", "enter", "invalid", "validated", "amount", "cancel", "disallow", "fail", "success", "withdraw", "eject"];
const OF_VALIDATION: [&str; 3] = ["validate", "authorized", "non_authorized"];
const OF_TRANSACTION: [&str; 3] = ["transaction", "veto", "fiat"];

/// `n` machines. If `faulty`, the first may offer the card back while its request is with the bank, whose answer then
/// waits for ever: exactly one deadlock is reachable.
pub fn atm(n: usize, faulty: bool) -> Network {
    let mut parts = Vec::new();
    let mut rules = Vec::new();
    for i in 0..n {
        rules.extend(services(i, n));
        parts.push(user(i));
        parts.push(machine(i, faulty && i == 0));
    }
    parts.push(service("BankValidation", OF_VALIDATION));
    parts.push(service("BankTransaction", OF_TRANSACTION));
    composed(if faulty { "atm-faulty" } else { "atm" }, parts, &rules)
}

fn services(i: usize, n: usize) -> impl Iterator<Item = Given> {
    let (user, machine, validation, transaction) = (2 * i, 2 * i + 1, 2 * n, 2 * n + 1);
    let with =
        move |other: usize, event: &str| interaction(format!("{event}_{i}"), &[(other, event), (machine, event)]);
    let of_user = OF_USER.map(|e| with(user, e));
    let of_bank =
        OF_VALIDATION.map(|e| with(validation, e)).into_iter().chain(OF_TRANSACTION.map(|e| with(transaction, e)));
    of_user.into_iter().chain(of_bank)
}

/// Takes a request and gives one of two answers.
fn service(name: &str, [request, one, other]: [&str; 3]) -> Part {
    Part::of_arrows(name, &[("idle", request, "busy"), ("busy", one, "idle"), ("busy", other, "idle")])
}

fn user(i: usize) -> Part {
    let arrows = [
        ("u0", "insert", "u1"),
        ("u1", "enter", "u2"),
        ("u2", "invalid", "u6"),
        ("u2", "validated", "u3"),
        ("u3", "amount", "u4"),
        ("u3", "cancel", "u7"),
        ("u4", "disallow", "u7"),
        ("u4", "fail", "u7"),
        ("u4", "success", "u5"),
        ("u5", "withdraw", "u8"),
        ("u6", "eject", "u0"),
        ("u7", "eject", "u0"),
        ("u8", "eject", "u0"),
    ];
    Part::of_arrows(format!("User_{i}"), &arrows)
}

fn machine(i: usize, faulty: bool) -> Part {
    let mut arrows = vec![
        ("l0", "insert", "l1"),
        ("l1", "enter", "l2"),
        ("l2", "validate", "l3"),
        ("l3", "authorized", "l4"),
        ("l4", "validated", "l7"),
        ("l3", "non_authorized", "l5"),
        ("l5", "invalid", "l6"),
        ("l6", "eject", "l0"),
        ("l7", "amount", "l8"),
        ("l7", "cancel", "l6"),
        ("l8", "disallow", "l6"),
        ("l8", "transaction", "l9"),
        ("l9", "veto", "l10"),
        ("l10", "fail", "l6"),
        ("l9", "fiat", "l11"),
        ("l11", "success", "l12"),
        ("l12", "withdraw", "l6"),
    ];
    if faulty {
        arrows.push(("l2", "validate", "l6"));
    }
    Part::of_arrows(format!("Machine_{i}"), &arrows)
}
