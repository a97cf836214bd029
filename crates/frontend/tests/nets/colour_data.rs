//! Coloured nets of the contest, where they are there: sizes of their plain versions, and known numbers of states.

use std::collections::HashMap;
use std::path::Path;

use frontend::{LoadedNet, pnml};

use crate::data::{group, member, reachable, table};

fn load(folder: &Path, row: &HashMap<String, String>) -> LoadedNet {
    let instance = &row["instance"];
    let bytes = member(&folder.join(&row["path"]), &format!("{instance}/model.pnml"));
    pnml::read(instance, &bytes).unwrap_or_else(|d| panic!("{instance}: {d:?}"))
}

#[test]
fn unfolded_nets_are_as_large_as_their_plain_versions() {
    let Some(folder) = group("mcc") else { return };
    let rows = table(&folder.join("instances.csv"));
    let plain: HashMap<&str, _> = rows.iter().map(|row| (row["instance"].as_str(), row)).collect();
    let (mut same, mut smaller) = (0, Vec::new());
    for row in rows.iter().filter(|row| row["kind"] == "col") {
        let Some(plain) = plain.get(row["instance"].replace("-COL-", "-PT-").as_str()) else { continue };
        let loaded = load(&folder, row);
        let sizes = [loaded.net.places().len(), loaded.net.transitions().len()];
        let expected = [&plain["places"], &plain["transitions"]].map(|n| n.parse::<usize>().expect("a number"));
        assert!(sizes[0] <= expected[0] && sizes[1] <= expected[1], "{}: {sizes:?} {expected:?}", row["instance"]);
        if sizes == expected { same += 1 } else { smaller.push(row["family"].as_str()) }
    }
    assert!(same > 15, "{same}");
    // There, process 0 has colours that are never marked: they are left out.
    smaller.dedup();
    assert_eq!(smaller, ["LamportFastMutEx"]);
}

#[test]
fn unfolded_nets_have_the_known_numbers_of_states() {
    let Some(folder) = group("mcc") else { return };
    let mut counted = 0;
    for row in table(&folder.join("instances.csv")).iter().filter(|row| row["kind"] == "col") {
        let Ok(states) = row["states"].parse::<usize>() else { continue };
        if states < 20_000 {
            assert_eq!(reachable(&load(&folder, row).net).len(), states, "{}", row["instance"]);
            counted += 1;
        }
    }
    assert!(counted > 5, "{counted}");
}
