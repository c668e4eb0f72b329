//! The reasons for refusing a call, and the table that maps each to an answer.

mod blocks;
mod data;
mod imports;
mod operations;
mod problem;
#[cfg(test)]
pub(crate) mod snapshot;
mod table;
mod texts;
mod unprocessable;

pub(crate) use imports::SHOWN_ROW;
pub use problem::Problem;

use crate::wire::Bodies;
use actix_web::http::Method;
use octavo_core_model::{Bucket, Fault, fault::Conflict, job::Failure};
use serde_json::Value;

/// What is answered in place of a result: a fault of a use case, or a refusal of the HTTP layer itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    Fault(Fault),
    /// A value is taken; contains the value that was sent.
    Taken {
        field: &'static str,
        received: Value,
    },
    UnknownPath,
    WrongVerb(Vec<Method>),
    /// The bytes are not an HTTP request, or one that two readers could understand differently.
    MalformedRequest(&'static str),
    UriTooLong,
    HeadersTooLarge,
    BodyTooLarge {
        max: usize,
    },
    /// A body in an encoding that the route does not accept.
    WrongMediaType(Bodies),
    /// A form that was not sent by a page of this service.
    ForeignForm,
    /// A form of a page of this service that was opened at another address than the public one; contains the latter.
    FormOfOtherAddress(String),
    /// A page of this service that a page of another site loads as something else than a page of its own.
    ForeignEmbedding,
    /// A form that was shown to another browser or with other values, or whose browser has lost its cookie.
    StaleForm,
    /// A body with a content encoding, for example gzip.
    EncodedBody,
    TooSlow,
    RateLimited {
        bucket: Bucket,
        retry_after: u64,
    },
    /// A feature that this deployment does not offer.
    NotEnabled(&'static str),
    /// Failing checks, each with its name and state.
    Unready(Vec<(&'static str, &'static str)>),
    /// The queue in front of the store is full.
    Overloaded,
}

impl Refusal {
    /// A fault, with the received value if it is to be shown.
    pub(crate) fn of(fault: Fault, body: Option<&Value>) -> Self {
        match fault {
            Fault::Conflict(Conflict::Taken(field)) => match body.and_then(|body| body.get(field)) {
                Some(received) => Self::Taken { field, received: received.clone() },
                None => fault.into(),
            },
            fault => fault.into(),
        }
    }
}

/// Describes a fault to those who read the job that failed with it.
pub fn explain(fault: Fault) -> Failure {
    let problem = Refusal::from(fault).problem();
    Failure { code: problem.code.to_owned(), message: problem.message.into_owned(), details: problem.details }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<octavo_core_model::fault::Violation> for Refusal {
    fn from(violation: octavo_core_model::fault::Violation) -> Self {
        Self::Fault(violation.into())
    }
}
