//! Why a command ended without doing what was asked: one sentence, and what to do.

use platform::Fault;

/// Printed to standard error; the process exits with 1, or with 2 where the call itself was wrong.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Failed(String),
}

impl Failure {
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(_) => 1,
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Failed(fault.to_string())
    }
}

impl From<embedded::EmbeddedError> for Failure {
    fn from(error: embedded::EmbeddedError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}
