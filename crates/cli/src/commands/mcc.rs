//! `impasse mcc`: the conventions of the Model Checking Contest.
//!
//! Every answer is one line on standard output, written as soon as it is known; what has no answer when the time is over
//! is said to be so. Remarks go to standard error.

mod answers;
mod examination;
mod folder;

use std::sync::Arc;
use std::time::Duration;

use driver::{Counts, NetInquiry, RunInquiry, answer_net, answer_runs, state_space};
use evidence::{Budget, Reason};
use frontend::Nupn;
use model::views::Net;

use crate::args::MccArgs;
use crate::exit::{Done, Exit, Failure};
use crate::{budget, output};
use answers::{Answers, Question};
use examination::Examination;
use folder::{Exam, Folder};

/// The part of the time that is kept for reading, and for saying that it is over.
const RESERVE: f64 = 0.03;

/// Answers one examination.
pub(crate) fn run(args: &MccArgs) -> Done {
    let examination = Examination::chosen(args)?;
    let time = args.timeout.map_or_else(confinement, |t| Ok(Some(t)))?;
    let budget = budget::within(time.map(|t| t.mul_f64(1.0 - RESERVE)), args.memory);
    if !examination.is_answered() {
        output::emit("DO_NOT_COMPETE\n")?;
        return Ok(Exit::Unknown);
    }
    let answers = Answers::default();
    if let Some(time) = time {
        answers.end_after(time.mul_f64(1.0 - RESERVE / 3.0));
    }
    let folder = Folder::read(&args.dir)?;
    match examination {
        Examination::StateSpace => count(&folder.loaded.net, &answers, &budget),
        _ => examine(args, folder, examination, &answers, &budget),
    }
}

fn examine(args: &MccArgs, folder: Folder, examination: Examination, answers: &Answers, budget: &Budget) -> Done {
    let Exam { questions, goals, runs } = folder.questions(examination)?;
    answers.expect(questions);
    let claims = folder.loaded.nupn.as_ref().map_or_else(Vec::new, Nupn::claims);
    let (net, threads, engines): (Arc<Net>, _, _) = (folder.loaded.net.into(), args.threads(), args.engines);
    let time = budget.shares(goals.len(), goals.len() + runs.len());
    let mut answered = Ok(());
    if !goals.is_empty() {
        let inquiry =
            NetInquiry { net: Arc::clone(&net), goals, claims: claims.clone(), others: None, threads, engines };
        answered = answer_net(inquiry, &time, answers.listener()).map(|_| ());
    }
    if !runs.is_empty() && answered.is_ok() {
        let inquiry = RunInquiry { net, questions: runs, claims, threads, engines };
        answered = answer_runs(&inquiry, budget, &|i, value, how| answers.truth(i, value, how));
    }
    let open = answers.give_up()?;
    answered.map_err(|e| Failure::internal(e.to_string()))?;
    Ok(if open { Exit::Unknown } else { Exit::Holds })
}

fn count(net: &Net, answers: &Answers, budget: &Budget) -> Done {
    let lines = ["STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"];
    answers.expect(lines.map(Question::Figure).into());
    let figures = match state_space(net, budget) {
        Ok(Counts { states, firings, total_tokens, place_tokens }) => {
            [states, firings, total_tokens, place_tokens].map(|n| n.to_string())
        }
        Err(Reason::Unbounded(_)) => [(); 4].map(|()| "+inf".to_owned()),
        Err(reason) => {
            output::complain(&reason.to_string());
            answers.give_up()?;
            return Ok(Exit::Unknown);
        }
    };
    answers.give(&figures)?;
    Ok(Exit::Holds)
}

/// The time that the contest's environment gives, in seconds.
fn confinement() -> Result<Option<Duration>, Failure> {
    let Ok(text) = std::env::var("BK_TIME_CONFINEMENT") else { return Ok(None) };
    match text.trim().parse::<u64>() {
        Ok(seconds) => Ok(Some(Duration::from_secs(seconds))),
        Err(_) => Err(Failure::usage(format!("BK_TIME_CONFINEMENT is `{text}`, not a number of seconds"))),
    }
}
