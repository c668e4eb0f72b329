//! Why a call is refused, and the table that maps each refusal to an answer.

mod blocks;
mod problem;
#[cfg(test)]
mod snapshot;
mod table;
mod texts;

pub use problem::Problem;

use crate::route::Bodies;
use actix_web::http::Method;
use octavo_core_model::{Bucket, Fault, fault::Conflict};
use serde_json::Value;

/// The answer in place of a result: a fault of a use case, or a refusal of the HTTP layer itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    Fault(Fault),
    /// A value is taken, and this is what was sent for it.
    Taken {
        field: &'static str,
        received: Value,
    },
    UnknownPath,
    WrongVerb(Vec<Method>),
    /// The bytes are no HTTP request that two readers would understand alike.
    MalformedRequest(&'static str),
    UriTooLong,
    HeadersTooLarge,
    BodyTooLarge {
        max: usize,
    },
    /// A body in an encoding that the route does not accept.
    WrongMediaType(Bodies),
    /// A form that no page of this service sent.
    ForeignForm,
    /// A form that was shown to another browser or with other values, or whose browser lost its cookie.
    StaleForm,
    /// A body in a content encoding, for example gzip.
    EncodedBody,
    TooSlow,
    RateLimited {
        bucket: Bucket,
        retry_after: u64,
    },
    /// A feature this deployment does not offer.
    NotEnabled(&'static str),
    /// Checks that fail, each with its name and state.
    Unready(Vec<(&'static str, &'static str)>),
    /// The queue in front of the store is full.
    Overloaded,
}

impl Refusal {
    /// A fault, with the received value where it is shown.
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
