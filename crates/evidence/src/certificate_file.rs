//! Certificates on disk: JSON, with what they are about.

use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};

use crate::{Certificate, Question};

/// What was proved about the models of one file, as it is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateFile {
    /// The version of this format.
    pub schema: String,
    /// The parameters that were set, as `name=value`.
    #[serde(default)]
    pub set: Vec<String>,
    /// The other options by which the model was read, as words of a command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Each property that a certificate was found for.
    pub proofs: Vec<CertifiedProperty>,
}

/// A property and its certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedProperty {
    /// The name of the model.
    pub model: String,
    /// The name of the property.
    pub property: String,
    /// What was asked, if the property is not one of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// Why what would break it, or show it if it is reachability, is never reached.
    pub certificate: Certificate,
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
    pub const SCHEMA: &'static str = "impasse-certificate-2";

    /// Certificates for a file.
    pub fn new(set: Vec<String>, options: Vec<String>, proofs: Vec<CertifiedProperty>) -> Self {
        Self { schema: Self::SCHEMA.to_owned(), set, options, proofs }
    }

    /// Reads what was written.
    pub fn from_json(text: &[u8]) -> Result<Self, CertificateFileError> {
        #[derive(Deserialize)]
        struct Version {
            schema: String,
        }
        let format = |e: serde_json::Error| CertificateFileError::Format(e.to_string());
        let Version { schema } = serde_json::from_slice(text).map_err(format)?;
        if schema == Self::SCHEMA {
            serde_json::from_slice(text).map_err(format)
        } else {
            Err(CertificateFileError::Schema(schema))
        }
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
            Self::Schema(found) => write!(f, "its format is `{found}`, and `{}` is read", CertificateFile::SCHEMA),
        }
    }
}

impl std::error::Error for CertificateFileError {}
