//! Whole programs.

use crate::Rng;

use super::control::Position;
use super::favour::Favour;
use super::scope::{Channel, Field, Place, Protocol, Runnable, Scope};
use super::trace::in_order;
use super::values::{Kind, MTYPES};
use super::{Process, Program, Stmt};

/// What is kept while a program grows.
pub(super) struct Generator {
    pub(super) rng: Rng,
    /// How many statements may still come.
    pub(super) budget: usize,
    pub(super) scope: Scope,
    /// What there is more of than usual.
    pub(super) favour: Favour,
    /// How many blocks have variables of their own.
    pub(super) blocks: usize,
    declarations: Vec<String>,
}

/// The program of a seed. `size` bounds the statements of each process; the same seed with a smaller size gives a
/// smaller program.
pub fn random(seed: u64, size: usize) -> Program {
    generate(seed, size).0
}

/// The program of a seed with a `trace` or `notrace`, if it has channels.
pub fn random_with_trace(seed: u64, size: usize) -> Program {
    let (program, mut generator) = generate(seed, size);
    Program { claim: generator.trace_body(), ..in_order(program) }
}

fn generate(seed: u64, size: usize) -> (Program, Generator) {
    let (favour, scope, declarations) = (Favour::of(seed), Scope::default(), Vec::new());
    let mut generator = Generator { rng: Rng::new(seed), budget: 0, scope, favour, blocks: 0, declarations };
    generator.declare();
    let processes = generator.processes(size);
    (Program { declarations: std::mem::take(&mut generator.declarations), processes, claim: None }, generator)
}

/// The program of a seed with a `never` claim, which has an end.
pub fn random_with_claim(seed: u64, size: usize) -> Program {
    let mut program = random(seed, size);
    let mut generator = Generator::watching(&program, seed);
    program.claim = Some(generator.claim_body());
    program
}

impl Generator {
    /// What adds questions about a program to it.
    pub(super) fn watching(program: &Program, seed: u64) -> Self {
        let (rng, scope, declarations) = (Rng::new(!seed), Scope::default(), Vec::new());
        let mut generator = Self { rng, budget: 0, scope, favour: Favour::Nothing, blocks: 0, declarations };
        generator.watch(program);
        generator
    }

    fn declare(&mut self) {
        self.declarations.push("#define LIMIT 2".to_owned());
        self.declarations.push(format!("mtype = {{ {} }}", MTYPES.join(", ")));
        for i in 0..=self.rng.below(3) {
            let variable = self.variable(&format!("g{i}"), true);
            self.declarations.push(format!("{variable};"));
        }
        if self.rng.chance(20) {
            self.structure();
        }
        let protocols = if self.favour == Favour::Escapes { 1 } else { self.rng.below(3) };
        for i in 0..protocols {
            self.protocol(i);
        }
        if self.rng.chance(20) {
            let global = self.scope.clone();
            self.scope.channels.clear();
            self.scope.places.push(Place::plain("target", Kind::Byte));
            let line = self.assignment();
            self.scope = global;
            // Nothing with an index that the statement itself may change: SPIN would undo it in another cell.
            let body = match line {
                Some(Stmt::Line(line)) if !line.contains("[(") => line,
                _ => "skip".to_owned(),
            };
            self.declarations.push(format!("inline twist(target, given) {{\n  target = given;\n  {body}\n}}"));
            self.scope.inlines.push("twist".to_owned());
        }
        if self.rng.chance(20) {
            self.declarations.push("#define bump(x, n) x = (x + n) % 3".to_owned());
            self.scope.inlines.push("bump".to_owned());
        }
    }

    /// Declares a variable, or an array.
    pub(super) fn variable(&mut self, name: &str, initial: bool) -> String {
        let kind = Kind::random(&mut self.rng);
        let size = (kind != Kind::Unsigned && self.rng.chance(20)).then(|| 2 + self.rng.below(2));
        let mut text = kind.declare(&size.map_or(name.to_owned(), |n| format!("{name}[{n}]")));
        if initial && self.rng.chance(50) {
            text = format!("{text} = {}", kind.constant(&mut self.rng));
        }
        self.scope.places.push(Place { prefix: name.to_owned(), size, suffix: String::new(), kind });
        text
    }

    /// A `typedef` and variables of it.
    fn structure(&mut self) {
        let kind = Kind::random(&mut self.rng);
        let field = if kind == Kind::Unsigned { Kind::Byte } else { kind };
        self.declarations.push(format!("typedef Pair {{ {}; bit f[2] }}", field.declare("v")));
        self.declarations.push("Pair one; Pair two[2];".to_owned());
        let place = |prefix: &str, size, suffix: &str, kind| Place {
            prefix: prefix.to_owned(),
            size,
            suffix: suffix.to_owned(),
            kind,
        };
        let all = [
            place("one.v", None, "", field),
            place("one.f", Some(2), "", Kind::Bit),
            place("two", Some(2), ".v", field),
            place("two[1].f", Some(2), "", Kind::Bit),
            place("two", Some(2), ".f[1]", Kind::Bit),
        ];
        let first = self.rng.below(4);
        self.scope.places.extend_from_slice(&all[first..first + 2]);
    }

    /// A protocol with a channel or two.
    fn protocol(&mut self, number: usize) {
        let mut fields = vec![match number {
            1 if self.rng.chance(40) => Field::Channel(0),
            _ => self.number_field(),
        }];
        if self.rng.chance(40) {
            fields.push(self.number_field());
        }
        let buffered = self.rng.chance(if self.favour == Favour::Escapes { 15 } else { 60 });
        self.scope.protocols.push(Protocol { fields: fields.clone(), buffered });
        let types: Vec<&str> = fields.iter().map(|field| field.keyword()).collect();
        let types = types.join(", ");
        let array = self.rng.chance(20);
        let (count, name) = (if array { 2 } else { 1 + self.rng.below(2) }, format!("q{number}"));
        let mut capacity = || if buffered { 1 + self.rng.below(2) } else { 0 };
        if array {
            self.declarations.push(format!("chan {name}[2] = [{}] of {{ {types} }};", capacity()));
            for i in 0..2 {
                self.scope.channels.push(Channel { name: format!("{name}[{i}]"), protocol: number, variable: false });
            }
            let plain: Vec<&Place> = self.scope.places.iter().filter(|p| p.size.is_none()).collect();
            if let Some(place) = plain.first() {
                let name = format!("{name}[({} & 1)]", place.prefix);
                self.scope.channels.push(Channel { name, protocol: number, variable: false });
            }
            return;
        }
        for suffix in ["a", "b"].iter().take(count) {
            self.declarations.push(format!("chan {name}{suffix} = [{}] of {{ {types} }};", capacity()));
            self.scope.channels.push(Channel { name: format!("{name}{suffix}"), protocol: number, variable: false });
        }
    }

    fn number_field(&mut self) -> Field {
        Field::Number(*self.rng.pick(&[Kind::Byte, Kind::Bit, Kind::Mtype, Kind::Mtype, Kind::Bool, Kind::Short]))
    }

    fn processes(&mut self, size: usize) -> Vec<Process> {
        let count = 1 + self.rng.below(3);
        let often: &[u64] = if self.favour == Favour::Births { &[0, 0, 1] } else { &[0, 1, 1, 1, 2] };
        let active: Vec<u64> = (0..count).map(|_| *self.rng.pick(often)).collect();
        for (i, _) in active.iter().enumerate().filter(|(_, active)| **active == 0) {
            let parameters = (0..self.rng.below(3)).map(|_| self.parameter()).collect();
            self.scope.runnables.push(Runnable { name: format!("P{i}"), parameters });
        }
        let mut processes: Vec<Process> =
            active.iter().enumerate().map(|(i, active)| self.process(i, *active, size)).collect();
        if active.iter().all(|a| *a == 0) || self.rng.chance(20) {
            processes.push(self.init(size));
        }
        processes
    }

    fn parameter(&mut self) -> Field {
        match self.scope.protocols.len() {
            n if n > 0 && self.rng.chance(50) => Field::Channel(self.rng.below(n)),
            // SPIN compares types with those of parameters only where the proctype stands before.
            _ => Field::Number(*self.rng.pick(&[Kind::Byte, Kind::Bit, Kind::Bool, Kind::Short])),
        }
    }

    fn process(&mut self, number: usize, active: u64, size: usize) -> Process {
        let name = format!("P{number}");
        let global = self.scope.clone();
        let parameters = match self.scope.runnables.iter().find(|r| r.name == name) {
            Some(runnable) => runnable.parameters.clone(),
            None if self.rng.chance(10) => vec![self.number_field()],
            None => Vec::new(),
        };
        let declared: Vec<String> = parameters.iter().enumerate().map(|(i, field)| self.bind(*field, i)).collect();
        let condition = self.rng.chance(8).then(|| {
            let inner = std::mem::replace(&mut self.scope.places, global.places.clone());
            let condition = self.condition(0);
            self.scope.places = inner;
            format!(" provided ({condition})")
        });
        let kind = match active {
            0 => "proctype".to_owned(),
            1 => "active proctype".to_owned(),
            n => format!("active [{n}] proctype"),
        };
        let head = format!("{kind} {name}({}){}", declared.join("; "), condition.unwrap_or_default());
        let process = self.filled(head, size);
        let labels = std::mem::replace(&mut self.scope, global).labels;
        if number == 0 && active > 0 {
            self.scope.remote = labels.iter().map(|label| format!("P0[0]@{label}")).collect();
            if active == 1 {
                self.scope.remote.extend(labels.iter().map(|label| format!("P0@{label}")));
            }
            let plain = process.locals.iter().filter_map(|local| local.split([' ', ':']).find(|w| w.starts_with('x')));
            let plain: Vec<&str> = plain.filter(|name| !name.contains('[')).collect();
            self.scope.remote.extend(plain.iter().map(|name| format!("(P0[0]:{name} == 1)")));
        }
        process
    }

    /// Declares a parameter.
    fn bind(&mut self, field: Field, number: usize) -> String {
        let name = format!("a{number}");
        match field {
            Field::Channel(protocol) => {
                self.scope.channels.push(Channel { name: name.clone(), protocol, variable: true });
                format!("chan {name}")
            }
            Field::Number(kind) => {
                self.scope.places.push(Place::plain(name.clone(), kind));
                kind.declare(&name)
            }
        }
    }

    fn init(&mut self, size: usize) -> Process {
        let global = self.scope.clone();
        let mut process = self.filled("init".to_owned(), size / 2);
        let mut runs: Vec<Stmt> = (0..=self.rng.below(2)).filter_map(|_| self.run()).collect();
        if self.rng.chance(40) {
            runs = vec![Stmt::block("atomic {", runs)];
        }
        runs.append(&mut process.body);
        self.scope = global;
        Process { body: runs, ..process }
    }

    /// Locals and a body.
    fn filled(&mut self, head: String, size: usize) -> Process {
        let mut locals: Vec<String> = (0..self.rng.below(3)).map(|i| self.variable(&format!("x{i}"), true)).collect();
        if self.rng.chance(30) {
            let kind = *self.rng.pick(&["byte", "int", "short"]);
            locals.push(format!("{kind} i"));
            self.scope.counter = Some("i".to_owned());
        }
        if self.rng.chance(25)
            && let Some(channel) = self.channel(|_| true)
        {
            locals.push(format!("chan c = {}", channel.name));
            self.scope.channels.push(Channel { name: "c".to_owned(), protocol: channel.protocol, variable: true });
        }
        if self.rng.chance(10) && !self.scope.protocols.is_empty() {
            let number = self.rng.below(self.scope.protocols.len());
            let protocol = self.scope.protocols[number].clone();
            let types: Vec<&str> = protocol.fields.iter().map(|field| field.keyword()).collect();
            locals.push(format!("chan own = [{}] of {{ {} }}", u8::from(protocol.buffered), types.join(", ")));
            self.scope.channels.push(Channel { name: "own".to_owned(), protocol: number, variable: false });
        }
        let labels = self.rng.below(3);
        self.scope.labels = (0..labels).map(|i| format!("L{i}")).collect();
        self.budget = 1 + self.rng.below(size.max(1));
        let mut body = self.sequence(size.max(1), Position { depth: 3, in_loop: false, alone: false });
        if self.rng.chance(60) {
            // Something in front: a loop around a loop that is left at once would do nothing, and be refused.
            let mut option: Vec<Stmt> = self.assignment().into_iter().collect();
            option.extend(body);
            body = vec![Stmt::choice("do", vec![option], "od")];
        }
        for label in self.scope.labels.clone() {
            self.place_label(&mut body, &label);
        }
        if self.rng.chance(25) {
            self.place_label(&mut body, "end0");
        }
        Process { head, locals, body }
    }

    /// Puts a label somewhere outside of `d_step`s.
    pub(super) fn place_label(&mut self, body: &mut Vec<Stmt>, label: &str) {
        let mut bearers = Vec::new();
        collect(body, true, &mut Vec::new(), &mut bearers);
        if bearers.is_empty() {
            body.push(Stmt::line("skip"));
            bearers.push(vec![(0, body.len() - 1)]);
        }
        let path = self.rng.pick(&bearers).clone();
        find(body, &path).label(label);
    }
}

/// Where a statement stands: in which part of the statement before, and where in it.
type Path = Vec<(usize, usize)>;

/// The statements that can bear a label. SPIN wants none at the first statement of a part, no jumps to jumps or into
/// `d_step`s, and two labels not everywhere.
fn collect(body: &[Stmt], first: bool, path: &mut Path, bearers: &mut Vec<Path>) {
    let part = path.pop().map_or(0, |(part, _)| part);
    for (i, statement) in body.iter().enumerate() {
        path.push((part, i));
        if (i > 0 || first) && !statement.is_labelled() && !statement.is_no_target() {
            bearers.push(path.clone());
        }
        if let Stmt::Group { head, parts, .. } = statement
            && !head.ends_with("d_step {")
        {
            for (j, (_, part)) in parts.iter().enumerate() {
                path.push((j, 0));
                collect(part, false, path, bearers);
            }
        }
        path.pop();
    }
}

/// The statement at a path.
fn find<'s>(body: &'s mut [Stmt], path: &[(usize, usize)]) -> &'s mut Stmt {
    let statement = &mut body[path[0].1];
    match (statement, path.get(1)) {
        (Stmt::Group { parts, .. }, Some((part, _))) => find(&mut parts[*part].1, &path[1..]),
        (statement, _) => statement,
    }
}

impl Field {
    fn keyword(self) -> &'static str {
        match self {
            Field::Channel(_) => "chan",
            Field::Number(Kind::Bit) => "bit",
            Field::Number(Kind::Bool) => "bool",
            Field::Number(Kind::Short) => "short",
            Field::Number(Kind::Mtype) => "mtype",
            Field::Number(_) => "byte",
        }
    }
}
