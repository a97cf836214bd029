//! `impasse mcc`: the conventions of the Model Checking Contest.
//!
//! Every answer is one line on standard output, written as soon as it is known; what has no answer when the time is over
//! is said to be so. Remarks go to standard error.

mod answers;
mod examination;
mod folder;

use std::time::Duration;

use driver::{NetInquiry, answer_net, state_space};
use evidence::Budget;
use model::views::Net;

use crate::args::MccArgs;
use crate::exit::{Done, Exit, Failure};
use crate::{budget, output};
use answers::Answers;
use examination::Examination;
use folder::Folder;

/// The part of the time that is kept for reading, and for saying that it is over.
const RESERVE: f64 = 0.03;
/// A claim of the author that no place ever has two tokens is believed after this time, if nobody refuted it.
const DOUBT: Duration = Duration::from_secs(10);

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
        Examination::StateSpace => count(&folder.loaded.net, &budget),
        _ => examine(args, folder, examination, &answers, &budget),
    }
}

fn examine(args: &MccArgs, folder: Folder, examination: Examination, answers: &Answers, budget: &Budget) -> Done {
    let claimed = examination == Examination::OneSafe && folder.loaded.nupn.as_ref().is_some_and(|n| n.safe);
    let limited = if claimed { budget.share(4).narrowed(DOUBT, u64::MAX) } else { budget.clone() };
    let (questions, goals) = folder.questions(examination)?;
    answers.expect(questions);
    let net = folder.loaded.net.into();
    let inquiry = NetInquiry { net, goals, threads: args.threads(), engines: args.engines };
    answer_net(inquiry, &limited, answers.listener()).map_err(|e| Failure::internal(e.to_string()))?;
    if claimed {
        answers.claim();
    }
    Ok(if answers.give_up()? { Exit::Unknown } else { Exit::Holds })
}

fn count(net: &Net, budget: &Budget) -> Done {
    let counts = match state_space(net, budget) {
        Ok(counts) => counts,
        Err(reason) => {
            output::complain(&reason.to_string());
            output::emit("STATE_SPACE CANNOT_COMPUTE TECHNIQUES EXPLICIT\n")?;
            return Ok(Exit::Unknown);
        }
    };
    let lines = [
        ("STATES", counts.states),
        ("TRANSITIONS", counts.firings),
        ("MAX_TOKEN_PER_MARKING", counts.total_tokens),
        ("MAX_TOKEN_IN_PLACE", counts.place_tokens),
    ];
    let lines = lines.map(|(what, value)| format!("STATE_SPACE {what} {value} TECHNIQUES EXPLICIT\n"));
    output::emit(&lines.concat())?;
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
