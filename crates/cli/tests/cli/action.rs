//! The action for GitHub workflows: it is what it says, and its commands exist and do what they should.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use yaml_rust2::{Yaml, YamlLoader};

use crate::common::{Scratch, models, run, stdout};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn action() -> Yaml {
    let text = std::fs::read_to_string(root().join("action.yml")).expect("the action");
    YamlLoader::load_from_str(&text).expect("the action is YAML").remove(0)
}

fn text(yaml: &Yaml) -> &str {
    yaml.as_str().unwrap_or_else(|| panic!("no text: {yaml:?}"))
}

/// The step with this id.
fn step(action: &Yaml, id: &str) -> Yaml {
    let steps = action["runs"]["steps"].as_vec().expect("steps");
    steps.iter().find(|s| s["id"].as_str() == Some(id)).expect("the step").clone()
}

#[test]
fn inputs_and_options_exist() {
    let action = action();
    let whole = std::fs::read_to_string(root().join("action.yml")).expect("the action");
    for part in whole.split("inputs.").skip(1) {
        let name = part.split([' ', '}']).next().unwrap_or_default();
        assert!(!action["inputs"][name].is_badvalue(), "there is no input `{name}`");
    }
    assert_eq!(text(&action["runs"]["using"]), "composite");
    let script = step(&action, "impasse")["run"].clone();
    let default = text(&action["inputs"]["args"]["default"]);
    let words: Vec<&str> = text(&script).split_whitespace().chain(default.split_whitespace()).collect();
    let options: Vec<&str> = words.into_iter().filter(|w| w.starts_with("--")).collect();
    assert_eq!(options, ["--format", "--only-problems", "--report", "--report", "--timeout"]);
    for command in ["test", "check"] {
        let help = stdout(&run(&[command, "--help"]));
        options.iter().for_each(|o| assert!(help.contains(&format!("  {o}")), "{command} has no {o}: {help}"));
    }
    assert!(whole.contains("--path \"$GITHUB_ACTION_PATH/crates/cli\"") && root().join("crates/cli").is_dir());
}

/// Runs the last step as a runner would, with these inputs besides the defaults.
fn run_step(dir: &Scratch, inputs: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let action = action();
    let bin = dir.file("impasse/bin");
    std::fs::create_dir_all(&bin).expect("a directory");
    let program = bin.join("impasse");
    if !program.exists() {
        std::fs::hard_link(env!("CARGO_BIN_EXE_impasse"), &program)
            .or_else(|_| std::fs::copy(env!("CARGO_BIN_EXE_impasse"), &program).map(|_| ()))
            .expect("the program");
    }
    let step = step(&action, "impasse");
    let mut command = Command::new(text(&step["shell"]));
    // As runners call it.
    command.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", text(&step["run"])]);
    command.current_dir(models()).env("RUNNER_TEMP", dir.file("")).env("GITHUB_OUTPUT", dir.file("output"));
    for (name, value) in step["env"].as_hash().expect("an environment") {
        let input = text(value).trim_start_matches("${{ inputs.").trim_end_matches(" }}");
        let given = inputs.iter().find(|(name, _)| *name == input).map(|(_, value)| *value);
        command.env(text(name), given.unwrap_or_else(|| text(&action["inputs"][input]["default"])));
    }
    let output = command.output().expect("there is a shell");
    let saved = std::fs::read_to_string(dir.file("output")).unwrap_or_default();
    (output.status.code(), stdout(&output), saved)
}

#[test]
fn the_step_annotates_and_saves() {
    let dir = Scratch::new("action");
    let (sarif, junit) = (dir.file("a b.sarif").display().to_string(), dir.file("r.xml").display().to_string());
    let files = [("sarif", &*sarif), ("junit", &*junit)];
    let with = |more: &[(&'static str, &'static str)]| run_step(&dir, &[&files[..], more].concat());
    let (code, log, saved) = with(&[("path", "wrong.imp\nmutex.imp\n")]);
    assert_eq!((code, &*saved), (Some(12), "exit-code=12\n"), "{log}");
    assert!(log.starts_with("::error file="), "{log}");
    assert!(log.ends_with("\n2 models, 4 checks: 2 passed, 2 failed\n"), "{log}");
    let results: Value = serde_json::from_str(&std::fs::read_to_string(&sarif).expect("SARIF")).expect("JSON");
    assert_eq!(results["runs"][0]["results"].as_array().map(Vec::len), Some(2), "only what is wrong: {results}");
    assert!(std::fs::read_to_string(&junit).expect("JUnit").contains("<failure "));
    let (code, log, _) = with(&[("command", "check"), ("path", "philosophers.imp"), ("args", "--set n=3 --quiet")]);
    assert_eq!(code, Some(11), "{log}");
    let (code, log, _) = with(&[("path", "$(touch evil)"), ("args", "")]);
    assert_eq!(code, Some(3), "a path is a path: {log}");
    assert!(!models().join("evil").exists());
}

#[test]
fn the_page_on_pipelines_says_what_there_is() {
    let page = std::fs::read_to_string(root().join("docs/ci.md")).expect("the page");
    let workflow = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a workflow");
    let (action, yaml) = (action(), YamlLoader::load_from_str(workflow).expect("the workflow is YAML").remove(0));
    let steps = yaml["jobs"]["impasse"]["steps"].as_vec().expect("steps");
    let ours = steps.iter().find(|s| s["uses"].as_str().is_some_and(|u| u.contains("/impasse@"))).expect("our step");
    for name in ours["with"].as_hash().expect("inputs").keys() {
        assert!(!action["inputs"][text(name)].is_badvalue(), "there is no input {name:?}");
    }
    for part in workflow.split("steps.impasse.outputs.").skip(1) {
        let name = part.split(' ').next().unwrap_or_default();
        assert!(!action["outputs"][name].is_badvalue(), "there is no output `{name}`");
    }
    let help = stdout(&run(&["test", "--help"]))
        + &stdout(&run(&["check", "--help"]))
        + &stdout(&run(&["simulate", "--help"]));
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    // A link target or a note of CSP has two dashes as well, but no letter after them.
    let options = page.match_indices("--").map(|(at, _)| page[at..].split(|c| !is_name(c)).next().unwrap_or_default());
    let options: Vec<&str> = options.filter(|o| o.trim_matches('-').len() > 1 && !o.ends_with('-')).collect();
    assert!(options.len() > 8, "{options:?}");
    options.iter().for_each(|o| assert!(*o == "--open" || help.contains(o), "there is no option {o}"));
}
