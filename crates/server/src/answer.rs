//! What a handler comes to.

use crate::{
    refusal::Refusal,
    route::Entry,
    screen::Screen,
    wire::{Data, Writable, Written},
};
use actix_web::{
    body::BoxBody,
    http::{StatusCode, header::HeaderMap},
    web::Bytes,
};
use octavo_app::{AppResult, Reply, Stop};
use std::{borrow::Cow, sync::Arc};

#[derive(Debug)]
#[expect(private_interfaces, reason = "screens are made in this crate only")]
pub enum Answer {
    Reply(Reply),
    /// Something else than the JSON of a use case.
    Document(Document),
    /// A page for people, or the way to one.
    Screen(Box<Screen>),
    /// The bytes of a file.
    File(FileBytes),
    Refused(Refusal),
    /// What a path takes, for whoever asks by OPTIONS.
    Preflight(Arc<Entry>),
}

/// A text or file that is no reply of a use case.
#[derive(Debug)]
pub struct Document {
    pub media: &'static str,
    pub body: Bytes,
    /// What the browser may load for it.
    pub policy: Cow<'static, str>,
}

/// Bytes of a file, or a part of them, with the headers that belong to them.
#[derive(Debug)]
pub struct FileBytes {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: BoxBody,
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        Self::Reply(reply)
    }
}

impl From<Document> for Answer {
    fn from(document: Document) -> Self {
        Self::Document(document)
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<AppResult<Reply>> for Answer {
    fn from(result: AppResult<Reply>) -> Self {
        match result {
            Ok(reply) | Err(Stop::Replay(reply)) => Self::Reply(reply),
            Err(Stop::Fault(fault)) => Self::Refused(fault.into()),
        }
    }
}

/// 200 with `{ data }`.
pub fn ok<T: Writable>(value: T) -> Reply {
    Reply::json(200, &Data(value))
}

/// 201 with `{ data }`.
pub fn created<T: Writable>(value: T) -> Reply {
    Reply::json(201, &Data(value))
}

/// 202 with `{ data }`.
pub fn accepted<T: Writable>(value: T) -> Reply {
    Reply::json(202, &Data(value))
}

/// 200 with what is shown as it is, without an envelope around it.
pub fn plain(value: &impl Writable) -> Answer {
    Reply::json(200, &Written(value)).into()
}
