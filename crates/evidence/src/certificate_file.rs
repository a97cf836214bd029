//! Certificates on disk: JSON, with what they are about.

use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};

use crate::LocalProof;

/// A certificate of deadlock freedom as it is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateFile<P = LocalProof> {
    /// The version of this format.
    pub schema: String,
    /// The name of the model.
    pub model: String,
    /// The parameters that were set, as `name=value`.
    #[serde(default)]
    pub set: Vec<String>,
    /// The name of the property that it proves.
    pub property: String,
    /// The proof, about the model seen as a network.
    pub proof: P,
}

/// Why a text is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateFileError {
    /// It is not JSON of this format.
    Format(String),
    /// Its format is of another version.
    Schema(String),
}

impl CertificateFile {
    /// The version that this crate writes.
    pub const SCHEMA: &'static str = "impasse-certificate-1";

    /// Reads what was written.
    pub fn from_json(text: &[u8]) -> Result<Self, CertificateFileError> {
        let file: Self = serde_json::from_slice(text).map_err(|e| CertificateFileError::Format(e.to_string()))?;
        if file.schema == Self::SCHEMA { Ok(file) } else { Err(CertificateFileError::Schema(file.schema)) }
    }
}

impl<'a> CertificateFile<&'a LocalProof> {
    /// A certificate for a file.
    pub fn new(model: &str, set: Vec<String>, property: &str, proof: &'a LocalProof) -> Self {
        let schema = CertificateFile::<LocalProof>::SCHEMA.to_owned();
        Self { schema, model: model.to_owned(), set, property: property.to_owned(), proof }
    }

    /// Writes it, piece by piece: certificates can be large.
    pub fn write(&self, to: impl io::Write) -> io::Result<()> {
        serde_json::to_writer(to, self).map_err(io::Error::from)
    }
}

impl fmt::Display for CertificateFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(why) => write!(f, "it is no certificate: {why}"),
            Self::Schema(found) => {
                write!(f, "its format is `{found}`, and `{}` is read", CertificateFile::<LocalProof>::SCHEMA)
            }
        }
    }
}

impl std::error::Error for CertificateFileError {}
