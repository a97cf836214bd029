//! Three processes search together on this machine; one is killed, one never comes, one was given something else.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::Duration;

use crate::common::{code, impasse, run, stderr, stdout};

const TABLE: &str = "../../../../corpus/philosophers.imp";
const ORDERED: &str = "../../../../corpus/classics/philosophers-asymmetric.imp";

/// A list of hosts that nobody listens at, and where it stands.
fn hosts(name: &str, processes: usize) -> (Vec<String>, PathBuf) {
    let listeners: Vec<TcpListener> =
        (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
    let hosts: Vec<String> = listeners.iter().map(|l| l.local_addr().expect("an address").to_string()).collect();
    let file = std::env::temp_dir().join(format!("impasse-hosts-{name}-{}.txt", std::process::id()));
    std::fs::write(&file, format!("# the cluster\n{}\n", hosts.join("\n"))).expect("the list is written");
    (hosts, file)
}

fn start(args: &[&str], file: &Path, process: usize) -> Child {
    let number = process.to_string();
    let file = file.to_str().expect("a name");
    let mut command = impasse(&[&["check"], args, &["--cluster", file, "--process", &number]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn ended(children: Vec<Child>) -> Vec<Output> {
    children.into_iter().map(|child| child.wait_with_output().expect("the program ends")).collect()
}

/// What three processes say, each with the same arguments.
fn three(name: &str, args: &[&str]) -> Vec<Output> {
    let (_, file) = hosts(name, 3);
    ended((0..3).map(|process| start(args, &file, process)).collect())
}

/// The line with the figures, without the engine's own measure of memory.
fn figures(text: &str) -> String {
    let line = text.lines().find(|line| line.contains(" states, ")).unwrap_or_else(|| panic!("no figures in {text}"));
    line.split(';').next().unwrap_or_default().to_owned()
}

#[test]
fn three_processes_find_what_one_finds() {
    for (name, args, exit) in [
        ("deadlock", vec![TABLE, "--set", "n=6"], 11),
        ("free", vec![ORDERED, "--set", "n=6", "--deadlock"], 0),
        ("two-workers", vec![ORDERED, "--set", "n=6", "--deadlock", "-w", "2"], 0),
    ] {
        let alone = run(&[&["check"], &*args, &["--engine", "explore"]]
            .concat()
            .into_iter()
            .filter(|a| !["-w", "2"].contains(a))
            .collect::<Vec<_>>());
        for output in three(name, &args) {
            assert_eq!(code(&output), Some(exit), "{name}: {}{}", stdout(&output), stderr(&output));
            assert_eq!(figures(&stdout(&output)), figures(&stdout(&alone)), "{name}");
            assert_eq!(stderr(&output), "", "{name}");
        }
    }
}

#[test]
fn a_killed_process_leaves_nothing_known() {
    let (_, file) = hosts("killed", 3);
    let args = [ORDERED, "--set", "n=16", "--deadlock"];
    let mut children: Vec<Child> = (0..3).map(|process| start(&args, &file, process)).collect();
    std::thread::sleep(Duration::from_millis(1500));
    children[1].kill().expect("it can be killed");
    let outputs = ended(children);
    for survivor in [0, 2] {
        let output = &outputs[survivor];
        assert_eq!(code(output), Some(10), "{}{}", stdout(output), stderr(output));
        assert!(stdout(output).contains("another process of the cluster was lost"), "{}", stdout(output));
        assert_eq!(stderr(output), "");
    }
}

/// The files in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "checkpoint"));
    files.sort();
    files
}

#[test]
fn checkpoints_are_gone_on_from_after_a_loss_and_only_if_they_are_whole() {
    let (_, list) = hosts("checkpoints", 3);
    let folder = std::env::temp_dir().join(format!("impasse-cluster-{}", std::process::id()));
    let place = folder.to_str().expect("a name");
    let model = [ORDERED, "--set", "n=12", "--deadlock"];
    let args = [&model[..], &["--checkpoint", place, "--checkpoint-every", "50ms"]].concat();
    let all = || (0..3).map(|process| start(&args, &list, process)).collect::<Vec<Child>>();
    let mut children = all();
    let has_one = |worker: usize| {
        let name = format!("worker-{worker}-of-3-level-");
        files(&folder).iter().any(|file| file.to_string_lossy().contains(&name))
    };
    let started = std::time::Instant::now();
    while !(0..3).all(has_one) {
        assert!(started.elapsed() < Duration::from_secs(60), "no checkpoints: {:?}", files(&folder));
        std::thread::sleep(Duration::from_millis(5));
    }
    children[1].kill().expect("it can be killed");
    let outputs = ended(children);
    assert_eq!([code(&outputs[0]), code(&outputs[2])], [Some(10); 2], "{}", stdout(&outputs[0]));
    // Files that are cut short are not read, by nobody.
    let of_first = files(&folder).into_iter().filter(|file| file.to_string_lossy().contains("worker-0-of-3"));
    let cut: Vec<(PathBuf, Vec<u8>)> =
        of_first.map(|file| (file.clone(), std::fs::read(file).expect("it can be read"))).collect();
    cut.iter().for_each(|(file, whole)| std::fs::write(file, &whole[..whole.len() / 2]).expect("it can be written"));
    for output in ended(all()) {
        assert_eq!(code(&output), Some(10), "{}{}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains("is not as it was written"), "{}", stdout(&output));
    }
    cut.iter().for_each(|(file, whole)| std::fs::write(file, whole).expect("it can be written"));
    // Whole files under the name of another worker, or of another level.
    let (file, whole) = &cut[0];
    let name = file.to_string_lossy();
    for other in [name.replace("worker-0-", "worker-1-"), name.replace(".checkpoint", "7.checkpoint")] {
        let before = std::fs::read(&other);
        std::fs::write(&other, whole).expect("it can be written");
        for output in ended(all()) {
            assert_eq!(code(&output), Some(10), "{}{}", stdout(&output), stderr(&output));
            assert!(stdout(&output).contains("is of another search, worker or level"), "{}", stdout(&output));
        }
        match before {
            Ok(before) => std::fs::write(&other, before).expect("it can be written"),
            Err(_) => std::fs::remove_file(&other).expect("it is there"),
        }
    }
    let alone = run(&[&["check"], &model[..], &["--engine", "explore"]].concat());
    for output in ended(all()) {
        assert_eq!(code(&output), Some(0), "{}{}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains("went on from checkpoints of level"), "{}", stdout(&output));
        assert_eq!(figures(&stdout(&output)), figures(&stdout(&alone)));
    }
    assert_eq!(files(&folder), Vec::<PathBuf>::new(), "who is done takes them away");
    // What only one worker has fits nothing that others will write: all begin anew.
    std::fs::write(&cut[0].0, &cut[0].1).expect("it can be written");
    for output in ended(all()) {
        assert_eq!(code(&output), Some(0), "{}{}", stdout(&output), stderr(&output));
        assert!(!stdout(&output).contains("went on from"), "{}", stdout(&output));
        assert!(stdout(&output).contains("the search began anew"), "{}", stdout(&output));
        assert_eq!(figures(&stdout(&output)), figures(&stdout(&alone)));
    }
    assert_eq!(files(&folder), Vec::<PathBuf>::new(), "nor do those stay that nobody could use");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn who_was_given_something_else_is_refused() {
    let (_, file) = hosts("other", 2);
    let children = vec![start(&[TABLE, "--set", "n=4"], &file, 0), start(&[TABLE, "--set", "n=5"], &file, 1)];
    for output in ended(children) {
        assert_eq!(code(&output), Some(10), "{}", stdout(&output));
        assert!(stdout(&output).contains("was given another model, question or option"), "{}", stdout(&output));
    }
}

#[test]
fn who_never_comes_is_not_waited_for_beyond_the_limit() {
    let (_, file) = hosts("absent", 2);
    for process in [0, 1] {
        let output = ended(vec![start(&[TABLE, "--timeout", "1s"], &file, process)]).remove(0);
        assert_eq!(code(&output), Some(10), "{}", stdout(&output));
        assert!(stdout(&output).contains("the time limit was reached"), "{}", stdout(&output));
    }
}

#[test]
fn strangers_are_not_listened_to() {
    let (hosts, file) = hosts("stranger", 2);
    let first = start(&[TABLE], &file, 0);
    let stranger = || TcpStream::connect(&hosts[0]);
    let mut stream = std::iter::repeat_with(stranger).take(2_000_000).find_map(Result::ok).expect("it listens");
    stream.write_all(&[7; 64]).expect("it can be written to");
    for output in ended(vec![first, start(&[TABLE], &file, 1)]) {
        assert_eq!(code(&output), Some(11), "{}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn mistakes_in_the_list_and_the_number_are_told() {
    let (_, file) = hosts("mistakes", 2);
    let name = file.to_str().expect("a name");
    let told = |args: &[&str], exit, what: &str| {
        let output = run(&[&["check", TABLE], args].concat());
        assert_eq!(code(&output), Some(exit), "{}", stderr(&output));
        assert!(stderr(&output).contains(what), "{}", stderr(&output));
    };
    told(&["--cluster", name], 2, "add --process and its number");
    told(&["--process", "1"], 2, "add --cluster and its hosts");
    told(&["--cluster", name, "--process", "2"], 2, "lists the processes 0 to 1");
    told(&["-w", "2", "--engine", "unfold"], 2, "workers share the work of `explore`");
    for (text, what) in
        [("# none\n", "no host is listed"), ("a:1\na:1\n", "listed twice"), ("a\n", "not of the form host:port")]
    {
        std::fs::write(&file, text).expect("the list is written");
        told(&["--cluster", name, "--process", "0"], 3, what);
    }
}

/// What the cluster cannot decide it does not decide, and says so.
#[test]
fn what_workers_cannot_search_is_declined() {
    let output = run(&["check", TABLE, "-w", "2", "--ltl", "always true", "--engine", "explore"]);
    assert_eq!(code(&output), Some(10), "{}{}", stdout(&output), stderr(&output));
}
