//! `impasse simulate`: by hand, at random, or along a saved trace.

mod random;
pub(crate) mod replay;
pub(crate) mod stepper;

use std::io::{BufRead, IsTerminal};

use explain::text;
use model::TransitionId;

use crate::args::SimulateArgs;
use crate::exit::{Done, Exit, Failure};
use crate::input::Model;
use crate::{output, telling};
use random::Random;
use stepper::{Choice, Stepper};

const HELP: &str = "a number takes that transition, u undoes the last step, r takes a random one, \
                    ? says why the others are disabled, q quits\n";

/// Steps through a model.
pub(crate) fn run(args: &SimulateArgs) -> Done {
    telling::can_write(&args.telling)?;
    if let Some(path) = &args.replay {
        return replay::run(args, path);
    }
    if args.telling.chart.is_some() || args.telling.wait_for.is_some() {
        return Err(Failure::usage("--chart and --wait-for are about a saved run: add --replay".to_owned()));
    }
    let model = Model::read(&args.model)?;
    let mut session = Session { stepper: Stepper::new(&model.loaded.system), model: &model, random: Random(args.seed) };
    match args.steps {
        Some(steps) => session.walk(steps)?,
        None => session.interact(std::io::stdin().lock())?,
    }
    Ok(Exit::Holds)
}

struct Session<'a> {
    stepper: Stepper<'a>,
    model: &'a Model,
    random: Random,
}

/// What to do after a command.
enum Next {
    Show,
    Ask,
    Quit,
}

impl Session<'_> {
    /// Takes random steps until there are enough or there is none.
    fn walk(&mut self, steps: usize) -> Result<(), Failure> {
        for _ in 0..steps {
            if !self.random_step()? {
                break;
            }
        }
        output::emit(&self.stepper.show_state())
    }

    /// Reads commands until the end of the input.
    fn interact(&mut self, mut input: impl BufRead) -> Result<(), Failure> {
        let mut next = Next::Show;
        loop {
            match next {
                Next::Show => {
                    output::emit(&self.stepper.show_state())?;
                    output::emit(&self.stepper.show_choices())?;
                }
                Next::Ask => {}
                Next::Quit => return Ok(()),
            }
            output::emit("> ")?;
            let mut line = String::new();
            let read = input.read_line(&mut line).map_err(|e| Failure::input(format!("standard input: {e}")))?;
            if read == 0 {
                return output::emit("\n");
            }
            if !std::io::stdin().is_terminal() {
                // Nobody typed it, so nobody sees it unless it is repeated.
                output::emit(&format!("{}\n", line.trim()))?;
            }
            next = self.obey(line.trim())?;
        }
    }

    fn obey(&mut self, command: &str) -> Result<Next, Failure> {
        match command {
            "q" | "quit" => return Ok(Next::Quit),
            "u" | "undo" if self.stepper.undo() => return Ok(Next::Show),
            "u" | "undo" => output::emit("this is the initial state\n")?,
            "r" | "random" if self.random_step()? => return Ok(Next::Show),
            "r" | "random" => {}
            "?" => output::emit(&self.stepper.show_disabled())?,
            "" => {}
            number => {
                match number.parse().ok().and_then(|n: usize| self.stepper.choices().get(n.wrapping_sub(1)).cloned()) {
                    Some(Choice::Step(t)) => {
                        if self.fire(t)? {
                            return Ok(Next::Show);
                        }
                    }
                    Some(Choice::Fault(_, message)) => output::emit(&format!("model error: {message}\n"))?,
                    None => output::emit(HELP)?,
                }
            }
        }
        Ok(Next::Ask)
    }

    /// Takes a random enabled transition; false if there is none, or if it is a model error, which is said.
    fn random_step(&mut self) -> Result<bool, Failure> {
        let steps: Vec<TransitionId> = self.stepper.steps();
        if steps.is_empty() {
            output::emit("nothing is enabled\n")?;
            return Ok(false);
        }
        let chosen = steps[self.random.below(steps.len())];
        self.fire(chosen)
    }

    /// Takes a transition and shows what it changed; false if it is a model error.
    fn fire(&mut self, t: TransitionId) -> Result<bool, Failure> {
        let mut out = String::new();
        let done = match self.stepper.fire(t, &self.model.source) {
            Ok(step) => {
                text::step(&mut out, &step);
                true
            }
            Err(fault) => {
                out.push_str(&format!("model error: {}\n", fault.show(&self.model.loaded.system)));
                false
            }
        };
        output::emit(&out)?;
        Ok(done)
    }
}
