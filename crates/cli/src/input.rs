//! Reading models: every way in which a file can be unusable gets its own sentence, before anything else happens.

mod bip;
mod csp;
mod net;
mod network;
pub(crate) mod promela;

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use explain::SourceText;
use frontend::automata::is_network;
use frontend::bip::External;
use frontend::fairness::{to_parties, to_takers};
use frontend::native::{self, Language, Setting, Subject};
use frontend::promela::Options as Promela;
use frontend::promela::elaborate::Reading;
use frontend::{Loaded, MAX_NET_TEXT, MAX_TEXT, is_net};
use model::views::{Net, ViewError};
use model::{Limits, NamedProperty, Network, Property, Span, Strength, System};

use crate::args::{LimitArgs, ModelArgs};
use crate::exit::Failure;
use crate::{budget, diagnostics, files, output};
pub(crate) use net::NetFile;

/// A text with the name it goes by.
#[derive(Debug)]
pub(crate) struct Input {
    /// The name in messages and positions: the path as the user gave it.
    pub(crate) name: String,
    /// The text; of a net only if there is something to say about it.
    pub(crate) text: String,
}

/// A model that was read.
#[derive(Debug)]
pub(crate) struct Model {
    /// Its text.
    pub(crate) input: Input,
    /// The parameters that were set.
    pub(crate) settings: Vec<Setting>,
    /// What the front end made of it.
    pub(crate) loaded: Loaded,
    /// The lines of its text.
    pub(crate) source: SourceText,
    /// The net that the system was made of, if the file holds one.
    pub(crate) net: Option<NetFile>,
    /// The network that the system was made of, if the file holds one.
    pub(crate) network: Option<Arc<Network>>,
    /// What the system was made of, if it may have to be made anew.
    pub(crate) reading: Option<Box<Reading>>,
    /// The label of steps that nobody sees, if there are such steps.
    pub(crate) silent: Option<&'static str>,
    /// The properties of which the author says that they do not hold.
    pub(crate) denied: Vec<String>,
    /// Of claims about runs, how fair the runs are that count, if the claims do not say that.
    pub(crate) fairness: Option<Strength>,
    /// What is to be said beside every verdict, if the system can do more than what was written: first that it can, then
    /// where.
    pub(crate) abstracted: Vec<String>,
}

/// How a model is to be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes<'a> {
    /// The values of parameters.
    pub(crate) settings: Vec<Setting>,
    /// The process, or the compound type, that is the system.
    pub(crate) process: Option<&'a str>,
    /// What becomes of what is not defined in the language, if that was said.
    pub(crate) external: Option<External>,
    /// How a model in Promela is read.
    pub(crate) promela: Promela,
    /// Of claims about runs, how fair the runs are that count, if the claims do not say that.
    pub(crate) fairness: Option<Strength>,
}

/// The models of one file: one, but of a script one for each process that something is asserted about.
#[derive(Debug)]
pub(crate) struct Models {
    /// The models.
    pub(crate) models: Vec<Model>,
    /// What is asserted and cannot be decided.
    pub(crate) refused: Vec<Refused>,
}

/// A question of a file that no engine can decide.
#[derive(Debug)]
pub(crate) struct Refused {
    /// What is asserted.
    pub(crate) name: String,
    /// The keyword that asserts it.
    pub(crate) kind: &'static str,
    /// Where.
    pub(crate) span: Span,
    /// Why it cannot be decided.
    pub(crate) why: String,
}

/// What reading may cost, where that can be much.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Patience {
    /// When to give up.
    deadline: Option<Instant>,
    /// How many bytes may be used.
    memory: Option<u64>,
}

impl Patience {
    /// That of a command with limits, from now on.
    pub(crate) fn new(limits: &LimitArgs) -> Self {
        let deadline = limits.timeout.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, memory: limits.memory }
    }

    /// Whether to go on.
    fn lasts(&self) -> bool {
        !budget::interrupted() && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// The time that is left.
    fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

impl Models {
    /// Reads the models that the arguments name.
    pub(crate) fn read(args: &ModelArgs, patience: Patience) -> Result<Self, Failure> {
        Self::read_file(&args.file, args.wishes(args.settings()?), patience)
    }

    /// The models, of which there is one at least.
    pub(crate) fn some(self, args: &ModelArgs) -> Result<Vec<Model>, Failure> {
        let nothing = || Failure::input(format!("{} asserts nothing that can be decided", args.file.display()));
        if self.models.is_empty() { Err(nothing()) } else { Ok(self.models) }
    }

    /// Reads the models of a file in the language that its name says.
    pub(crate) fn read_file(path: &Path, wishes: Wishes<'_>, patience: Patience) -> Result<Self, Failure> {
        let fairness = wishes.fairness;
        let mut read = Self::read_plainly(path, wishes, patience)?;
        for model in &mut read.models {
            model.fairness = fairness;
            let Loaded { system, properties, .. } = &mut model.loaded;
            properties.iter_mut().for_each(|p| fairly(p, system, fairness));
        }
        Ok(read)
    }

    fn read_plainly(path: &Path, wishes: Wishes<'_>, patience: Patience) -> Result<Self, Failure> {
        if bip::is_package(path) {
            return Ok(Self { models: vec![bip::load(path, &wishes)?], refused: Vec::new() });
        }
        if wishes.external.is_some() {
            return Err(Failure::usage(format!("{} is not in BIP: --external is for BIP", path.display())));
        }
        if promela::is_promela(path) || (!is_known(path) && promela::looks_like_promela(path)) {
            return promela::load(path, &wishes, patience);
        }
        if wishes.promela != Promela::default() {
            let message =
                "--define, --no-assertions, --no-end-states, --empty-channels and --non-progress are for Promela";
            return Err(Failure::usage(format!("{} is not in Promela: {message}", path.display())));
        }
        let Wishes { settings, process, .. } = wishes;
        if csp::is_script(path) {
            return csp::load(path, &settings, process, patience);
        }
        if process.is_some() {
            let message = format!("{} is no script: --process is for scripts of CSP and for BIP", path.display());
            return Err(Failure::usage(message));
        }
        Ok(Self { models: vec![Model::read_one(path, settings)?], refused: Vec::new() })
    }
}

impl Model {
    /// Reads the model that the arguments name; of several, the first.
    pub(crate) fn read(args: &ModelArgs) -> Result<Self, Failure> {
        let mut models = Models::read(args, Patience::default())?.some(args)?;
        if models.len() > 1 {
            let name = models[0].loaded.system.name();
            output::complain(&format!("note: there are several processes; this is `{name}`, --process names another"));
        }
        Ok(models.swap_remove(0))
    }

    /// Reads a model that has its file for itself.
    fn read_one(path: &Path, settings: Vec<Setting>) -> Result<Self, Failure> {
        if is_network(path) {
            return network::load(path, &settings);
        }
        let is_xml = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("xml"));
        if !is_xml && !is_net(path, b"") {
            return Self::load(read(path)?, settings);
        }
        let bytes = read_encoded(path)?;
        if !is_net(path, &bytes) {
            return Err(Failure::input(format!("{} is no PNML, and no other XML is read", path.display())));
        }
        net::load(path, &bytes, &settings)
    }

    /// Makes a model of a text in the native language.
    fn load(input: Input, settings: Vec<Setting>) -> Result<Self, Failure> {
        let stem = Path::new(&input.name).file_stem().map_or(input.name.clone(), |s| s.to_string_lossy().into_owned());
        let loaded = native::load(&stem, &input.text, &settings)
            .map_err(|ds| diagnostics::failure(&input.name, &input.text, &ds))?;
        let source = SourceText::new(&input.name, &input.text).in_native_language();
        Ok(Self { settings, ..Self::plain(input, loaded, source) })
    }

    /// A model of a text that has nothing but its system.
    fn plain(input: Input, loaded: Loaded, source: SourceText) -> Self {
        let (settings, denied, abstracted) = (Vec::new(), Vec::new(), Vec::new());
        let (net, network, reading, silent, fairness) = (None, None, None, None, None);
        Self { input, settings, loaded, source, net, network, reading, silent, denied, fairness, abstracted }
    }

    /// The same question, about fair runs if those were asked for.
    pub(crate) fn fairly(&self, mut property: NamedProperty) -> NamedProperty {
        match (&self.reading, &mut property.property, self.fairness) {
            (Some(_), Property::Temporal(temporal), Some(strength)) if temporal.fairness.is_empty() => {
                temporal.fairness = to_takers(&self.loaded.system, strength);
            }
            (None, _, fairness) => fairly(&mut property, &self.loaded.system, fairness),
            _ => {}
        }
        property
    }

    /// What can be asked after the model was made is about this; nothing of a model in Promela, which is made with the
    /// questions.
    pub(crate) fn subject(&self) -> Option<Subject<'_>> {
        let (path, system) = (Path::new(&self.input.name), &self.loaded.system);
        Some(match &self.net {
            Some(file) => Subject::Net(&file.net, &file.ids),
            None if self.reading.is_some() => return None,
            None if csp::is_script(path) => Subject::System(system, Language::Csp),
            None if self.network.is_some() => Subject::System(system, Language::Automata),
            None if bip::is_package(path) => Subject::System(system, Language::Bip),
            None => Subject::Text(&self.input.text, &self.settings),
        })
    }

    /// The net of the file, or the one that the model is seen as.
    pub(crate) fn net_view(&self) -> Result<Cow<'_, Net>, ViewError> {
        self.net_view_within(&Limits::default())
    }

    /// The same within other limits.
    pub(crate) fn net_view_within(&self, limits: &Limits<'_>) -> Result<Cow<'_, Net>, ViewError> {
        match &self.net {
            Some(file) => Ok(Cow::Borrowed(&file.net)),
            None => self.loaded.system.net(limits).map(Cow::Owned),
        }
    }

    /// The parameters that were set, as `name=value`.
    pub(crate) fn set(&self) -> Vec<String> {
        self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }
}

/// Whether the name of a file says in which language it is.
fn is_known(path: &Path) -> bool {
    let native = path.extension().is_some_and(|e| e == "imp" || e.eq_ignore_ascii_case("xml"));
    path == Path::new("-") || native || !is_native(path)
}

/// Whether a file is in the native language, as far as its name says so.
pub(crate) fn is_native(path: &Path) -> bool {
    !(bip::is_package(path)
        || promela::is_promela(path)
        || csp::is_script(path)
        || is_network(path)
        || is_net(path, b""))
}

/// Asks about fair runs, if the question does not say about which.
fn fairly(property: &mut NamedProperty, system: &System, fairness: Option<Strength>) {
    if let (Property::Temporal(temporal), Some(strength)) = (&mut property.property, fairness)
        && temporal.fairness.is_empty()
    {
        temporal.fairness = to_parties(system, strength);
    }
}

/// A text that another one asks for.
pub(crate) fn beside(path: &Path) -> Result<String, String> {
    String::from_utf8(bytes_beside(path)?).map_err(|_| "it is not a text: it is not UTF-8".to_owned())
}

/// The bytes of a file that another one asks for.
fn bytes_beside(path: &Path) -> Result<Vec<u8>, String> {
    if let Some(text) = files::given(path) {
        return Ok(text.as_bytes().to_vec());
    }
    files::permit(path)?;
    let problem = |e: std::io::Error| reason(&e);
    match fs::metadata(path).map_err(problem)? {
        m if m.is_dir() => Err("it is a directory".to_owned()),
        m if m.len() > MAX_TEXT as u64 => Err(format!("it is larger than {} MB", MAX_TEXT >> 20)),
        _ => fs::read(path).map_err(problem),
    }
}

/// The text of bytes in UTF-8 or, as old models have it, in Latin-1.
pub(crate) fn old_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().into_iter().map(char::from).collect())
}

/// Reads a text from a file, or from standard input if the path is `-`.
pub(crate) fn read(path: &Path) -> Result<Input, Failure> {
    if path == Path::new("-") {
        let bytes = slurp("standard input", std::io::stdin().lock(), MAX_TEXT)?;
        return Ok(Input { name: "<stdin>".to_owned(), text: decode("standard input", bytes)? });
    }
    let name = path.display().to_string();
    let text = decode(&name, read_file(path, MAX_TEXT)?)?;
    Ok(Input { name, text })
}

/// Reads a net, or what belongs to one, from a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    read_file(path, MAX_NET_TEXT)
}

/// Reads a model whose text says itself how it is encoded.
fn read_encoded(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read_bytes(path)?;
    refuse_nothing(&path.display().to_string(), &bytes)?;
    Ok(bytes)
}

fn read_file(path: &Path, most: usize) -> Result<Vec<u8>, Failure> {
    let shown = path.display().to_string();
    if let Some(text) = files::given(path) {
        return if text.len() > most { Err(too_large(&shown, most)) } else { Ok(text.as_bytes().to_vec()) };
    }
    files::permit(path).map_err(|why| Failure::input(format!("cannot read {shown}: {why}")))?;
    let problem = |e: std::io::Error| Failure::input(format!("cannot read {shown}: {}", reason(&e)));
    let file = File::open(path).map_err(problem)?;
    let metadata = file.metadata().map_err(problem)?;
    if metadata.is_dir() {
        return Err(Failure::input(format!("cannot read {shown}: it is a directory")));
    }
    if metadata.len() > most as u64 {
        return Err(too_large(&shown, most));
    }
    slurp(&shown, file, most)
}

fn reason(e: &std::io::Error) -> String {
    match e.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => e.to_string(),
    }
}

/// Reads everything, but not more than is accepted: the length of a pipe is not known beforehand.
fn slurp(shown: &str, reader: impl Read, most: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    let read = reader.take(limit).read_to_end(&mut bytes);
    read.map_err(|e| Failure::input(format!("cannot read {shown}: {}", reason(&e))))?;
    if bytes.len() > most { Err(too_large(shown, most)) } else { Ok(bytes) }
}

fn too_large(shown: &str, most: usize) -> Failure {
    Failure::input(format!("{shown} is too large: more than {} MB are not accepted", most >> 20))
}

fn decode(shown: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    refuse_nothing(shown, &bytes)?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure::input(format!("{shown} is not a text: the byte at position {at} is not UTF-8"))
    })?;
    if text.trim().is_empty() { Err(empty(shown)) } else { Ok(text) }
}

/// Refuses what has nothing in it that anybody wrote.
fn refuse_nothing(shown: &str, bytes: &[u8]) -> Result<(), Failure> {
    if bytes.contains(&0) {
        return Err(Failure::input(format!("{shown} is a binary file, not a model")));
    }
    if bytes.trim_ascii().is_empty() { Err(empty(shown)) } else { Ok(()) }
}

fn empty(shown: &str) -> Failure {
    Failure::input(format!("{shown} is empty"))
}
