//! `impasse verify`: whether a certificate proves that a model cannot deadlock. No engine and no solver is used.

use std::borrow::Cow;

use check::check_local_proof;
use evidence::CertificateFile;
use model::Limits;

use crate::args::VerifyArgs;
use crate::exit::{Done, Exit, Failure};
use crate::input::{self, Model, Models, Patience};
use crate::{output, quantity};

/// Reads the model anew and checks the certificate against it.
pub(crate) fn run(args: &VerifyArgs) -> Done {
    let shown = args.certificate.display();
    let file = CertificateFile::from_json(&input::read_bytes(&args.certificate)?)
        .map_err(|e| Failure::input(format!("{shown}: {e}")))?;
    let model = model(args, &file)?;
    let network = match &model.network {
        Some(network) => Cow::Borrowed(&**network),
        None => {
            let view = model.loaded.system.network(&Limits::default());
            Cow::Owned(view.map_err(|e| Failure::input(format!("the model is no network: {e}")))?)
        }
    };
    let name = model.loaded.system.name();
    match check_local_proof(&network, &file.proof) {
        Ok(()) => {
            output::emit(&format!("VERIFIED {shown}: `{name}` cannot deadlock\n"))?;
            Ok(Exit::Holds)
        }
        Err(why) => {
            output::emit(&format!("REFUSED {shown}: it does not prove that `{name}` cannot deadlock: {why}\n"))?;
            Ok(Exit::Unknown)
        }
    }
}

/// The model with the parameters of the command line, or those of the certificate; of several, the one that has the
/// property.
fn model(args: &VerifyArgs, file: &CertificateFile) -> Result<Model, Failure> {
    let given = args.model.settings()?;
    let saved = || file.set.iter().map(|s| quantity::setting(s)).collect::<Result<Vec<_>, _>>();
    let unfit = |why: &str| Failure::input(format!("{} does not fit the model: {why}", args.certificate.display()));
    let settings = if given.is_empty() { saved().map_err(|why| unfit(&why))? } else { given };
    let mut models = Models::read_file(&args.model.file, args.model.wishes(settings), Patience::default())?.models;
    let has = |m: &Model| m.loaded.system.name() == file.model;
    let position = models.iter().position(has).unwrap_or_default();
    if models.is_empty() { Err(unfit("it asserts nothing")) } else { Ok(models.swap_remove(position)) }
}
