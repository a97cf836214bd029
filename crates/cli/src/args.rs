//! The arguments of every command. Help, completions and the man page are made from this file.

mod recorded;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use driver::{Checkpoints, Choice, Files, NetEngines, Team};
use formats::Times;
use frontend::bip::External;
use frontend::native::Setting;
use frontend::promela;
use model::Strength;

use crate::exit::Failure;
use crate::input::Wishes;
use crate::picture::{self, PictureFile};
use crate::quantity;
use crate::telling::{self, ChartFile};

const EXIT_CODES: &str = "\
Exit codes:
   0  everything asked holds
   2  wrong usage
   3  bad input: a file that cannot be read or written, a model with mistakes
  10  unknown, or out of budget
  11  deadlock
  12  safety property violated, or an error in the model itself
  13  liveness property violated
  70  internal error
Of several results the worst counts: 70, 3, 11, 12, 13, 10, 0.";

/// Decides exactly whether a concurrent system can get stuck, or otherwise go wrong.
#[derive(Debug, Parser)]
#[command(name = "impasse", version, after_help = EXIT_CODES, max_term_width = 120)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check the properties of a model
    #[command(after_help = EXIT_CODES)]
    Check(Box<CheckArgs>),
    /// Check models against what they expect of themselves
    #[command(after_help = TEST_CODES)]
    Test(TestArgs),
    /// Check a certificate that `impasse check --certificate` saved, without any engine or solver
    Verify(VerifyArgs),
    /// Step through a model by hand, at random, or along a saved trace
    Simulate(SimulateArgs),
    /// Show the parts and the size of a model
    Info(InfoArgs),
    /// Write a model, or its state space, in another format
    Convert(ConvertArgs),
    /// Measure a table or a figure of a paper again, its figures beside ours
    #[command(after_help = PAPER_CODES)]
    Paper(PaperArgs),
    /// Answer an examination of the Model Checking Contest
    #[command(after_help = MCC_CODES)]
    Mcc(MccArgs),
    /// Serve editors: the Language Server Protocol on standard input and output
    Lsp,
    /// Serve agents: the Model Context Protocol on standard input and output
    Mcp(McpArgs),
    /// Open a model on a page of this machine: look at it, step through it, check it, edit it
    Serve(ServeArgs),
    /// Do one task of a server
    #[command(hide = true)]
    Worker,
    /// Bring model files into their canonical layout, in place
    Fmt(FmtArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

const TEST_CODES: &str = "\
A property without `expect` must be decided, either way. Expected numbers of states, transitions and deadlocks are
compared with one exhaustive search.

Exit codes: 0 everything is as expected, 12 something is different, 10 something was not decided (neither a timeout
passes nor what no engine can decide), 3 a file cannot be read, 70 Impasse itself failed. Of several the worst counts: 70, 3, 12, 10, 0.";

/// Nothing but a model.
#[derive(Debug, Parser)]
struct ModelLine {
    #[command(flatten)]
    model: ModelArgs,
}

/// A model and its parameters.
#[derive(Clone, Debug, Args)]
pub(crate) struct ModelArgs {
    /// The model: a text in the native language, a Petri net (.pnml, .xml with PNML inside, .lola, .net, .ll_net), a
    /// network of automata (.exp, .aut), a script of CSP (.csp, .cspm), a package of BIP (.bip) or a model in Promela (.pml,
    /// .prom, .promela, .pm, .prm, .pr, .spin); `-` reads the native language from standard input
    pub(crate) file: PathBuf,
    /// Give a parameter of the model another value; once for each parameter; in Promela a macro is one, whatever the text
    /// defines it as
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = quantity::setting)]
    set: Vec<Setting>,
    /// Of a script of CSP: the process to look at, such as `SYSTEM(3)`, instead of those that it asserts something about;
    /// of a package of BIP: the compound type, instead of the last one without parameters; a number is that of a process of
    /// the cluster (check --cluster)
    #[arg(long, value_name = "PROCESS")]
    process: Vec<String>,
    /// Of a package of BIP: what becomes of external functions and data; `abstract` unless given
    #[arg(long, value_enum, value_name = "HOW")]
    external: Option<ExternalChoice>,
    /// Of a model in Promela: define a macro before the text begins (SPIN's -D)
    #[arg(long = "define", short = 'D', value_name = "NAME[=VALUE]", value_parser = quantity::definition)]
    define: Vec<(String, String)>,
    /// Of a model in Promela: do not check assertions (pan's -A)
    #[arg(long)]
    no_assertions: bool,
    /// Of a model in Promela: do not ask for invalid end states (pan's -E)
    #[arg(long)]
    no_end_states: bool,
    /// Of a model in Promela: an end state is valid only if all channels are empty (pan's -q)
    #[arg(long)]
    empty_channels: bool,
    /// Of a model in Promela: ask for non-progress cycles even if nothing is labelled as progress (pan's -l)
    #[arg(long)]
    non_progress: bool,
    /// Of claims about runs that do not say so themselves, only runs count that are fair to every process (pan's -f is
    /// weak); none unless given
    #[arg(long, value_enum, value_name = "STRENGTH")]
    fairness: Option<FairnessChoice>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum FairnessChoice {
    /// All runs count
    #[default]
    None,
    /// Who could go on from some point on does
    Weak,
    /// Who could go on again and again does
    Strong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExternalChoice {
    /// Every value is possible; verdicts say so
    Abstract,
    /// Models that depend on them are refused
    Refuse,
}

impl ModelArgs {
    /// The parameters that are set, each at most once.
    pub(crate) fn settings(&self) -> Result<Vec<Setting>, Failure> {
        let twice = self.set.iter().enumerate().find(|(i, (name, _))| self.set[..*i].iter().any(|(n, _)| n == name));
        match twice {
            None => Ok(self.set.clone()),
            Some((_, (name, _))) => Err(Failure::usage(format!("the parameter `{name}` is set twice"))),
        }
    }

    /// The process that is looked at.
    fn process(&self) -> Option<&str> {
        self.process.iter().find(|name| name.parse::<usize>().is_err()).map(String::as_str)
    }

    /// The number of this process in a cluster.
    fn number(&self) -> Option<usize> {
        self.process.iter().find_map(|name| name.parse().ok())
    }

    /// Complains of names that are given twice.
    fn one_process(&self) -> Result<(), Failure> {
        let (numbers, names): (Vec<_>, Vec<_>) = self.process.iter().partition(|name| name.parse::<usize>().is_ok());
        if numbers.len() > 1 || names.len() > 1 {
            return Err(Failure::usage("--process is given twice".to_owned()));
        }
        Ok(())
    }

    /// The options beside parameters by which the model is read, as words that mean the same.
    pub(crate) fn options(&self) -> Vec<String> {
        let named = |name: &str, value: &str| [format!("--{name}={value}")];
        let value = |choice: Option<clap::builder::PossibleValue>| choice.map(|v| v.get_name().to_owned());
        let mut words: Vec<String> = self.process().into_iter().flat_map(|p| named("process", p)).collect();
        let external = self.external.and_then(|choice| value(choice.to_possible_value()));
        words.extend(external.iter().flat_map(|how| named("external", how)));
        words.extend(self.define.iter().flat_map(|(name, text)| named("define", &format!("{name}={text}"))));
        let flags = [
            ("--no-assertions", self.no_assertions),
            ("--no-end-states", self.no_end_states),
            ("--empty-channels", self.empty_channels),
            ("--non-progress", self.non_progress),
        ];
        words.extend(flags.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag.to_owned()));
        let fair = self.fairness.filter(|strength| *strength != FairnessChoice::None);
        let fairness = fair.and_then(|strength| value(strength.to_possible_value()));
        words.extend(fairness.iter().flat_map(|strength| named("fairness", strength)));
        words
    }

    /// The same model, read by the options that such words mean.
    pub(crate) fn reading_by(&self, words: &[String]) -> Result<Self, String> {
        let file = self.file.as_os_str().to_owned();
        let line = ["model".into()].into_iter().chain(words.iter().map(Into::into)).chain(["--".into(), file]);
        let model = ModelLine::try_parse_from(line).map_err(|e| e.render().to_string())?.model;
        Ok(Self { set: self.set.clone(), ..model })
    }

    /// How the model is to be read, with these parameters.
    pub(crate) fn wishes(&self, settings: Vec<Setting>) -> Wishes<'_> {
        let external = self.external.map(|choice| match choice {
            ExternalChoice::Abstract => External::Abstract,
            ExternalChoice::Refuse => External::Refuse,
        });
        let promela = promela::Options {
            defines: self.define.clone(),
            ignore_assertions: self.no_assertions,
            ignore_end_states: self.no_end_states,
            empty_channels: self.empty_channels,
            non_progress: self.non_progress,
            ..promela::Options::default()
        };
        let fairness = match self.fairness.unwrap_or_default() {
            FairnessChoice::None => None,
            FairnessChoice::Weak => Some(Strength::Weak),
            FairnessChoice::Strong => Some(Strength::Strong),
        };
        Wishes { settings, process: self.process(), external, promela, fairness }
    }
}

/// What a search may cost.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Time for a model: 500ms, 60s, 5m, 1h; each of its properties gets an equal share of what is left when its turn
    /// comes; without it a net that is not bounded is given up after a while, because walks through it never end
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) timeout: Option<Duration>,
    /// Stop when the tables of a search take this much: 500M, 4G; three quarters of the free memory unless given
    #[arg(long, value_name = "SIZE", value_parser = quantity::bytes)]
    pub(crate) memory: Option<u64>,
    /// The engine (auto, explore, unfold, local, invariant, symbolic, ltl, net) and its options, such as
    /// explore:order=depth,finish=0; after an answer is certain, `explore` goes on until `finish` states are stored (10000 unless given), so that small state spaces are
    /// counted whole; a wrong option lists those that there are
    #[arg(long, value_name = "NAME[:KEY=VALUE,...]", default_value = "auto")]
    pub(crate) engine: Choice,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) questions: QuestionArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// How many threads work on a net, search breadth-first, or search nested for runs; as many as there are processors unless
    /// given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Search together with other processes, on this machine or others: a file with a line `host:port` for each, in the
    /// order of their numbers; each is started with the same model, questions and options, and its own --process
    #[arg(long, value_name = "HOSTS", conflicts_with = "all")]
    cluster: Option<PathBuf>,
    /// Search by so many workers that share nothing, in each process of a cluster; 1 unless given
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), conflicts_with = "all")]
    workers: Option<u16>,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    /// List every deadlock, with a run to each, and not only the first
    #[arg(long)]
    pub(crate) all: bool,
    /// List the steps that no run takes and the states of processes that no run reaches; the exit code does not depend
    /// on them
    #[arg(long)]
    pub(crate) dead_code: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Save the run of the first result that has one; with --all, also the run to each deadlock of the list, as FILE.1,
    /// FILE.2 and so on. A name that ends in .itf.json gets every state of the run, in Apalache's Informal Trace Format;
    /// any other is for `impasse simulate --replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Look for certificates for what is never reached, and save them for `impasse verify`
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Draw the run of the first result that has one as a process, which shows what each step really waited for; for
    /// nets, and models that can be seen as nets
    #[arg(long, value_name = "FILE.svg|FILE.dot", value_parser = picture::file)]
    pub(crate) picture: Option<PictureFile>,
    #[command(flatten)]
    pub(crate) telling: TellingArgs,
    /// Look for a repair of a deadlock: who should take two locks in another order, or the smallest capacities of channels
    /// with which the model has none; only what was checked is shown; for at most 20 seconds
    #[arg(long)]
    pub(crate) hint: bool,
    /// Show every step of a long run
    #[arg(long)]
    pub(crate) all_steps: bool,
    /// Show the verdicts only
    #[arg(long, short, conflicts_with = "all_steps")]
    pub(crate) quiet: bool,
    /// When to show progress on standard error: on a terminal one live line, elsewhere a line now and then; `auto` is on
    /// a terminal only
    #[arg(long, value_enum, default_value_t)]
    pub(crate) progress: When,
    /// Whether certificates are wanted that are saved in no file: nobody asks for that on a command line.
    #[arg(skip)]
    pub(crate) certified: bool,
}

/// What a search may do with files.
#[derive(Clone, Debug, Args)]
pub(crate) struct FileArgs {
    /// Of `--engine explore` in breadth-first order: leave checkpoints in this folder, now and then and when the time, the
    /// memory or the patience is used up; the same command goes on from there
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// How much time passes between two checkpoints, at least: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = quantity::duration, default_value = "60s", requires = "checkpoint")]
    checkpoint_every: Duration,
    /// Of `--engine explore` in breadth-first order: when memory is short, begin anew with the states in files in this
    /// folder; slower, and slow where the state space is deep, but as large as the disk
    #[arg(long, value_name = "DIR", conflicts_with_all = ["checkpoint", "cluster", "workers"])]
    spill: Option<PathBuf>,
}

impl FileArgs {
    /// What was asked for, if anything.
    pub(crate) fn files(&self) -> Option<Files> {
        let every = self.checkpoint_every;
        let checkpoints = self.checkpoint.clone().map(|folder| Checkpoints { folder, every });
        let spill = self.spill.clone();
        (checkpoints.is_some() || spill.is_some()).then_some(Files { checkpoints, spill })
    }

    /// Whether there are checkpoints.
    pub(crate) fn leaves_checkpoints(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Whether the engine uses files, if it is asked to.
    pub(crate) fn fit(&self, engine: &Choice) -> Result<(), Failure> {
        if self.files().is_none() || engine.uses_files() {
            return Ok(());
        }
        Err(Failure::usage("--checkpoint and --spill are for a breadth-first search: add --engine explore".to_owned()))
    }
}

/// Explanations as pictures.
#[derive(Clone, Debug, Args)]
pub(crate) struct TellingArgs {
    /// Draw the run as a sequence chart with a lane for each process: for Mermaid, for PlantUML or as a drawing; of several
    /// results, the first that has a run
    #[arg(long, value_name = "FILE.mmd|FILE.puml|FILE.svg", value_parser = telling::chart_file)]
    pub(crate) chart: Option<ChartFile>,
    /// Draw who waits for whom in the deadlock that was found, or of a net the siphon that was emptied
    #[arg(long, value_name = "FILE.svg|FILE.dot", value_parser = picture::file)]
    pub(crate) wait_for: Option<PictureFile>,
}

impl CheckArgs {
    /// How many threads work on a net.
    pub(crate) fn threads(&self) -> usize {
        threads(self.threads)
    }

    /// The engine, and who shares its work.
    pub(crate) fn engine(&self) -> Result<Choice, Failure> {
        self.model.one_process()?;
        let engine = self.limits.engine;
        let workers = self.workers.map_or(1, usize::from);
        let team = match (&self.cluster, self.model.number()) {
            (Some(file), Some(number)) => crate::cluster::team(file, number, workers)?,
            (Some(_), None) => {
                return Err(Failure::usage(
                    "which process of the cluster is this one? add --process and its number".to_owned(),
                ));
            }
            (None, Some(_)) => {
                return Err(Failure::usage(
                    "--process with a number is for a cluster: add --cluster and its hosts".to_owned(),
                ));
            }
            (None, None) if self.workers.is_none() => return Ok(engine),
            (None, None) => Team { workers, process: 0, hosts: &[] },
        };
        engine.shared_by(team).map_err(|e| Failure::usage(e.to_string()))
    }
}

/// As many as were asked for, or as there are processors.
fn threads(given: Option<u16>) -> usize {
    given.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// What to ask; without any of these, the properties in the file.
#[derive(Clone, Debug, Args)]
pub(crate) struct QuestionArgs {
    /// Check this property of the file only
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// Check for deadlock
    #[arg(long)]
    pub(crate) deadlock: bool,
    /// Check for partial deadlocks: that no process gets stuck for good, even if others go on
    #[arg(long)]
    pub(crate) partial: bool,
    /// Check that this is true in every reachable state
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) invariant: Vec<String>,
    /// Check that this is true in some reachable state
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) reachable: Vec<String>,
    /// Check that this formula is true of every run; in the native syntax it may end in `under weak fairness` and the like
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub(crate) ltl: Vec<String>,
    /// Check that no run is accepted by the automaton in this file, in the Hanoi Omega-Automata format, as `ltl2tgba` writes
    /// it: what it accepts is what must not happen; its atoms are expressions, as in --invariant; `-` reads standard
    /// input
    #[arg(long, value_name = "FILE.hoa")]
    pub(crate) never: Vec<PathBuf>,
    /// Of networks and scripts: check that no run goes on for ever without a visible step
    #[arg(long)]
    pub(crate) divergence: bool,
}

impl QuestionArgs {
    /// Whether nothing is asked, so that the file's own questions are.
    pub(crate) fn is_empty(&self) -> bool {
        let texts = [&self.property, &self.invariant, &self.reachable, &self.ltl];
        let flags = [self.deadlock, self.partial, self.divergence];
        !flags.contains(&true) && self.never.is_empty() && texts.iter().all(|t| t.is_empty())
    }
}

#[derive(Clone, Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The certificate
    pub(crate) certificate: PathBuf,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct TestArgs {
    /// Models, or directories to search for *.imp, *.exp, *.csp, *.cspm, *.bip, *.pml, *.pnml, *.lola, *.net and *.ll_net
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Show a saved trace step by step
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["seed", "steps"])]
    pub(crate) replay: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) telling: TellingArgs,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Take this many random steps and stop
    #[arg(long, value_name = "K")]
    pub(crate) steps: Option<usize>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The format to write
    #[arg(long, value_enum)]
    pub(crate) to: Target,
    /// Write here instead of to standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// A run that `impasse check --trace` saved: what process-dot and process-svg draw; of a prefix, only the part that
    /// leads where the run leads
    #[arg(long, value_name = "TRACE")]
    pub(crate) trace: Option<PathBuf>,
    /// The formula whose automaton is written (hoa)
    #[arg(long, value_name = "FORMULA", conflicts_with = "property")]
    pub(crate) ltl: Option<String>,
    /// The property whose automaton is written (hoa)
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// Refuse a state space with more states than this (aut; for states-dot and states-svg at most 2000), or a prefix or
    /// process with more events and conditions (at most 2000)
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000_000)]
    pub(crate) limit: usize,
}

const PAPER_CODES: &str = "\
Exit codes: 0 everything was measured, 10 some searches did not finish within the limits and have no figures, 2 there is
no such paper or item, 3 a plot cannot be written.";

#[derive(Clone, Debug, Args)]
pub(crate) struct PaperArgs {
    /// The paper; without it, the papers are listed
    pub(crate) name: Option<String>,
    /// Measure only this table or figure
    #[arg(long, value_name = "ITEM", requires = "name")]
    pub(crate) only: Vec<String>,
    /// Write figures that are plots into this directory
    #[arg(long, value_name = "DIR", requires = "name")]
    pub(crate) svg: Option<PathBuf>,
    /// Time for the whole paper: 500ms, 60s, 5m, 1h; a search may take a tenth of what is left when its turn comes
    #[arg(long, value_name = "TIME", value_parser = quantity::duration, default_value = "15m")]
    pub(crate) timeout: Duration,
    /// Time for one search of `bensalem`, where models grow until it takes longer: 1s or 2s unless given
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) each: Option<Duration>,
    /// End a search when its tables take this much: 500M, 4G; three quarters of the free memory unless given
    #[arg(long, value_name = "SIZE", value_parser = quantity::bytes)]
    pub(crate) memory: Option<u64>,
    /// How to show the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableFormat,
    /// When to show progress on standard error: on a terminal one live line, elsewhere a line now and then; `auto` is on
    /// a terminal only
    #[arg(long, value_enum, default_value_t)]
    pub(crate) progress: When,
}

const MCC_CODES: &str = "\
One line on standard output for each answer, as soon as it is known:
  FORMULA <id> TRUE|FALSE|<number>|CANNOT_COMPUTE TECHNIQUES <...>
  STATE_SPACE STATES|TRANSITIONS|MAX_TOKEN_PER_MARKING|MAX_TOKEN_IN_PLACE <number> TECHNIQUES <...>

Exit codes: 0 everything was answered, 10 something was not, 2 there is no such examination, 3 a file cannot be read.";

#[derive(Clone, Debug, Args)]
pub(crate) struct MccArgs {
    /// The folder of the model: `model.pnml`, and a file of formulas named after the examination
    pub(crate) dir: PathBuf,
    /// ReachabilityDeadlock, ReachabilityCardinality, ReachabilityFireability, LTLCardinality, LTLFireability, UpperBounds,
    /// OneSafe, QuasiLiveness, StableMarking or StateSpace; BK_EXAMINATION unless given
    pub(crate) examination: Option<String>,
    /// Time for everything: 500ms, 60s, 5m, 1h; BK_TIME_CONFINEMENT, in seconds, unless given
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(crate) timeout: Option<Duration>,
    /// Memory for the tables of searches: 500M, 4G; three quarters of the free memory unless given
    #[arg(long, value_name = "SIZE", value_parser = quantity::bytes)]
    pub(crate) memory: Option<u64>,
    /// How many threads work; as many as there are processors unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// What may be used: some of reduce, walk, structural, bmc, ic3, unfold, search
    #[arg(long, value_name = "NAME,...", default_value_t)]
    pub(crate) engines: NetEngines,
}

impl MccArgs {
    /// How many threads work.
    pub(crate) fn threads(&self) -> usize {
        threads(self.threads)
    }
}

#[derive(Clone, Debug, Args)]
pub(crate) struct McpArgs {
    /// Let clients read files in this folder, too; without it, those below the working directory only
    #[arg(long, value_name = "FOLDER")]
    pub(crate) allow: Vec<PathBuf>,
    /// The longest time that a client may ask for: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = quantity::duration, default_value = "10m")]
    pub(crate) max_timeout: Duration,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The port of 127.0.0.1 that the page is at; any that is free unless given
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The longest time that a check may be given: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = quantity::duration, default_value = "10m")]
    pub(crate) max_timeout: Duration,
}

#[derive(Clone, Debug, Args)]
#[command(after_help = "Exit codes: 0 done (or nothing to do), 3 a file cannot be read or has mistakes, or with \
                        --check is not formatted.")]
pub(crate) struct FmtArgs {
    /// Models; `-` reads standard input and writes standard output
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing: name the files that are not formatted, and exit with 3 if there are any
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object; that of `check` is described by docs/report.schema.json, that of `test` by docs/test.schema.json
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// JUnit XML
    Junit,
    /// Annotations of GitHub workflows
    Github,
    /// One page with the runs, their pictures and the text of the model, which needs nothing else
    Html,
}

/// How results are shown and saved.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutputArgs {
    /// How to show the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Save the result as well, in the format that the name says; can be given several times
    #[arg(long, value_name = "FILE.html|FILE.sarif|FILE.json|FILE.xml", value_parser = quantity::report_file)]
    pub(crate) report: Vec<(Format, PathBuf)>,
    /// In SARIF, leave out what is as it should be: code scanning of GitHub takes every result for a problem
    #[arg(long)]
    pub(crate) only_problems: bool,
    /// Leave out times, rates and memory, so that the same answers are the same bytes (in JSON they are 0)
    #[arg(long)]
    no_times: bool,
}

impl OutputArgs {
    /// Whether times are shown.
    pub(crate) fn times(&self) -> Times {
        if self.no_times { Times::Hidden } else { Times::Shown }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// A table, row by row as it is measured
    #[default]
    Text,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Always
    Always,
    /// On a terminal only
    #[default]
    Auto,
    /// Always, a line of JSON several times a second
    Json,
    /// Never
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// The native language, families and parameters expanded
    Native,
    /// The model as a Petri net, in PNML
    Pnml,
    /// The model as a Petri net, as LoLA reads it
    Lola,
    /// The processes as automata, or the net, for Graphviz
    Dot,
    /// The state space in the Aldebaran format
    Aut,
    /// The model as a network of automata: an expression, and an .aut file for each component beside it
    Exp,
    /// The state space for Graphviz
    StatesDot,
    /// The state space as a drawing, in which dashes show what persistent sets leave out
    StatesSvg,
    /// The complete prefix of the unfolding, for Graphviz
    PrefixDot,
    /// The complete prefix of the unfolding, as a drawing
    PrefixSvg,
    /// The process of a run, for Graphviz
    ProcessDot,
    /// The process of a run, as a drawing
    ProcessSvg,
    /// The automaton of the runs that break a formula (--ltl or --property), in the Hanoi Omega-Automata format, as --never
    /// reads it
    Hoa,
}
