//! A call that passed the gate, before its handler runs.

use super::{PathTemplate, Upload, principal};
use crate::{
    backend::Backend,
    keys_in_use::KeyLease,
    wire::{Encoding, Pager},
};
use actix_web::{
    HttpRequest,
    http::{Method, header::HeaderMap},
};
use octavo_app::{Call, QuotaShare};
use octavo_sealing::Keyring;
use serde_json::Value;
use std::sync::Arc;

#[derive(Debug)]
pub struct AdmittedRequest {
    pub(crate) backend: Arc<Backend>,
    /// The verb that the route declares: GET for a HEAD.
    pub(crate) verb: &'static Method,
    pub(crate) template: PathTemplate,
    pub(crate) request: HttpRequest,
    pub(crate) body: Option<Value>,
    /// The encoding of the body; `None` if no header names it.
    pub(crate) encoding: Option<Encoding>,
    pub(crate) upload: Option<Upload>,
    /// The memory that the body has taken; `None` if the body is small.
    pub(crate) body_memory: Option<QuotaShare>,
    pub(crate) call: Call,
    pub(crate) key_lease: Option<KeyLease>,
    pub(crate) segments_taken: usize,
    /// The pager with which the dispatcher paginates the list.
    pub(crate) pager: Option<Pager>,
}

impl AdmittedRequest {
    /// The next parameter of the path, as it was sent.
    pub fn next_segment(&mut self) -> Option<&str> {
        let number = self.segments_taken;
        self.segments_taken += 1;
        self.template.parameter(self.request.uri().path(), number)
    }

    pub fn query(&self) -> &str {
        self.request.uri().query().unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.request.headers().get(name)?.to_str().ok()
    }

    pub fn headers(&self) -> &HeaderMap {
        self.request.headers()
    }

    pub fn origin(&self) -> &str {
        &self.backend.settings.origin
    }

    /// The owner of the call, to keep data of one caller from another.
    pub fn holder(&self) -> String {
        principal::holder(&self.call, self.body.as_ref())
    }

    pub fn workspace(&self) -> String {
        principal::workspace(&self.call).map(|id| id.to_string()).unwrap_or_default()
    }

    pub fn route_name(&self) -> String {
        format!("{} {}", self.verb, self.request.uri().path())
    }

    pub fn keyring(&self) -> Arc<Keyring> {
        self.backend.engine().keyring()
    }
}
