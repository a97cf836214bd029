//! Runs the program under test.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::schema;

/// The models of the tests: every command runs there.
pub(crate) fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")
}

/// The program with its arguments, ready to start.
pub(crate) fn impasse(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    command.args(args).current_dir(models()).env_remove("NO_COLOR");
    command
}

/// Runs to the end with some standard input.
pub(crate) fn run_with(args: &[&str], input: &[u8]) -> Output {
    let mut command = impasse(args);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the program starts");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("stdin is a pipe").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    fits_its_schema(args, &output);
    output
}

/// Whatever a test is about: JSON that is printed is what the schemas promise.
pub(crate) fn fits_its_schema(args: &[&str], output: &Output) {
    let schema = match args.first() {
        Some(&"check") => "report.schema.json",
        Some(&"test") => "test.schema.json",
        _ => return,
    };
    let json = args.windows(2).any(|pair| pair == ["--format", "json"]);
    if json && !output.stdout.is_empty() {
        let value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
        assert_eq!(schema::fits(&schema::ours(schema), &value), Ok(()), "{args:?}");
    }
}

/// Runs to the end.
pub(crate) fn run(args: &[&str]) -> Output {
    run_with(args, b"")
}

/// The exit code; a signal is none.
pub(crate) fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// Standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A fresh directory, removed when it goes out of scope.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one for the test of this name.
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("impasse-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a scratch directory");
        Self(path)
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file in it with this content.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.file(name), content).expect("a scratch file");
        self.file(name).display().to_string()
    }

    /// The names of all files in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the scratch directory");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
