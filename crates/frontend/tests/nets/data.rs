//! Public nets with known sizes, where they are there: the folder is `IMPASSE_DATA`, or `../shared/data`.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use frontend::{LoadedNet, ll_net, pnml};

/// The folder of a group of nets, if it is there.
pub(crate) fn group(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let folder = data.join(name);
    if !folder.join("instances.csv").is_file() {
        eprintln!("skipped: there are no nets in {}", folder.display());
        return None;
    }
    Some(folder)
}

/// The lines of a table, by the names of its columns.
pub(crate) fn table(file: &Path) -> Vec<HashMap<String, String>> {
    let text = std::fs::read_to_string(file).expect("a readable table");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let row = |line: &str| names.iter().zip(line.split(',')).map(|(n, v)| ((*n).to_owned(), v.to_owned())).collect();
    lines.map(row).collect()
}

fn arcs(loaded: &LoadedNet) -> usize {
    let net = &loaded.net;
    net.transition_ids().map(|t| net.pre(t).len() + net.post(t).len()).sum()
}

/// The model in an archive, unpacked in memory.
fn model(archive: &Path, instance: &str) -> Vec<u8> {
    member(archive, &format!("{instance}/model.pnml"))
}

/// A file in an archive, unpacked in memory.
pub(crate) fn member(archive: &Path, member: &str) -> Vec<u8> {
    let output = Command::new("tar").arg("xzOf").arg(archive).arg(member).output().expect("`tar` runs");
    assert!(output.status.success(), "{}: {}", archive.display(), String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// All reachable markings of a small net.
pub(crate) fn reachable(net: &model::views::Net) -> HashSet<Vec<u64>> {
    let mut seen = HashSet::from([net.initial_marking()]);
    let mut open = vec![net.initial_marking()];
    while let Some(marking) = open.pop() {
        for t in net.transition_ids().filter(|t| net.is_enabled(*t, &marking)) {
            let next = net.fire(t, &marking);
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    seen
}

#[test]
fn contest_nets_have_the_sizes_of_the_table() {
    let Some(folder) = group("mcc") else { return };
    let mut read = 0;
    for row in table(&folder.join("instances.csv")).iter().filter(|row| row["kind"] == "pt") {
        let instance = &row["instance"];
        let bytes = model(&folder.join(&row["path"]), instance);
        let loaded = pnml::read(instance, &bytes).unwrap_or_else(|d| panic!("{instance}: {d:?}"));
        let sizes = [loaded.net.places().len(), loaded.net.transitions().len(), arcs(&loaded)].map(|n| n.to_string());
        assert_eq!(sizes, [&*row["places"], &*row["transitions"], &*row["arcs"]], "{instance}");
        assert_eq!(loaded.nupn.is_some(), row["nupn"] == "1", "{instance}: {:?}", loaded.warnings);
        read += 1;
    }
    assert!(read > 100, "the folder has many nets: {read}");
}

#[test]
fn classic_nets_have_the_sizes_of_the_table() {
    let Some(folder) = group("classic") else { return };
    let rows = table(&folder.join("instances.csv"));
    assert!(rows.len() > 50);
    for row in &rows {
        let path = folder.join(&row["path"]);
        let bytes = std::fs::read(&path).expect("a readable net");
        let loaded = ll_net::read(&row["instance"], &bytes).unwrap_or_else(|d| panic!("{}: {d:?}", path.display()));
        let tokens: u64 = loaded.net.initial_marking().iter().sum();
        let sizes = [loaded.net.places().len() as u64, loaded.net.transitions().len() as u64, tokens];
        let expected = [&*row["places"], &*row["transitions"], &*row["m0"]];
        assert_eq!(sizes.map(|n| n.to_string()), expected, "{}", path.display());
    }
}

#[test]
fn all_classic_files_are_read() {
    let Some(folder) = group("classic") else { return };
    let (mut open, mut read) = (vec![folder], 0);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "ll_net") {
                let bytes = std::fs::read(&path).expect("a readable net");
                ll_net::read("net", &bytes).unwrap_or_else(|d| panic!("{}: {d:?}", path.display()));
                read += 1;
            }
        }
    }
    assert!(read > 100, "{read}");
}
